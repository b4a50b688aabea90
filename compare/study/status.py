"""What a store holds of its study, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from compare.study.plan import Entry, Task
from compare.study.rows import RunRow
from compare.study.store import Merged, Store


@dataclass(frozen=True, slots=True)
class PairStatus:
    """One entry on one task: runs planned, done, solved, failed (see `rows.FAILURES`), and left.

    `seconds_left` estimates the processor-seconds of the runs that are left: their number times the mean so
    far, or times the time limit where nothing is done yet; None where neither is known.
    """

    task: str
    entry: str
    runs: int
    done: int
    solved: int
    failed: int
    mean_seconds: float | None
    seconds_left: float | None

    @property
    def left(self) -> int:
        """How many runs are left."""
        return self.runs - self.done


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """A study as its store has it.

    `workers` is how many runs went on at a time last, `redone` how many failed rows were dropped on demand, to
    be made again.
    """

    title: str
    pairs: tuple[PairStatus, ...]
    workers: int
    redone: int = 0

    @property
    def runs(self) -> int:
        """The number of runs planned."""
        return sum(pair.runs for pair in self.pairs)

    @property
    def done(self) -> int:
        """The number of runs that have their row."""
        return sum(pair.done for pair in self.pairs)

    @property
    def failed(self) -> int:
        """The number of rows in which something went wrong."""
        return sum(pair.failed for pair in self.pairs)

    @property
    def left(self) -> int:
        """The number of runs to be made."""
        return self.runs - self.done

    @property
    def seconds_left(self) -> float | None:
        """Wall-clock seconds that the rest may take, None where some entry's runs cannot be estimated.

        Runs are not divided: it is no less than the longest, and where it is an upper limit, that one comes last.
        """
        pairs = [pair for pair in self.pairs if pair.left]
        known = [(pair.seconds_left, pair.left) for pair in pairs if pair.seconds_left is not None]
        if not known or len(known) < len(pairs):
            return None if pairs else 0.0
        share = sum(seconds for seconds, _ in known) / self.workers
        longest = max(seconds / left for seconds, left in known)
        return max(share, longest) if self.is_estimated else share + longest * (1 - 1 / self.workers)

    @property
    def is_estimated(self) -> bool:
        """Whether every entry has runs to estimate from; else time limits stand in, and it is an upper limit."""
        return all(pair.mean_seconds is not None for pair in self.pairs if pair.left)

    def as_dict(self) -> dict[str, Any]:
        """Return the status as JSON data."""
        totals = {name: getattr(self, name) for name in ("runs", "done", "failed", "left", "seconds_left")}
        pairs = [{**asdict(pair), "left": pair.left} for pair in self.pairs]
        return {"title": self.title, **totals, "workers": self.workers, "redone": self.redone, "pairs": pairs}

    def lines(self) -> list[str]:
        """Return the status as text: a line a pair, and the sum."""
        wide = max([len(f"{pair.entry} on {pair.task}") for pair in self.pairs], default=0)
        lines = [self.title]
        for pair in self.pairs:
            name = f"{pair.entry} on {pair.task}"
            lines.append(
                f"  {name:<{wide}}  {pair.done:>6} of {pair.runs} done, {pair.solved} solved, "
                f"{pair.failed} failed, {pair.left} left{_about(pair.seconds_left, pair.mean_seconds is not None)}"
            )
        left = f"{self.left} left{_about(self.seconds_left, self.is_estimated)}" if self.left else "nothing left"
        lines.append(f"  {self.done} of {self.runs} runs done, {self.failed} failed, {left}")
        if self.redone:
            lines.append(f"  {self.redone} failed runs were dropped on demand, to be made again")
        return lines


def _about(seconds: float | None, estimated: bool) -> str:
    if not seconds:
        return ""
    word = "about" if estimated else "at most"
    for size, unit in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f" ({word} {seconds / size:.0f} {unit})"
    return f" ({word} {max(1.0, seconds):.0f} s)"


def study_status(store: str | Path) -> StudyStatus:
    """Return what a store holds; raises `InputError` if there is none. A study may be running on it."""
    with Store.open(store) as opened:
        plan, rows = opened.plan(), opened.rows()
        workers, redone = opened.workers(), len(opened.redone())
    by_pair: dict[tuple[str, str], list[RunRow]] = {}
    for row in rows:
        by_pair.setdefault((row.task, row.entry), []).append(row)
    pairs = (_pair(task, entry, by_pair.get((task.name, entry.label), [])) for task, entry in plan.pairs())
    return StudyStatus(plan.title, tuple(pairs), workers, redone)


def _pair(task: Task, entry: Entry, rows: list[RunRow]) -> PairStatus:
    mean = sum(row.seconds for row in rows) / len(rows) if rows else None
    each = mean if mean is not None else entry.budget.seconds
    left = entry.runs - len(rows)
    return PairStatus(
        task=task.name,
        entry=entry.label,
        runs=entry.runs,
        done=len(rows),
        solved=sum(row.solved for row in rows),
        failed=sum(row.failed for row in rows),
        mean_seconds=mean,
        seconds_left=None if each is None and left else left * (each or 0.0),
    )


def merge_stores(target: str | Path, sources: Iterable[str | Path]) -> Merged:
    """Take the rows of other stores of the same plan into `target`, which is made if there is none.

    Raises `InputError` for a store of another plan. Returns what was added, present, and different.
    """
    from compare.study.lock import exclusive

    paths = [Path(source) for source in sources]
    total = Merged(0, 0, 0)
    with exclusive(Path(target)):
        for path in paths:
            with Store.open(path) as source, Store.create(target, source.plan()) as merged:
                part = merged.merge(source)
            total = Merged(
                total.added + part.added, total.present + part.present, total.different + part.different
            )
    return total
