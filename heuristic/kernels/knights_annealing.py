"""The inner loop of the annealing: move a knight, count what is wrong, accept or move it back."""

from __future__ import annotations

from functools import cache
from math import exp
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.knights_cover import Instance, whole
from heuristic.kernels.knights_tables import Ints, Number, Squares, numbering
from heuristic.kernels.random import State, below, seeded, shuffle, uniform
from problems import Board, KnightCover

Longs = NDArray[np.int64]

SIZE, OPEN, CLASHES, PHASE = 0, 1, 2, 3
"""Places in `Anneal.totals`: knights, uncovered targets, conflicting pairs, moves since the last heating."""


class Cooling(NamedTuple):
    """From the temperature `hot` down to `cold` geometrically in `moves` moves, then `hot` again.

    A move goes to a site that covers a random uncovered target with probability `targeted`, to any free site
    otherwise.
    """

    hot: float
    cold: float
    moves: int
    targeted: float


class Anneal(NamedTuple):
    """The sites in `order`, those with a knight first; the place of each; and what is derived from them."""

    order: Squares
    place: Ints
    covers: Ints
    uncovered: Squares
    uncovered_place: Ints
    totals: Longs
    temperature: NDArray[np.float64]
    random: State


def anneal(instance: Instance, random: State) -> Anneal:
    """Return a state without knights."""
    sites, targets = len(instance.reach_degree), len(instance.covered_by_degree)
    return Anneal(
        order=np.arange(sites, dtype=np.uint32),
        place=np.arange(sites, dtype=np.int32),
        covers=np.zeros(targets, np.int32),
        uncovered=np.arange(targets, dtype=np.uint32),
        uncovered_place=np.arange(targets, dtype=np.int32),
        totals=np.array([0, targets, 0, 0], np.int64),
        temperature=np.zeros(1),
        random=random,
    )


@cache
def warm() -> None:
    """Have the code compiled or loaded, once, so that no run's clock counts it."""
    problem = KnightCover(Board(3, 4))
    instance = whole(problem, numbering(problem.board)).instance
    state = anneal(instance, seeded(0))
    place(instance, state, np.zeros(1, np.uint32))
    drop(instance, state)
    scatter(instance, state, 2)
    cool(instance, state, Cooling(1.0, 1.0, 1, 0.5), 1, 0)


def energy(state: Anneal) -> int:
    """Return the number of things that are wrong: uncovered targets and conflicting pairs."""
    return int(state.totals[OPEN] + state.totals[CLASHES])


def members(state: Anneal) -> Squares:
    """Return the sites with a knight."""
    return state.order[: state.totals[SIZE]].copy()


@njit(cache=True, nogil=True)
def scatter(instance: Instance, state: Anneal, knights: int) -> None:
    """Put knights on random sites of an empty board."""
    sites = np.arange(instance.reach_degree.shape[0])
    shuffle(state.random, sites)
    for i in range(knights):
        _add(instance, state, sites[i])


@njit(cache=True, nogil=True)
def place(instance: Instance, state: Anneal, sites: Squares) -> None:
    """Put knights on the sites of an empty board; none may be given twice."""
    for i in range(sites.shape[0]):
        _add(instance, state, np.int64(sites[i]))


@njit(cache=True, nogil=True)
def drop(instance: Instance, state: Anneal) -> None:
    """Take a random knight away and start the cooling anew."""
    _remove(instance, state, np.int64(state.order[below(state.random, state.totals[SIZE])]))
    state.totals[PHASE] = 0


@njit(cache=True, nogil=True)
def cool(instance: Instance, state: Anneal, cooling: Cooling, moves: int, best: int) -> int:
    """Make moves until the energy is below `best`, at most `moves`; return how many were made."""
    factor = (cooling.cold / cooling.hot) ** (1.0 / cooling.moves)
    for made in range(1, moves + 1):
        if state.totals[PHASE] == 0:
            state.temperature[0] = cooling.hot
        before = state.totals[OPEN] + state.totals[CLASHES]
        _move(instance, state, cooling.targeted, before, state.temperature[0])
        state.totals[PHASE] = (state.totals[PHASE] + 1) % cooling.moves
        state.temperature[0] *= factor
        if state.totals[OPEN] + state.totals[CLASHES] < best:
            return made
    return moves


@njit(cache=True, nogil=True)
def _move(instance: Instance, state: Anneal, targeted: float, before: int, temperature: float) -> None:
    knights = state.totals[SIZE]
    free = state.order.shape[0] - knights
    if free == 0:
        return
    if state.totals[OPEN] > 0 and uniform(state.random) < targeted:
        gap = state.uncovered[below(state.random, state.totals[OPEN])]
        goal = np.int64(instance.covered_by[gap, below(state.random, instance.covered_by_degree[gap])])
    else:
        goal = np.int64(state.order[knights + below(state.random, free)])
    start = np.int64(state.order[below(state.random, knights)])
    _remove(instance, state, start)
    _add(instance, state, goal)
    worse = state.totals[OPEN] + state.totals[CLASHES] - before
    if worse > 0 and uniform(state.random) >= exp(-worse / temperature):
        _remove(instance, state, goal)
        _add(instance, state, start)


@njit(cache=True, nogil=True)
def _add(instance: Instance, state: Anneal, site: Number) -> None:
    _swap(state, site, state.totals[SIZE])
    state.totals[SIZE] += 1
    for i in range(instance.reach_degree[site]):
        target = instance.reach[site, i]
        if state.covers[target] == 0:
            state.totals[OPEN] -= 1
            last = state.uncovered[state.totals[OPEN]]
            state.uncovered[state.uncovered_place[target]] = last
            state.uncovered_place[last] = state.uncovered_place[target]
        state.covers[target] += 1
    state.totals[CLASHES] += _conflicts(instance, state, site)


@njit(cache=True, nogil=True)
def _remove(instance: Instance, state: Anneal, site: Number) -> None:
    state.totals[SIZE] -= 1
    _swap(state, site, state.totals[SIZE])
    for i in range(instance.reach_degree[site]):
        target = instance.reach[site, i]
        state.covers[target] -= 1
        if state.covers[target] == 0:
            state.uncovered[state.totals[OPEN]] = target
            state.uncovered_place[target] = state.totals[OPEN]
            state.totals[OPEN] += 1
    state.totals[CLASHES] -= _conflicts(instance, state, site)


@njit(cache=True, nogil=True)
def _swap(state: Anneal, site: Number, where: int) -> None:
    """Exchange a site with the one at a place of the order."""
    other, here = state.order[where], state.place[site]
    state.order[where], state.order[here] = site, other
    state.place[site], state.place[other] = where, here


@njit(cache=True, nogil=True)
def _conflicts(instance: Instance, state: Anneal, site: Number) -> int:
    """Return the number of knights that may not stand beside one on the site."""
    found = 0
    for i in range(instance.conflicts_degree[site]):
        found += state.place[instance.conflicts[site, i]] < state.totals[SIZE]
    return found
