"""Linear relaxations of covers and their duals, made exact: weights on squares that bound the number of knights.

Floating-point weights are only a suggestion. They are scaled and rounded down to whole numbers, which keeps them
feasible, and raised again where there is room; what comes out is checked with integers.
SciPy's HiGHS is imported where it is used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exact.child import Report
from exact.cover import CoverPart
from exact.proof.weights import Weighting
from problems import Square

UNITS = (*range(1, 61), 72, 84, 90, 96, 120, 144, 168, 180, 210, 240, 360, 420, 840, 2520, 10_000, 100_000, 10**6)
"""The common denominators that are tried, the handiest first."""

_ROUNDING = 1e-7

_SMALL = 400
"""Targets of the largest part for the simplex method: for 1,600 it takes 6 s, the interior point method 1 s."""


def lower_bound(part: CoverPart) -> tuple[dict[Square, Fraction], Fraction]:
    """Return weights of targets such that no site covers more than 1 of them, and their sum.

    Every cover of the part has at least the sum many knights. The weights solve the dual of the linear
    relaxation; the sum is its optimum, or below it by less than a thousandth, for want of a denominator.
    A part that cannot be covered has no bound: `ValueError`.
    """
    if not all(part.covers):
        raise ValueError("a target of the part cannot be covered")
    suggested = _dual_optimum(part)
    optimum, reach = sum(suggested), part.reach()
    for unit in UNITS:
        need = math.ceil((optimum - _ROUNDING) * unit)
        weights = rounded(suggested, reach, unit, need)
        if sum(weights) >= need:
            break
    found = {target: Fraction(w, unit) for target, w in zip(part.targets, weights, strict=True) if w}
    return found, sum(found.values(), Fraction(0))


def weighting(part: CoverPart, report: Report) -> tuple[int, Weighting]:
    """Return the fewest knights that one weighting of the part proves, and it; a job for a child process."""
    weights, bound = lower_bound(part)
    unit = math.lcm(*(weight.denominator for weight in weights.values()))
    return math.ceil(bound), Weighting(unit, {target: int(weight * unit) for target, weight in weights.items()})


def _dual_optimum(part: CoverPart) -> list[float]:
    """Return weights of greatest sum, as floating-point numbers."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    height, width = len(part.sites), len(part.targets)
    sites = [site for covering in part.covers for site in covering]
    targets = [target for target, covering in enumerate(part.covers) for _ in covering]
    # SciPy's type stubs know no sparse constraints.
    loads: Any = csr_array((np.ones(len(sites)), (sites, targets)), shape=(height, width))
    method: Any = "highs" if width <= _SMALL else "highs-ipm"
    solved = linprog(-np.ones(width), A_ub=loads, b_ub=np.ones(height), bounds=(0, None), method=method)
    if solved.status != 0 or solved.x is None:
        raise RuntimeError(f"HiGHS ended with status {solved.status}: {solved.message}")
    return [float(weight) for weight in solved.x]


def rounded(suggested: Sequence[float], reach: Sequence[Sequence[int]], unit: int, need: int) -> list[int]:
    """Return whole weights near `suggested` times `unit`, no site reaching more than `unit` of them.

    `reach` holds the targets of each site that counts. The sum is raised where there is room until it is
    `need`, or as far as it goes.
    """
    scaled = [max(0.0, weight) * unit for weight in suggested]
    weights = [int(weight + _ROUNDING * unit) for weight in scaled]
    loads = [sum(weights[target] for target in targets) for targets in reach]
    reached: list[list[int]] = [[] for _ in weights]
    for site, targets in enumerate(reach):
        for target in targets:
            reached[target].append(site)
    _lower_overloads(weights, loads, reach, reached, unit)
    total = sum(weights)
    for target in sorted(range(len(weights)), key=lambda t: (weights[t] - scaled[t], t)):
        if total >= need:
            break
        room = min((unit - loads[site] for site in reached[target]), default=0)
        if room > 0 and weights[target] < scaled[target]:
            weights[target] += 1
            total += 1
            for site in reached[target]:
                loads[site] += 1
    return weights


def _lower_overloads(
    weights: list[int],
    loads: list[int],
    reach: Sequence[Sequence[int]],
    reached: Sequence[Sequence[int]],
    unit: int,
) -> None:
    """Take weight away where the suggestion's own errors let a site reach more than the unit."""
    for site, targets in enumerate(reach):
        for target in targets:
            while loads[site] > unit and weights[target]:
                weights[target] -= 1
                for other in reached[target]:
                    loads[other] -= 1
