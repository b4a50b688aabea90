"""What travels to a worker and back: a batch of runs of one entry on one task, and the rows they leave."""

from __future__ import annotations

from dataclasses import dataclass

from compare.study.machine import Machine
from compare.study.plan import Entry, Task
from compare.study.rows import RunRow


@dataclass(frozen=True, slots=True)
class Batch:
    """Runs to be made one after another in one child: `runs` are pairs of a run's number and its seed.

    No run is begun after `seconds`, the first excepted; what is left then is left to another batch. `goal`
    is the objective to reach, None for any valid answer. `cores` is how many cores a run may use.
    """

    task: Task
    goal: int | None
    entry: Entry
    runs: tuple[tuple[int, int], ...]
    seconds: float
    cores: int = 1


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The rows of those runs of a batch that were made, and the machine that made them."""

    rows: tuple[RunRow, ...]
    machine: Machine
