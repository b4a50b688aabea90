"""Which runs come next: those of all entries by turns, so that no entry has the quiet or the busy hours alone."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from compare.study.plan import Entry, Plan, RunKey, Task


@dataclass(frozen=True, slots=True)
class Share:
    """Part `part` (from 1) of `parts` of a study, for machines that share no scheduler; their stores merge."""

    part: int = 1
    parts: int = 1

    def has(self, run: int) -> bool:
        """Whether this part makes the run of that number."""
        return run % self.parts == self.part - 1


WHOLE = Share()


@dataclass(slots=True)
class _Queue:
    task: Task
    entry: Entry
    runs: deque[int]
    total: int
    turn: str

    def progress(self) -> tuple[float, str]:
        return (1 - len(self.runs) / self.total, self.turn)


class Schedule:
    """The runs of a plan that are still to be made."""

    def __init__(self, plan: Plan, done: Collection[RunKey], share: Share = WHOLE) -> None:
        self._queues: dict[tuple[str, str], _Queue] = {}
        for task, entry in plan.pairs():
            runs = [run for run in range(entry.runs) if share.has(run)]
            left = deque(run for run in runs if RunKey(task.name, entry.label, run) not in done)
            # Ties are broken by lot, the same for everyone who has the plan.
            lot = hashlib.sha256(f"{plan.seed}/{task.name}/{entry.label}".encode()).hexdigest()
            self._queues[task.name, entry.label] = _Queue(task, entry, left, max(1, len(runs)), lot)

    def __len__(self) -> int:
        return sum(len(queue.runs) for queue in self._queues.values())

    def take(self, most: Callable[[Task, Entry], int]) -> tuple[Task, Entry, tuple[int, ...]]:
        """Return runs of the entry that has had the smallest share of its own so far, `most` of them at most."""
        queue = min((queue for queue in self._queues.values() if queue.runs), key=_Queue.progress)
        count = min(most(queue.task, queue.entry), len(queue.runs))
        return queue.task, queue.entry, tuple(queue.runs.popleft() for _ in range(count))

    def give_back(self, task: Task, entry: Entry, runs: Iterable[int]) -> None:
        """Take back runs that were not made; they come first again."""
        self._queues[task.name, entry.label].runs.extendleft(sorted(runs, reverse=True))
