"""Compiled pieces for very large tours: a 2-factor by augmenting paths, then exchanges that merge its cycles.

Squares are numbered in row-major order. `near[v, k]` is the square that step k of `problems.board.KNIGHT_STEPS`
leads to, or -1; step 7 - k leads back. `used[v, k]` marks the edges taken, from both of their squares. Moves
join squares of different colours (`side`), so a 2-factor is a maximum flow of unit edges: see `augment`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from problems.board import KNIGHT_STEPS, Square

Table = NDArray[np.int32]
Flags = NDArray[np.bool_]

_SPLITMIX = np.uint64(0x9E3779B97F4A7C15)


def neighbour_table(rows: int, cols: int, missing: Iterable[Square]) -> tuple[Table, NDArray[np.int8]]:
    """Return `near` and `side` for a board less its missing squares."""
    present = np.ones((rows, cols), np.bool_)
    for square in missing:
        present[square] = False
    numbers = np.full((rows + 4, cols + 4), -1, np.int32)
    row, col = np.nonzero(present)
    numbers[row + 2, col + 2] = np.arange(len(row), dtype=np.int32)
    near = np.stack([numbers[row + 2 + dr, col + 2 + dc] for dr, dc in KNIGHT_STEPS], axis=1)
    return near, ((row + col) % 2).astype(np.int8)


@njit(cache=True, nogil=True)
def fill(near: Any, side: Any, need: Any, order: Any, used: Any, degree: Any) -> None:
    """Take edges greedily: square after square, steps in the square's `order`, while both ends need one."""
    for v in range(len(near)):
        if side[v] == 0:
            for k in order[v]:
                w = near[v, k]
                if degree[v] < need[v] and w >= 0 and degree[w] < need[w]:
                    _flip(near, used, v, k)
                    degree[v] += 1
                    degree[w] += 1


@njit(cache=True, nogil=True)
def _flip(near: Any, used: Any, v: int, k: int) -> None:
    used[v, k] = not used[v, k]
    w = near[v, k]
    used[w, 7 - k] = not used[w, 7 - k]


@njit(cache=True, nogil=True)
def augment(near: Any, side: Any, need: Any, used: Any, degree: Any) -> int:
    """Change the edges until every square of side 0 has as many as it needs; return by how many that fails.

    Shortest augmenting paths in phases, as Hopcroft and Karp (SIAM Journal on Computing 2, 1973) and Dinic:
    from squares of side 0 by free edges, back by used ones.
    """
    size = len(near)
    level = np.empty(size, np.int32)
    queue = np.empty(size, np.int32)
    tried = np.empty(size, np.int8)
    while True:
        lacking = _layers(near, side, need, used, degree, level, queue)
        if lacking <= 0:
            return -lacking
        tried[:] = 0
        for source in range(size):
            while side[source] == 0 and degree[source] < need[source]:
                length = _path(near, side, need, used, degree, level, tried, queue, source)
                if length == 0:
                    break
                degree[source] += 1
                degree[queue[length]] += 1


@njit(cache=True, nogil=True)
def _layers(near: Any, side: Any, need: Any, used: Any, degree: Any, level: Any, queue: Any) -> int:
    """Write distances from the squares that lack edges; return how many lack, negated if none can be had."""
    level[:] = -1
    lacking = tail = head = 0
    for v in range(len(near)):
        if side[v] == 0 and degree[v] < need[v]:
            lacking += need[v] - degree[v]
            level[v] = 0
            queue[tail] = v
            tail += 1
    farthest = len(near)
    reached = False
    while head < tail:
        v = queue[head]
        head += 1
        if level[v] >= farthest:
            break
        for k in range(8):
            w = near[v, k]
            if w >= 0 and level[w] < 0 and used[v, k] == (side[v] == 1):
                level[w] = level[v] + 1
                queue[tail] = w
                tail += 1
                if side[w] == 1 and degree[w] < need[w]:
                    farthest = level[w]
                    reached = True
    return lacking if reached else -lacking


@njit(cache=True, nogil=True)
def _path(
    near: Any, side: Any, need: Any, used: Any, degree: Any, level: Any, tried: Any, path: Any, source: int
) -> int:
    """Find one path along the layers and flip its edges; return its length, 0 if there is none."""
    depth = 0
    path[0] = source
    while True:
        v = path[depth]
        if side[v] == 1 and degree[v] < need[v]:
            break
        moved = False
        while tried[v] < 8:
            k = tried[v]
            w = near[v, k]
            if w >= 0 and level[w] == level[v] + 1 and used[v, k] == (side[v] == 1):
                depth += 1
                path[depth] = w
                moved = True
                break
            tried[v] += 1
        if not moved:
            if depth == 0:
                return 0
            depth -= 1
            tried[path[depth]] += 1
    for i in range(depth):
        _flip(near, used, path[i], tried[path[i]])
        tried[path[i]] += 1
    return depth


@njit(cache=True, nogil=True)
def label(near: Any, used: Any, labels: Any) -> int:
    """Number the components (cycles, and a path in an open tour) in `labels`; return how many there are."""
    labels[:] = -1
    count = 0
    for first in range(len(near)):
        if labels[first] >= 0:
            continue
        labels[first] = count
        here = first
        while here >= 0:
            following = _unlabelled(near, used, labels, here)
            # A path is entered in its middle: go on from there in the other direction.
            here = following if following >= 0 else _unlabelled(near, used, labels, first)
            if here >= 0:
                labels[here] = count
        count += 1
    return count


@njit(cache=True, nogil=True)
def _unlabelled(near: Any, used: Any, labels: Any, v: int) -> int:
    for k in range(8):
        if used[v, k] and labels[near[v, k]] < 0:
            return int(near[v, k])
    return -1


@njit(cache=True, nogil=True)
def merge(near: Any, used: Any, labels: Any, count: int) -> int:
    """Merge components while exchanges can; return how many are left. `labels` are as before the call.

    An exchange takes the used edges a-b and c-d of two components, where a-c and b-d are knight moves as well,
    and uses those instead: one component results, whichever way the edges run.
    """
    parent = np.arange(count)
    left = count
    while left > 1:
        before = left
        for a in range(len(near)):
            root = _root(parent, labels[a])
            for k in range(8):
                for j in range(8):
                    if _may_exchange(near, used, a, k, j):
                        other = _root(parent, labels[near[a, j]])
                        if other != root:
                            _exchange(near, used, a, k, j)
                            parent[other] = root
                            left -= 1
        if left == before:
            break
    return left


@njit(cache=True, nogil=True)
def _root(parent: Any, x: int) -> int:
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@njit(cache=True, nogil=True)
def _may_exchange(near: Any, used: Any, a: int, k: int, j: int) -> bool:
    """Whether a has the used edge k, not j, and the parallel edges of a + k and a + j are alike."""
    if not used[a, k] or used[a, j] or near[a, j] < 0:
        return False
    b, c = near[a, k], near[a, j]
    return bool(used[c, k] and not used[b, j])


@njit(cache=True, nogil=True)
def _exchange(near: Any, used: Any, a: int, k: int, j: int) -> None:
    b, c = near[a, k], near[a, j]
    _flip(near, used, a, k)
    _flip(near, used, c, k)
    _flip(near, used, a, j)
    _flip(near, used, b, j)


@njit(cache=True, nogil=True)
def shake(near: Any, used: Any, labels: Any, count: int, state: Any) -> None:
    """Make random exchanges near every component but the largest, whatever they merge or split.

    `state` holds one 64-bit integer, that of the random numbers (splitmix64).
    """
    sizes = np.zeros(count, np.int64)
    for v in range(len(near)):
        sizes[labels[v]] += 1
    largest = np.argmax(sizes)
    for v in range(len(near)):
        if labels[v] != largest:
            here = v
            for _ in range(_random(state, 4)):
                there = near[here, _random(state, 8)]
                here = there if there >= 0 else here
            k, j = _random(state, 8), _random(state, 8)
            if _may_exchange(near, used, here, k, j):
                _exchange(near, used, here, k, j)


@njit(cache=True, nogil=True)
def _random(state: Any, below: int) -> int:
    state[0] += _SPLITMIX
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((z ^ (z >> np.uint64(31))) % np.uint64(below))


@njit(cache=True, nogil=True)
def walk(near: Any, used: Any, start: int) -> Any:
    """Return the squares of the component of `start` in order; a path is followed from its end `start`."""
    path = np.empty(len(near), np.int32)
    length = 0
    previous, here = -1, start
    while True:
        path[length] = here
        length += 1
        following = -1
        for k in range(8):
            if used[here, k] and near[here, k] != previous:
                following = near[here, k]
                break
        if following < 0 or following == start:
            return path[:length]
        previous, here = here, following
