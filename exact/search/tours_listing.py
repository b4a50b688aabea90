"""List tours in lexicographic order: a compiled depth-first search that can be stopped and resumed.

Squares are numbered in row-major order. Every square that is not visited yet needs two links to squares that
are not visited either, to the head of the path or, in a closed tour, to its start; in an open tour one square
may do with one link, and is the end. A branch ends when a square has too few.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class Walk:
    """A search from one start: its rules, and the place where it stands.

    `rules` holds start, end (-1: any), whether the tour is closed, and whether an open one must end on a square
    after its start, so that each undirected path comes once. A closed tour comes in one direction only.
    """

    def __init__(self, near: Numbers, start: int, end: int | None, closed: bool, oriented: bool) -> None:
        size = len(near)
        self.near = near
        self.rules = np.array([start, -1 if end is None else end, closed, oriented], np.int64)
        self.path = np.full(size, -1, np.int64)
        self.tried = np.zeros(size, np.int64)
        self.lonely = np.zeros(size, np.int64)
        self.free = (near >= 0).sum(axis=1).astype(np.int64)
        self.seen = np.zeros(size, np.bool_)
        self.depth = np.array([-1], np.int64)

    def go_on(
        self, budget: int, kept: Numbers, keep: int, images: Numbers, required: Numbers, tally: Numbers
    ) -> Any:
        """Search on for `budget` nodes: return (finished, nodes, tours found, tours kept).

        At most `keep` tours are written to `kept`, an array of that many rows or more; `tally[h]` gains, for
        each tour with h images that have the `required` ends, the number of images that are the tour itself.
        """
        return _search(
            self.near, self.rules, self.path, self.tried, self.lonely, self.free, self.seen, self.depth, budget,
            kept, keep, images, required, tally,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _search(
    near: Any, rules: Any, path: Any, tried: Any, lonely: Any, free: Any, seen: Any, depth: Any, budget: int,
    kept: Any, keep: int, images: Any, required: Any, tally: Any,
) -> Any:  # fmt: skip
    size = len(near)
    _, end, closed, oriented = rules
    nodes = found = stored = 0
    if depth[0] < 0:
        if not _begin(near, rules, path, lonely, free, seen):
            return True, 0, 0, 0
        depth[0] = 0
    d = depth[0]
    while nodes < budget:
        if d == size - 1:
            if _is_tour(near, path, closed, oriented):
                found += 1
                if stored < keep:
                    kept[stored] = path
                    stored += 1
                if len(images):
                    _take_tally(path, closed, images, required, tally)
            tried[d] = 8
        head = path[d]
        target = -1
        while tried[d] < 8 and target < 0:
            candidate = near[head, tried[d]]
            tried[d] += 1
            if candidate >= 0 and not seen[candidate] and (candidate != end or d == size - 2):
                target = candidate
        if target >= 0:
            nodes += 1
            alone = _visit(near, rules, head, target, lonely[d], d + 1, free, seen)
            if alone >= 0:
                d += 1
                path[d] = target
                tried[d] = 0
                lonely[d] = alone
            else:
                _leave(near, target, free, seen)
            continue
        if d == 0:
            depth[0] = 0
            return True, nodes, found, stored
        _leave(near, head, free, seen)
        d -= 1
    depth[0] = d
    return False, nodes, found, stored


@njit(cache=True, nogil=True)
def _begin(near: Any, rules: Any, path: Any, lonely: Any, free: Any, seen: Any) -> bool:
    """Visit the start; False if some square has too few links from the outset."""
    start, _, closed, _ = rules
    path[0] = start
    alone = 0
    for square in range(len(near)):
        if square != start:
            if free[square] < (2 if closed else 1):
                return False
            if free[square] < 2:
                alone += 1
    seen[start] = True
    for other in near[start]:
        if other >= 0:
            free[other] -= 1
    lonely[0] = alone
    return len(near) == 1 or alone < 2


@njit(cache=True, nogil=True)
def _visit(near: Any, rules: Any, head: int, target: int, alone: int, depth: int, free: Any, seen: Any) -> int:
    """Move from `head` to `target`; return how many squares are left with one link, -1 if the branch is dead."""
    start, end, closed, oriented = rules
    if free[target] == 0:
        alone -= 1
    seen[target] = True
    for other in near[target]:
        if other >= 0:
            free[other] -= 1
    if depth == len(near) - 1:
        return 0
    if closed and free[start] == 0:
        return -1
    for square in near[head]:
        if square < 0 or seen[square]:
            continue
        links = free[square] + _joined(near, square, target)
        if closed:
            if head != start:
                links += _joined(near, square, start)
            else:
                links += 1
            if links < 2:
                return -1
        elif links == 0:
            return -1
        elif links == 1:
            alone += 1
            if alone > 1 or (end >= 0 and square != end) or (oriented and square < start):
                return -1
    return alone


@njit(cache=True, nogil=True)
def _leave(near: Any, square: int, free: Any, seen: Any) -> None:
    seen[square] = False
    for other in near[square]:
        if other >= 0:
            free[other] += 1


@njit(cache=True, nogil=True)
def _joined(near: Any, a: int, b: int) -> int:
    for other in near[a]:
        if other == b:
            return 1
    return 0


@njit(cache=True, nogil=True)
def _is_tour(near: Any, path: Any, closed: int, oriented: int) -> bool:
    """Whether a full path is a tour, in the direction in which it is to be listed."""
    last = path[len(path) - 1]
    if closed:
        return len(path) > 2 and path[1] < last and _joined(near, last, path[0]) == 1
    return not oriented or path[0] <= last


@njit(cache=True, nogil=True)
def _take_tally(path: Any, closed: int, images: Any, required: Any, tally: Any) -> None:
    """See `Walk.go_on`; `images[g]` maps squares to squares."""
    size = len(path)
    before = np.full(size, -1, np.int64)
    after = np.full(size, -1, np.int64)
    for i in range(size - 1):
        after[path[i]] = path[i + 1]
        before[path[i + 1]] = path[i]
    if closed:
        after[path[size - 1]] = path[0]
        before[path[0]] = path[size - 1]
    same = hits = 0
    for image in images:
        first, last = image[path[0]], image[path[size - 1]]
        fits = True
        for square in required:
            fits &= square in (first, last)
        hits += fits
        equal = True
        for square in range(size):
            a = image[after[square]] if after[square] >= 0 else -1
            b = image[before[square]] if before[square] >= 0 else -1
            x, y = after[image[square]], before[image[square]]
            if not ((a == x and b == y) or (a == y and b == x)):
                equal = False
                break
        same += equal
    tally[hits] += same
