"""Compiled genetic algorithms for queens on permutations, row -> column: one parent, and two.

The cost of a gene is the number of queens that it attacks on its diagonals, that of an individual the sum,
twice its attacking pairs; the document's fitness is n(n - 1) less the cost. `lines`, shape (3, 2n), counts
queens a diagonal as in `queens_climbing`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.queens_climbing import (
    FALLING,
    RISING,
    Counts,
    Places,
    count_pairs,
    permute,
    swap_places,
    tally,
)
from heuristic.kernels.random import State, below, uniform

Population = NDArray[np.int64]
"""Individuals, a row each."""


@njit(cache=True, nogil=True)
def few_swaps(rng: State, at: Places) -> None:
    """Draw a permutation as the document's prose does: the identity, then n // 2 swaps of two random genes."""
    n = len(at)
    for row in range(n):
        at[row] = row
    for _ in range(n // 2):
        one, other = below(rng, n), below(rng, n)
        at[one], at[other] = at[other], at[one]


@njit(cache=True, nogil=True)
def _worst(at: Places, lines: Counts) -> int:
    """Return the first of the genes that attack most queens."""
    n, worst, most = len(at), 0, -1
    for row in range(n):
        attacked = lines[RISING, row + at[row]] + lines[FALLING, row - at[row] + n - 1]
        if attacked > most:
            worst, most = row, attacked
    return worst


@njit(cache=True, nogil=True)
def evolve_single(
    rng: State, at: Places, lines: Counts, cost: int, acceptance: float, most: int, target: int
) -> Any:
    """Make up to `most` iterations, until the cost is at most `target`; return (iterations, cost).

    An iteration swaps the columns of the worst gene and a uniformly chosen other one, and keeps the child when
    it is fitter, or with probability `acceptance`. Boards of 2 rows or more.
    """
    n, made = len(at), 0
    while made < most and cost > target:
        made += 1
        worst, other = _worst(at, lines), below(rng, n - 1)
        other += other >= worst
        change = 2 * swap_places(lines, at, worst, other)
        if change < 0 or uniform(rng) < acceptance:
            cost += change
        else:
            swap_places(lines, at, worst, other)
    return made, cost


@njit(cache=True, nogil=True)
def measure(population: Population, costs: Places, lines: Counts) -> None:
    """Fill in the costs of all individuals."""
    for i in range(len(population)):
        tally(population[i], lines)
        costs[i] = 2 * count_pairs(population[i], lines)


@njit(cache=True, nogil=True)
def _copy(source: Places, target: Places) -> None:
    for i in range(len(source)):
        target[i] = source[i]


@njit(cache=True, nogil=True)
def _select(rng: State, costs: Places, perfect: int) -> int:
    """Return an individual with probability proportional to its fitness, `perfect` less its cost."""
    total = 0
    for cost in costs:
        total += perfect - cost
    if total == 0:
        return below(rng, len(costs))
    ball, i = below(rng, total), 0
    while ball >= perfect - costs[i]:
        ball -= perfect - costs[i]
        i += 1
    return i


@njit(cache=True, nogil=True)
def _cross(child: Places, head: Places, tail: Places, cut: int, used: Any) -> None:
    """Give the child the first `cut` genes of `head` and the columns left in the order of `tail`."""
    for col in range(len(used)):
        used[col] = False
    for row in range(cut):
        child[row] = head[row]
        used[head[row]] = True
    row = cut
    for col in tail:
        if not used[col]:
            child[row] = col
            row += 1


@njit(cache=True, nogil=True)
def _reseat(rng: State, at: Places, rows: Places) -> None:
    """Take a random number of random queens, 2 or more, off the board and put them back at random."""
    n = len(at)
    number = 2 + below(rng, n - 1)
    # A uniformly random set of rows: those passed over still have to make up the number.
    taken = 0
    for row in range(n):
        if below(rng, n - row) < number - taken:
            rows[taken] = row
            taken += 1
    for i in range(number - 1, 0, -1):
        j = below(rng, i + 1)
        at[rows[i]], at[rows[j]] = at[rows[j]], at[rows[i]]


@njit(cache=True, nogil=True)
def _mutate_best(
    rng: State, at: Places, lines: Counts, before: Places, cost: int, acceptance: float, cumulative: bool
) -> int:
    """Try up to n // 4 swaps of the worst gene, stopping at the first child kept; return the cost then.

    `cumulative`: each try goes on from the child of the last, and the other gene may be the worst one itself.
    """
    n = len(at)
    tally(at, lines)
    worst = _worst(at, lines)
    _copy(at, before)
    now = cost
    for _ in range(n // 4):
        if cumulative:
            other = below(rng, n)
        else:
            other = below(rng, n - 1)
            other += other >= worst
        if other != worst:
            now += 2 * swap_places(lines, at, worst, other)
        if now < cost or uniform(rng) < acceptance:
            return now
        if not cumulative:
            swap_places(lines, at, worst, other)
            now = cost
    _copy(before, at)
    return cost


@njit(cache=True, nogil=True)
def _improve(at: Places, lines: Counts, cost: int) -> int:
    """Swap pairs of genes in order and stop at the first improvement; return the cost then."""
    n = len(at)
    tally(at, lines)
    for one in range(n - 1):
        for other in range(one + 1, n):
            change = 2 * swap_places(lines, at, one, other)
            if change < 0:
                return cost + change
            swap_places(lines, at, one, other)
    return cost


@njit(cache=True, nogil=True)
def _two_best(costs: Places) -> Any:
    """Return the first individual of least cost and the first of the others of least cost."""
    first, second = 0, 1
    if costs[1] < costs[0]:
        first, second = 1, 0
    for i in range(2, len(costs)):
        if costs[i] < costs[first]:
            first, second = i, first
        elif costs[i] < costs[second]:
            second = i
    return first, second


@njit(cache=True, nogil=True)
def evolve_population(
    rng: State,
    population: Population,
    children: Population,
    costs: Places,
    lines: Counts,
    used: Any,
    scratch: Places,
    mutation: float,
    acceptance: float,
    cumulative: bool,
    most: int,
    target: int,
) -> Any:
    """Make up to `most` generations, until an individual's cost is at most `target`; return (made, best).

    The two best go first in the next generation, mutated; the rest are children of roulette-selected pairs,
    each reseated with probability `mutation`; then the best individual gets its local search. `costs` gets the
    individuals' costs; `children`, `lines`, `used` and `scratch` (n) are work space. 2 individuals or more.
    """
    size, n = population.shape
    perfect, made = n * (n - 1), 0
    measure(population, costs, lines)
    best, _ = _two_best(costs)
    while made < most and costs[best] > target:
        made += 1
        first, second = _two_best(costs)
        _copy(population[first], children[0])
        _copy(population[second], children[1])
        for i in range(2, size, 2):
            one, other = _select(rng, costs, perfect), _select(rng, costs, perfect)
            cut = 1 + below(rng, n - 1)
            _cross(children[i], population[one], population[other], cut, used)
            if i + 1 < size:
                _cross(children[i + 1], population[other], population[one], cut, used)
        for i in range(2, size):
            if uniform(rng) < mutation:
                _reseat(rng, children[i], scratch)
        for i in range(size):
            _copy(children[i], population[i])
        measure(population, costs, lines)
        for i in range(2):
            costs[i] = _mutate_best(rng, population[i], lines, scratch, costs[i], acceptance, cumulative)
        best, _ = _two_best(costs)
        costs[best] = _improve(population[best], lines, costs[best])
    return made, best


@njit(cache=True, nogil=True)
def draw_population(rng: State, population: Population, uniformly: bool) -> None:
    """Draw all individuals: uniform permutations, or the identity after a few swaps."""
    for i in range(len(population)):
        if uniformly:
            permute(rng, population[i])
        else:
            few_swaps(rng, population[i])
