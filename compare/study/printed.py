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

# A run of empty lines is one gap: there are programs that print nothing else.
_GAP = re.compile(rb"\n[ \t\r\n]*\n")
_MOST_MARKS = 1 << 16
_LEAST_RESOLUTION = 0.001
_LAST_PARTS = 20
_MOST_PARTS = 2_000
_MOST_TEXT = 1 << 22
_MOST_LOOKS = 1 << 16
_SEEN_WHOLLY = 1 << 19


_Span = tuple[int, int]


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

    def parts(self, most: int = _MOST_TEXT, longest: int = _MOST_TEXT) -> list[Part]:
        """Return the parts in order.

        Of more than a reader has time for, which are `most` bytes, every second one is passed over, as often
        as it takes; the last ones are always there, and the last within the limit. Parts of over `longest`
        bytes take the reader no time.
        """
        kept: list[_Span] = []
        last: deque[_Span] = deque(maxlen=_LAST_PARTS)
        last_in_time: deque[_Span] = deque(maxlen=_LAST_PARTS)
        step, size = 1, 0
        for number, span in enumerate(self._spans()):
            last.append(span)
            if span[0] < self._in_time:
                last_in_time.append(span)
            if number % step:
                continue
            kept.append(span)
            size += _size([span], longest)
            while len(kept) > _MOST_PARTS or (size > most and len(kept) > _LAST_PARTS):
                kept, step = kept[::2], 2 * step
                size = _size(kept, longest)
        spans = sorted({*kept, *last, *last_in_time})
        return [part for span in spans if (part := self._part(*span)) is not None]

    def cut_at_the_limit(self, part: Part) -> Part | None:
        """Return what had arrived at the limit of a part that was being printed then, None if nothing had."""
        return self._part(part.start, self._in_time) if part.start < self._in_time < part.end else None

    def bytes_of(self, part: Part) -> bytes:
        """Return the text of a part."""
        return bytes(self.text[part.start : part.end])

    def _spans(self) -> Iterator[_Span]:
        """Yield where the parts stand; of a text of over 4 MiB, of many small ones together only the first."""
        stride = len(self.text) // _MOST_LOOKS if len(self.text) > _MOST_TEXT else 0
        start, gap = 0, _GAP.search(self.text)
        while gap is not None:
            yield start, gap.start()
            if stride and gap.end() < start + stride and not self._is_seen_wholly(start):
                further = _GAP.search(self.text, start + stride)
                # Where no gap follows, a long last part has begun before there.
                stride, gap = (stride, further) if further is not None else (0, gap)
            # The last empty line stays: lines of blanks after it may be rows of a drawing.
            start = gap.start() + 1 + max(0, self.text.rfind(b"\n\n", gap.start(), gap.end()) - gap.start())
            gap = _GAP.search(self.text, gap.end())
        yield start, len(self.text)

    def _is_seen_wholly(self, start: int) -> bool:
        """Whether no part may be passed over there: shortly before the limit, and at the end."""
        return any(0 <= end - start < _SEEN_WHOLLY for end in (self._in_time, len(self.text)))

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


def _size(spans: list[_Span], longest: int) -> int:
    return sum(end - start for start, end in spans if end - start <= longest)
