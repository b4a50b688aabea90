"""Short arguments that a board has no tour, as integer data that anyone can check. Imports no solver.

`find_argument` looks for one, cheaply; `holds` checks one that it knows nothing else about, so an argument
can be kept in a file. The central one counts pieces: a tour from which k squares are removed falls into at most
k pieces (an open one into k + 1, less the given ends among the squares removed), so the board without these
squares must not have more: toughness, V. Chvatal, Discrete Mathematics 5 (1973). Without all squares of one
colour the pieces are the squares of the other, which gives the colour counts. That 4 x n boards have no closed
tour is L. Posa's argument (R. Honsberger, Mathematical Gems, 1973).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from exact.tour_arguments import counting, structure
from exact.tour_arguments.data import Argument, Kind
from problems import KnightTour

__all__ = ["Argument", "Kind", "explanation", "find_argument", "holds"]

Search = Callable[[KnightTour], Iterator[Argument]]


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a kind of argument is checked, and put into a sentence."""

    check: Callable[[KnightTour, Argument], bool]
    say: Callable[[KnightTour, Argument], str]


_SEARCHES: tuple[Search, ...] = (
    counting.find_trivial,
    counting.find_colours,
    counting.find_dead_ends,
    structure.find_disconnected,
    counting.find_alternation,
    structure.find_forced,
    structure.find_pieces,
)

_RULES: dict[Kind, _Rule] = {
    Kind.TOO_FEW: _Rule(counting.check_too_few, counting.say_too_few),
    Kind.SAME_ENDS: _Rule(counting.check_same_ends, counting.say_same_ends),
    Kind.DEAD_ENDS: _Rule(counting.check_dead_ends, counting.say_dead_ends),
    Kind.DISCONNECTED: _Rule(structure.check_disconnected, structure.say_disconnected),
    Kind.COLOURS: _Rule(counting.check_colours, counting.say_colours),
    Kind.ALTERNATION: _Rule(counting.check_alternation, counting.say_alternation),
    Kind.FORCED_SQUARE: _Rule(structure.check_forced_square, structure.say_forced_square),
    Kind.FORCED_CYCLE: _Rule(structure.check_forced_cycle, structure.say_forced_cycle),
    Kind.PIECES: _Rule(structure.check_pieces, structure.say_pieces),
}


def find_argument(problem: KnightTour) -> Argument | None:
    """Return the first argument found that there is no tour, or None: then nothing is known.

    Linear in the board, but for the search for separators, which is left out on large boards.
    """
    return next((found for search in _SEARCHES for found in search(problem)), None)


def holds(problem: KnightTour, argument: Argument) -> bool:
    """Whether the argument is right, and with it that the problem has no tour; never trusts its data."""
    squares, rule = argument.squares, _RULES.get(argument.kind)
    if rule is None or len(set(squares)) != len(squares) or not all(square in problem.board for square in squares):
        return False
    return rule.check(problem, argument)


def explanation(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as one sentence for a person."""
    return _RULES[argument.kind].say(problem, argument)
