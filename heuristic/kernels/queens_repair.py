"""Compiled min-conflicts repair for queens, with an initial placement that leaves few conflicts.

`at` is row -> column; `lines`, shape (3, 2n), counts the queens of each column and diagonal, as in
`queens_climbing`. `suspects` lists rows whose queens may be attacked, each once: every attacked queen is in
it, others are dropped when they are met. `listed` marks the rows in it.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from heuristic.kernels.queens_climbing import FALLING, PLACES, RISING, Counts, Places, count_around, move_queen
from heuristic.kernels.random import State, below, uniform


@njit(cache=True, nogil=True)
def begin_greedy(rng: State, at: Places, lines: Counts, tries: int) -> None:
    """Place a queen a row, each in a random free column whose diagonals are free, as long as one is found.

    A row takes what the last of `tries` draws gives, so that the few last rows may be attacked. `lines` is
    filled in as well.
    """
    n = len(at)
    lines[:] = 0
    for row in range(n):
        at[row] = row
    for row in range(n):
        for _ in range(tries):
            other = row + below(rng, n - row)
            col = at[other]
            if lines[RISING, row + col] == 0 and lines[FALLING, row - col + n - 1] == 0:
                break
        at[row], at[other] = at[other], at[row]
        col = at[row]
        lines[PLACES, col] += 1
        lines[RISING, row + col] += 1
        lines[FALLING, row - col + n - 1] += 1


@njit(cache=True, nogil=True)
def list_attacked(at: Places, lines: Counts, suspects: Places, listed: Any) -> int:
    """List the rows whose queens are attacked, ascending; return how many."""
    number = 0
    listed[:] = False
    for row in range(len(at)):
        if count_around(lines, row, at[row]) > 3:
            suspects[number] = row
            listed[row] = True
            number += 1
    return number


@njit(cache=True, nogil=True)
def repair(
    rng: State,
    at: Places,
    lines: Counts,
    suspects: Places,
    listed: Any,
    number: int,
    ties: Places,
    noise: float,
    cost: int,
    most: int,
    target: int,
) -> Any:
    """Make up to `most` repairs, until the cost (attacking pairs) is at most `target`.

    A repair takes a uniformly chosen attacked queen to a uniformly chosen one of the columns of its row where
    the fewest queens attack it; its own column is one of them if it is as good. With probability `noise` the
    column is any. `number` rows are in `suspects`. Return (repairs, cost, number).
    """
    n, made = len(at), 0
    while made < most and cost > target:
        while True:
            position = below(rng, number)
            row = suspects[position]
            here = at[row]
            attackers = count_around(lines, row, here) - 3
            if attackers > 0:
                break
            number -= 1
            suspects[position] = suspects[number]
            listed[row] = False
        made += 1
        if noise > 0.0 and uniform(rng) < noise:
            col = below(rng, n)
        else:
            col = _least_attacked(rng, lines, row, here, ties)
        if col == here:
            continue
        move_queen(lines, at, row, col)
        new = count_around(lines, row, col) - 3
        cost += new - attackers
        if new > 0:
            number = _suspect_attackers(at, row, col, suspects, listed, number)
    return made, cost, number


@njit(cache=True, nogil=True)
def _least_attacked(rng: State, lines: Counts, row: int, here: int, ties: Places) -> int:
    n, found, least = lines.shape[1] // 2, 0, 2**30
    columns, rising, falling = lines[PLACES, :n], lines[RISING, row:], lines[FALLING, row : row + n]
    for col in range(n):
        attackers = columns[col] + rising[col] + falling[n - 1 - col] - 3 * (col == here)
        if attackers < least:
            least, found = attackers, 0
        if attackers == least:
            ties[found] = col
            found += 1
    return int(ties[below(rng, found)])


@njit(cache=True, nogil=True)
def _suspect_attackers(at: Places, row: int, col: int, suspects: Places, listed: Any, number: int) -> int:
    """Add the queens that share a line with (row, col); return how many rows are listed then."""
    for other in range(len(at)):
        distance = at[other] - col
        if (distance == 0 or abs(distance) == abs(other - row)) and not listed[other]:
            suspects[number] = other
            listed[other] = True
            number += 1
    return number
