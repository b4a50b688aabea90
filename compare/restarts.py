"""When to restart: fit the run-length distribution, name the best cutoff, and hold the prediction against runs.

With cutoff t, a run succeeds with probability F(t) and costs E[min(T, t)]; restarting until success costs
E[min(T, t)] / F(t) (Luby, Sinclair & Zuckerman 1993). An exponential (geometric) distribution has no memory:
every cutoff costs the same, and no restart helps. Methods that give up by themselves restart at lengths of their
own, and some get stuck for good: where no family describes them, the runs themselves are asked, each half of them
about the cutoff that the other half chose.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from compare.running_time import ExpectedTime, expected_running_time
from compare.statistics import Floats, Sample, run_length_distribution

_FAMILIES: dict[str, Any] = {
    "exponential": stats.expon,
    "weibull": stats.weibull_min,
    "lognormal": stats.lognorm,
}
"""The families that are fitted: memoryless, with rising or falling hazard, heavy-tailed."""

_FEWEST_SUCCESSES = 20
"""Fewer successes than this fit no distribution worth advice."""

_FEWEST_WITHIN = 10
"""A cutoff within which fewer runs succeeded is not judged by the runs themselves."""

_WORTH_IT = 0.9
"""A cutoff is advised when it is put below this share of the cost of running on."""

_KOLMOGOROV = 1.36
_TOLERATED_DISTANCE = 0.05
"""A fit may miss the measured curve by this or by Kolmogorov's 5 % limit, 1.36 / sqrt(runs), if that is more."""

_CLEARLY_BETTER = 4.0
"""By how much a family's AIC must beat the memoryless one's to be believed (likelihood ratio, p = 0.014)."""

_MOST_CUTOFFS = 200
_SEED = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """The cutoff that minimises the expected work, and what speaks for it.

    `family` is the best-fitting distribution by `aic` (lower is better), None where runs gave up by themselves;
    `distance` is the largest between its curve and the measured one (Kolmogorov-Smirnov). The advice rests on the
    fit only if it `fits`, else on the runs alone. `cutoff` is None when restarting is not shown to pay.
    `predicted` is the expected work with the advised cutoff, None without one, and `without` the measured one of
    running on. A restart counts as `restart_work` in the choice of the cutoff, but not in these figures. All in
    the sample's unit.
    """

    family: str | None
    parameters: tuple[float, ...]
    aic: dict[str, float]
    distance: float | None
    fits: bool
    cutoff: float | None
    predicted: float | None
    without: ExpectedTime
    restart_work: float


def advise(sample: Sample, *, restart_work: float = 1.0) -> Advice | None:
    """Return the best cutoff under the best of the families, fitted by maximum likelihood with censoring.

    Where runs were over without success, or no family fits, half of the runs choose the cutoff, the other half
    tell what it costs, and the other way round. Returns None with fewer than 20 successes.
    """
    if sample.successes < _FEWEST_SUCCESSES:
        return None
    without = expected_running_time(sample, seed=_SEED)
    if sample.over.any():
        cutoff, cost = _held_out(sample, without, restart_work)
        return Advice(None, (), {}, None, False, cutoff, cost, without, restart_work)
    return _fitted(sample, without, restart_work)


def _fitted(sample: Sample, without: ExpectedTime, restart_work: float) -> Advice:
    # Work of 0 has no logarithm; half a unit stands for "at once" in the unit of counters.
    floor = 0.5 if float(sample.effort.max()) > 1 else float(sample.effort[sample.effort > 0].min(initial=1e-9))
    data = stats.CensoredData.right_censored(np.maximum(sample.effort, floor), ~sample.solved)
    with warnings.catch_warnings():
        # Runs that all did the same work have no spread: the fits are then exact, and SciPy warns of it.
        warnings.simplefilter("ignore", RuntimeWarning)
        fits = {name: family.fit(data, floc=0) for name, family in _FAMILIES.items()}
    aic = {name: _aic(_FAMILIES[name], fits[name], sample, floor) for name in fits}
    best = min(aic, key=lambda name: aic[name])
    if aic["exponential"] < aic[best] + _CLEARLY_BETTER:
        best = "exponential"
    frozen = _FAMILIES[best](*fits[best])
    distance = fit_distance(sample, frozen)
    cutoff: float | None
    predicted: float | None
    if is_good := distance <= max(_TOLERATED_DISTANCE, _KOLMOGOROV / float(np.sqrt(sample.runs))):
        cutoff = _best_by_fit(sample, frozen, without, restart_work)
        predicted = None if cutoff is None else restart_cost(frozen, cutoff)
    else:
        cutoff, predicted = _held_out(sample, without, restart_work)
    parameters = tuple(float(value) for value in fits[best])
    return Advice(best, parameters, aic, distance, is_good, cutoff, predicted, without, restart_work)


def fit_distance(sample: Sample, distribution: Any) -> float:
    """Return the largest distance between the Kaplan-Meier curve, both sides of its steps, and a distribution."""
    curve = run_length_distribution(sample)
    expected = distribution.cdf(curve.work)
    before = np.concatenate([[0.0], curve.probability[:-1]])
    return float(np.maximum(np.abs(curve.probability - expected), np.abs(before - expected)).max())


def _best_by_fit(sample: Sample, distribution: Any, without: ExpectedTime, restart_work: float) -> float | None:
    """Return the cutoff that both the fit and the runs put lowest, None if that is not worth it."""
    cutoffs = _cutoffs(sample)
    within = distribution.cdf(cutoffs)
    with np.errstate(divide="ignore"):
        fitted = np.array([restart_cost(distribution, cutoff) for cutoff in cutoffs])
        fitted += restart_work * (1 - within) / within
    # The fit alone would trust its tails, the runs alone their luck.
    costs = np.maximum(fitted, [observed_cost(sample, cutoff, restart_work) for cutoff in cutoffs])
    place = int(np.argmin(costs))
    return float(cutoffs[place]) if costs[place] < _WORTH_IT * _running_on(sample, without, restart_work) else None


def _running_on(sample: Sample, without: ExpectedTime, restart_work: float) -> float:
    """Return what running on costs: its failed runs are started again as well."""
    return without.estimate + restart_work * (sample.runs - sample.successes) / sample.successes


def _held_out(
    sample: Sample, without: ExpectedTime, restart_work: float
) -> tuple[float, float] | tuple[None, None]:
    """Return a cutoff and its expected work as told by runs that did not choose it; None if it does not pay."""
    halves = [Sample(sample.effort[i::2], sample.solved[i::2], sample.over[i::2]) for i in (0, 1)]
    chosen = [_best_observed(half, restart_work) for half in halves]
    if any(cutoff is None for cutoff in chosen):
        return None, None
    parts = [cut_off(half, float(cutoff or 0)) for half, cutoff in zip(halves, reversed(chosen), strict=True)]
    effort, solved = (np.concatenate([getattr(part, name) for part in parts]) for name in ("effort", "solved"))
    told = Sample(effort + restart_work * ~solved, solved, ~solved)
    cost = expected_running_time(told, seed=_SEED)
    limit = _WORTH_IT * _running_on(sample, without, restart_work)
    if cost.is_lower_bound or cost.high >= limit:
        return None, None
    cutoff = _best_observed(sample, restart_work)
    return (None, None) if cutoff is None else (cutoff, observed_cost(sample, cutoff))


def _best_observed(sample: Sample, restart_work: float) -> float | None:
    """Return the cutoff that would have been cheapest for these very runs, None where none can be judged."""
    enough = np.sort(sample.effort[sample.solved])[_FEWEST_WITHIN - 1 :]
    cutoffs = [cutoff for cutoff in _cutoffs(sample) if len(enough) and cutoff >= enough[0]]
    return min(cutoffs, key=lambda cutoff: observed_cost(sample, cutoff, restart_work), default=None)


def cut_off(sample: Sample, cutoff: float) -> Sample:
    """Return what the runs would have been with this cutoff."""
    solved = sample.solved & (sample.effort <= cutoff)
    return Sample(np.minimum(sample.effort, cutoff), solved, sample.over & (sample.effort <= cutoff))


def _cutoffs(sample: Sample) -> Floats:
    """Return the cutoffs worth a thought: where runs did succeed, a unit of work at least."""
    least = 1.0 if float(sample.effort.max()) > 1 else 0.0
    successes = np.unique(np.maximum(sample.effort[sample.solved], least))
    return successes[:: max(1, len(successes) // _MOST_CUTOFFS)]


def observed_cost(sample: Sample, cutoff: float, restart_work: float = 0.0) -> float:
    """Return what restarting after `cutoff` would have cost these very runs: their work up to it, per success."""
    within = int((sample.solved & (sample.effort <= cutoff)).sum())
    work = float(np.minimum(sample.effort, cutoff).sum()) + restart_work * (sample.runs - within)
    return work / within if within else np.inf


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

    They agree when the prediction lies in the interval of the measured expected work. Raises `ValueError` if no
    cutoff was advised.
    """
    if advice.cutoff is None or advice.predicted is None:
        raise ValueError("expected an advised cutoff, got the advice to run on")
    measured = expected_running_time(rerun(advice.cutoff), seed=seed)
    return Checked(advice, measured, measured.low <= advice.predicted <= measured.high)
