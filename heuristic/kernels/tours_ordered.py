"""Depth-first search for knight's paths in Warnsdorff's order, iterative, with or without backtracking.

Warnsdorff's rule (1823): go to a square with the fewest unvisited onward moves. `Rule` says how equals are told
apart. Squares are indices into a padded board, as in `tours_fixed`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.random import State, below, reseed
from heuristic.kernels.tours_fixed import (
    BEST,
    DEPTH,
    EXHAUSTED,
    IMPROVED,
    NODES,
    PAUSED,
    SOLVED,
    Aim,
    Cells,
    Longs,
    Trail,
)

IN_ORDER, RANDOM, POHL, ROTH = 0, 1, 2, 3
"""Between equals: the move order; chance; Pohl's second level, then chance; distance, then chance."""

NO_LIMIT = 1 << 62
"""More nodes than any walk has."""


class Field(NamedTuple):
    """The board: which squares are visited, how many free moves each has, and the moves as index differences."""

    visited: Cells
    free: Cells
    offsets: Longs


class Rule(NamedTuple):
    """How equals are told apart.

    `orders[phase]` lists the moves (numbers of `offsets`) in the order that decides when `ties` is IN_ORDER;
    entering the square `switches[phase]` starts the next phase. `distance` is from the centre, for ROTH.
    """

    ties: int
    orders: Longs
    switches: Longs
    distance: Longs


class Choices(NamedTuple):
    """For each square of the path: the moves from it, sorted when it is first left, and the phase it is in."""

    moves: Cells
    phase: Cells


@njit(cache=True, nogil=True)
def place_start(field: Field, rule: Rule, trail: Trail, choices: Choices, start: int) -> None:
    """Put the knight on `start` of an empty board; nodes and the longest path are kept, so restarts add up."""
    trail.path[0] = start
    trail.cursor[0] = -1
    choices.phase[0] = 1 if rule.switches.shape[0] > 0 and rule.switches[0] == start else 0
    field.visited[start] = 1
    for offset in field.offsets:
        field.free[start + offset] -= 1
    trail.progress[DEPTH] = 1
    trail.progress[NODES] += 1


@njit(cache=True, nogil=True)
def search_ordered(
    field: Field,
    rule: Rule,
    rng: State,
    trail: Trail,
    choices: Choices,
    aim: Aim,
    backtrack: bool,
    node_limit: int,
) -> int:
    """Go on with the search until something is worth telling; return PAUSED, IMPROVED, SOLVED or EXHAUSTED.

    Nodes, pausing and the care for the goal are as in `search_fixed`. A cursor of -1 says that the moves are not
    sorted yet. Without `backtrack` the first dead end is the end.
    """
    visited, free, offsets = field.visited, field.free, field.offsets
    path, cursor, phase = trail.path, trail.cursor, choices.phase
    depth, nodes, best = trail.progress[DEPTH], trail.progress[NODES], trail.progress[BEST]
    status = EXHAUSTED
    while depth > 0:
        square, at = path[depth - 1], depth - 1
        if depth == aim.squares and (aim.goal < 0 or _is_move(offsets, aim.goal - square)):
            status = SOLVED
            break
        moves = choices.moves[at]
        if cursor[at] < 0:
            _sort_moves(field, rule, rng, square, phase[at], moves)
            cursor[at] = 0
        i = cursor[at]
        if aim.goal >= 0 and free[aim.goal] == 1 and depth + 1 < aim.squares:
            while i < 8 and moves[i] >= 0 and _is_move(offsets, aim.goal - square - offsets[moves[i]]):
                i += 1
        if i < 8 and moves[i] >= 0:
            if nodes >= node_limit:
                status = PAUSED
                break
            cursor[at] = i + 1
            following = square + offsets[moves[i]]
            visited[following] = 1
            for offset in offsets:
                free[following + offset] -= 1
            path[depth] = following
            cursor[depth] = -1
            k = phase[at]
            phase[depth] = k + 1 if k < rule.switches.shape[0] and rule.switches[k] == following else k
            depth += 1
            nodes += 1
        elif depth > best:
            cursor[at] = 8
            status = IMPROVED
            best = depth
            break
        elif backtrack:
            visited[square] = 0
            for offset in offsets:
                free[square + offset] += 1
            depth -= 1
        else:
            break
    if status in (IMPROVED, SOLVED):
        trail.best_path[:depth] = path[:depth]
        best = max(best, depth)
    trail.progress[DEPTH], trail.progress[NODES], trail.progress[BEST] = depth, nodes, best
    return status


@njit(cache=True, nogil=True)
def _is_move(offsets: Longs, step: int) -> bool:
    for offset in offsets:  # noqa: SIM110 (numba compiles no generator expressions)
        if offset == step:
            return True
    return False


@njit(cache=True, nogil=True)
def _sort_moves(field: Field, rule: Rule, rng: State, square: int, phase: int, moves: Cells) -> None:
    """Fill `moves` with the moves to unvisited squares, the best first, then -1."""
    length = 0
    first = np.empty(8, np.int64)
    second = np.zeros(8, np.int64)
    for k in rule.orders[phase]:
        if field.visited[square + field.offsets[k]] == 0:
            moves[length] = k
            length += 1
    if rule.ties != IN_ORDER:
        for i in range(length - 1, 0, -1):
            j = below(rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]
    for i in range(length):
        move = moves[i]
        target = square + field.offsets[move]
        key, other = int(field.free[target]), 0
        if rule.ties == POHL:
            other = _second_level(field, target)
        elif rule.ties == ROTH:
            other = -rule.distance[target]
        place = i
        while place > 0 and (first[place - 1] > key or (first[place - 1] == key and second[place - 1] > other)):
            first[place], second[place] = first[place - 1], second[place - 1]
            moves[place] = moves[place - 1]
            place -= 1
        first[place], second[place], moves[place] = key, other, move
    moves[length:] = -1


@njit(cache=True, nogil=True)
def _second_level(field: Field, square: int) -> int:
    """Return the sum, over the unvisited squares a move away, of their free moves (Pohl 1967)."""
    total = 0
    for offset in field.offsets:
        if field.visited[square + offset] == 0:
            total += field.free[square + offset]
    return total


@njit(cache=True, nogil=True)
def walk_many(
    seeds: NDArray[np.uint64], blocked: Cells, degrees: Cells, offsets: Longs, rule: Rule, start: int, aim: Aim
) -> Longs:
    """Walk once for each seed from `start`, without backtracking; return the number of squares of each walk.

    `blocked` is the empty board and `degrees` its `count_free`. The number is negative if the walk is no full
    path (one over all squares may still miss its goal).
    """
    lengths = np.empty(seeds.shape[0], np.int64)
    n = aim.squares
    field = Field(np.empty_like(blocked), np.empty_like(degrees), offsets)
    trail = Trail(np.empty(n, np.int32), np.empty(n, np.int8), np.empty(n, np.int32), np.zeros(3, np.int64))
    choices = Choices(np.empty((n, 8), np.int8), np.empty(n, np.int8))
    rng = np.empty(4, np.uint64)
    for i in range(seeds.shape[0]):
        reseed(rng, seeds[i])
        field.visited[:] = blocked
        field.free[:] = degrees
        trail.progress[:] = 0
        place_start(field, rule, trail, choices, start)
        status = search_ordered(field, rule, rng, trail, choices, aim, False, NO_LIMIT)
        lengths[i] = trail.progress[BEST] if status == SOLVED else -trail.progress[BEST]
    return lengths
