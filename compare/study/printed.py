"""What a program has printed and when each part of it arrived, in bounded memory.

Parts stand between empty lines. A part has arrived when its last byte that is no white space has: an empty line
that follows later makes no answer later.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

_GAP = re.compile(rb"\n[ \t\r]*\n")
_MOST_MARKS = 1 << 16
_LEAST_RESOLUTION = 0.001
_LAST_PARTS = 20
_MOST_PARTS = 2_000
_MOST_BYTES = 1 << 22


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the output, `start` to `end`, and when the last of it arrived, in seconds of the run.

    `in_time` says whether that was within the time limit.
    """

    start: int
    end: int
    seconds: float
    in_time: bool


@dataclass(slots=True)
class Printed:
    """Bytes as they come, with the seconds since the run began; `limit` is the run's, None for none."""

    limit: float | None = None
    text: bytearray = field(default_factory=bytearray)
    _in_time: int = 0
    _ends: list[int] = field(default_factory=list)
    _times: list[float] = field(default_factory=list)
    _group_began: float = 0.0
    _resolution: float = 0.0

    def take(self, data: bytes, seconds: float) -> None:
        """Take in what has arrived at a time; times never go back."""
        self.text += data
        if self.limit is None or seconds <= self.limit:
            self._in_time = len(self.text)
        if self._ends and seconds - self._group_began < self._resolution:
            self._ends[-1], self._times[-1] = len(self.text), seconds
            return
        self._ends.append(len(self.text))
        self._times.append(seconds)
        self._group_began = seconds
        while len(self._ends) > _MOST_MARKS:
            self._coarsen()

    def whole(self) -> Part | None:
        """Return all of it as one part, None where there is nothing but white space."""
        return self._part(0, len(self.text))

    def until_the_limit(self) -> Part | None:
        """Return what had arrived at the time limit as one part, None where that is white space."""
        return self._part(0, self._in_time)

    def after_the_limit(self, start: int) -> Part | None:
        """Return what stands from `start` on as one part, None where that is white space."""
        return self._part(start, len(self.text))

    def parts(self) -> list[Part]:
        """Return the parts in order.

        Of more than a reader has time for, every second one is passed over, as often as it takes; the last
        ones are always there.
        """
        kept: list[Part] = []
        last: deque[Part] = deque(maxlen=_LAST_PARTS)
        step, size = 1, 0
        for number, part in enumerate(self._all_parts()):
            last.append(part)
            if number % step:
                continue
            kept.append(part)
            size += part.end - part.start
            while len(kept) > _MOST_PARTS or (size > _MOST_BYTES and len(kept) > _LAST_PARTS):
                kept, step = kept[::2], 2 * step
                size = sum(part.end - part.start for part in kept)
        until = last[0].start if last else 0
        return [part for part in kept if part.start < until] + list(last)

    def cut_at_the_limit(self, part: Part) -> Part | None:
        """Return what had arrived at the limit of a part that was being printed then, None if nothing had."""
        return self._part(part.start, self._in_time) if part.start < self._in_time < part.end else None

    def bytes_of(self, part: Part) -> bytes:
        """Return the text of a part."""
        return bytes(self.text[part.start : part.end])

    def _all_parts(self) -> Iterator[Part]:
        start = 0
        for gap in _GAP.finditer(self.text):
            if (part := self._part(start, gap.start())) is not None:
                yield part
            start = gap.start() + 1
        if (part := self._part(start, len(self.text))) is not None:
            yield part

    def _part(self, start: int, end: int) -> Part | None:
        """Return the part with its white space, which may be squares of a drawing; None if it has nothing else."""
        last = start + len(self.text[start:end].rstrip())
        if last == start:
            return None
        in_time = last <= self._in_time
        seconds = self._times[bisect_left(self._ends, last)]
        # Times are kept in groups: one that reaches over the limit has arrivals of both sides.
        return Part(start, end, min(seconds, self.limit) if in_time and self.limit else seconds, in_time)

    def _coarsen(self) -> None:
        """Keep fewer times: what arrived together, within a resolution that doubles, gets the latest time."""
        self._resolution = max(2 * self._resolution, _LEAST_RESOLUTION)
        ends: list[int] = []
        times: list[float] = []
        began = 0.0
        for end, time in zip(self._ends, self._times, strict=True):
            if ends and time - began < self._resolution:
                ends[-1], times[-1] = end, time
            else:
                ends.append(end)
                times.append(time)
                began = time
        self._ends, self._times, self._group_began = ends, times, began
