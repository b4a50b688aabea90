"""What a batch and its child tell each other, on pipes and in the scratch file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from typing import Any

from compare.study.jobs import Batch
from compare.study.rows import LONGEST_ANSWER
from exact.pipes import framed, take_frames
from problems import Answer, Improvement

_LARGEST_SCRATCH = 1 << 26


class News(Enum):
    """What a child tells: it is ready; a run began; a run's processes have ended; a row; it is done."""

    READY = "ready"
    BEGUN = "begun"
    ENDED = "ended"
    ROW = "row"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Order:
    """What a child is to do: make these runs of the batch, none begun after `seconds`; whose child it is.

    `environment` is that of the study, which outside programs get: the child's own has what it needs itself.
    """

    batch: Batch
    runs: tuple[tuple[int, int], ...]
    seconds: float
    scratch: int
    parent: int
    environment: dict[str, str]


class Scratch:
    """What a run has found so far, or which processes it has, in a file that outlives a killed child.

    Writing takes microseconds and needs no reader; the batch reads it only when a run was ended from outside.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._written = 0

    def clear(self) -> None:
        """Forget what earlier runs found."""
        os.ftruncate(self.descriptor, 0)
        self._written = 0

    def note(self, improvement: Improvement, state: Answer) -> None:
        """Keep an improvement; of a state too long for a row, the improvement alone."""
        data = framed((improvement, tuple(state) if len(state) <= LONGEST_ANSWER else None))
        if self._written + len(data) > _LARGEST_SCRATCH:
            self.clear()
        os.pwrite(self.descriptor, data, self._written)
        self._written += len(data)

    def note_processes(self, births: dict[int, float]) -> None:
        """Keep the numbers of processes and when each was born, in place of all that was kept before."""
        data = framed(births)
        os.pwrite(self.descriptor, data, 0)
        os.ftruncate(self.descriptor, len(data))

    def processes(self) -> dict[int, float]:
        """Return the processes that were noted last."""
        messages = self._messages()
        return messages[0] if messages else {}

    def found(self) -> tuple[tuple[Improvement, ...], Answer | None]:
        """Return the improvements and the last state; a message that was cut off does not count."""
        messages = self._messages()
        trace = tuple(improvement for improvement, _ in messages)
        return trace, messages[-1][1] if messages else None

    def _messages(self) -> list[Any]:
        size = os.fstat(self.descriptor).st_size
        return list(take_frames(bytearray(os.pread(self.descriptor, size, 0))))
