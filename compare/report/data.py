"""What a report is made from: the plan, its rows, the machines and the proven optima, grouped by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compare.statistics import Sample
from compare.study.machine import Machine
from compare.study.plan import Engine, Entry, Plan, Task
from compare.study.rows import RunRow
from compare.study.store import Optimum


@dataclass(frozen=True)
class StudyData:
    """A study as it stands in its store: finished or not, every row accounted for."""

    plan: Plan
    rows: tuple[RunRow, ...]
    machines: tuple[Machine, ...]
    optima: Mapping[str, Optimum]

    def pair(self, task: Task, entry: Entry) -> tuple[RunRow, ...]:
        """Return the rows of an entry on a task, by run number."""
        return self._rows_by_pair.get((task.name, entry.label), ())

    @cached_property
    def _rows_by_pair(self) -> dict[tuple[str, str], tuple[RunRow, ...]]:
        grouped: dict[tuple[str, str], list[RunRow]] = {}
        for row in sorted(self.rows, key=lambda row: row.run):
            grouped.setdefault((row.task, row.entry), []).append(row)
        return {pair: tuple(rows) for pair, rows in grouped.items()}

    @property
    def is_finished(self) -> bool:
        """Whether every run of the plan has its row."""
        return len(self.rows) == self.plan.size()


def effort_sample(rows: Sequence[RunRow]) -> Sample | None:
    """Return the work of the runs in their own unit, None where some run has none."""
    efforts = [row.solved_effort if row.solved and row.solved_effort is not None else row.effort for row in rows]
    if not rows or any(effort is None for effort in efforts):
        return None
    return Sample.of([float(effort or 0) for effort in efforts], [row.solved for row in rows])


def seconds_sample(rows: Sequence[RunRow]) -> Sample | None:
    """Return the wall-clock seconds to the target, or to the end of runs that did not reach it."""
    if not rows:
        return None
    seconds = [
        row.solved_seconds if row.solved and row.solved_seconds is not None else row.seconds for row in rows
    ]
    return Sample.of(seconds, [row.solved for row in rows])


def unit_of(rows: Sequence[RunRow]) -> str | None:
    """Return the unit of the rows' work, None where they have none or differ."""
    units = {row.effort_name for row in rows}
    return units.pop() if len(units) == 1 else None


def is_exact(entry: Entry) -> bool:
    """Whether the entry is an exact engine."""
    return isinstance(entry.player, Engine)


def size_of(task: Task) -> int:
    """Return the task's size: n for queens, the number of squares otherwise."""
    problem = task.problem
    return problem.n if problem.name == "queens" else problem.board.size  # type: ignore[union-attr]
