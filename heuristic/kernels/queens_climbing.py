"""Compiled hill climbers for queens: the document's, by queens attacked, and the textbook's, by pairs.

A state `at` has one queen a line (row or column, as the caller likes): line -> place. `lines` has a row of
counters each for the places, the rising and the falling diagonals, shape (3, 2n): how many queens stand there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.random import State, below, shuffle

Places = NDArray[np.int64]
Counts = NDArray[np.int32]

PLACES, RISING, FALLING = 0, 1, 2
"""The rows of `lines`; (line, place) is on the diagonals line + place and line - place + n - 1."""


@njit(cache=True, nogil=True)
def permute(rng: State, at: Places) -> None:
    """Draw a uniformly random permutation."""
    for line in range(len(at)):
        at[line] = line
    shuffle(rng, at)


@njit(cache=True, nogil=True)
def scatter(rng: State, at: Places) -> None:
    """Draw each place uniformly and independently."""
    for line in range(len(at)):
        at[line] = below(rng, len(at))


@njit(cache=True, nogil=True)
def tally(at: Places, lines: Counts) -> None:
    """Count the queens on every line anew."""
    for line in range(lines.shape[1]):
        lines[PLACES, line] = lines[RISING, line] = lines[FALLING, line] = 0
    for line in range(len(at)):
        _put(lines, line, at[line], 1)


@njit(cache=True, nogil=True)
def _put(lines: Counts, line: int, place: int, change: int) -> None:
    lines[PLACES, place] += change
    lines[RISING, line + place] += change
    lines[FALLING, line - place + lines.shape[1] // 2 - 1] += change


@njit(cache=True, nogil=True)
def count_attacked(at: Places, lines: Counts) -> int:
    """Return how many queens are attacked by another one."""
    n, attacked = len(at), 0
    for line in range(n):
        place = at[line]
        attacked += (
            lines[PLACES, place] > 1 or lines[RISING, line + place] > 1 or lines[FALLING, line - place + n - 1] > 1
        )
    return attacked


@njit(cache=True, nogil=True)
def count_pairs(at: Places, lines: Counts) -> int:
    """Return how many pairs of queens attack each other; others between them do not matter."""
    n, twice = len(at), 0
    for line in range(n):
        place = at[line]
        twice += lines[PLACES, place] + lines[RISING, line + place] + lines[FALLING, line - place + n - 1] - 3
    return twice // 2


@njit(cache=True, nogil=True)
def climb_attacked(
    rng: State, at: Places, lines: Counts, lone: Counts, moves: Places, cost: int, most: int, target: int
) -> Any:
    """Make up to `most` of the document's steps, until the cost is at most `target`; return (steps, cost).

    The cost is the number of queens attacked. A step goes to a uniformly chosen one of the best of all
    n(n - 1) moves of a queen within its line, even when that is worse. Moving queen r away leaves the others
    with some number attacked; a square then adds itself, if a line through it holds a queen, and each queen
    that is attacked by nothing else: such a queen is alone on its lines, which `lone` (zeros, shaped as
    `lines`) marks. So every move is valued in constant time. `moves` has room for n * n.
    """
    n, steps = len(at), 0
    while steps < most and cost > target:
        best, ties = n + 1, 0
        for line in range(n):
            here = at[line]
            _put(lines, line, here, -1)
            others = 0
            for other in range(n):
                place = at[other]
                if other == line:
                    continue
                if (
                    lines[PLACES, place] > 1
                    or lines[RISING, other + place] > 1
                    or lines[FALLING, other - place + n - 1] > 1
                ):
                    others += 1
                else:
                    _put(lone, other, place, 1)
            for place in range(n):
                if place == here:
                    continue
                up, down = line + place, line - place + n - 1
                value = others + lone[PLACES, place] + lone[RISING, up] + lone[FALLING, down]
                value += (lines[PLACES, place] | lines[RISING, up] | lines[FALLING, down]) != 0
                if value < best:
                    best, ties = value, 0
                if value == best:
                    moves[ties] = line * n + place
                    ties += 1
            for other in range(n):
                place = at[other]
                lone[PLACES, place] = lone[RISING, other + place] = lone[FALLING, other - place + n - 1] = 0
            _put(lines, line, here, 1)
        move = moves[below(rng, ties)]
        move_queen(lines, at, move // n, move % n)
        cost = best
        steps += 1
    return steps, cost


@njit(cache=True, nogil=True)
def climb_pairs(
    rng: State,
    at: Places,
    lines: Counts,
    moves: Places,
    cost: int,
    sideways_made: int,
    sideways: int,
    most: int,
    target: int,
) -> Any:
    """Make up to `most` steps of steepest descent in attacking pairs; return (steps, cost, sideways, stuck).

    A step goes to a uniformly chosen one of the best moves. A move that leaves the cost as it is counts as
    sideways; at most `sideways` may follow each other, `sideways_made` have. Without a move left it is stuck.
    """
    n, steps = len(at), 0
    while steps < most and cost > target:
        best, ties = cost + 3 * n, 0
        for line in range(n):
            here = at[line]
            _put(lines, line, here, -1)
            gone = cost - count_around(lines, line, here)
            for place in range(n):
                if place == here:
                    continue
                value = gone + count_around(lines, line, place)
                if value < best:
                    best, ties = value, 0
                if value == best:
                    moves[ties] = line * n + place
                    ties += 1
            _put(lines, line, here, 1)
        if best > cost or (best == cost and sideways_made >= sideways):
            return steps, cost, sideways_made, True
        sideways_made = sideways_made + 1 if best == cost else 0
        move = moves[below(rng, ties)]
        move_queen(lines, at, move // n, move % n)
        cost = best
        steps += 1
    return steps, cost, sideways_made, False


@njit(cache=True, nogil=True)
def count_around(lines: Counts, line: int, place: int) -> int:
    """Return how many queens stand on the three lines through a square; one on the square counts thrice."""
    n = lines.shape[1] // 2
    return int(lines[PLACES, place] + lines[RISING, line + place] + lines[FALLING, line - place + n - 1])


@njit(cache=True, nogil=True)
def move_queen(lines: Counts, at: Places, line: int, place: int) -> None:
    """Move the queen of a line to another place."""
    _put(lines, line, at[line], -1)
    at[line] = place
    _put(lines, line, place, 1)


@njit(cache=True, nogil=True)
def swap_places(lines: Counts, at: Places, one: int, other: int) -> int:
    """Swap the places of two lines; return how many pairs on a diagonal that adds. Places are not counted."""
    change = -_take(lines, one, at[one]) - _take(lines, other, at[other])
    at[one], at[other] = at[other], at[one]
    return change + _give(lines, one, at[one]) + _give(lines, other, at[other])


@njit(cache=True, nogil=True)
def _take(lines: Counts, row: int, col: int) -> int:
    up, down = row + col, row - col + lines.shape[1] // 2 - 1
    lines[RISING, up] -= 1
    lines[FALLING, down] -= 1
    return int(lines[RISING, up] + lines[FALLING, down])


@njit(cache=True, nogil=True)
def _give(lines: Counts, row: int, col: int) -> int:
    up, down = row + col, row - col + lines.shape[1] // 2 - 1
    lines[RISING, up] += 1
    lines[FALLING, down] += 1
    return int(lines[RISING, up] + lines[FALLING, down] - 2)


@njit(cache=True, nogil=True)
def many_climbs(
    rng: State,
    at: Places,
    lines: Counts,
    lone: Counts,
    moves: Places,
    most: int,
    steps: Places,
    ends: Places,
    costs: Places,
) -> None:
    """Climb as `climb_attacked` does, from a random permutation, once for each line of the last three arrays.

    They get the steps made, the last state and its cost.
    """
    for climb in range(len(steps)):
        permute(rng, at)
        tally(at, lines)
        cost = count_attacked(at, lines)
        steps[climb], costs[climb] = climb_attacked(rng, at, lines, lone, moves, cost, most, 0)
        ends[climb] = at
