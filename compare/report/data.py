"""What a report is made from: the plan, its rows, the machines and the optima, grouped by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from scipy import stats

from compare.statistics import Sample
from compare.study.machine import Machine
from compare.study.plan import Engine, Entry, Heuristic, Plan, TargetKind, Task
from compare.study.rows import RunRow
from compare.study.store import Optimum
from problems import KnightCover, KnightTour, Queens, Rule, Status

_MOST_RUNS_TIMED = 400


class Kind(StrEnum):
    """Who plays: only work counters of the same kind of players compare."""

    HEURISTIC = "heuristic"
    ENGINE = "engine"
    PROGRAM = "program"


@dataclass(frozen=True)
class StudyData:
    """A study as it stands in its store: finished or not, every row accounted for.

    `redone` is how many failed runs were dropped on demand, to be made again.
    """

    plan: Plan
    rows: tuple[RunRow, ...]
    machines: tuple[Machine, ...]
    optima: Mapping[str, Optimum]
    redone: int = 0

    def pair(self, task: Task, entry: Entry) -> tuple[RunRow, ...]:
        """Return the rows of an entry on a task, by run number."""
        return self._rows_by_pair.get((task.name, entry.label), ())

    @cached_property
    def _rows_by_pair(self) -> dict[tuple[str, str], tuple[RunRow, ...]]:
        grouped: dict[tuple[str, str], list[RunRow]] = {}
        for row in sorted(self.rows, key=lambda row: row.run):
            grouped.setdefault((row.task, row.entry), []).append(row)
        return {pair: tuple(rows) for pair, rows in grouped.items()}

    def of_task(self, task: Task) -> list[RunRow]:
        """Return the rows on a task."""
        return [row for entry in self.plan.entries for row in self.pair(task, entry)]


def kind_of(entry: Entry) -> Kind:
    """Return who plays for the entry."""
    if isinstance(entry.player, Engine):
        return Kind.ENGINE
    return Kind.HEURISTIC if isinstance(entry.player, Heuristic) else Kind.PROGRAM


def is_exact(entry: Entry) -> bool:
    """Whether the entry is an exact engine."""
    return kind_of(entry) is Kind.ENGINE


def minimises(task: Task) -> bool:
    """Whether an engine is asked for a minimum there, not for any answer within a limit."""
    target = task.target
    return task.problem.is_optimisation and target.kind is not TargetKind.NUMBER and target.number == 0


def is_settled(task: Task, row: RunRow) -> bool:
    """Whether an engine's run has proved what it was asked: a minimum, an answer, or that there is none."""
    return row.status in (Status.OPTIMAL, Status.INFEASIBLE) or (row.reached and not minimises(task))


def effort_sample(task: Task, entry: Entry, rows: Sequence[RunRow]) -> Sample | None:
    """Return the work of the runs until the target, an engine's until its proof; None without one common unit."""
    if unit_of(rows) is None:
        return None
    efforts = [row.effort if row.solved_effort is None or not row.reached else row.solved_effort for row in rows]
    known = [float(effort) for effort in efforts if effort is not None]
    if len(known) < len(rows):
        return None
    return _sample(known, [is_settled(task, row) if is_exact(entry) else row.reached for row in rows], rows)


def seconds_sample(rows: Sequence[RunRow]) -> Sample | None:
    """Return the wall-clock seconds to the target, or to the end of runs that did not reach it."""
    if not rows:
        return None
    seconds = [
        row.solved_seconds if row.reached and row.solved_seconds is not None else row.seconds for row in rows
    ]
    return _sample(seconds, [row.reached for row in rows], rows)


def proof_sample(task: Task, rows: Sequence[RunRow]) -> Sample:
    """Return the wall-clock seconds to the proof, or to the end of runs without one."""
    return _sample([row.seconds for row in rows], [is_settled(task, row) for row in rows], rows)


def optimal_sample(rows: Sequence[RunRow], optimum: int) -> Sample:
    """Return the wall-clock seconds to the first optimal answer, or to the end of runs that have none."""
    first = [_first_optimal(row, optimum) for row in rows]
    seconds = [row.seconds if found is None else found for row, found in zip(rows, first, strict=True)]
    return _sample(seconds, [found is not None for found in first], rows)


def _first_optimal(row: RunRow, optimum: int) -> float | None:
    if not row.valid or row.objective != optimum:
        return None
    return next((found.seconds for found in row.trace if found.value <= optimum), row.seconds)


def _sample(work: Sequence[float], done: Sequence[bool], rows: Sequence[RunRow]) -> Sample:
    """Return the sample: a run that has not done it is censored by a limit, or over for good."""
    return Sample.of(work, done, [row.is_over and not so for row, so in zip(rows, done, strict=True)])


def unit_of(rows: Sequence[RunRow]) -> str | None:
    """Return the unit of the rows' work, None where they have none or differ."""
    units = {row.effort_name for row in rows}
    return units.pop() if len(units) == 1 else None


def start_work(rows: Sequence[RunRow]) -> float | None:
    """Return how much work one start of a run is worth, in its unit, 1 at least; None where time tells nothing.

    It is where the line through seconds by work (Theil and Sen's, which outliers do not bend) meets no work.
    """
    work = np.array([row.effort for row in rows if row.effort is not None], dtype=np.float64)
    seconds = np.array([row.seconds for row in rows if row.effort is not None])
    step = -(-len(work) // _MOST_RUNS_TIMED) or 1
    work, seconds = work[::step], seconds[::step]
    if len(np.unique(work)) < 2:
        return None
    line = stats.theilslopes(seconds, work)
    return max(1.0, float(line.intercept / line.slope)) if line.slope > 0 else None


def size_of(task: Task) -> int:
    """Return the task's size: n for queens, the number of squares otherwise."""
    problem = task.problem
    return problem.n if isinstance(problem, Queens) else problem.board.size


def series_of(task: Task) -> str:
    """Return what a task has in common with others that differ from it in size alone, in words."""
    problem, words = task.problem, [task.problem.name]
    if isinstance(problem, KnightCover) and problem.rule is not Rule.TOTAL:
        words.append(problem.rule.value)
    if isinstance(problem, KnightTour):
        words += ["closed"] if problem.closed else []
        words += ["between given squares"] if problem.start is not None or problem.end is not None else []
    usual = TargetKind.OPTIMUM if isinstance(problem, KnightCover) else TargetKind.FIRST_VALID
    if task.target.kind is not usual or task.target.number:
        words.append(f"target {task.target}")
    return ", ".join(words)
