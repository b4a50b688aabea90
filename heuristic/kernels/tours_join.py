"""Joining closed knight's tours of neighbouring boards into one, by exchanging edges.

Squares are row-major indices of a board without padding. `links[square]` holds the two squares before and after
it on its tour, in no particular order.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Squares = NDArray[np.int32]
Longs = NDArray[np.int64]

BESIDE, ABOVE, AROUND = 0, 1, 2
"""Kinds of joins: two boards side by side, one above the other, four around a point."""


@njit(cache=True, nogil=True)
def place_tiles(links: Squares, cols: int, tiles: Longs, tours: Longs, bounds: Longs) -> None:
    """Copy base tours onto the board.

    `tiles` has shape (n, 3): top row, left column and number of the base tour; base tour `k` is the rows
    `bounds[k]` to `bounds[k + 1]` of `tours`, its squares `(row, col)` in order.
    """
    for t in range(tiles.shape[0]):
        top, left, k = tiles[t]
        first, last = bounds[k], bounds[k + 1] - 1
        before = (top + tours[last, 0]) * cols + left + tours[last, 1]
        here = (top + tours[first, 0]) * cols + left + tours[first, 1]
        for i in range(first, last + 1):
            following = first if i == last else i + 1
            after = (top + tours[following, 0]) * cols + left + tours[following, 1]
            links[here, 0], links[here, 1] = before, after
            before, here = here, after


@njit(cache=True, nogil=True)
def join_tiles(links: Squares, cols: int, joins: Longs, around_moves: Longs) -> int:
    """Make one tour of the tiles; return the number of joins that were made, all of them unless there is a bug.

    `joins` has shape (n, 4): kind, row and column of the first square beyond the seam (for AROUND: of the lower
    right board), length of the seam; inner joins come first. `around_moves` has shape (4, 4): the edges that
    joins AROUND take out, each as two `(row, col)` relative to the first square of the lower right board, the
    end of one being a move from the beginning of the next.
    """
    for j in range(len(joins)):
        kind, row, col, length = joins[j]
        if kind == AROUND:
            done = _join_around(links, row * cols + col, cols, around_moves)
        else:
            done = _join_two(links, cols, kind, row, col, length)
        if not done:
            return j
    return len(joins)


@njit(cache=True, nogil=True)
def _join_around(links: Squares, centre: int, cols: int, moves: Longs) -> bool:
    for i in range(4):
        begin = centre + moves[i, 0] * cols + moves[i, 1]
        end = centre + moves[i, 2] * cols + moves[i, 3]
        if links[begin, 0] != end and links[begin, 1] != end:
            return False
    for i in range(4):
        k = (i + 1) % 4
        begin, end = centre + moves[i, 0] * cols + moves[i, 1], centre + moves[i, 2] * cols + moves[i, 3]
        following = centre + moves[k, 0] * cols + moves[k, 1]
        after = centre + moves[k, 2] * cols + moves[k, 3]
        _relink(links, end, begin, following)
        _relink(links, following, after, end)
    return True


@njit(cache=True, nogil=True)
def _join_two(links: Squares, cols: int, kind: int, row: int, col: int, length: int) -> bool:
    """Find an edge on either side of a seam such that their ends can be joined crosswise, and exchange them."""
    along, across = (cols, 1) if kind == BESIDE else (1, cols)
    seam = row * cols + col
    for i in range(length):
        for depth in range(1, 3):
            for step in (-2, -1, 1, 2):
                beyond = (3 - abs(step)) - depth
                if not 0 <= i + step < length or beyond < 0:
                    continue
                here = seam + i * along - depth * across
                there = seam + (i + step) * along + beyond * across
                for a in range(2):
                    for b in range(2):
                        mine, theirs = links[here, a], links[there, b]
                        if _is_move(mine, theirs, cols):
                            _relink(links, here, mine, there)
                            _relink(links, there, theirs, here)
                            _relink(links, mine, here, theirs)
                            _relink(links, theirs, there, mine)
                            return True
    return False


@njit(cache=True, nogil=True)
def _is_move(origin: int, target: int, cols: int) -> bool:
    rise = abs(origin // cols - target // cols)
    run = abs(origin % cols - target % cols)
    return rise * run == 2


@njit(cache=True, nogil=True)
def _relink(links: Squares, square: int, old: int, new: int) -> None:
    links[square, 0 if links[square, 0] == old else 1] = new


@njit(cache=True, nogil=True)
def walk_links(links: Squares, start: int, length: int) -> Squares:
    """Return the first `length` squares of the tour from `start`."""
    path = np.empty(length, np.int32)
    before, here = links[start, 0], np.int32(start)
    for i in range(length):
        path[i] = here
        after = links[here, 1] if links[here, 0] == before else links[here, 0]
        before, here = here, after
    return path
