"""What an outside program has printed -> an answer, by the reader that `verify` uses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from problems import Answer, Board, InputError, KnightCover, KnightTour, Problem, Queens, Status, Violation
from problems.formats import Coordinates, Reading, read

_EFFORTS = ("evaluations", "iterations", "steps", "nodes", "evolutions")
_NONE = (b"none", b"null")

_AROUND_AN_ANSWER = 1 << 16
_BYTES_A_SQUARE = 64
_LONGEST_RECORD = 1 << 20

_LARGEST_COUNT = 2**63 - 1
"""What fits a whole number of the store; a program that says it counted more has not counted."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a text that a program printed says: an answer with the faults its text shows, or why there is none.

    `none` is True where it says that it found no answer. `fault` is why it cannot be read, `other_board` the
    board that it names when that is the wrong one. `effort` is what the program itself counted, where it
    prints JSON that says so.
    """

    answer: Answer | None = None
    found: tuple[Violation, ...] = ()
    none: bool = False
    fault: str = ""
    other_board: str = ""
    effort: int | None = None
    effort_name: str | None = None

    @property
    def evaluations(self) -> int | None:
        """The evaluations that the program says it made, None where it says nothing of them."""
        return self.effort if self.effort_name == _EFFORTS[0] else None


def longest_answer(problem: Problem) -> int:
    """Return how many bytes an answer may have, with the words around it; JSON may have 1 MiB at least."""
    return _AROUND_AN_ANSWER + _BYTES_A_SQUARE * problem.board.rows * problem.board.cols


def refused_unread(text: bytes, problem: Problem) -> Said | None:
    """Return the refusal of a text that is far longer than any answer, None for one that is worth parsing."""
    most = longest_answer(problem)
    if _may_be_record(text):
        most = max(most, _LONGEST_RECORD)
    if len(text) <= most:
        return None
    expected = f"an answer of at most {most} bytes for a board of {problem.board}"
    return Said(fault=str(InputError(expected, f"{len(text)} bytes", where="answer")))


def read_text(text: bytes, problem: Problem, coordinates: Coordinates | None = None) -> Said:
    """Read a text as one answer, or as the statement that there is none."""
    refused = refused_unread(text, problem)
    if refused is not None:
        return refused
    record = _record(text)
    effort, name = _counted(record)
    if _says_none(text, record):
        return Said(none=True, effort=effort, effort_name=name)
    try:
        reading = _read(text, problem, problem.board, coordinates)
    except InputError as error:
        return Said(fault=str(error))
    if reading.problem.board != problem.board:
        return Said(other_board=str(reading.problem.board))
    return Said(reading.answer, reading.violations, effort=effort, effort_name=name)


def other_board(text: bytes, problem: Problem, coordinates: Coordinates | None) -> str:
    """Return the board that a text answers for, '' if that is the right one or it is no answer at all."""
    if refused_unread(text, problem) is not None:
        return ""
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


def _says_none(text: bytes, record: dict[str, Any] | None) -> bool:
    """Whether a text says that no answer was found: the word none, or a record without an answer."""
    if text.strip().lower() in _NONE:
        return True
    if record is None or record.get("answer") is not None:
        return False
    return "answer" in record or record.get("status") in (Status.UNKNOWN.value, Status.INFEASIBLE.value)


def _counted(record: dict[str, Any] | None) -> tuple[int | None, str | None]:
    """Return the work that a JSON record reports, under `counters` or beside the answer."""
    if record is None:
        return None, None
    counters = record.get("counters")
    counters = counters if isinstance(counters, dict) else record
    for name in _EFFORTS:
        if type(counters.get(name)) is int and 0 <= counters[name] <= _LARGEST_COUNT:
            return counters[name], name
    return None, None


def _may_be_record(text: bytes) -> bool:
    # Not all of it is looked at: it may be of any length.
    return text[:1000].lstrip().startswith(b"{")


def _record(text: bytes) -> dict[str, Any] | None:
    """Return the JSON object that a text is, None if it is none."""
    if not _may_be_record(text):
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
