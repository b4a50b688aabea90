"""The expected work until a method succeeds, with an interval that keeps what it promises for few runs as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from compare.statistics import CONFIDENCE, Floats, Sample

FEWEST_SUCCESSES = 5
"""Below this many successes among failures an expected running time is reported as a lower bound."""

_FEWEST_RESAMPLED_RUNS = 6
"""Fewer runs than this have too few different resamples: Student's t takes the place of the bootstrap."""

_OUTLIERS = 0.1
_CHUNK = 2_000_000
_NO_SPREAD = 1e-9


@dataclass(frozen=True, slots=True)
class ExpectedTime:
    """The expected work until the first success when failed runs are simply started again.

    With `is_lower_bound` only `low` counts, and says 'at least': too few runs succeeded (`high` is infinite).
    """

    estimate: float
    low: float
    high: float
    is_lower_bound: bool


def expected_running_time(
    sample: Sample, *, seed: int, confidence: float = CONFIDENCE, resamples: int = 2000
) -> ExpectedTime:
    """Return total work / successes (ERT; Auger & Hansen 2005) with its interval.

    The interval is the bootstrap-t on logarithms (Efron & Tibshirani 1993, ch. 12), its quantiles no further out
    than Student's at a tenth of the tails; with fewer than six runs Student's t with the same standard error.
    With failures and fewer than five successes there is no honest upper end, and it is only a lower bound, at
    the confidence asked for: that of a search without memory, 2 T / chi2(2 s + 2) for T work and s successes
    (Epstein & Sobel 1953). Without success, T / 3.0 at 95 %.
    """
    total, successes = float(sample.effort.sum()), sample.successes
    if successes < min(FEWEST_SUCCESSES, sample.runs):
        least = 2 * total / float(stats.chi2.ppf(confidence, 2 * successes + 2))
        return ExpectedTime(total / successes if successes else least, least, np.inf, True)
    low, high = _interval(sample, seed, confidence, resamples)
    return ExpectedTime(total / successes, low, high, False)


def _interval(sample: Sample, seed: int, confidence: float, resamples: int) -> tuple[float, float]:
    """Return the interval of total work / successes; all of 0 to infinity for a single run."""
    effort, solved = sample.effort, sample.solved.astype(np.float64)
    if sample.runs < 2:  # one run says nothing about the spread
        return 0.0, np.inf
    if not effort.any():
        return 0.0, 0.0
    ratios, errors = _log_ratios(effort[None, :], solved[None, :])
    centre, error = float(ratios[0]), float(errors[0])
    estimate = float(effort.sum() / solved.sum())
    if error < _NO_SPREAD:
        return estimate, estimate
    tail = (1 - confidence) / 2
    if sample.runs >= _FEWEST_RESAMPLED_RUNS:
        # Resamples without a lone outlier have next to no spread: their t would make the interval endless.
        furthest = stats.t.ppf(1 - tail * _OUTLIERS, sample.runs - 1)
        drawn = np.clip(_studentised(sample, centre, seed, resamples), -furthest, furthest)
        least, most = np.quantile(drawn, [tail, 1 - tail])
    else:
        most = stats.t.ppf(1 - tail, sample.runs - 1)
        least = -most
    with np.errstate(over="ignore"):
        low, high = float(np.exp(centre - most * error)), float(np.exp(centre - least * error))
    return min(low, estimate), max(high, estimate)


def _studentised(sample: Sample, centre: float, seed: int, resamples: int) -> Floats:
    """Return (log ratio - centre) / standard error of each resample, infinite for those without spread or success.

    These are the resamples that miss a lone outlier: without them the interval would end at the estimate.
    """
    generator = np.random.default_rng(seed)
    values = []
    rows = max(1, _CHUNK // sample.runs)
    for start in range(0, resamples, rows):
        drawn = generator.integers(0, sample.runs, (min(rows, resamples - start), sample.runs))
        ratios, errors = _log_ratios(sample.effort[drawn], sample.solved[drawn].astype(np.float64))
        known = ~np.isnan(ratios)
        off = np.where(np.abs(ratios[known] - centre) < _NO_SPREAD, 0.0, ratios[known] - centre)
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = off / np.where(errors[known] < _NO_SPREAD, 0.0, errors[known])
        values.append(np.nan_to_num(scaled, nan=0.0, posinf=np.inf, neginf=-np.inf))
    return np.concatenate(values)


def _log_ratios(effort: Floats, solved: Floats) -> tuple[Floats, Floats]:
    """Return log(total work / successes) of each row and its standard error (the delta method's)."""
    totals, successes, runs = effort.sum(axis=1), solved.sum(axis=1), effort.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        influence = effort / totals[:, None] - solved / successes[:, None]
        ratios: Floats = np.log(totals / successes)
    errors: Floats = np.sqrt((influence**2).sum(axis=1) * runs / (runs - 1))
    return ratios, np.nan_to_num(errors, nan=0.0)


def par2(seconds: Sequence[float], solved: Sequence[bool], limit: float) -> float:
    """Return the penalised average runtime: unsolved runs count twice the limit (seconds)."""
    if not len(seconds):
        raise ValueError("expected at least one run")
    return float(np.mean([time if done else 2 * limit for time, done in zip(seconds, solved, strict=True)]))
