"""The tables of a report: a line an entry and task, comparisons of pairs, scaling, restart advice, sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from compare.report.claims import ClaimOutcome, judge_claims
from compare.report.data import (
    Kind,
    StudyData,
    effort_sample,
    is_exact,
    is_settled,
    kind_of,
    minimises,
    optimal_sample,
    proof_sample,
    seconds_sample,
    series_of,
    size_of,
    start_work,
    unit_of,
)
from compare.report.optima import alarms, optimum_of, wording
from compare.report.threats import threats
from compare.report.wording import sentence
from compare.restarts import Advice, Checked, advise
from compare.running_time import ExpectedTime, expected_running_time, par2
from compare.statistics import (
    Comparison,
    Interval,
    Sample,
    Scaling,
    compare_all,
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

    Work is in `unit` and None where some run has no counter, or another; an engine's is that until its proof.
    `median_*` is None where fewer than half of the runs succeed. For exact engines, `proved` is how many runs
    proved what they were asked (`impossible`: that there is no such answer; `minimises`: it is a minimum, of
    `proved_value`), `proof_seconds` the median time to the proof, `expected_proof` the expected one, and
    `first_seconds` the median time to the first optimal answer; runs without one count as longer. `par2` is for
    engines and outside programs. `gaps` holds the gap of every run that has a valid answer where the `optimum` is
    known, whose kind is `optimum_wording`.
    """

    task: str
    entry: str
    kind: Kind
    runs: int
    solved: int
    success: Interval
    unit: str | None
    median_effort: float | None
    expected_effort: ExpectedTime | None
    median_seconds: float | None
    expected_seconds: ExpectedTime
    expected_proof: ExpectedTime | None
    cpu_seconds: float | None
    peak_mib: float | None
    par2: float | None
    first_seconds: float | None
    proof_seconds: float | None
    proved: int
    impossible: int
    minimises: bool
    proved_value: int | None
    optimum: int | None
    optimum_wording: str
    best: int | None
    gaps: tuple[int, ...]
    endings: tuple[tuple[str, int], ...]
    restart: Advice | None
    restart_check: Checked | None = None

    @property
    def exact(self) -> bool:
        """Whether the entry is an exact engine."""
        return self.kind is Kind.ENGINE

    @property
    def done(self) -> ExpectedTime:
        """The expected seconds until the entry has done what it was asked: an engine has its proof."""
        return self.expected_seconds if self.expected_proof is None else self.expected_proof


@dataclass(frozen=True, slots=True)
class Family:
    """All pairwise comparisons on one task, in one unit: in work only between players of one kind."""

    task: str
    unit: str
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """How an entry's expected work grows with the problem's size over tasks that differ in nothing else.

    Sizes that are `left_out` have too few successes for an estimate: growth over the others is flattered.
    """

    entry: str
    problem: str
    unit: str
    fits: tuple[Scaling, ...]
    left_out: tuple[int, ...]


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
        sentences=(*alarms(data), *map(sentence, lines)),
    )


def _line(data: StudyData, task: Task, entry: Entry, rows: tuple[RunRow, ...]) -> Line:
    efforts, seconds = effort_sample(task, entry, rows), seconds_sample(rows)
    assert seconds is not None
    exact, optimum = is_exact(entry), optimum_of(data, task)
    solved = sum(row.reached for row in rows)
    objectives = [row.objective for row in rows if row.valid and row.objective is not None]
    settled = [is_settled(task, row) if exact else row.reached for row in rows]
    proved = [row.objective for row in rows if row.status is Status.OPTIMAL and row.objective is not None]
    proofs = proof_sample(task, rows)
    budget = entry.budget.seconds
    return Line(
        task=task.name,
        entry=entry.label,
        kind=kind_of(entry),
        runs=len(rows),
        solved=solved,
        success=proportion(solved, len(rows)),
        unit=unit_of(rows),
        median_effort=None if efforts is None else _middle(efforts),
        expected_effort=None if efforts is None else expected_running_time(efforts, seed=_BOOTSTRAP_SEED),
        median_seconds=_middle(seconds),
        expected_seconds=expected_running_time(seconds, seed=_BOOTSTRAP_SEED),
        expected_proof=expected_running_time(proofs, seed=_BOOTSTRAP_SEED) if exact else None,
        cpu_seconds=_median([row.cpu_seconds for row in rows]),
        peak_mib=max((row.peak_mib for row in rows if row.peak_mib is not None), default=None),
        par2=par2([row.seconds for row in rows], settled, budget) if exact and budget is not None else None,
        first_seconds=_middle(optimal_sample(rows, optimum.value)) if exact and optimum else None,
        proof_seconds=_middle(proofs) if exact else None,
        proved=sum(settled) if exact else 0,
        impossible=sum(row.status is Status.INFEASIBLE for row in rows),
        minimises=minimises(task),
        proved_value=min(proved, default=None),
        optimum=None if optimum is None else optimum.value,
        optimum_wording="" if optimum is None else wording(optimum),
        best=min(objectives, default=None),
        gaps=() if optimum is None else tuple(objective - optimum.value for objective in objectives),
        endings=tuple(sorted(Counter(row.ending.value for row in rows).items())),
        restart=_advice(entry, efforts, rows),
    )


def _middle(sample: Sample) -> float | None:
    """Return the median with unsolved runs counted (Kaplan-Meier), None where fewer than half succeed."""
    return run_length_distribution(sample).quantile(0.5)


def _advice(entry: Entry, efforts: Sample | None, rows: tuple[RunRow, ...]) -> Advice | None:
    restart_work = start_work(rows)
    if efforts is None or is_exact(entry) or restart_work is None:
        return None
    return advise(efforts, restart_work=restart_work)


def _rechecked(data: StudyData, line: Line, recheck: Recheck) -> Line:
    if line.restart is None:
        return line
    task, entry = data.plan.task(line.task), data.plan.entry(line.entry)
    return replace(line, restart_check=recheck(data, task, entry, line.restart))


def _median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None


def _families(data: StudyData) -> Iterator[Family]:
    """Yield comparisons in seconds, in work where heuristics, or programs, share a unit, and engines' proofs."""
    for task in data.plan.tasks:
        by_unit: dict[tuple[Kind, str], dict[str, Sample]] = {}
        times: dict[str, Sample] = {}
        proofs: dict[str, Sample] = {}
        for entry in data.plan.entries:
            rows = data.pair(task, entry) if task.name in entry.tasks else ()
            if (seconds := seconds_sample(rows)) is not None:
                times[entry.label] = seconds
                if is_exact(entry) and minimises(task):
                    proofs[entry.label] = proof_sample(task, rows)
            unit, efforts = unit_of(rows), effort_sample(task, entry, rows)
            if unit is not None and efforts is not None and not is_exact(entry):
                by_unit.setdefault((kind_of(entry), unit), {})[entry.label] = efforts
        for (_, unit), samples in by_unit.items():
            if len(samples) > 1:
                yield Family(task.name, unit, compare_all(samples))
        if len(times) > 1:
            yield Family(task.name, "seconds", compare_all(times))
        if len(proofs) > 1:
            yield Family(task.name, "seconds to the proof", compare_all(proofs))


def _growth(data: StudyData, lines: tuple[Line, ...]) -> Iterator[Growth]:
    for entry in data.plan.entries:
        grouped: dict[str, list[tuple[int, Line]]] = {}
        for line in lines:
            if line.entry == entry.label:
                task = data.plan.task(line.task)
                grouped.setdefault(series_of(task), []).append((size_of(task), line))
        for series, points in grouped.items():
            unit, values = growth_points(points)
            known = [(s, time.estimate) for s, time in values if not time.is_lower_bound and time.estimate > 0]
            fits = scaling([size for size, _ in known], [value for _, value in known])
            left_out = tuple(int(size) for size, _ in values if size not in {size for size, _ in known})
            if fits:
                yield Growth(entry.label, series, unit, fits, left_out)


def growth_points(points: list[tuple[int, Line]]) -> tuple[str, list[tuple[float, ExpectedTime]]]:
    """Return the unit and the expected work by size: in the entry's own unit, in seconds where it has none."""
    units = {line.unit for _, line in points}
    own = [(float(size), line.expected_effort) for size, line in points if line.expected_effort is not None]
    if len(own) == len(points) and len(units) == 1 and (unit := next(iter(units))) is not None:
        return unit, [(size, time) for size, time in own if time is not None]
    return "seconds", [(float(size), line.expected_seconds) for size, line in points]


def times_the_fastest(lines: list[Line]) -> list[tuple[Line, float | None]]:
    """Return the lines of one task, each with its seconds as a multiple of the least, best first.

    The seconds are those until an entry is `done`. Entries whose expected time is only bounded from below come
    last and have no ratio.
    """
    known = [line for line in lines if not line.done.is_lower_bound]
    least = min((line.done.estimate for line in known), default=0.0)
    ordered = sorted(known, key=lambda line: line.done.estimate)
    ratios = [(line, line.done.estimate / least if least else None) for line in ordered]
    return [*ratios, *((line, None) for line in lines if line.done.is_lower_bound)]
