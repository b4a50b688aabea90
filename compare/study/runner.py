"""Run a study: what is not in the store yet is made, by turns, and written down as it comes.

One thread, this one, writes the store. Rows come through a queue, several of them in one commit when they
come fast. A row is counted when its commit has returned.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from compare.study.executors import Fleet, open_fleet
from compare.study.jobs import Batch, BatchResult
from compare.study.lock import exclusive
from compare.study.plan import Entry, Plan, RunKey, Task
from compare.study.rows import RunEnding, RunRow
from compare.study.schedule import WHOLE, Schedule, Share
from compare.study.store import Store
from compare.study.targets import settle_optima
from problems import InputError

BATCH_SECONDS = 5.0
"""How long a batch goes on before its child is given up and the turn passes to another entry."""

_WORTH_SECONDS = 1.0
"""How much work a child is worth, where there is that much: about what it takes to start and compile."""

_LARGEST_BATCH = 5_000
_LOST_WORKERS = 3
_PATIENCE_SECONDS = 0.5
_COMMIT_SECONDS = 0.05


OnProgress = Callable[[int, int], None]
"""Called with how many runs are on the disk and how many there are in all."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a study stands after `run_study`: runs done of `total`, `made` by this call, failed ones among all."""

    total: int
    done: int
    made: int
    failed: int


def run_study(
    plan: Plan,
    store: str | Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    cluster: str | None = None,
    share: Share = WHOLE,
    redo: Collection[RunEnding] = (),
    progress: OnProgress | None = None,
) -> Summary:
    """Make every run of the plan that the store does not have yet, and return where the study stands then.

    Runs are made here, `workers` at a time (default: one a core), or by the workers of a Dask `scheduler`
    (`tcp://host:port`), or of a `cluster` ("slurm") on which `workers` jobs are started. Killing this process
    at any moment loses the runs in flight, no more: call it again. Failed rows of the endings `redo` are
    dropped first and made again, which the store notes. Raises `InputError` for the store of another plan, one
    that another process is writing, a target without a proven optimum, a lost cluster, and a `redo` that is no
    failure.
    """
    path = Path(store)
    with exclusive(path), Store.create(path, plan) as opened:
        opened.drop(redo)
        optima = settle_optima(plan, opened)
        done = opened.done()
        schedule = Schedule(plan, done, share)
        made = 0
        if schedule:
            with open_fleet(workers=workers, scheduler=scheduler, cluster=cluster) as fleet:
                study = _Study(plan, opened, fleet, schedule, optima, progress, len(done))
                study.run()
                made = study.made
        return Summary(plan.size(), len(done) + made, made, opened.failures())


@dataclass(frozen=True, slots=True)
class _Ended:
    """News: a batch's future is done."""

    batch: Batch
    future: Future[BatchResult]


@dataclass(slots=True)
class _Study:
    plan: Plan
    store: Store
    fleet: Fleet
    schedule: Schedule
    optima: dict[str, int]
    progress: OnProgress | None
    before: int
    made: int = 0
    in_flight: int = 0
    written: float = 0.0
    news: queue.SimpleQueue[RunRow | _Ended] = field(default_factory=queue.SimpleQueue)
    losses: Counter[RunKey] = field(default_factory=Counter)
    spent: defaultdict[tuple[str, str], tuple[int, float]] = field(
        default_factory=lambda: defaultdict(lambda: (0, 0.0))
    )

    def run(self) -> None:
        self.store.note_workers(max(1, self.fleet.width()))
        try:
            while self.schedule or self.in_flight:
                self._send()
                self._take(self._next_news())
        finally:
            # Whatever ends this, what has come in is written down.
            self._write([item for item in self._drained() if isinstance(item, RunRow)])

    def _send(self) -> None:
        width = max(1, self.fleet.width())
        while self.schedule and self.in_flight < width:
            task, entry, runs = self.schedule.take(partial(self._batch_size, width))
            seeds = tuple((run, self.plan.seed_of(RunKey(task.name, entry.label, run))) for run in runs)
            goal = task.goal(self.optima.get(task.name))
            batch = Batch(task, goal, entry, seeds, BATCH_SECONDS, self.fleet.cores)
            future = self.fleet.send(batch, self.news.put)
            self.in_flight += 1
            future.add_done_callback(partial(self._note_end, batch))

    def _batch_size(self, width: int, task: Task, entry: Entry) -> int:
        """Return how many runs to send: an even share of what is left, but no more than a batch's time holds."""
        share = -(-len(self.schedule) // width)
        runs, seconds = self.spent[task.name, entry.label]
        if not runs:
            return min(share, _LARGEST_BATCH)
        mean = max(seconds / runs, 1e-6)
        least = int(_WORTH_SECONDS / mean)
        return max(1, min(max(share, least), int(BATCH_SECONDS / mean), _LARGEST_BATCH))

    def _note_end(self, batch: Batch, future: Future[BatchResult]) -> None:
        self.news.put(_Ended(batch, future))

    def _next_news(self) -> list[RunRow | _Ended]:
        try:
            first = self.news.get(timeout=_PATIENCE_SECONDS)
        except queue.Empty:
            return []
        # Rows that come fast share a commit: each costs the disk a synchronisation.
        time.sleep(max(0.0, self.written + _COMMIT_SECONDS - time.monotonic()))
        return [first, *self._drained()]

    def _drained(self) -> list[RunRow | _Ended]:
        items: list[RunRow | _Ended] = []
        with contextlib.suppress(queue.Empty):
            while True:
                items.append(self.news.get_nowait())
        return items

    def _take(self, items: list[RunRow | _Ended]) -> None:
        self._write([item for item in items if isinstance(item, RunRow)])
        for item in items:
            if isinstance(item, _Ended):
                self.in_flight -= 1
                self._end(item)
        if self.progress is not None:
            self.progress(self.before + self.made, self.plan.size())

    def _write(self, rows: list[RunRow]) -> None:
        if rows:
            self.made += self.store.add(rows)
            self.written = time.monotonic()
            for row in rows:
                runs, seconds = self.spent[row.task, row.entry]
                self.spent[row.task, row.entry] = (runs + 1, seconds + row.seconds)

    def _end(self, ended: _Ended) -> None:
        """Note the machine of a batch, and take back the runs that it did not make."""
        task, entry = ended.batch.task, ended.batch.entry
        keys = {run: RunKey(task.name, entry.label, run) for run, _ in ended.batch.runs}
        made: set[int] = set()
        try:
            result = ended.future.result()
            self.store.add([], [result.machine])
            made = {row.run for row in result.rows}
        except CancelledError:
            raise InputError(
                "a cluster that stays", f"{self.fleet.where}, which is lost", hint="run the same command again"
            ) from None
        except InputError:
            raise
        except Exception as error:
            # The worker died under it, more than once if the scheduler tried again.
            self.losses.update(keys.values())
            if any(self.losses[key] >= _LOST_WORKERS for key in keys.values()):
                text = f"{type(error).__name__}: {error}"
                raise InputError("workers that stay", text, where=self.fleet.where) from error
        self.schedule.give_back(task, entry, [run for run in keys if run not in made])
