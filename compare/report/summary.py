"""The tables of a report: a line an entry and task, comparisons of pairs, scaling, restart advice, sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from compare.report.claims import ClaimOutcome, judge_claims
from compare.report.data import StudyData, effort_sample, is_exact, seconds_sample, size_of, unit_of
from compare.report.threats import threats
from compare.restarts import Advice, Checked, advise
from compare.statistics import (
    Comparison,
    ExpectedTime,
    Interval,
    Scaling,
    compare_all,
    expected_running_time,
    par2,
    proportion,
    run_length_distribution,
    scaling,
)
from compare.study.plan import Entry, Task
from compare.study.rows import RunRow
from problems import Status

_BOOTSTRAP_SEED = 0
"""Intervals of the same rows are the same in every report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry on a task: every started run counted in `runs`.

    Work is in `unit` and None where the entry has no counter; `median_*` is None where fewer than half of the
    runs succeed. `proof_seconds` is the median time to the proof, `first_seconds` to the first optimal answer
    (exact engines). `gaps` holds the gap of every run that has a valid answer where the optimum is known.
    """

    task: str
    entry: str
    exact: bool
    runs: int
    solved: int
    success: Interval
    unit: str | None
    median_effort: float | None
    expected_effort: ExpectedTime | None
    median_seconds: float | None
    expected_seconds: ExpectedTime
    cpu_seconds: float | None
    peak_mib: float | None
    par2: float | None
    first_seconds: float | None
    proof_seconds: float | None
    optimum: int | None
    best: int | None
    gaps: tuple[int, ...]
    endings: tuple[tuple[str, int], ...]
    restart: Advice | None
    restart_check: Checked | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """All pairwise comparisons on one task, in one unit."""

    task: str
    unit: str
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """How an entry's expected work grows with the problem's size over the tasks of one problem."""

    entry: str
    problem: str
    unit: str
    fits: tuple[Scaling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Everything a report says, before it is laid out."""

    data: StudyData
    lines: tuple[Line, ...]
    families: tuple[Family, ...]
    growth: tuple[Growth, ...]
    claims: tuple[ClaimOutcome, ...]
    threats: tuple[str, ...]
    sentences: tuple[str, ...]


Recheck = Callable[[StudyData, Task, Entry, Advice], Checked | None]
"""How restart advice is put to the test, if it is: see `compare.report.rechecks`."""


def summarise(data: StudyData, recheck: Recheck | None = None) -> Summary:
    """Work everything out from the rows; pairs without a row yet have no line.

    `recheck` makes fresh runs with each advised cutoff; without it the advice stays a prediction.
    """
    pairs = [(task, entry, data.pair(task, entry)) for task, entry in data.plan.pairs()]
    lines = tuple(_line(data, task, entry, rows) for task, entry, rows in pairs if rows)
    if recheck is not None:
        lines = tuple(_rechecked(data, line, recheck) for line in lines)
    return Summary(
        data=data,
        lines=lines,
        families=tuple(_families(data)),
        growth=tuple(_growth(data, lines)),
        claims=judge_claims(data),
        threats=threats(data),
        sentences=tuple(map(_sentence, lines)),
    )


def _line(data: StudyData, task: Task, entry: Entry, rows: tuple[RunRow, ...]) -> Line:
    efforts, seconds = effort_sample(rows), seconds_sample(rows)
    assert seconds is not None
    optimum = data.optima[task.name].value if task.name in data.optima else None
    solved = sum(row.solved for row in rows)
    objectives = [row.objective for row in rows if row.valid and row.objective is not None]
    budget = entry.budget.seconds
    return Line(
        task=task.name,
        entry=entry.label,
        exact=is_exact(entry),
        runs=len(rows),
        solved=solved,
        success=proportion(solved, len(rows)),
        unit=unit_of(rows),
        median_effort=None if efforts is None else run_length_distribution(efforts).quantile(0.5),
        expected_effort=None if efforts is None else expected_running_time(efforts, seed=_BOOTSTRAP_SEED),
        median_seconds=run_length_distribution(seconds).quantile(0.5),
        expected_seconds=expected_running_time(seconds, seed=_BOOTSTRAP_SEED),
        cpu_seconds=_median([row.cpu_seconds for row in rows]),
        peak_mib=max((row.peak_mib for row in rows if row.peak_mib is not None), default=None),
        par2=None if budget is None else par2([row.seconds for row in rows], [row.solved for row in rows], budget),
        first_seconds=_median([row.solved_seconds for row in rows if row.solved]) if is_exact(entry) else None,
        proof_seconds=_median([row.seconds for row in rows if row.status is Status.OPTIMAL]),
        optimum=optimum,
        best=min(objectives, default=None),
        gaps=() if optimum is None else tuple(objective - optimum for objective in objectives),
        endings=tuple(sorted(Counter(row.ending.value for row in rows).items())),
        restart=None if efforts is None or is_exact(entry) else advise(efforts),
    )


def _rechecked(data: StudyData, line: Line, recheck: Recheck) -> Line:
    if line.restart is None:
        return line
    task, entry = data.plan.task(line.task), data.plan.entry(line.entry)
    return replace(line, restart_check=recheck(data, task, entry, line.restart))


def _median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None


def _families(data: StudyData) -> Iterator[Family]:
    """Yield comparisons in seconds, and in work where heuristics share a unit (engines' do not compare)."""
    for task in data.plan.tasks:
        rows = {e.label: data.pair(task, e) for e in data.plan.entries if task.name in e.tasks}
        rows = {label: found for label, found in rows.items() if found}
        by_unit: dict[str, list[str]] = {}
        for label, found in rows.items():
            unit = unit_of(found)
            if unit is not None and not is_exact(data.plan.entry(label)) and effort_sample(found) is not None:
                by_unit.setdefault(unit, []).append(label)
        for unit, labels in by_unit.items():
            if len(labels) > 1:
                samples = {label: s for label in labels if (s := effort_sample(rows[label])) is not None}
                yield Family(task.name, unit, compare_all(samples))
        if len(rows) > 1:
            times = {label: s for label, found in rows.items() if (s := seconds_sample(found)) is not None}
            yield Family(task.name, "seconds", compare_all(times))


def _growth(data: StudyData, lines: tuple[Line, ...]) -> Iterator[Growth]:
    for entry in data.plan.entries:
        for problem in dict.fromkeys(data.plan.task(name).problem.name for name in entry.tasks):
            points = [
                (size_of(data.plan.task(line.task)), line)
                for line in lines
                if line.entry == entry.label and data.plan.task(line.task).problem.name == problem
            ]
            unit, values = growth_points([(size, line) for size, line in points])
            known = [
                (size, time.estimate) for size, time in values if not time.is_lower_bound and time.estimate > 0
            ]
            fits = scaling([size for size, _ in known], [value for _, value in known])
            if fits:
                yield Growth(entry.label, problem, unit, fits)


def growth_points(points: list[tuple[int, Line]]) -> tuple[str, list[tuple[float, ExpectedTime]]]:
    """Return the unit and the expected work by size: in the entry's own unit, in seconds where it has none."""
    units = {line.unit for _, line in points}
    own = [(float(size), line.expected_effort) for size, line in points if line.expected_effort is not None]
    if len(own) == len(points) and len(units) == 1 and (unit := next(iter(units))) is not None:
        return unit, [(size, time) for size, time in own if time is not None]
    return "seconds", [(float(size), line.expected_seconds) for size, line in points]


def times_the_fastest(lines: list[Line]) -> list[tuple[Line, float | None]]:
    """Return the lines of one task, each with its expected seconds as a multiple of the least, best first.

    Entries whose expected time is only bounded from below come last and have no ratio.
    """
    known = [line for line in lines if not line.expected_seconds.is_lower_bound]
    least = min((line.expected_seconds.estimate for line in known), default=0.0)
    ordered = sorted(known, key=lambda line: line.expected_seconds.estimate)
    ratios = [(line, line.expected_seconds.estimate / least if least else None) for line in ordered]
    return [*ratios, *((line, None) for line in lines if line.expected_seconds.is_lower_bound)]


def _sentence(line: Line) -> str:
    """Return the verdict on an entry and task in one sentence."""
    rate = f"{line.solved} of {line.runs} runs reached the target ({_percent(line.success)})"
    parts = [f"{line.entry} on {line.task}: {rate}"]
    if line.exact and line.proof_seconds is not None:
        parts.append(f"proof of {line.best} in {number(line.proof_seconds)} s (median)")
    elif line.expected_effort is not None and line.unit is not None and not line.exact:
        parts.append(f"expected {line.unit} until success {expected(line.expected_effort)}")
    else:
        parts.append(f"expected seconds until success {expected(line.expected_seconds)}")
    wrong = dict(line.endings).get("wrong-answer", 0)
    if wrong:
        parts.append(f"{wrong} wrong answers")
    if line.gaps and max(line.gaps) > 0:
        parts.append(f"gap to the proven optimum {min(line.gaps)} to {max(line.gaps)}")
    if line.restart is not None and line.restart.cutoff is not None and line.unit is not None:
        saved = 1 - line.restart.predicted / line.restart.without
        parts.append(
            f"restarting after {number(line.restart.cutoff)} {line.unit} is predicted to save {saved:.0%}"
        )
        if line.restart_check is not None:
            parts[-1] += " (fresh runs " + ("agree)" if line.restart_check.agrees else "do not agree)")
    return "; ".join(parts) + "."


def _percent(rate: Interval) -> str:
    return f"{rate.estimate:.1%}, 95 % interval {rate.low:.1%} to {rate.high:.1%}"


def expected(time: ExpectedTime) -> str:
    """Return an expected running time with its interval; lower bounds are written as such."""
    if time.is_lower_bound:
        return f"at least {number(time.low)}"
    return f"{number(time.estimate)} [{number(time.low)}, {number(time.high)}]"


def number(value: float | None) -> str:
    """Return a figure to three significant digits, without an exponent; a dash for None."""
    if value is None:
        return "–"
    if math.isinf(value):
        return "∞"
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
