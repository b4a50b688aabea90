"""From arguments that a board has no tour to integer combinations of its degrees and cuts.

`exact.tour_arguments` looks for the arguments; every kind of them is a combination of the constraints that
`exact.proof.counting` adds up, so one checker serves them all. What comes out is checked there, not trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from exact.child import Report
from exact.proof.counting import Combination, Cut, check_combination
from exact.proof.reading import Fault
from exact.tour_arguments import Argument, Kind, find_argument
from problems import Board, KnightTour, Square, colour

Factors = dict[Square, int]


def combination(problem: KnightTour, report: Report) -> Combination | None:
    """Do what `find_combination` does, as a job for a child process; reports nothing."""
    return find_combination(problem)


def find_combination(problem: KnightTour) -> Combination | None:
    """Return a combination that proves that there is no tour, or None where no argument is found."""
    argument = find_argument(problem)
    if argument is None:
        return None
    found = _COMBINATIONS[argument.kind](problem, argument)
    try:
        check_combination(problem, found)
    except Fault:
        return None
    return found


def _degrees(squares: Iterable[Square], factor: int) -> Factors:
    return dict.fromkeys(squares, factor)


def _combination(
    factors: Factors, ends: int = 0, start: int = 0, end: int = 0, cuts: Iterable[Cut] = ()
) -> Combination:
    ordered = tuple((square, factor) for square, factor in sorted(factors.items()) if factor)
    return Combination(ordered, ends, start, end, tuple(cuts))


def _too_few(problem: KnightTour, argument: Argument) -> Combination:
    return _combination(_degrees(problem.board.squares(), 1))


def _same_ends(problem: KnightTour, argument: Argument) -> Combination:
    return _combination({}, ends=1)


def _dead_ends(problem: KnightTour, argument: Argument) -> Combination:
    """Too many squares that can only be ends: their degrees, less the ends there are."""
    if problem.closed or 0 in argument.numbers:
        lowest = min(zip(argument.numbers, argument.squares, strict=True))[1]
        return _combination({lowest: 1})
    start, end = (int(square is not None) for square in (problem.start, problem.end))
    return _combination(_degrees(argument.squares, 1), -1, start, end)


def _disconnected(problem: KnightTour, argument: Argument) -> Combination:
    """A set that no move leaves; an open tour has two ends only, but would need two on either side."""
    if problem.closed:
        return _combination({}, cuts=[Cut(argument.squares, 1)])
    rest = tuple(square for square in problem.board.squares() if square not in set(argument.squares))
    return _combination({}, ends=-1, cuts=[Cut(argument.squares, 1), Cut(rest, 1)])


def _colours(problem: KnightTour, argument: Argument) -> Combination:
    """Every move joins the colours, so their degrees add up to the same, but for the ends of an open tour."""
    larger = 0 if argument.numbers[0] >= argument.numbers[1] else 1
    if problem.closed:
        return _combination(_coloured(problem.board, larger, 1))
    if argument.numbers[0] == argument.numbers[1]:
        return _combination(_coloured(problem.board, colour(argument.squares[0]), -1), 0, 1, 1)
    start, end = (
        2 if square is not None and colour(square) != larger else 0 for square in (problem.start, problem.end)
    )
    return _combination(_coloured(problem.board, larger, 1), -1, start, end)


def _coloured(board: Board, which: int, factor: int) -> Factors:
    return {square: factor if colour(square) == which else -factor for square in board.squares()}


def _alternation(problem: KnightTour, argument: Argument) -> Combination:
    """Half of the squares has no move within, so the other half uses none; then one of them and one colour stay.

    The cut is around the squares of the half that have one colour and the others that have the other colour.
    """
    half, squares = set(argument.squares), tuple(problem.board.squares())
    factors = {square: 1 if square in half else -1 for square in squares}
    inside = tuple(square for square in squares if (square in half) == (colour(square) == 0))
    return _combination(factors, cuts=[Cut(inside, 2)])


def _forced_square(problem: KnightTour, argument: Argument) -> Combination:
    """Squares with two moves use both; too many of them lead to the first square."""
    square, *narrow = argument.squares
    return _combination({**_degrees(narrow, 1), square: -1})


def _forced_cycle(problem: KnightTour, argument: Argument) -> Combination:
    """Squares with two moves use both; these moves close a cycle that is to be left."""
    board = problem.board
    factors = {square: 1 if len(board.knight_moves(square)) == 2 else -1 for square in argument.squares}
    return _combination(factors, cuts=[Cut(argument.squares, 1)])


def _pieces(problem: KnightTour, argument: Argument) -> Combination:
    """Every piece is to be entered and left, by way of the squares removed alone, and these have degree two."""
    removed = set(argument.squares)
    cuts = [Cut(piece, 1) for piece in problem.board.components(removed)]
    factors = _degrees(argument.squares, -1)
    if problem.closed:
        return _combination(factors, cuts=cuts)
    start, end = (2 if square in removed else 0 for square in (problem.start, problem.end))
    return _combination(factors, -1, start, end, cuts)


_COMBINATIONS: dict[Kind, Callable[[KnightTour, Argument], Combination]] = {
    Kind.TOO_FEW: _too_few,
    Kind.SAME_ENDS: _same_ends,
    Kind.DEAD_ENDS: _dead_ends,
    Kind.DISCONNECTED: _disconnected,
    Kind.COLOURS: _colours,
    Kind.ALTERNATION: _alternation,
    Kind.FORCED_SQUARE: _forced_square,
    Kind.FORCED_CYCLE: _forced_cycle,
    Kind.PIECES: _pieces,
}
