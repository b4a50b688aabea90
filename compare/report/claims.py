"""Claims held against measurements: what somebody states, what the runs say, and whether the two agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from compare.report.data import StudyData
from compare.statistics import CONFIDENCE, Floats, Interval, mean, proportion
from compare.study.plan import Claim, ClaimKind, Entry
from compare.study.rows import RunRow

_FEWEST_TO_DRAW_FROM = 20
_DRAWS = 2000
_MOST_DRAWN = 50_000_000
_SEED = 0

_WORDS = {
    ClaimKind.MEAN_EFFORT: "mean work",
    ClaimKind.EFFORT: "work of one run",
    ClaimKind.EFFORT_RATIO: "work, other method / this one",
    ClaimKind.SECONDS: "seconds",
    ClaimKind.SUCCESS_RATE: "success rate",
    ClaimKind.DISTINCT_ANSWERS: "different answers",
    ClaimKind.OBJECTIVE: "best objective",
}


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """A claim and its test. `agrees` is None where the runs cannot tell; `remark` says how it was tested."""

    entry: str
    task: str
    what: str
    source: str
    claimed: float
    measured: Interval | None
    agrees: bool | None
    remark: str


def judge_claims(data: StudyData) -> tuple[ClaimOutcome, ...]:
    """Return the outcome of every claim in the plan, in its order."""
    return tuple(_judge(data, entry, claim) for entry in data.plan.entries for claim in entry.claims)


def _judge(data: StudyData, entry: Entry, claim: Claim) -> ClaimOutcome:
    rows = data.pair(data.plan.task(claim.task), entry)
    measured, agrees, remark = _measure(data, claim, rows) if rows else (None, None, "no run yet")
    return ClaimOutcome(
        entry.label, claim.task, _WORDS[claim.what], claim.source, claim.value, measured, agrees, remark
    )


def _measure(data: StudyData, claim: Claim, rows: Sequence[RunRow]) -> tuple[Interval | None, bool | None, str]:
    match claim.what:
        case ClaimKind.MEAN_EFFORT:
            return _mean_effort(claim, rows)
        case ClaimKind.EFFORT:
            return _within_range([float(row.effort) for row in rows if row.effort is not None], claim.value)
        case ClaimKind.SECONDS:
            measured, agrees, remark = _within_range([row.seconds for row in rows], claim.value)
            # Another machine and language: a difference says nothing about the claim.
            return measured, agrees or None, f"{remark}; on another machine and in another language"
        case ClaimKind.EFFORT_RATIO:
            return _ratio(data, claim, rows)
        case ClaimKind.SUCCESS_RATE:
            solved = sum(row.reached for row in rows)
            rate = proportion(solved, len(rows))
            return rate, rate.low <= claim.value <= rate.high, f"{solved} of {len(rows)} runs, Wilson interval"
        case ClaimKind.DISTINCT_ANSWERS:
            return _distinct(claim, rows)
        case ClaimKind.OBJECTIVE:
            objectives = [row.objective for row in rows if row.objective is not None and row.valid]
            if not objectives:
                return None, None, "no valid answer"
            best = float(min(objectives))
            return Interval(best, best, best), best == claim.value, f"best of {len(objectives)} valid answers"


def _mean_effort(claim: Claim, rows: Sequence[RunRow]) -> tuple[Interval | None, bool | None, str]:
    """Ask whether runs like the measured ones have such means: the claim's own uncertainty counts as well."""
    efforts = np.array([row.effort for row in rows if row.effort is not None], dtype=np.float64)
    if len(efforts) < 2:
        return None, None, "too few runs with a work counter"
    unsolved = sum(not row.reached for row in rows)
    if unsolved == len(rows):
        return None, None, f"none of {len(rows)} runs reached the target"
    measured = mean(efforts)
    runs = claim.runs or len(claim.values) or 1
    low, high = _means_of(efforts, runs)
    remark = f"means of {runs} runs drawn from {len(efforts)}: 95 % lie between {low:,.0f} and {high:,.0f}"
    agrees: bool | None = bool(low <= claim.value <= high)
    if unsolved:
        remark += f"; {unsolved} runs were ended unsolved, so the true mean is higher"
        agrees = None if claim.value > high else agrees
    if claim.values:
        same = float(stats.ks_2samp(efforts, np.asarray(claim.values)).pvalue)
        remark += f"; distributions: Kolmogorov-Smirnov p = {same:.2g}"
    return measured, agrees, remark


def _means_of(efforts: Floats, runs: int) -> tuple[float, float]:
    """Return the middle 95 % of the means of `runs` runs, these efforts' own uncertainty counted in.

    Where there are enough efforts to draw from, and not too many to draw, by drawing: means of few runs of a
    heavy-tailed distribution are far from normal. Else by Student's distribution.
    """
    tail = (1 - CONFIDENCE) / 2
    if len(efforts) < _FEWEST_TO_DRAW_FROM or _DRAWS * max(runs, len(efforts)) > _MOST_DRAWN:
        error = float(efforts.std(ddof=1)) * math.sqrt(1 / len(efforts) + 1 / runs)
        limit = float(stats.t.ppf(1 - tail, len(efforts) - 1)) * error
        return float(efforts.mean()) - limit, float(efforts.mean()) + limit
    generator = np.random.default_rng(_SEED)
    means = [generator.choice(generator.choice(efforts, len(efforts)), runs).mean() for _ in range(_DRAWS)]
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _within_range(values: Sequence[float], claimed: float) -> tuple[Interval | None, bool | None, str]:
    """Compare one run's figure with the middle 95 % of the measured ones."""
    if not values:
        return None, None, "no run with this figure"
    tail = (1 - CONFIDENCE) / 2
    low, middle, high = np.quantile(values, [tail, 0.5, 1 - tail])
    agrees = bool(low <= claimed <= high)
    return (
        Interval(float(middle), float(low), float(high)),
        agrees,
        f"median and middle 95 % of {len(values)} runs",
    )


def _ratio(data: StudyData, claim: Claim, rows: Sequence[RunRow]) -> tuple[Interval | None, bool | None, str]:
    other = data.pair(data.plan.task(claim.task), data.plan.entry(claim.against or ""))
    mine = [row.effort for row in rows if row.effort]
    theirs = [row.effort for row in other if row.effort]
    if not mine or not theirs:
        return None, None, "a side has no run with a work counter"
    ratios = np.divide.outer(np.array(theirs, dtype=np.float64), np.array(mine, dtype=np.float64)).ravel()
    low, high = np.quantile(ratios, [0.025, 0.975])
    ratio = float(np.mean(theirs) / np.mean(mine))
    agrees = bool(low <= claim.value <= high)
    return Interval(ratio, float(low), float(high)), agrees, f"{np.mean(theirs):,.0f} / {np.mean(mine):,.0f}"


def _distinct(claim: Claim, rows: Sequence[RunRow]) -> tuple[Interval | None, bool | None, str]:
    """Count different answers in every group of as many runs as the claim is about, one after another."""
    size = claim.runs or len(rows)
    groups = [rows[start : start + size] for start in range(0, len(rows) - size + 1, size)]
    if not groups:
        return None, None, f"{len(rows)} runs; the claim is about {claim.runs}"
    counts = [float(len({row.answer_digest for row in group if row.reached})) for group in groups]
    measured, agrees, _ = _within_range(counts, claim.value)
    reached = sum(count >= claim.value for count in counts)
    return measured, agrees, f"{reached} of {len(groups)} times {size} runs found that many"
