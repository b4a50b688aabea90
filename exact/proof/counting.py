"""Counting arguments that a board has no tour: integer combinations of linear constraints, checked with integers.

The unknowns are 0 or 1: x(e) for each edge e between two squares a knight move apart, and for open tours h(s)
for each square s that may be an end. Every tour satisfies

* degree: at each square, the x of its edges plus its h add up to 2;
* ends (open tours): the h add up to 2; h(start) = 1 and h(end) = 1 where they are given;
* cut: for a set of squares with a square outside it (open tours: any set), the x of the edges that leave the set
  plus the h inside it add up to 2 or more.

A combination multiplies the equations by integers and the cuts by integers of 0 or more and adds everything up.
If the left side cannot reach the right side, even with every unknown at its best value, there is no tour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exact.proof.claims import squares_json
from exact.proof.encoder import Edge, check_tour_size, possible_ends
from exact.proof.reading import Fault, TooLarge, fields, integer, items, quoted, square, squares_on
from problems import Board, KnightTour, Square

MAX_SQUARES = 250_000
"""The largest board, in squares, for which a combination is read."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A non-empty set of squares that a tour must leave, and the multiplier of its constraint, 1 or more."""

    squares: tuple[Square, ...]
    multiplier: int


@dataclass(frozen=True, slots=True)
class Combination:
    """Multipliers: of the degree of each square (0 where not named), of the ends' constraints, and of cuts.

    `ends`, `start` and `end` multiply the equations of open tours and are 0 where there is no such equation.
    """

    degrees: tuple[tuple[Square, int], ...]
    ends: int = 0
    start: int = 0
    end: int = 0
    cuts: tuple[Cut, ...] = ()


Unknown = Edge | Square
"""x of an edge (two squares) or h of a square."""


@dataclass(frozen=True, slots=True)
class Sum:
    """What a combination adds up to: the coefficients' own sum of best values, and the right side."""

    reachable: int
    required: int


def check_combination(problem: KnightTour, combination: Combination) -> Sum:
    """Return the two sides, which contradict each other; `Fault` if they do not or a constraint is none."""
    check_tour_size(problem)
    coefficients, required = _add_up(problem, combination)
    reachable = sum(value for value in coefficients.values() if value > 0)
    if reachable >= required:
        raise Fault(
            f"the combination is no contradiction: its left side can reach {reachable}, it needs {required}"
        )
    return Sum(reachable, required)


def _add_up(problem: KnightTour, combination: Combination) -> tuple[Counter[Unknown], int]:
    board = problem.board
    allowed = frozenset(possible_ends(problem))
    total: Counter[Unknown] = Counter()
    required = 0
    for item, factor in combination.degrees:
        for other in board.knight_moves(item):
            total[_edge(item, other)] += factor
        if item in allowed:
            total[item] += factor
        required += 2 * factor
    for name, factor, ends in _end_equations(problem, combination):
        if factor and not ends:
            raise Fault(f"the combination uses the equation of the {name}, which the problem does not have")
        total.update(dict.fromkeys(ends, factor))
        required += factor * (2 if name == "ends" else 1)
    for cut in combination.cuts:
        _check_cut(problem, cut.squares)
        inside = set(cut.squares)
        for item in cut.squares:
            for other in board.knight_moves(item):
                if other not in inside:
                    total[_edge(item, other)] += cut.multiplier
            if item in allowed:
                total[item] += cut.multiplier
        required += 2 * cut.multiplier
    return total, required


def _end_equations(problem: KnightTour, combination: Combination) -> Iterator[tuple[str, int, tuple[Square, ...]]]:
    yield "ends", combination.ends, possible_ends(problem)
    given = (("start", combination.start, problem.start), ("end", combination.end, problem.end))
    for name, factor, item in given:
        yield name, factor, () if item is None or problem.closed else (item,)


def _edge(item: Square, other: Square) -> Edge:
    return (item, other) if item < other else (other, item)


def _check_cut(problem: KnightTour, squares: Sequence[Square]) -> None:
    """Raise `Fault` unless the set (of different squares of the board) is one that every tour must leave."""
    if not squares:
        raise Fault("a cut is the boundary of no square at all")
    if problem.closed and len(squares) == problem.board.size:
        raise Fault("a cut is the boundary of the whole board, which a closed tour need not leave")


def check_cuts(problem: KnightTour, cuts: Sequence[Sequence[Square]]) -> None:
    """Check that every cut is the boundary of a non-empty set of squares that a tour must leave."""
    for cut in cuts:
        _check_cut(problem, cut)


# JSON


def combination_json(combination: Combination) -> dict[str, Any]:
    """Return the combination as the JSON data of `combination.json`."""
    return {
        "degrees": [[*item, factor] for item, factor in combination.degrees],
        "ends": combination.ends,
        "start": combination.start,
        "end": combination.end,
        "cuts": [{"squares": squares_json(cut.squares), "multiplier": cut.multiplier} for cut in combination.cuts],
    }


def read_combination(board: Board, data: Any) -> Combination:
    """Return the combination that JSON data states; `Fault` if it states none."""
    check_size(board)
    values = fields(data, {"degrees", "ends", "start", "end", "cuts"}, "combination.json")
    degrees: dict[Square, int] = {}
    for item in items(values["degrees"], "degrees"):
        if not isinstance(item, list) or len(item) != 3:
            raise Fault("degrees: an entry is no [row, col, multiplier]")
        where = square(item[:2], "degrees", board.rows, board.cols)
        if where not in board or where in degrees:
            raise Fault(f"degrees: {where} is missing from the board, or named twice")
        degrees[where] = _factor(item[2])
    cuts = []
    for item in items(values["cuts"], "cuts"):
        cut = fields(item, {"squares", "multiplier"}, "a cut")
        found = squares_on(board, cut["squares"], "a cut")
        cuts.append(Cut(found, integer(cut["multiplier"], "a cut's multiplier", 1)))
    ends, start, end = (_factor(values[key]) for key in ("ends", "start", "end"))
    return Combination(tuple(degrees.items()), ends, start, end, tuple(cuts))


def check_size(board: Board) -> None:
    """Raise `TooLarge` for a board too large for a combination."""
    if board.size > MAX_SQUARES:
        raise TooLarge(f"the board has more than {MAX_SQUARES} squares, too many for a counting argument")


def _factor(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault(f"a multiplier is {quoted(value)}, not an integer")
    return value
