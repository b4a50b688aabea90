"""What solver children tell their parents, as plain data: incumbents, bounds, batches of answers, the outcome.

Nothing here imports a solver, so parents and children share these types.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from problems import Answer, Counters, Status


@dataclass(frozen=True, slots=True)
class Incumbent:
    """A report: the best answer so far, its objective (None where nothing is minimised), the work until then."""

    answer: Answer
    objective: int | None = None
    counters: Counters = field(default=Counters())


@dataclass(frozen=True, slots=True)
class Bound:
    """A report: no answer has an objective below `value`; the work until then, where the solver tells."""

    value: int
    counters: Counters = field(default=Counters())


@dataclass(frozen=True, slots=True)
class OfPart:
    """A report about one of several parts that a child works on in turn, by its index."""

    index: int
    report: Incumbent | Bound


def about(index: int, report: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return what reports about the part with this index."""
    return lambda message: report(OfPart(index, message))


def spending(spent: Counters, report: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return what reports incumbents and bounds with the work of earlier calls added.

    A message without counters of its own has those of the message before.
    """
    latest = spent

    def tell(message: Incumbent | Bound) -> None:
        nonlocal latest
        if message.counters != Counters():
            latest = spent + message.counters
        report(replace(message, counters=latest))

    return tell


@dataclass(frozen=True, slots=True)
class Found:
    """A report: further answers of an enumeration, none of them reported before."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Solved:
    """A child's value: what it proved. FEASIBLE is a satisfaction problem's answer, or one not proved best."""

    status: Status
    answer: Answer | None = None
    objective: int | None = None
    bound: int | None = None
    counters: Counters = field(default=Counters())


@dataclass(frozen=True, slots=True)
class Enumerated:
    """A child's value after an enumeration, whose answers were reported as `Found`: how many, and if all."""

    count: int
    complete: bool
    counters: Counters = field(default=Counters())


_BATCH_SIZE = 2_000
_BATCH_SECONDS = 0.2


class Batches:
    """Report answers as `Found` in batches, so that a kill loses at most the last fraction of a second."""

    def __init__(self, report: Callable[[Any], None]) -> None:
        self.count = 0
        self._report = report
        self._pending: list[Answer] = []
        self._flushed = time.monotonic()

    def add(self, answer: Answer) -> None:
        """Take one more answer."""
        self.count += 1
        self._pending.append(answer)
        if len(self._pending) >= _BATCH_SIZE or time.monotonic() - self._flushed >= _BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Report what is pending; to be called once more at the end."""
        if self._pending:
            self._report(Found(tuple(self._pending)))
            self._pending.clear()
        self._flushed = time.monotonic()
