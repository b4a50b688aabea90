"""What an outside program has printed -> an answer, by the reader that `verify` uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from problems import Answer, Board, InputError, KnightCover, KnightTour, Problem, Queens, Violation
from problems.formats import Coordinates, Reading, read

_EFFORTS = ("evaluations", "iterations", "steps", "nodes", "evolutions")


@dataclass(frozen=True, slots=True)
class Said:
    """What a program's output says: an answer with the faults its text shows, or why there is none.

    `fault` is why it cannot be read, `other_board` the board that it answers for when that is the wrong one.
    `effort` is what the program itself counted, where it prints JSON that says so.
    """

    answer: Answer | None = None
    found: tuple[Violation, ...] = ()
    fault: str = ""
    other_board: str = ""
    effort: int | None = None
    effort_name: str | None = None


def read_output(
    output: bytes, problem: Problem, *, coordinates: Coordinates | None = None, complete: bool = True
) -> Said:
    """Read a program's standard output.

    Parts between empty lines are an answer each and the last counts (if the program was ended in the middle
    of its output, not `complete`, the last that can be read); otherwise the whole is one answer. Nothing but
    white space is no answer and no fault.
    """
    fault = other_board = ""
    for text in _candidates(output, complete):
        try:
            reading = _read(text, problem, problem.board, coordinates)
        except InputError as error:
            fault = fault or str(error)
            other_board = other_board or _other_board(text, problem, coordinates)
            continue
        if reading.problem.board != problem.board:
            other_board = other_board or str(reading.problem.board)
            continue
        effort, name = _counted(text)
        return Said(reading.answer, reading.violations, effort=effort, effort_name=name)
    return Said(fault=fault, other_board=other_board)


def _other_board(text: bytes, problem: Problem, coordinates: Coordinates | None) -> str:
    """Return the board that a text answers for, '' if that is the right one or it is no answer at all."""
    try:
        board = _read(text, problem, None, coordinates).problem.board
    except InputError:
        return ""
    return "" if board == problem.board else str(board)


def _read(text: bytes, problem: Problem, board: Board | None, coordinates: Coordinates | None) -> Reading:
    match problem:
        case KnightCover():
            return read(text, problem.name, board=board, rule=problem.rule, coordinates=coordinates)
        case Queens():
            given = problem.given if board is not None else ()
            return read(text, problem.name, board=board, given=given, coordinates=coordinates)
        case KnightTour():
            start, end = (problem.start, problem.end) if board is not None else (None, None)
            closed = problem.closed
            return read(
                text, problem.name, board=board, closed=closed, start=start, end=end, coordinates=coordinates
            )


def _candidates(output: bytes, complete: bool) -> Iterator[bytes]:
    if not output.strip():
        return
    # The parts come first: several lists of squares would also read as one long one with duplicates.
    parts = [part for part in re.split(rb"\n[ \t\r]*\n", output) if part.strip()]
    if len(parts) > 1:
        yield from reversed(parts[-1:] if complete else parts[-20:])
    yield output


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
