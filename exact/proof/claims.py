"""What a certificate claims, and the problem it is about, as data; imports no solver.

`Fault` is raised with the first thing that is wrong, as one sentence. JSON from a certificate is never trusted:
every value is taken out through the readers below, which say what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from problems import Board, InputError, KnightCover, KnightTour, Problem, Queens, Rule, Square, Symmetry


class Fault(Exception):
    """The first thing that is wrong with a certificate, in one sentence."""


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
    """Return the claim as one sentence."""
    what = _described(problem)
    if claim.kind is ClaimKind.MINIMUM:
        return f"{claim.value} is the fewest {what}"
    if claim.kind is ClaimKind.AT_LEAST:
        return f"at least {claim.value} are needed: {what}"
    if claim.kind is ClaimKind.ALL:
        optimal = "with the fewest knights " if problem.is_optimisation else ""
        return f"there are exactly {claim.value} answers {optimal}to: {what}"
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
        return f"{limit}knights that {_COVERED[problem.rule]} of the {problem.board} board"
    if isinstance(problem, Queens):
        given = f", {len(problem.given)} of them given" if problem.given else ""
        return f"{problem.n} queens on the {problem.n}x{problem.n} board, none attacking another{given}"
    ends = ((" from ", problem.start), (" to ", problem.end))
    where = "".join(word + problem.board.name(square) for word, square in ends if square is not None)
    return f"{'a closed' if problem.closed else 'an open'} knight's tour of the {problem.board} board{where}"


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
        raise Fault(f"the problem's name is {name!r}, not one of {', '.join(_PROBLEM_KEYS)}")
    values = fields(data, _PROBLEM_KEYS[name], "problem")
    try:
        return _problem(name, values)
    except InputError as error:
        raise Fault(f"the manifest states no problem: {error}") from None


def _problem(name: str, values: dict[str, Any]) -> Problem:
    if name == "queens":
        return Queens(integer(values["n"], "n"), squares(values["given"], "given queens"))
    missing = squares(values["missing"], "missing squares")
    board = Board(integer(values["rows"], "rows"), integer(values["cols"], "cols"), frozenset(missing))
    if name == "knights":
        if values["rule"] not in tuple(Rule):
            raise Fault(f"the rule is {values['rule']!r}, not one of {', '.join(Rule)}")
        at_most = None if values["at_most"] is None else integer(values["at_most"], "at_most")
        return KnightCover(board, Rule(values["rule"]), at_most)
    start, end = (None if values[key] is None else square(values[key], key) for key in ("start", "end"))
    if not isinstance(values["closed"], bool):
        raise Fault("'closed' is not true or false")
    return KnightTour(board, start, end, values["closed"])


def read_claim(data: Any) -> Claim:
    """Return the claim that JSON data states; `Fault` if it states none."""
    values = fields(data, {"kind", "value"}, "claim")
    if values["kind"] not in tuple(ClaimKind):
        raise Fault(f"the claim is {values['kind']!r}, not one of {', '.join(ClaimKind)}")
    kind = ClaimKind(values["kind"])
    if kind not in WITH_VALUE:
        if values["value"] is not None:
            raise Fault(f"the claim {kind!r} takes no value")
        return Claim(kind)
    return Claim(kind, integer(values["value"], "the claim's value"))


# Readers of untrusted JSON


def parse(text: bytes, name: str) -> Any:
    """Return the JSON value in `text`, the contents of the file `name`; `Fault` if it is none."""
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except RecursionError:
        raise Fault(f"{name} is nested too deeply") from None
    except ValueError as error:
        raise Fault(f"{name} is no JSON: {error}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"a key is given twice among {keys!r}")
    return dict(pairs)


def dump(value: Any) -> bytes:
    """Return the value as JSON text, the same bytes for the same value."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")


def fields(value: Any, keys: set[str] | None, what: str) -> dict[str, Any]:
    """Return the JSON object, which must have exactly these keys (any, for None)."""
    if not isinstance(value, dict):
        raise Fault(f"{what} is no JSON object")
    if keys is not None and set(value) != keys:
        raise Fault(f"{what} has the keys {', '.join(sorted(value))}, not {', '.join(sorted(keys))}")
    return value


def items(value: Any, what: str) -> list[Any]:
    """Return the JSON array."""
    if not isinstance(value, list):
        raise Fault(f"{what} is no JSON array")
    return value


def integer(value: Any, what: str, least: int = 0) -> int:
    """Return the integer, which must be at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise Fault(f"{what} is {str(value)[:40]!r}, not an integer of {least} or more")
    return value


def text(value: Any, what: str) -> str:
    """Return the string."""
    if not isinstance(value, str):
        raise Fault(f"{what} is no string")
    return value


def square(value: Any, what: str) -> Square:
    """Return the square that `[row, col]` states, on the board or not."""
    if not isinstance(value, list) or len(value) != 2:
        raise Fault(f"{what}: {str(value)[:40]} is no [row, col]")
    return integer(value[0], f"{what}: row"), integer(value[1], f"{what}: column")


def squares(value: Any, what: str) -> tuple[Square, ...]:
    """Return the squares of an array, which must all be different."""
    found = tuple(square(item, what) for item in items(value, what))
    if len(set(found)) < len(found):
        raise Fault(f"{what}: a square is given twice")
    return found


def squares_on(board: Board, value: Any, what: str) -> tuple[Square, ...]:
    """Return the squares of an array, which must all be different and on the board."""
    found = squares(value, what)
    for item in found:
        if item not in board:
            raise Fault(f"{what}: {item} is not on the {board} board")
    return found
