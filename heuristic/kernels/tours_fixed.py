"""Depth-first search for knight's paths with the moves in a fixed order: iterative, paused and resumed at will.

Squares are indices into a padded board (`heuristic.tours_grid`): a border two squares wide and the missing
squares count as visited, so that no move needs a bounds check.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.tours_run import Event

PAUSED, IMPROVED, SOLVED, EXHAUSTED = (int(event) for event in Event)
"""Why a search returned, as numba takes it."""

DEPTH, NODES, BEST = 0, 1, 2
"""What `Trail.progress` holds: squares on the path, squares entered so far, the longest path so far."""

Cells = NDArray[np.int8]
Squares = NDArray[np.int32]
Longs = NDArray[np.int64]


class Trail(NamedTuple):
    """Where a search stands; the caller owns the arrays, each call goes on from them.

    `cursor[i]` is the next move to try from the i-th square of `path`; `best_path` is the longest path so far.
    """

    path: Squares
    cursor: Cells
    best_path: Squares
    progress: Longs


class Aim(NamedTuple):
    """A full path: `squares` of them, the last a knight move from `goal` (-1: any last square will do).

    Serves closed tours (the goal is the start) and tours with a given end (the goal is the end, which is
    marked as visited and not counted in `squares`).
    """

    squares: int
    goal: int


@njit(cache=True, nogil=True)
def count_free(visited: Cells, offsets: Longs, reach: int) -> Cells:
    """Return for each square, visited or not, the number of unvisited squares a knight move away.

    `reach` is the longest of the `offsets`, the eight knight moves as differences of indices.
    """
    free = np.zeros(visited.shape[0], np.int8)
    for square in range(reach, visited.shape[0] - reach):
        for offset in offsets:
            if visited[square + offset] == 0:
                free[square] += 1
    return free


@njit(cache=True, nogil=True)
def fixed_moves(visited: Cells, offsets: Longs, reach: int, by_degree: bool) -> Squares:
    """Return the moves from each square, in the order of `offsets`, filled up with -1; shape (squares, 8).

    `by_degree` sorts them, stably, by the number of moves from their target on the empty board.
    """
    moves = np.full((visited.shape[0], 8), -1, np.int32)
    degree = count_free(visited, offsets, reach)
    for square in range(reach, visited.shape[0] - reach):
        if visited[square] == 0:
            length = 0
            for offset in offsets:
                target = square + offset
                if visited[target] == 0:
                    place = length
                    while by_degree and place > 0 and degree[moves[square, place - 1]] > degree[target]:
                        moves[square, place] = moves[square, place - 1]
                        place -= 1
                    moves[square, place] = target
                    length += 1
    return moves


@njit(cache=True, nogil=True)
def search_fixed(moves: Squares, visited: Cells, trail: Trail, aim: Aim, node_limit: int) -> int:
    """Go on with the search until something is worth telling; return PAUSED, IMPROVED, SOLVED or EXHAUSTED.

    The last free square next to the goal is kept for the last move. A node is a square entered, the start
    included. A search that is PAUSED wanted to enter a square and had used up `node_limit`.
    """
    path, cursor = trail.path, trail.cursor
    depth, nodes, best = trail.progress[DEPTH], trail.progress[NODES], trail.progress[BEST]
    status = EXHAUSTED
    goal = aim.goal
    gates = _count_gates(moves, visited, goal)
    while depth > 0:
        square = path[depth - 1]
        if depth == aim.squares and (goal < 0 or _leads_to(moves, square, goal)):
            status = SOLVED
            break
        i = cursor[depth - 1]
        closing = goal >= 0 and gates == 1 and depth + 1 < aim.squares
        while i < 8 and moves[square, i] >= 0:
            if visited[moves[square, i]] == 0 and not (closing and _leads_to(moves, moves[square, i], goal)):
                break
            i += 1
        if i < 8 and moves[square, i] >= 0:
            if nodes >= node_limit:
                status = PAUSED
                break
            cursor[depth - 1] = i + 1
            following = moves[square, i]
            visited[following] = 1
            path[depth] = following
            cursor[depth] = 0
            depth += 1
            nodes += 1
            if goal >= 0 and _leads_to(moves, following, goal):
                gates -= 1
        elif depth > best:
            cursor[depth - 1] = 8
            status = IMPROVED
            best = depth
            break
        else:
            visited[square] = 0
            depth -= 1
            if goal >= 0 and _leads_to(moves, square, goal):
                gates += 1
    if status in (IMPROVED, SOLVED):
        trail.best_path[:depth] = path[:depth]
        best = depth
    trail.progress[DEPTH], trail.progress[NODES], trail.progress[BEST] = depth, nodes, best
    return status


@njit(cache=True, nogil=True)
def _leads_to(moves: Squares, square: int, goal: int) -> bool:
    for i in range(8):  # noqa: SIM110 (numba compiles no generator expressions)
        if moves[square, i] == goal:
            return True
    return False


@njit(cache=True, nogil=True)
def _count_gates(moves: Squares, visited: Cells, goal: int) -> int:
    """Return the number of unvisited squares from which a move leads to the goal."""
    count = 0
    if goal >= 0:
        for i in range(8):
            if moves[goal, i] >= 0 and visited[moves[goal, i]] == 0:
                count += 1
    return count
