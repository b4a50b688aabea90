"""When to restart: fit the run-length distribution, name the best cutoff, and hold the prediction against runs.

With cutoff t, a run succeeds with probability F(t) and costs E[min(T, t)]; restarting until success costs
E[min(T, t)] / F(t) (Luby, Sinclair & Zuckerman 1993). An exponential (geometric) distribution has no memory:
every cutoff costs the same, and no restart helps.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from compare.statistics import ExpectedTime, Floats, Sample, expected_running_time

_FAMILIES: dict[str, Any] = {
    "exponential": stats.expon,
    "weibull": stats.weibull_min,
    "lognormal": stats.lognorm,
}
"""The families that are fitted: memoryless, with rising or falling hazard, heavy-tailed."""

_FEWEST_SUCCESSES = 20
"""Fewer successes than this fit no distribution worth advice."""

_WORTH_IT = 0.9
"""A cutoff is advised when both the fit and the runs themselves put its cost below this share of running on."""

_MOST_CUTOFFS = 200


@dataclass(frozen=True, slots=True)
class Advice:
    """A fitted distribution and the cutoff that minimises the expected work under it.

    `cutoff` is None when restarting is not predicted to pay. `predicted` is the expected work with the advised
    policy and `without` that of running on, both in the sample's unit. `aic` ranks the families (lower is better).
    """

    family: str
    parameters: tuple[float, ...]
    aic: dict[str, float]
    cutoff: float | None
    predicted: float
    without: float


def advise(sample: Sample) -> Advice | None:
    """Fit the families by maximum likelihood, censoring included, and return the best one's cutoff.

    Returns None with fewer than 20 successes: too few to fit.
    """
    if sample.successes < _FEWEST_SUCCESSES:
        return None
    # Work of 0 has no logarithm; half a unit stands for "at once" in the unit of counters.
    floor = 0.5 if float(sample.effort.max()) > 1 else float(sample.effort[sample.effort > 0].min(initial=1e-9))
    data = stats.CensoredData.right_censored(np.maximum(sample.effort, floor), ~sample.solved)
    with warnings.catch_warnings():
        # Runs that all did the same work have no spread: the fits are then exact, and SciPy warns of it.
        warnings.simplefilter("ignore", RuntimeWarning)
        fits = {name: family.fit(data, floc=0) for name, family in _FAMILIES.items()}
    aic = {name: _aic(_FAMILIES[name], fits[name], sample, floor) for name in fits}
    best = min(aic, key=lambda name: aic[name])
    frozen = _FAMILIES[best](*fits[best])
    without = float(frozen.mean())
    cutoffs = _cutoffs(sample)
    costs = np.array([restart_cost(frozen, cutoff) for cutoff in cutoffs])
    place = int(np.argmin(costs))
    saves = max(float(costs[place]), observed_cost(sample, float(cutoffs[place]))) < _WORTH_IT * without
    pays = best != "exponential" and saves
    return Advice(
        best,
        tuple(float(value) for value in fits[best]),
        aic,
        float(cutoffs[place]) if pays else None,
        float(costs[place]) if pays else without,
        without,
    )


def _cutoffs(sample: Sample) -> Floats:
    """Return the cutoffs worth a thought: where runs did succeed, a unit of work at least."""
    least = 1.0 if float(sample.effort.max()) > 1 else 0.0
    successes = np.unique(np.maximum(sample.effort[sample.solved], least))
    return successes[:: max(1, len(successes) // _MOST_CUTOFFS)]


def observed_cost(sample: Sample, cutoff: float) -> float:
    """Return what restarting after `cutoff` would have cost these very runs: their work up to it, per success."""
    within = int((sample.solved & (sample.effort <= cutoff)).sum())
    return float(np.minimum(sample.effort, cutoff).sum()) / within if within else np.inf


def _aic(family: Any, parameters: tuple[float, ...], sample: Sample, floor: float) -> float:
    effort = np.maximum(sample.effort, floor)
    likelihood = family.logpdf(effort[sample.solved], *parameters).sum()
    likelihood += family.logsf(effort[~sample.solved], *parameters).sum()
    free = len(parameters) - 1  # the location is fixed at 0
    return float(2 * free - 2 * likelihood)


def restart_cost(distribution: Any, cutoff: float) -> float:
    """Return E[min(T, cutoff)] / F(cutoff) for a frozen SciPy distribution: the expected work with restarts."""
    grid: Floats = np.linspace(0.0, cutoff, 2001)
    within = float(distribution.cdf(cutoff))
    return float(np.trapezoid(distribution.sf(grid), grid)) / within if within > 0 else np.inf


@dataclass(frozen=True, slots=True)
class Checked:
    """An advised cutoff held against fresh runs: what was predicted, what was measured, whether they agree."""

    advice: Advice
    measured: ExpectedTime
    agrees: bool


def check(advice: Advice, rerun: Callable[[float], Sample], *, seed: int) -> Checked:
    """Run with the advised cutoff (`rerun(cutoff)` makes fresh runs with that budget) and compare.

    They agree when the prediction lies in the bootstrap interval of the measured expected work. Raises
    `ValueError` if no cutoff was advised.
    """
    if advice.cutoff is None:
        raise ValueError("expected an advised cutoff, got the advice to run on")
    measured = expected_running_time(rerun(advice.cutoff), seed=seed)
    return Checked(advice, measured, measured.low <= advice.predicted <= measured.high)
