"""Compiled loops of the queens search: depth-first search on bit masks, iterative and resumable.

Rows are placed from the top. A search is an array `stack` of shape (n + 1, 4), uint64: line r holds the
occupied columns, the two families of attacked diagonals as seen from row r, and the columns of row r still to
be tried. A kernel runs until its node budget is used up, leaves `stack` so that the next call goes on where it
stopped, and returns the row reached; a row above `top` means that the subtree is exhausted. A node is a queen
placed. Kernels release the interpreter lock, touch only their arguments and are cached on disk.

`allowed` has a mask for each row and bit c stands for column c, so the order of the search is the
lexicographic order of row -> column. Boards of 2 to 63 rows, unless a kernel says otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Columns = NDArray[np.int64]

COLS, LEFT, RIGHT, FREE = 0, 1, 2, 3
"""The columns of `stack`."""


@njit(cache=True, nogil=True)
def count_chunk(n: int, allowed: Words, stack: Words, row: int, top: int, budget: int) -> Any:
    """Go on counting the solutions below row `top` for about `budget` nodes.

    Return (solutions, nodes, row), those of this call and the row to continue from.
    """
    one, none = np.uint64(1), np.uint64(0)
    solutions = nodes = 0
    last = n - 1
    cols, left, right, free = stack[row, 0], stack[row, 1], stack[row, 2], stack[row, 3]
    while row >= top:
        here, below = allowed[row + 1], allowed[row + 2]
        while free != none:
            bit = free & (~free + one)
            free ^= bit
            nodes += 1
            c, le, ri = cols | bit, (left | bit) << one, (right | bit) >> one
            open_here = here & ~(c | le | ri)
            if open_here == none:
                continue
            if row + 1 == last:
                solutions += 1
            # A row that is dead two steps ahead is found here, before its parent is expanded.
            elif below & ~(c | (le << one) | (ri >> one)) != none:
                stack[row, 0], stack[row, 1], stack[row, 2], stack[row, 3] = cols, left, right, free
                row += 1
                cols, left, right, free = c, le, ri, open_here
                here, below = below, allowed[row + 2]
        row -= 1
        if row >= top:
            cols, left, right, free = stack[row, 0], stack[row, 1], stack[row, 2], stack[row, 3]
        if nodes >= budget:
            break
    return solutions, nodes, row


@njit(cache=True, nogil=True)
def list_chunk(n: int, allowed: Words, stack: Words, row: int, budget: int, skip: int, out: Columns) -> Any:
    """Go on listing solutions in lexicographic order, from row 0, for about `budget` nodes.

    The first `skip` solutions of this call are passed over, the next ones go to `out` (a line each, row ->
    column) until it is full. Return (passed over, written, nodes, row).
    """
    one, none = np.uint64(1), np.uint64(0)
    passed = written = nodes = 0
    last = n - 1
    while row >= 0 and nodes < budget and passed + written < skip + len(out):
        free = stack[row, 3]
        if free == none:
            row -= 1
            continue
        bit = free & (~free + one)
        stack[row, 3] = free ^ bit
        nodes += 1
        c = stack[row, 0] | bit
        le, ri = (stack[row, 1] | bit) << one, (stack[row, 2] | bit) >> one
        free = allowed[row + 1] & ~(c | le | ri)
        row += 1
        stack[row, 0], stack[row, 1], stack[row, 2], stack[row, 3] = c, le, ri, free
        if row < last:
            continue
        if free != none:
            if passed < skip:
                passed += 1
            else:
                for i in range(last):
                    out[written, i] = _log2(stack[i + 1, 0] ^ stack[i, 0])
                out[written, last] = _log2(free)
                written += 1
        row -= 1
    return passed, written, nodes, row


@njit(cache=True, nogil=True)
def _log2(bit: Any) -> int:
    column = 0
    while bit > np.uint64(1):
        bit >>= np.uint64(1)
        column += 1
    return column


@njit(cache=True, nogil=True)
def count_rotation_invariant(n: int) -> Any:
    """Return how many solutions a half turn leaves unchanged, and how many of these a quarter turn does too.

    Boards of 2 to 32 rows. A queen and its image are placed together, so only half of the rows are searched;
    the middle queen of an odd board stands in the centre.
    """
    one = np.uint64(1)
    half, quarter, depth = 0, 0, n // 2
    column = np.full(n, -1, np.int64)
    cols = np.zeros(depth + 1, np.uint64)
    ups = np.zeros(depth + 1, np.uint64)
    downs = np.zeros(depth + 1, np.uint64)
    if n % 2:
        column[depth] = depth
        cols[0] = one << np.uint64(depth)
        ups[0] = downs[0] = one << np.uint64(n - 1)
    row = 0
    while row >= 0:
        if row == depth:
            half += 1
            quarter += _is_quarter_turn_invariant(column)
            row -= 1
            continue
        column[row] += 1
        c = column[row]
        if c == n:
            column[row] = -1
            row -= 1
            continue
        image = n - 1 - c
        column[n - 1 - row] = image
        if c == image or row + c == n - 1 or row == c:
            continue  # the queen attacks its own image
        col = one << np.uint64(c) | one << np.uint64(image)
        up = one << np.uint64(row + c) | one << np.uint64(2 * n - 2 - row - c)
        down = one << np.uint64(row - c + n - 1) | one << np.uint64(c - row + n - 1)
        if cols[row] & col | ups[row] & up | downs[row] & down:
            continue
        cols[row + 1], ups[row + 1], downs[row + 1] = cols[row] | col, ups[row] | up, downs[row] | down
        row += 1
    return half, quarter


@njit(cache=True, nogil=True)
def _is_quarter_turn_invariant(column: Columns) -> bool:
    n, agreeing = len(column), 0
    for row in range(n):
        agreeing += column[column[row]] == n - 1 - row
    return agreeing == n


@njit(cache=True, nogil=True)
def count_representatives(solutions: Columns, given: Columns) -> int:
    """Return how many of the solutions (lines, row -> column) are the least of their kind.

    A solution is passed over when one of its seven images is lexicographically smaller and also has the
    `given` queens (row -> column, -1 where the row has none). Over a whole list this counts the classes.
    """
    total, n = 0, solutions.shape[1]
    image = np.empty(n, np.int64)
    for s in range(len(solutions)):
        least = True
        for symmetry in range(1, 8):
            for row in range(n):
                r, c = row, solutions[s, row]
                if symmetry & 1:
                    r = n - 1 - r
                if symmetry & 2:
                    c = n - 1 - c
                if symmetry & 4:
                    r, c = c, r
                image[r] = c
            if _precedes(image, solutions[s], given):
                least = False
                break
        total += least
    return total


@njit(cache=True, nogil=True)
def _precedes(image: Columns, solution: Columns, given: Columns) -> bool:
    for row in range(len(given)):
        if given[row] >= 0 and image[row] != given[row]:
            return False
    for row in range(len(image)):
        if image[row] != solution[row]:
            return bool(image[row] < solution[row])
    return False
