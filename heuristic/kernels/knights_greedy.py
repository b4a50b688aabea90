"""Greedy covers in time linear in the board: the sites stay sorted by what they would gain."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.knights_cover import Instance, whole
from heuristic.kernels.knights_tables import Number, Squares, numbering
from heuristic.kernels.random import State, below, seeded, shuffle
from problems import Board, KnightCover

Longs = NDArray[np.int64]


class Ranking(NamedTuple):
    """Sites in ascending order of gain: those of gain g stand at `start[g] .. start[g + 1] - 1` of `order`."""

    gain: Longs
    order: Longs
    place: Longs
    start: Longs


@cache
def warm() -> None:
    """Have the code compiled or loaded, once, so that no run's clock counts it."""
    problem = KnightCover(Board(3, 4))
    complete(whole(problem, numbering(problem.board)).instance, np.zeros(0, np.uint32), seeded(0), True)


@njit(cache=True, nogil=True)
def complete(instance: Instance, given: Squares, random: State, prune: bool) -> Squares:
    """Return the sites of a cover: the given ones, then always a random one among those that gain most.

    Given sites that are given before or conflict with an earlier one are left out. With `prune`, sites whose
    targets are all covered by others are then taken out, in random order. Without conflicts between the
    targets' own sites the result covers everything that can be covered.
    """
    sites, targets = instance.reach_degree.shape[0], instance.covered_by_degree.shape[0]
    covers = np.zeros(targets, np.int64)
    chosen = np.zeros(sites, np.bool_)
    barred = np.zeros(sites, np.bool_)
    members = np.empty(sites, np.uint32)
    size = 0
    ranking = _ranking(instance)
    top = ranking.start.shape[0] - 2
    for i in range(given.shape[0]):
        site = np.int64(given[i])  # one type for `_take`, or it is compiled twice
        if not (chosen[site] or barred[site]):
            members[size] = site
            size += 1
            _take(instance, ranking, covers, chosen, barred, site)
    while True:
        while top > 0 and ranking.start[top] == ranking.start[top + 1]:
            top -= 1
        if top == 0:
            break
        first = ranking.start[top]
        best = ranking.order[first + below(random, ranking.start[top + 1] - first)]
        members[size] = best
        size += 1
        _take(instance, ranking, covers, chosen, barred, best)
    if prune:
        size = _prune(instance, covers, members[:size], random)
    return members[:size].copy()


@njit(cache=True, nogil=True)
def _ranking(instance: Instance) -> Ranking:
    # A counting sort: numba takes several seconds to compile its own sorting.
    sites, most = instance.reach_degree.shape[0], instance.reach.shape[1]
    gain, order, place = np.empty(sites, np.int64), np.empty(sites, np.int64), np.empty(sites, np.int64)
    start = np.zeros(most + 2, np.int64)
    for site in range(sites):
        gain[site] = instance.reach_degree[site]
        start[gain[site] + 1] += 1
    for g in range(most + 1):
        start[g + 1] += start[g]
    free = start.copy()
    for site in range(sites):
        place[site] = free[gain[site]]
        order[place[site]] = site
        free[gain[site]] += 1
    return Ranking(gain, order, place, start)


@njit(cache=True, nogil=True)
def _take(
    instance: Instance,
    ranking: Ranking,
    covers: Longs,
    chosen: NDArray[np.bool_],
    barred: NDArray[np.bool_],
    site: Number,
) -> None:
    chosen[site] = True
    for i in range(instance.reach_degree[site]):
        target = instance.reach[site, i]
        covers[target] += 1
        if covers[target] == 1:
            for j in range(instance.covered_by_degree[target]):
                _lower(ranking, instance.covered_by[target, j])
    for i in range(instance.conflicts_degree[site]):
        other = instance.conflicts[site, i]
        barred[other] = True
        while ranking.gain[other] > 0:
            _lower(ranking, other)


@njit(cache=True, nogil=True)
def _lower(ranking: Ranking, site: Number) -> None:
    """Lower the gain of a site by one, unless it is 0 already (a barred site's is)."""
    gain = ranking.gain[site]
    if gain == 0:
        return
    first, here = ranking.start[gain], ranking.place[site]
    other = ranking.order[first]
    ranking.order[first], ranking.order[here] = site, other
    ranking.place[site], ranking.place[other] = first, here
    ranking.start[gain] += 1
    ranking.gain[site] = gain - 1


@njit(cache=True, nogil=True)
def _prune(instance: Instance, covers: Longs, members: Squares, random: State) -> int:
    """Take the redundant sites out of `members`; return how many stay, at its beginning."""
    shuffle(random, members)
    kept = 0
    for site in members:
        redundant = True
        for i in range(instance.reach_degree[site]):
            redundant = redundant and covers[instance.reach[site, i]] > 1
        if redundant:
            for i in range(instance.reach_degree[site]):
                covers[instance.reach[site, i]] -= 1
        else:
            members[kept] = site
            kept += 1
    return kept
