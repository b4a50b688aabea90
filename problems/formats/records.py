"""Our own JSON: problems, answers and results as plain data, and back.

The keys are the same everywhere (`KEYS`); what is not known is null. Squares are `[row, col]`, 0-based from the
top left. The keys `start`, `end`, `given`, `missing` and `at_most` are there only when the problem has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from problems.board import Answer, Board, Square
from problems.errors import InputError, shown
from problems.formats.candidates import Candidate, Question
from problems.formats.instances import parse_board
from problems.knights import KnightCover, Rule
from problems.queens import Queens
from problems.result import PROBLEMS, Problem, Result, Status
from problems.tours import KnightTour, returns_to_start
from problems.violation import Violation

KEYS = (
    "problem", "board", "rule", "status", "objective", "bound", "answer", "valid", "violations", "standing", "gap",
    "bound_source", "count", "classes", "closed", "seconds", "method", "edition", "engine", "seed", "counters",
)  # fmt: skip
"""The keys of every JSON object about an answer or a result, in their order."""

_FAR = 10**9
Record = dict[str, Any]


def squares_json(squares: Iterable[Square]) -> list[list[int]]:
    """Return squares as `[row, col]` lists."""
    return [list(square) for square in squares]


def violations_json(violations: Iterable[Violation]) -> list[Record]:
    """Return violations as objects with `kind`, `squares` and, where it says more, `position`."""
    records = []
    for violation in violations:
        record: Record = {"kind": violation.kind, "squares": squares_json(violation.squares)}
        if violation.position is not None:
            record["position"] = violation.position
        records.append(record)
    return records


def to_json(problem: Problem, answer: Answer, violations: Sequence[Violation] | None = None) -> Record:
    """Return the problem and the answer as an object with `KEYS`; `violations` are the checker's by default."""
    found = problem.violations(answer) if violations is None else violations
    record = _blank(problem, answer)
    record |= {
        "objective": problem.objective(answer),
        "answer": squares_json(answer),
        "valid": not found,
        "violations": violations_json(found),
    }
    return record


def result_json(result: Result) -> Record:
    """Return a result as an object with `KEYS`, `ending`, and `best`, `answers`, `trace` where there are any."""
    answer = result.answer
    record = _blank(result.problem, answer) | {
        "status": str(result.status),
        "objective": result.objective,
        "bound": result.bound,
        "bound_source": result.bound_source,
        "answer": None if answer is None else squares_json(answer),
        "gap": _gap(result),
        "standing": "optimal" if result.status is Status.OPTIMAL else None,
        "count": result.count,
        "classes": result.classes,
        "seconds": result.seconds,
        "method": result.method,
        "edition": result.edition,
        "engine": result.engine,
        "seed": result.seed,
        "counters": result.counters.as_dict(),
        "ending": str(result.ending),
    }
    if answer is not None:
        violations = result.problem.violations(answer)
        record |= {"valid": not violations, "violations": violations_json(violations)}
    return record | _extras(result)


def _blank(problem: Problem, answer: Answer | None) -> Record:
    record: Record = dict.fromkeys(KEYS)
    record |= {"problem": problem.name, "board": board_text(problem), "violations": [], "counters": {}}
    if isinstance(problem, KnightCover):
        record["rule"] = str(problem.rule)
    if isinstance(problem, KnightTour):
        record["closed"] = problem.closed or (answer is not None and returns_to_start(answer))
    return record | _specials(problem)


def board_text(problem: Problem) -> str:
    """Return the size of the problem's board, e.g. `8x8`; `0x0` for no queens."""
    if isinstance(problem, Queens):
        return f"{problem.n}x{problem.n}"
    return f"{problem.board.rows}x{problem.board.cols}"


def _specials(problem: Problem) -> Record:
    record: Record = {}
    if isinstance(problem, Queens):
        if problem.given:
            record["given"] = squares_json(problem.given)
        return record
    if problem.board.missing:
        record["missing"] = squares_json(sorted(problem.board.missing))
    if isinstance(problem, KnightCover):
        if problem.at_most is not None:
            record["at_most"] = problem.at_most
        return record
    for key, square in (("start", problem.start), ("end", problem.end)):
        if square is not None:
            record[key] = list(square)
    return record


def _gap(result: Result) -> int | None:
    if result.objective is None or result.bound is None:
        return None
    return result.objective - result.bound


def _extras(result: Result) -> Record:
    record: Record = {}
    if result.complete is not None:
        record["complete"] = result.complete
    if result.explanation is not None:
        record["explanation"] = result.explanation
    if result.best is not None:
        record["best"] = squares_json(result.best)
    if result.answers:
        record["answers"] = [squares_json(answer) for answer in result.answers]
    if result.trace:
        record["trace"] = [{"effort": i.effort, "value": i.value, "seconds": i.seconds} for i in result.trace]
    return record


def result_from_json(record: Mapping[str, Any]) -> tuple[Problem, Answer | None]:
    """Return the problem and the answer (None if there is none) of an object that `to_json` or `result_json` made.

    Raises `InputError` for objects of another shape. A tour recorded as closed comes back as closed.
    """
    name = record.get("problem")
    if not isinstance(name, str) or name not in PROBLEMS:
        raise InputError("knights, queens or tour", shown(name), where="JSON key 'problem'")
    answer = record.get("answer")
    return _problem(name, record), None if answer is None else _squares(answer, "answer")


def _problem(name: str, record: Mapping[str, Any]) -> Problem:
    text = record.get("board")
    if not isinstance(text, str):
        raise InputError(
            "a board size such as 8x8", shown(text), where="JSON key 'board'", hint="or say --board RxC"
        )
    if name == "queens":
        n = 0 if text == "0x0" else parse_board(text, "JSON key 'board'").rows
        if text not in (f"{n}x{n}", f"{n}"):
            raise InputError("a square board for queens", shown(text), where="JSON key 'board'")
        return Queens(n, _squares(record.get("given") or [], "given"))
    size = parse_board(text, "JSON key 'board'")
    board = Board(size.rows, size.cols, frozenset(_squares(record.get("missing") or [], "missing")))
    if name == "knights":
        return KnightCover(board, _rule(record.get("rule")), _whole(record.get("at_most"), "at_most"))
    start, end = (_square(record.get(key), key) for key in ("start", "end"))
    return KnightTour(board, start, end, record.get("closed") is True and end is None)


def _rule(value: Any) -> Rule:
    if value is None:
        return Rule.TOTAL
    if not isinstance(value, str) or value not in list(Rule):
        raise InputError(" or ".join(Rule), shown(value), where="JSON key 'rule'")
    return Rule(value)


def _whole(value: Any, key: str) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or abs(value) > _FAR):
        raise InputError("a whole number", shown(value), where=f"JSON key {key!r}")
    return value


def _square(value: Any, key: str) -> Square | None:
    return None if value is None else _squares([value], key)[0]


def _squares(value: Any, key: str) -> tuple[Square, ...]:
    if not isinstance(value, list):
        raise InputError("a list of [row, col]", shown(value), where=f"JSON key {key!r}")
    for square in value:
        if (
            type(square) is not list
            or len(square) != 2
            or not _is_coordinate(square[0])
            or not _is_coordinate(square[1])
        ):
            raise InputError("squares as [row, col]", shown(square), where=f"JSON key {key!r}")
    return tuple(map(tuple, value))


def _is_coordinate(value: Any) -> bool:
    return type(value) is int and -_FAR <= value <= _FAR


def is_record(text: str) -> bool:
    """Whether the text starts like a JSON object (and not like a set of numbers in braces)."""
    head = text.lstrip()[:1000]
    return head.startswith("{") and head[1:].lstrip().startswith(('"', "}"))


def read_record(text: str, question: Question) -> tuple[Question, Candidate]:
    """Return the answer of our own JSON, and the question with what it left open taken from the object.

    Raises `InputError` for broken JSON, an object without an answer, and one about another problem or board.
    """
    record = {"problem": question.name} | _load(text)
    if "answer" not in record:
        keys = ", ".join(repr(key) for key in list(record)[1:7])
        raise InputError("an answer under the key 'answer'", f"the keys {keys}" if keys else "none", where="JSON")
    if record.get("board") is None and question.board is not None:
        record["board"] = f"{question.board.rows}x{question.board.cols}"
    problem, answer = result_from_json(record)
    if problem.name != question.name:
        raise InputError(f"an answer for {question.name}", f"one for {problem.name}", where="JSON key 'problem'")
    if answer is None:
        status = record.get("status")
        raise InputError(
            "an answer", f"none{f' (status {status})' if isinstance(status, str) else ''}", where="JSON"
        )
    board = None if isinstance(problem, Queens) and problem.n == 0 else problem.board
    if question.board is not None and question.board != board:
        raise InputError(f"a board of {question.board}", board_text(problem), where="JSON key 'board'")
    completed, notes = _completed(question, problem)
    return completed, Candidate("JSON", answer, board, notes=notes)


def _completed(question: Question, problem: Problem) -> tuple[Question, tuple[str, ...]]:
    """Return the question with the rule, the ends and so on of the problem where it says nothing of its own."""
    if isinstance(problem, Queens):
        return replace(question, given=question.given or problem.given), ()
    if isinstance(problem, KnightTour):
        start, end = question.start or problem.start, question.end or problem.end
        closed = problem.closed if question.closed is None else question.closed
        return replace(question, start=start, end=end, closed=closed), ()
    notes: tuple[str, ...] = ()
    if question.rule not in (None, problem.rule):
        notes = (f"judged by the rule {question.rule}; the JSON itself says {problem.rule}",)
    at_most = problem.at_most if question.at_most is None else question.at_most
    return replace(question, rule=question.rule or problem.rule, at_most=at_most), notes


def _load(text: str) -> Record:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("JSON", str(error)[:80], where="answer") from None
    if not isinstance(record, dict):
        raise InputError("a JSON object", shown(record), where="answer")
    return record
