"""Statistics of run times and success, with every started run in the denominator.

A run that ended without reaching its target is *censored*: its work is a lower bound of what it would have
taken. Nothing is dropped: failed runs stay in every rate, curve, test and expectation. SciPy does the
mathematics (`ecdf`, `binomtest`, `logrank`, `mannwhitneyu`, `bootstrap`, `linregress`).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

CONFIDENCE = 0.95
"""The level of every interval and band, unless the caller says otherwise."""

_FEWEST_SUCCESSES = 5
"""Below this many successes among failures an expected running time is reported as a lower bound."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one method on one problem: the work of each (its own unit, or seconds) and whether it succeeded.

    `effort` (float, one entry a run, positive or 0) of a failed run is the work it did before it was ended.
    Raises `ValueError` for arrays of different length, an empty sample, or negative or non-finite work.
    """

    effort: Floats
    solved: Booleans

    def __post_init__(self) -> None:
        if self.effort.shape != self.solved.shape or self.effort.ndim != 1 or not len(self.effort):
            raise ValueError(f"expected two equally long vectors, got {self.effort.shape} and {self.solved.shape}")
        if not np.all(np.isfinite(self.effort)) or np.any(self.effort < 0):
            raise ValueError("expected finite work of 0 or more")

    @classmethod
    def of(cls, effort: Sequence[float], solved: Sequence[bool]) -> Sample:
        """Return the sample of these runs."""
        return cls(np.asarray(effort, dtype=np.float64), np.asarray(solved, dtype=np.bool_))

    @property
    def runs(self) -> int:
        """The number of started runs."""
        return len(self.effort)

    @property
    def successes(self) -> int:
        """The number of runs that reached their target."""
        return int(self.solved.sum())

    def censored(self) -> stats.CensoredData:
        """Return the work as SciPy's right-censored data."""
        return stats.CensoredData.right_censored(self.effort, ~self.solved)


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval; `high` is infinite where the data give no upper limit."""

    estimate: float
    low: float
    high: float


def success_rate(sample: Sample, *, confidence: float = CONFIDENCE) -> Interval:
    """Return successes / started runs with Wilson's interval (Wilson 1927)."""
    return proportion(sample.successes, sample.runs, confidence=confidence)


def proportion(successes: int, runs: int, *, confidence: float = CONFIDENCE) -> Interval:
    """Return a proportion with Wilson's interval; `runs` must be positive."""
    interval = stats.binomtest(successes, runs).proportion_ci(confidence, method="wilson")
    return Interval(successes / runs, float(interval.low), float(interval.high))


def mean(values: Sequence[float] | Floats, *, confidence: float = CONFIDENCE) -> Interval:
    """Return a mean with Student's interval; a single value has no finite one."""
    data = np.asarray(values, dtype=np.float64)
    centre = float(data.mean())
    if len(data) < 2:
        return Interval(centre, -np.inf, np.inf)
    error = float(stats.sem(data))
    if error == 0:
        return Interval(centre, centre, centre)
    low, high = stats.t.interval(confidence, len(data) - 1, loc=centre, scale=error)
    return Interval(centre, float(low), float(high))


@dataclass(frozen=True, slots=True)
class RunLengthDistribution:
    """The probability of success within a given work: a step function, with a pointwise band.

    `work[i]` is where the curve steps up to `probability[i]`; it starts at 0 and levels off below 1 when runs
    were censored. `low` and `high` are the band (Greenwood's, log-log); where that is undefined, the last
    known lower limit and 1.
    """

    work: Floats
    probability: Floats
    low: Floats
    high: Floats

    def at(self, work: float) -> float:
        """Return the estimated probability of success within this work."""
        place = int(np.searchsorted(self.work, work, side="right"))
        return 0.0 if place == 0 else float(self.probability[place - 1])

    def quantile(self, probability: float) -> float | None:
        """Return the least work within which that share of the runs succeeds, None if the curve stays below."""
        # The tolerance absorbs rounding in Kaplan-Meier's products, far below one run's weight.
        place = int(np.searchsorted(self.probability, probability - 1e-12, side="left"))
        return None if place == len(self.work) else float(self.work[place])


def run_length_distribution(sample: Sample, *, confidence: float = CONFIDENCE) -> RunLengthDistribution:
    """Return the Kaplan-Meier estimate of the run-length distribution (Hoos & Stützle 2004, ch. 4)."""
    if not sample.successes:
        empty = np.empty(0)
        return RunLengthDistribution(empty, empty, empty, empty)
    estimate = stats.ecdf(sample.censored())
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # Greenwood's formula has no value at 0 and 1: the upper limit is 1 there, the lower one the last known.
        warnings.simplefilter("ignore", RuntimeWarning)
        band: Any = estimate.cdf.confidence_interval(confidence, method="log-log")
    work = estimate.cdf.quantiles
    steps = np.isin(work, sample.effort[sample.solved])
    return RunLengthDistribution(
        work[steps],
        estimate.cdf.probabilities[steps],
        np.maximum.accumulate(np.nan_to_num(band.low.probabilities, nan=0.0))[steps],
        np.nan_to_num(band.high.probabilities, nan=1.0)[steps],
    )


@dataclass(frozen=True, slots=True)
class ExpectedTime:
    """The expected work until the first success when failed runs are simply started again.

    With `is_lower_bound` the estimate only says 'at least': too few runs succeeded (`high` is then infinite).
    """

    estimate: float
    low: float
    high: float
    is_lower_bound: bool


def expected_running_time(
    sample: Sample, *, seed: int, confidence: float = CONFIDENCE, resamples: int = 2000
) -> ExpectedTime:
    """Return total work / successes (ERT; Auger & Hansen 2005), with a bootstrap percentile interval.

    Without a success the estimate is the total work. With failures and fewer than five successes it is flagged
    as a lower bound at the interval's lower end: a bootstrap of so few successes has no honest upper end.
    """
    total = float(sample.effort.sum())
    if not sample.successes:
        return ExpectedTime(total, total, np.inf, True)
    estimate = total / sample.successes
    low, high = _bootstrap_interval(sample, seed, confidence, resamples)
    few = sample.successes < min(_FEWEST_SUCCESSES, sample.runs)
    return ExpectedTime(estimate, float(low), float("inf") if few else float(high), few)


def _bootstrap_interval(sample: Sample, seed: int, confidence: float, resamples: int) -> tuple[float, float]:
    if sample.runs < 2:  # one run says nothing about the spread
        return 0.0, np.inf
    # Resamples without a success are infinite, which SciPy's standard error (unused here) cannot digest.
    with np.errstate(invalid="ignore"):
        interval = stats.bootstrap(
            (sample.effort, sample.solved.astype(np.float64)),
            _total_per_success,
            paired=True,
            vectorized=True,
            n_resamples=resamples,
            confidence_level=confidence,
            method="percentile",
            rng=np.random.default_rng(seed),
        ).confidence_interval
    low, high = (float(bound) if np.isfinite(bound) else np.inf for bound in (interval.low, interval.high))
    return low, high


def _total_per_success(effort: Floats, solved: Floats, axis: int = -1) -> Floats:
    successes = solved.sum(axis=axis)
    ratio: Floats = np.where(successes > 0, effort.sum(axis=axis) / np.maximum(successes, 1), np.inf)
    return ratio


def par2(seconds: Sequence[float], solved: Sequence[bool], limit: float) -> float:
    """Return the penalised average runtime: unsolved runs count twice the limit (seconds)."""
    if not len(seconds):
        raise ValueError("expected at least one run")
    return float(np.mean([time if done else 2 * limit for time, done in zip(seconds, solved, strict=True)]))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two methods on the same problem: `first` beats `second` when it needs less work.

    `superiority` is P(first needs less) + P(tie) / 2 (Vargha & Delaney's A measure, 0.5 = no difference) and
    `magnitude` its usual wording. Runs that both fail tie. `p_value` is the log-rank test's, which accounts
    for censoring; `adjusted` is it after Holm's correction over the family, None before that.
    """

    first: str
    second: str
    superiority: float
    magnitude: Literal["negligible", "small", "medium", "large"]
    p_value: float
    adjusted: float | None = None


def compare_pair(first: str, a: Sample, second: str, b: Sample) -> Comparison:
    """Return the comparison of two samples; without any success on either side the p-value is 1."""
    superiority = _superiority(a, b)
    p_value = 1.0
    if a.successes + b.successes:
        with np.errstate(invalid="ignore"):  # no variance: NaN, dealt with below
            p_value = float(stats.logrank(a.censored(), b.censored()).pvalue)
    return Comparison(first, second, superiority, _magnitude(superiority), 1.0 if np.isnan(p_value) else p_value)


def _superiority(a: Sample, b: Sample) -> float:
    """Return the Vargha-Delaney measure with failed runs behind every success and tied with each other."""
    ranked_a = np.where(a.solved, a.effort, np.inf)
    ranked_b = np.where(b.solved, b.effort, np.inf)
    # Mann-Whitney's U counts pairs with a > b, ties half: the measure is the share of the other pairs.
    u = stats.mannwhitneyu(ranked_a, ranked_b, method="asymptotic").statistic
    return float(1 - u / (a.runs * b.runs))


def _magnitude(superiority: float) -> Literal["negligible", "small", "medium", "large"]:
    distance = abs(superiority - 0.5)
    if distance < 0.06:
        return "negligible"
    if distance < 0.14:
        return "small"
    return "medium" if distance < 0.21 else "large"


def compare_all(samples: Mapping[str, Sample]) -> tuple[Comparison, ...]:
    """Return every pair's comparison, p-values adjusted by Holm's method over the family (Holm 1979)."""
    pairs = [compare_pair(a, samples[a], b, samples[b]) for a, b in combinations(samples, 2)]
    adjusted = holm([pair.p_value for pair in pairs])
    return tuple(
        Comparison(pair.first, pair.second, pair.superiority, pair.magnitude, pair.p_value, value)
        for pair, value in zip(pairs, adjusted, strict=True)
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's step-down adjusted p-values, in the order given."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class Scaling:
    """How work grows with size: `power` is work ~ size**exponent, `exponential` work ~ base**size.

    `r_squared` is that of the regression on logarithms; `low` and `high` bound `rate` (exponent or base).
    """

    model: Literal["power", "exponential"]
    rate: float
    low: float
    high: float
    r_squared: float


def scaling(
    sizes: Sequence[float], work: Sequence[float], *, confidence: float = CONFIDENCE
) -> tuple[Scaling, ...]:
    """Fit both growth models to (size, positive work) points and return them, the better fit first.

    Fewer than three different sizes, or the same work at all of them, determine no fit: the result is empty.
    """
    if len(set(sizes)) < 3 or len(set(work)) < 2:
        return ()
    x, y = np.asarray(sizes, dtype=np.float64), np.log(np.asarray(work, dtype=np.float64))
    power = stats.linregress(np.log(x), y)
    exponential = stats.linregress(x, y)
    factor = float(stats.t.ppf((1 + confidence) / 2, len(x) - 2))
    fits = (
        Scaling(
            "power",
            float(power.slope),
            float(power.slope - factor * power.stderr),
            float(power.slope + factor * power.stderr),
            float(power.rvalue**2),
        ),
        Scaling(
            "exponential",
            float(np.exp(exponential.slope)),
            float(np.exp(exponential.slope - factor * exponential.stderr)),
            float(np.exp(exponential.slope + factor * exponential.stderr)),
            float(exponential.rvalue**2),
        ),
    )
    return tuple(sorted(fits, key=lambda fit: -fit.r_squared))
