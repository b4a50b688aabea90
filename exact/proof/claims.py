"""What a certificate claims, and the problem it is about, as data and in words; imports no solver."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from exact.proof.reading import Fault, fields, integer, quoted, square, squares
from problems import Board, InputError, KnightCover, KnightTour, Problem, Queens, Rule, Square, Symmetry


class ClaimKind(StrEnum):
    """What kind of statement a certificate makes about its problem."""

    MINIMUM = "minimum"
    """The fewest knights are `value`; a placement of so many is enclosed."""
    AT_LEAST = "at-least"
    """No answer has fewer than `value` knights."""
    NONE = "none"
    """There is no answer."""
    EXISTS = "exists"
    """There is an answer; one is enclosed."""
    ALL = "all"
    """There are exactly `value` answers (of an optimisation problem: optimal ones); all are enclosed."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about a problem; `value` belongs to MINIMUM, AT_LEAST and ALL and is None otherwise."""

    kind: ClaimKind
    value: int | None = None


WITH_VALUE = frozenset({ClaimKind.MINIMUM, ClaimKind.AT_LEAST, ClaimKind.ALL})


class ProofKind(StrEnum):
    """How a claim is proved: see docs/certificates.md for each kind's files."""

    WITNESS = "witness"
    UNREACHABLE = "unreachable"
    WEIGHTS = "weights"
    COUNTING = "counting"
    DRAT = "drat"
    CUTS = "cuts+drat"
    LIST = "list"


SYMMETRY_NAMES: dict[str, Symmetry] = {
    "identity": Symmetry(False, False, False),
    "flip-columns": Symmetry(False, False, True),
    "flip-rows": Symmetry(False, True, False),
    "half-turn": Symmetry(False, True, True),
    "diagonal": Symmetry(True, False, False),
    "quarter-turn-right": Symmetry(True, False, True),
    "quarter-turn-left": Symmetry(True, True, False),
    "antidiagonal": Symmetry(True, True, True),
}
"""The symmetries of a rectangle by the names that certificates use."""

NAMES_OF_SYMMETRIES = {symmetry: name for name, symmetry in SYMMETRY_NAMES.items()}


def sentence(problem: Problem, claim: Claim) -> str:
    """Return the claim as one sentence that identifies the problem: every missing and given square is named."""
    what = _described(problem)
    if claim.kind is ClaimKind.MINIMUM:
        return f"{claim.value} is the fewest {what}"
    if claim.kind is ClaimKind.AT_LEAST:
        return f"at least {claim.value} are needed: {what}"
    if claim.kind is ClaimKind.ALL:
        optimal = "with the fewest knights " if problem.is_optimisation else ""
        number = "is exactly 1 answer" if claim.value == 1 else f"are exactly {claim.value} answers"
        return f"there {number} {optimal}to: {what}"
    verb = "there is no answer to" if claim.kind is ClaimKind.NONE else "there is an answer to"
    return f"{verb}: {what}"


_COVERED = {
    Rule.TOTAL: "attack every square",
    Rule.ORDINARY: "attack every square they do not occupy",
    Rule.INDEPENDENT: "attack every square they do not occupy and none of their own",
}


def _described(problem: Problem) -> str:
    if isinstance(problem, KnightCover):
        limit = "" if problem.at_most is None else f"at most {problem.at_most} "
        return f"{limit}knights that {_COVERED[problem.rule]} of the {_board(problem.board)}"
    if isinstance(problem, Queens):
        given = f", with queens on {_names(problem.board, problem.given)}" if problem.given else ""
        return f"{problem.n} queens on the {problem.n}x{problem.n} board, none attacking another{given}"
    ends = ((" from ", problem.start), (" to ", problem.end))
    where = "".join(word + problem.board.name(square) for word, square in ends if square is not None)
    return f"{'a closed' if problem.closed else 'an open'} knight's tour of the {_board(problem.board)}{where}"


def _board(board: Board) -> str:
    size = f"{board.rows}x{board.cols} board"
    return f"{size} without {_names(board, sorted(board.missing))}" if board.missing else size


def _names(board: Board, named: Iterable[Square]) -> str:
    return ", ".join(map(board.name, named))


def problem_json(problem: Problem) -> dict[str, Any]:
    """Return the problem as JSON data with exactly the keys that `read_problem` expects."""
    if isinstance(problem, Queens):
        return {"name": "queens", "n": problem.n, "given": squares_json(problem.given)}
    board = problem.board
    data: dict[str, Any] = {
        "name": problem.name,
        "rows": board.rows,
        "cols": board.cols,
        "missing": squares_json(sorted(board.missing)),
    }
    if isinstance(problem, KnightCover):
        return {**data, "rule": problem.rule.value, "at_most": problem.at_most}
    ends = {"start": problem.start, "end": problem.end}
    return {**data, "closed": problem.closed, **{k: None if s is None else list(s) for k, s in ends.items()}}


def squares_json(squares: Sequence[Square]) -> list[list[int]]:
    """Return squares as JSON data, `[row, col]` each."""
    return [list(square) for square in squares]


_PROBLEM_KEYS = {
    "queens": {"name", "n", "given"},
    "knights": {"name", "rows", "cols", "missing", "rule", "at_most"},
    "tour": {"name", "rows", "cols", "missing", "closed", "start", "end"},
}


def read_problem(data: Any) -> Problem:
    """Return the problem that JSON data states; `Fault` if it states none."""
    name = fields(data, None, "problem").get("name")
    if not isinstance(name, str) or name not in _PROBLEM_KEYS:
        raise Fault(f"the problem's name is {quoted(name)}, not one of {', '.join(_PROBLEM_KEYS)}")
    values = fields(data, _PROBLEM_KEYS[name], "problem")
    try:
        return _problem(name, values)
    except InputError as error:
        raise Fault(f"the manifest states no problem: {error}") from None


def _problem(name: str, values: dict[str, Any]) -> Problem:
    if name == "queens":
        n = integer(values["n"], "n")
        return Queens(n, squares(values["given"], "given queens", n, n))
    rows, cols = integer(values["rows"], "rows"), integer(values["cols"], "cols")
    board = Board(rows, cols, frozenset(squares(values["missing"], "missing squares", rows, cols)))
    if name == "knights":
        if values["rule"] not in tuple(Rule):
            raise Fault(f"the rule is {quoted(values['rule'])}, not one of {', '.join(Rule)}")
        at_most = None if values["at_most"] is None else integer(values["at_most"], "at_most")
        return KnightCover(board, Rule(values["rule"]), at_most)
    ends = (values[key] for key in ("start", "end"))
    start, end = (None if item is None else square(item, "an end of the tour", rows, cols) for item in ends)
    if not isinstance(values["closed"], bool):
        raise Fault("'closed' is not true or false")
    return KnightTour(board, start, end, values["closed"])


def read_claim(data: Any) -> Claim:
    """Return the claim that JSON data states; `Fault` if it states none."""
    values = fields(data, {"kind", "value"}, "claim")
    if values["kind"] not in tuple(ClaimKind):
        raise Fault(f"the claim is {quoted(values['kind'])}, not one of {', '.join(ClaimKind)}")
    kind = ClaimKind(values["kind"])
    if kind not in WITH_VALUE:
        if values["value"] is not None:
            raise Fault(f"the claim {kind.value!r} takes no value")
        return Claim(kind)
    return Claim(kind, integer(values["value"], "the claim's value"))


def dump(value: Any) -> bytes:
    """Return the value as JSON text, the same bytes for the same value."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")
