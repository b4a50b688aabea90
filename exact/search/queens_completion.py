"""Compiled search for one completion of given queens: the line with the fewest free squares comes first.

A line is a row (0..n-1) or a column (n..2n-1). `attackers[r, c]` counts the queens whose lines hold the square
(at most four, so a byte does), `free[line]` the squares of a line that no queen holds; both are updated as
queens are placed and taken back, in time proportional to n. Every line needs a queen, so a line without a free
square ends a branch. The search is iterative and exhaustive; the caller says how ties between lines are broken
and in which order the squares of a line are tried, so that other permutations give another search.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Counts = NDArray[np.int8]


class Verdict(IntEnum):
    """How a call of `complete` ended."""

    OPEN = 0
    SOLVED = 1
    EXHAUSTED = 2


_OPEN, _SOLVED, _EXHAUSTED = (int(verdict) for verdict in Verdict)


@njit(cache=True, nogil=True)
def place(attackers: Counts, free: Numbers, row: int, col: int, change: int) -> None:
    """Add (`change` 1) or take back (-1) a queen."""
    n = attackers.shape[0]
    for other in range(n):
        _touch(attackers, free, row, other, change)
    for r in range(n):
        if r != row:
            _touch(attackers, free, r, col, change)
            distance = r - row
            if 0 <= col + distance < n:
                _touch(attackers, free, r, col + distance, change)
            if 0 <= col - distance < n:
                _touch(attackers, free, r, col - distance, change)


@njit(cache=True, nogil=True)
def _touch(attackers: Counts, free: Numbers, row: int, col: int, change: int) -> None:
    before = attackers[row, col]
    attackers[row, col] = before + change
    if before == 0 or before + change == 0:
        free[row] -= change
        free[attackers.shape[0] + col] -= change


@njit(cache=True, nogil=True)
def _tightest(free: Numbers, occupied: Counts, ties: Numbers) -> int:
    """Return the open line with the fewest free squares, the first in `ties` of several; -1 if none is open."""
    best, least = -1, len(free)
    for line in ties:
        if not occupied[line] and free[line] < least:
            best, least = line, free[line]
            if least == 0:
                break
    return best


@njit(cache=True, nogil=True)
def begin(free: Numbers, columns: Numbers, ties: Numbers, occupied: Counts, path: Numbers) -> None:
    """Set up a search below the queens in `columns` (row -> column, -1 where open).

    `occupied` (2n, zeros) gets the lines that have a queen; `path` (n + 1, 2) holds the line of each depth and
    the position among `values` of the square tried there, -1 for none.
    """
    n = len(columns)
    for row in range(n):
        if columns[row] >= 0:
            occupied[row] = occupied[n + columns[row]] = 1
    path[0, 0], path[0, 1] = _tightest(free, occupied, ties), -1


@njit(cache=True, nogil=True)
def complete(
    attackers: Counts,
    free: Numbers,
    columns: Numbers,
    ties: Numbers,
    values: Numbers,
    occupied: Counts,
    path: Numbers,
    depth: int,
    budget: int,
) -> Any:
    """Go on searching from `depth` for at most `budget` nodes; all arrays are the state of the search.

    `ties` is a permutation of the 2n lines, `values` one of the n squares of a line. Return (verdict, nodes,
    depth). After SOLVED, `columns` holds the completion.
    """
    n, nodes = len(columns), 0
    while path[depth, 0] >= 0:
        line, position = path[depth, 0], path[depth, 1]
        if nodes >= budget:
            return _OPEN, nodes, depth
        if position >= 0:  # back from below: take back the queen that was placed there
            row, col = _square(line, values[position], n)
            place(attackers, free, row, col, -1)
            columns[row] = -1
            occupied[row] = occupied[n + col] = 0
        position = _next_free(attackers, line, position + 1, values)
        if position == n:
            depth -= 1
            if depth < 0:
                return _EXHAUSTED, nodes, depth
            continue
        path[depth, 1] = position
        row, col = _square(line, values[position], n)
        nodes += 1
        place(attackers, free, row, col, 1)
        columns[row] = col
        occupied[row] = occupied[n + col] = 1
        depth += 1
        path[depth, 0], path[depth, 1] = _tightest(free, occupied, ties), -1
    return _SOLVED, nodes, depth


@njit(cache=True, nogil=True)
def _next_free(attackers: Counts, line: int, position: int, values: Numbers) -> int:
    n = len(values)
    while position < n:
        row, col = _square(line, values[position], n)
        if attackers[row, col] == 0:
            break
        position += 1
    return position


@njit(cache=True, nogil=True)
def _square(line: int, value: int, n: int) -> Any:
    """Return the square of a row (value: its column) or of a column (value: its row)."""
    if line < n:
        return line, value
    return value, line - n
