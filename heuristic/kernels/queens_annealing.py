"""Compiled simulated annealing for queens on permutations: swap the columns of two rows."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

from numba import njit

from heuristic.kernels.queens_climbing import Counts, Places, swap_places
from heuristic.kernels.random import State, below, uniform


@njit(cache=True, nogil=True)
def anneal(
    rng: State,
    at: Places,
    lines: Counts,
    cost: int,
    temperature: float,
    cooling: float,
    coldest: float,
    hottest: float,
    most: int,
    target: int,
) -> Any:
    """Propose up to `most` swaps, until the cost (pairs on a diagonal) is at most `target`.

    A swap that costs d more is made with probability exp(-d / temperature). The temperature is multiplied by
    `cooling` after each proposal; below `coldest` it goes back to `hottest` and then falls half as fast. Only
    the diagonals of `lines` are used. Boards of 2 rows or more. Return (proposals, cost, temperature, cooling,
    reheatings).
    """
    n, made, reheatings = len(at), 0, 0
    while made < most and cost > target:
        made += 1
        one, other = below(rng, n), below(rng, n - 1)
        other += other >= one
        change = swap_places(lines, at, one, other)
        if change <= 0 or uniform(rng) < exp(-change / temperature):
            cost += change
        else:
            swap_places(lines, at, one, other)
        temperature *= cooling
        if temperature < coldest:
            temperature = hottest
            cooling = sqrt(cooling)
            reheatings += 1
    return made, cost, temperature, cooling, reheatings
