"""Rows as the columns of a table, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from compare.study.rows import RunEnding, RunRow, kept
from problems import Answer, Improvement, Status

_NUMBER = (int, float)
_TYPES: dict[str, type | tuple[type, ...]] = {
    "run": int, "seed": int, "status": str, "ending": str, "reason": str, "solved": int, "valid": int,
    "objective": int, "bound": int, "value": int, "effort": int, "effort_name": str, "counters": str,
    "seconds": _NUMBER, "cpu_seconds": _NUMBER, "peak_mib": _NUMBER, "load": _NUMBER,
    "solved_seconds": _NUMBER, "solved_effort": int, "answer": str, "answer_digest": str, "engine": str,
    "host": str,
}  # fmt: skip

COLUMNS: tuple[str, ...] = tuple(_TYPES)
"""The columns of a row, its task and entry apart."""

_NEVER_EMPTY = ("run", "seed", "status", "ending", "reason", "solved", "counters", "seconds", "host")


def values_of(row: RunRow) -> tuple[Any, ...]:
    """Return what a row puts into COLUMNS."""
    answer = kept(row.answer)
    texts = {
        "status": row.status.value,
        "ending": row.ending.value,
        "counters": json.dumps(dict(row.counters)),
        "answer": None if answer is None else json.dumps(answer, separators=(",", ":")),
    }
    return tuple(texts[name] if name in texts else getattr(row, name) for name in COLUMNS)


def row_of(task: str, entry: str, values: Sequence[Any], trace: tuple[Improvement, ...]) -> RunRow:
    """Return the row of what stands in COLUMNS; raises `ValueError` for what no row puts there."""
    named = dict(zip(COLUMNS, values, strict=True))
    for name, value in named.items():
        fits = name not in _NEVER_EMPTY if value is None else isinstance(value, _TYPES[name])
        if not fits:
            raise ValueError(f"{value!r} as {name} of run {named['run']!r} of {entry} on {task}")
    valid = named.pop("valid")
    return RunRow(
        task=task,
        entry=entry,
        status=Status(named.pop("status")),
        ending=RunEnding(named.pop("ending")),
        counters=_counters(named.pop("counters")),
        solved=bool(named.pop("solved")),
        valid=None if valid is None else bool(valid),
        answer=_answer(named.pop("answer")),
        trace=trace,
        **named,
    )


def triples_of(trace: Iterable[Improvement]) -> Iterator[tuple[int, int, float]]:
    """Yield effort, value and seconds of each improvement."""
    for improvement in trace:
        yield int(improvement.effort), int(improvement.value), float(improvement.seconds)


def stand_in(row: RunRow, error: Exception) -> RunRow:
    """Return a row that says why this one cannot be stored, so that its run is accounted for."""
    seconds = float(row.seconds) if isinstance(row.seconds, _NUMBER) and math.isfinite(row.seconds) else 0.0
    return RunRow(
        task=row.task,
        entry=row.entry,
        run=row.run,
        seed=row.seed,
        status=Status.UNKNOWN,
        ending=RunEnding.CRASHED,
        reason=_plain(f"its row cannot be stored: {type(error).__name__}: {error}"),
        seconds=seconds,
        host=_plain(str(row.host)),
    )


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _counters(text: str) -> dict[str, int]:
    counters = json.loads(text)
    if not isinstance(counters, dict) or not all(type(count) is int for count in counters.values()):
        raise ValueError(f"counters: {text[:60]}")
    return counters


def _answer(text: str | None) -> Answer | None:
    squares = None if text is None else json.loads(text)
    if squares is None:
        return None
    if not isinstance(squares, list) or not all(map(_is_square, squares)):
        raise ValueError(f"answer: {str(text)[:60]}")
    return tuple((row, col) for row, col in squares)


def _is_square(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(item) is int for item in value)
