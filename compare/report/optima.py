"""Which optimum a report believes: what runs prove outweighs what the plan states; contradictions are loud."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compare.report.data import StudyData
from compare.study.plan import Task
from compare.study.store import Optimum
from compare.study.targets import PLAN_SOURCE
from problems import Status


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the runs on a task prove: `lower` <= minimum <= `upper`, and the entries that say so; None: nothing."""

    lower: int | None
    lower_entry: str
    upper: int | None
    upper_entry: str

    @property
    def contradicts_itself(self) -> bool:
        """Whether a checked answer is better than what is proved to be possible."""
        return self.lower is not None and self.upper is not None and self.lower > self.upper

    def contradicts(self, value: int) -> bool:
        """Whether the minimum cannot be `value`."""
        return (self.upper is not None and self.upper < value) or (self.lower is not None and self.lower > value)


def evidence(data: StudyData, task: Task) -> Evidence:
    """Return the best proved bound and the best right answer of the runs on a task."""
    rows = data.of_task(task)
    bounds = [
        (max(row.bound or 0, row.objective or 0) if row.status is Status.OPTIMAL else row.bound, row.entry)
        for row in rows
        if row.bound is not None or (row.status is Status.OPTIMAL and row.objective is not None)
    ]
    answers = [(row.objective, row.entry) for row in rows if row.valid and row.objective is not None]
    lower, lower_entry = max(((bound or 0, entry) for bound, entry in bounds), default=(None, ""))
    upper, upper_entry = min(answers, default=(None, ""))
    return Evidence(lower, lower_entry, upper, upper_entry)


def optimum_of(data: StudyData, task: Task) -> Optimum | None:
    """Return the minimum that gaps are measured from: proved by this study's runs, else the store's.

    None where nobody knows it, and where the runs contradict the one that is stated without proving another.
    """
    stated, found = data.optima.get(task.name), evidence(data, task)
    if not task.problem.is_optimisation or found.contradicts_itself:
        return None
    if found.lower is not None and found.lower == found.upper:
        is_same = stated is not None and stated.value == found.lower and stated.source != PLAN_SOURCE
        return stated if is_same else Optimum(found.lower, f"{found.lower_entry}, in this study")
    return None if stated is None or found.contradicts(stated.value) else stated


def wording(optimum: Optimum) -> str:
    """Return what kind of an optimum it is: proved, published, or only stated in the plan."""
    if optimum.source == PLAN_SOURCE:
        return "optimum that the plan states"
    return "published optimum" if "OEIS" in optimum.source else "proven optimum"


def alarms(data: StudyData) -> Iterator[str]:
    """Yield a sentence for each optimum, and each proof, that a run of this study disproves."""
    for task in data.plan.tasks:
        found, stated = evidence(data, task), data.optima.get(task.name)
        impossible = [row.entry for row in data.of_task(task) if row.status is Status.INFEASIBLE]
        reached = [row.entry for row in data.of_task(task) if row.reached]
        if impossible and reached:
            yield (
                f"CONTRADICTION on {task.name}: {impossible[0]} proves that there is no such answer, and "
                f"{reached[0]} has one. One of the programs is wrong: please report this."
            )
        elif found.contradicts_itself:
            yield (
                f"CONTRADICTION on {task.name}: {found.lower_entry} proves that no answer is below {found.lower}, "
                f"and {found.upper_entry} has a right one of {found.upper}. One of the programs is wrong: please "
                "report this."
            )
        elif stated is not None and found.contradicts(stated.value):
            better = found.upper is not None and found.upper < stated.value
            how = (
                f"{found.upper_entry} found a right answer of {found.upper}"
                if better
                else f"{found.lower_entry} proves that no answer is below {found.lower}"
            )
            yield (
                f"WRONG OPTIMUM on {task.name}: {stated.value} ({stated.source}) is not the minimum, since {how}. "
                f"Every success rate there is measured against a wrong target ({task.target})."
            )
