"""What an outside program has printed -> an answer, by the reader that `verify` uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from problems import Answer, InputError, KnightCover, Problem, Violation

_EFFORTS = ("evaluations", "iterations", "steps", "nodes", "evolutions")


@dataclass(frozen=True, slots=True)
class Said:
    """What a program's output says: an answer with the faults its text shows, or why it cannot be read.

    `effort` is what the program itself counted, where it prints JSON that says so.
    """

    answer: Answer | None = None
    found: tuple[Violation, ...] = ()
    fault: str = ""
    effort: int | None = None
    effort_name: str | None = None


def read_output(output: bytes, problem: Problem, *, complete: bool) -> Said:
    """Read a program's standard output.

    The whole is one answer, or its parts between empty lines are one each and the last counts; if the
    program was ended in the middle of its output (not `complete`), the last that can be read. Nothing but
    white space is no answer and no fault.
    """
    fault = ""
    for text in _candidates(output, complete):
        try:
            answer, found = _read(text, problem)
        except InputError as error:
            fault = fault or str(error)
            continue
        return Said(answer, found, "", *_counted(text))
    return Said(fault=fault)


def _candidates(output: bytes, complete: bool) -> Iterator[bytes]:
    if not output.strip():
        return
    yield output
    parts = [part for part in re.split(rb"\n[ \t\r]*\n", output) if part.strip()]
    if len(parts) > 1:
        yield from reversed(parts[-1:] if complete else parts[-20:])


def _read(text: bytes, problem: Problem) -> tuple[Answer, tuple[Violation, ...]]:
    from problems import formats

    board = problem.board
    rule = problem.rule if isinstance(problem, KnightCover) else None
    reading = formats.read(text, problem.name, board=board, rule=rule)
    return reading.answer, reading.violations


def _counted(text: bytes) -> tuple[int | None, str | None]:
    """Return the work that a JSON record reports, under `counters` or beside the answer."""
    if not text.lstrip().startswith(b"{"):
        return None, None
    try:
        record = json.loads(text)
    except ValueError:
        return None, None
    counters = record.get("counters")
    counters = counters if isinstance(counters, dict) else record
    for name in _EFFORTS:
        if type(counters.get(name)) is int and counters[name] >= 0:
            return counters[name], name
    return None, None
