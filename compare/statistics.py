"""Statistics of run times and success, with every started run in the denominator.

A run that a limit on its work ended is *censored*: its work is a lower bound of what it would have taken. One
that was over without success (it gave up, crashed, answered wrongly) would never have succeeded: it stays at
risk to the end of the axis, so that curves level off at the share of runs that succeed (the estimate of the
cumulative incidence; Fine & Gray 1999). Nothing is dropped: every started run is in every rate, curve, test and
expectation. SciPy does the mathematics (`ecdf`, `binomtest`, `logrank`, `mannwhitneyu`, `linregress`).
`compare.running_time` has the expected running time.
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


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one method on one problem: the work of each (its own unit, or seconds) and how it ended.

    `effort` (float, one entry a run, positive or 0) of an unsolved run is the work it did until it ended. A run
    is `solved`, or `over` (it ended without success by itself, or went wrong: more work would not have helped),
    or neither: a limit on its work ended it, and it is censored. Raises `ValueError` for arrays of different
    length, an empty sample, negative or non-finite work, or a run that is both solved and over.
    """

    effort: Floats
    solved: Booleans
    over: Booleans

    def __post_init__(self) -> None:
        shapes = {self.effort.shape, self.solved.shape, self.over.shape}
        if len(shapes) > 1 or self.effort.ndim != 1 or not len(self.effort):
            raise ValueError(f"expected equally long vectors, got {self.effort.shape} and {self.solved.shape}")
        if not np.all(np.isfinite(self.effort)) or np.any(self.effort < 0):
            raise ValueError("expected finite work of 0 or more")
        if np.any(self.solved & self.over):
            raise ValueError("expected runs that are solved or over, got some that are both")

    @classmethod
    def of(cls, effort: Sequence[float], solved: Sequence[bool], over: Sequence[bool] = ()) -> Sample:
        """Return the sample of these runs; without `over`, every unsolved run is censored."""
        reached = np.asarray(solved, dtype=np.bool_)
        ended = np.asarray(over, dtype=np.bool_) if len(over) else np.zeros_like(reached)
        return cls(np.asarray(effort, dtype=np.float64), reached, ended)

    @property
    def runs(self) -> int:
        """The number of started runs."""
        return len(self.effort)

    @property
    def successes(self) -> int:
        """The number of runs that reached their target."""
        return int(self.solved.sum())

    def censored(self, longest: float = 0.0) -> stats.CensoredData:
        """Return the work as SciPy's right-censored data; runs that are over stay at risk to the end of the axis.

        The end is the longest run's work, or `longest` if that is more (another sample's, on the same axis).
        """
        end = max(longest, float(self.effort.max()))
        return stats.CensoredData.right_censored(np.where(self.over, end, self.effort), ~self.solved)


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

    `work[i]` is where the curve steps up to `probability[i]`; it starts at 0 and levels off below 1 when the
    longest runs were censored, or some were over without success. `low` and `high` are the band (Greenwood's,
    log-log); where that is undefined, the last known lower limit and 1.
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
class Comparison:
    """Two methods on the same problem: `first` beats `second` when it needs less work.

    `superiority` is P(first needs less) + P(tie) / 2 (Vargha & Delaney's A measure, 0.5 = no difference) and
    `magnitude` its usual wording. Runs that both fail tie. `p_value` is the log-rank test's, which accounts
    for censoring (Gray's where runs were over without success: they stay at risk); `adjusted` is it after
    Holm's correction over the family, None before that.
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
            longest = float(max(a.effort.max(), b.effort.max()))
            p_value = float(stats.logrank(a.censored(longest), b.censored(longest)).pvalue)
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
