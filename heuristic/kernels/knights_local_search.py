"""The inner loop of the local search: weights on what is wrong, scores that are kept up to date.

What is wrong with a selection of sites is its uncovered targets and its conflicting pairs; each has a weight.
The score of a site is by how much the weight of what is wrong falls when the site changes sides.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.knights_cover import Instance, whole
from heuristic.kernels.knights_tables import Ints, Number, Squares, numbering
from heuristic.kernels.random import State, below, next64, seeded
from problems import Board, KnightCover

Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]

SIZE, OPEN, CLASHING, CLOCK, LAST = 0, 1, 2, 3, 4
"""Places in `Search.totals`: how many sites are chosen, targets uncovered, sites in a conflict; the step; the
site added last.
"""

_NONE = -1
_NEVER = np.iinfo(np.int64).min


class Search(NamedTuple):
    """A selection of sites and all that is derived from it or learnt on the way.

    `members`, `uncovered` and `clashing` are sets: a list, as long as `totals` says, and the place of each
    element in it. `covers` is the number and `owners` the sum of the chosen sites that cover a target.
    """

    chosen: Flags
    members: Squares
    member_place: Ints
    uncovered: Squares
    uncovered_place: Ints
    clashing: Squares
    clashing_place: Ints
    covers: Ints
    owners: Longs
    clashes: Ints
    weight: Longs
    clash_weight: Longs
    score: Longs
    changed: Longs
    allowed: Flags
    totals: Longs
    random: State


def search(instance: Instance, random: State) -> Search:
    """Return the empty selection, all weights 1, with a random state of its own."""
    sites, targets = len(instance.reach_degree), len(instance.covered_by_degree)
    totals = np.zeros(5, np.int64)
    totals[OPEN], totals[LAST] = targets, _NONE
    return Search(
        chosen=np.zeros(sites, np.bool_),
        members=np.zeros(sites, np.uint32),
        member_place=np.zeros(sites, np.int32),
        uncovered=np.arange(targets, dtype=np.uint32),
        uncovered_place=np.arange(targets, dtype=np.int32),
        clashing=np.zeros(sites, np.uint32),
        clashing_place=np.zeros(sites, np.int32),
        covers=np.zeros(targets, np.int32),
        owners=np.zeros(targets, np.int64),
        clashes=np.zeros(sites, np.int32),
        weight=np.ones(targets, np.int64),
        clash_weight=np.ones(instance.conflicts.shape, np.int64),
        score=instance.reach_degree.astype(np.int64),
        changed=np.zeros(sites, np.int64),
        allowed=np.ones(sites, np.bool_),
        totals=totals,
        random=random,
    )


@cache
def warm() -> None:
    """Have the code compiled or loaded, once, so that no run's clock counts it."""
    problem = KnightCover(Board(3, 4))
    instance = whole(problem, numbering(problem.board)).instance
    random = seeded(0)
    next64(random)
    state = search(instance, random)
    choose(instance, state, np.arange(12, dtype=np.uint32))
    descend(instance, state, 11, 1, 1)


def flawless(search: Search) -> bool:
    """Return whether nothing is wrong with the selection."""
    return bool(search.totals[OPEN] == 0 and search.totals[CLASHING] == 0)


def members(search: Search) -> Squares:
    """Return the sites of the selection."""
    return search.members[: search.totals[SIZE]].copy()


@njit(cache=True, nogil=True)
def choose(instance: Instance, search: Search, sites: Squares) -> None:
    """Add the sites, in order, to the selection."""
    for i in range(sites.shape[0]):
        site = np.int64(sites[i])  # one type for `_add`, or it is compiled twice
        if not search.chosen[site]:
            _add(instance, search, site)


@njit(cache=True, nogil=True)
def descend(instance: Instance, search: Search, goal: int, increment: int, steps: int) -> int:
    """Search for a flawless selection of at most `goal` sites, for at most `steps` steps; return the steps made.

    Stops as soon as it has one. A step removes a site, adds one that covers a random uncovered target, and
    adds `increment` to the weight of everything that is still wrong.
    """
    for made in range(steps + 1):
        while search.totals[SIZE] > goal:
            _remove(instance, search, _cheapest(search, _NONE))
        if search.totals[OPEN] == 0 and search.totals[CLASHING] == 0:
            return made
        if made == steps:
            break
        search.totals[CLOCK] += 1
        if search.totals[SIZE] > 0:
            _remove(instance, search, _cheapest(search, search.totals[LAST]))
        while search.totals[SIZE] < goal and search.totals[OPEN] > 0:
            target = search.uncovered[below(search.random, search.totals[OPEN])]
            site = _best_for(instance, search, target)
            _add(instance, search, site)
            search.totals[LAST] = site
        _learn(instance, search, increment)
    return steps


@njit(cache=True, nogil=True)
def _cheapest(search: Search, barred: int) -> int:
    """Return the chosen site with the highest score, the one unchanged for longest among equals."""
    best, best_score, best_changed = np.int64(search.members[0]), _NEVER, np.int64(0)
    for i in range(search.totals[SIZE]):
        site = np.int64(search.members[i])
        score = search.score[site]
        if score < best_score or site == barred:
            continue
        if score > best_score or search.changed[site] < best_changed:
            best, best_score, best_changed = site, score, search.changed[site]
    return best  # type: ignore[return-value]


@njit(cache=True, nogil=True)
def _best_for(instance: Instance, search: Search, target: int) -> int:
    """Return the site with the highest score that covers a target, allowed ones first, then as `_cheapest`."""
    best, best_score, best_changed, best_allowed = np.int64(0), _NEVER, np.int64(0), False
    for i in range(instance.covered_by_degree[target]):
        site = np.int64(instance.covered_by[target, i])
        allowed, score, changed = search.allowed[site], search.score[site], search.changed[site]
        if allowed < best_allowed or (allowed == best_allowed and score < best_score):
            continue
        if allowed > best_allowed or score > best_score or changed < best_changed:
            best, best_score, best_changed, best_allowed = site, score, changed, allowed
    return best  # type: ignore[return-value]


@njit(cache=True, nogil=True)
def _learn(instance: Instance, search: Search, increment: int) -> None:
    """Make everything that is still wrong weigh more, so that the search is driven out of where it is."""
    for i in range(search.totals[OPEN]):
        target = search.uncovered[i]
        search.weight[target] += increment
        for j in range(instance.covered_by_degree[target]):
            search.score[instance.covered_by[target, j]] += increment
    for i in range(search.totals[CLASHING]):
        site = search.clashing[i]
        for j in range(instance.conflicts_degree[site]):
            if search.chosen[instance.conflicts[site, j]]:
                search.clash_weight[site, j] += increment
                search.score[site] += increment


@njit(cache=True, nogil=True)
def _add(instance: Instance, search: Search, site: Number) -> None:
    search.chosen[site] = True
    _enter(search.members, search.member_place, search.totals, SIZE, site)
    for i in range(instance.reach_degree[site]):
        target = instance.reach[site, i]
        others = search.covers[target]
        weight = search.weight[target]
        if others == 0:
            _leave(search.uncovered, search.uncovered_place, search.totals, OPEN, target)
            for j in range(instance.covered_by_degree[target]):
                search.score[instance.covered_by[target, j]] -= weight
                search.allowed[instance.covered_by[target, j]] = True
            search.score[site] += weight
        else:
            if others == 1:
                search.score[search.owners[target]] += weight
            for j in range(instance.covered_by_degree[target]):
                search.allowed[instance.covered_by[target, j]] = True
        search.covers[target] = others + 1
        search.owners[target] += site
    _clash(instance, search, site, 1)
    search.score[site] = -search.score[site]
    search.changed[site] = search.totals[CLOCK]


@njit(cache=True, nogil=True)
def _remove(instance: Instance, search: Search, site: Number) -> None:
    search.chosen[site] = False
    _leave(search.members, search.member_place, search.totals, SIZE, site)
    for i in range(instance.reach_degree[site]):
        target = instance.reach[site, i]
        others = search.covers[target] - 1
        weight = search.weight[target]
        search.covers[target] = others
        search.owners[target] -= site
        for j in range(instance.covered_by_degree[target]):
            search.allowed[instance.covered_by[target, j]] = True
        if others == 0:
            _enter(search.uncovered, search.uncovered_place, search.totals, OPEN, target)
            for j in range(instance.covered_by_degree[target]):
                search.score[instance.covered_by[target, j]] += weight
            search.score[site] -= weight
        elif others == 1:
            search.score[search.owners[target]] -= weight
    _clash(instance, search, site, -1)
    search.score[site] = -search.score[site]
    search.changed[site] = search.totals[CLOCK]
    search.allowed[site] = False


@njit(cache=True, nogil=True)
def _clash(instance: Instance, search: Search, site: Number, sign: int) -> None:
    """Count the conflicts that a site enters (sign 1) or leaves (-1), with its neighbours and in their scores."""
    before = search.clashes[site]
    for i in range(instance.conflicts_degree[site]):
        other = instance.conflicts[site, i]
        weight = search.clash_weight[site, i]
        if not search.chosen[other]:
            search.score[other] -= sign * weight
            continue
        search.score[other] += sign * weight
        search.clashes[site] += sign
        search.clashes[other] += sign
        if sign > 0 and search.clashes[other] == 1:
            _enter(search.clashing, search.clashing_place, search.totals, CLASHING, other)
        elif sign < 0 and search.clashes[other] == 0:
            _leave(search.clashing, search.clashing_place, search.totals, CLASHING, other)
    if before == 0 and search.clashes[site] > 0:
        _enter(search.clashing, search.clashing_place, search.totals, CLASHING, site)
    elif before > 0:
        _leave(search.clashing, search.clashing_place, search.totals, CLASHING, site)


@njit(cache=True, nogil=True)
def _enter(items: Squares, place: Ints, totals: Longs, size: int, item: Number) -> None:
    """Add an item to the set whose size is `totals[size]`."""
    items[totals[size]] = item
    place[item] = totals[size]
    totals[size] += 1


@njit(cache=True, nogil=True)
def _leave(items: Squares, place: Ints, totals: Longs, size: int, item: Number) -> None:
    """Take an item out of the set whose size is `totals[size]`."""
    totals[size] -= 1
    last = items[totals[size]]
    items[place[item]] = last
    place[last] = place[item]
