"""Short arguments that a board has no tour, as integer data and in a sentence. Imports no solver.

`find_argument` looks for one, cheaply. Nobody has to believe it: `exact.proof.arguments` turns every argument into
a combination of a tour's degrees and cuts that contradicts itself, which `exact.proof.counting` checks.
The central argument counts pieces: a tour from which k squares are removed falls into at most
k pieces (an open one into k + 1, less the given ends among the squares removed), so the board without these
squares must not have more: toughness, V. Chvatal, Discrete Mathematics 5 (1973). Without all squares of one
colour the pieces are the squares of the other, which gives the colour counts. That 4 x n boards have no closed
tour is L. Posa's argument (R. Honsberger, Mathematical Gems, 1973).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exact.tour_arguments import counting, structure
from exact.tour_arguments.data import Argument, Kind
from problems import KnightTour

__all__ = ["Argument", "Kind", "explanation", "find_argument"]

Search = Callable[[KnightTour], Iterator[Argument]]


_SEARCHES: tuple[Search, ...] = (
    counting.find_trivial,
    counting.find_colours,
    counting.find_dead_ends,
    structure.find_disconnected,
    counting.find_alternation,
    structure.find_forced,
    structure.find_pieces,
)

_SENTENCES: dict[Kind, Callable[[KnightTour, Argument], str]] = {
    Kind.TOO_FEW: counting.say_too_few,
    Kind.SAME_ENDS: counting.say_same_ends,
    Kind.DEAD_ENDS: counting.say_dead_ends,
    Kind.DISCONNECTED: structure.say_disconnected,
    Kind.COLOURS: counting.say_colours,
    Kind.ALTERNATION: counting.say_alternation,
    Kind.FORCED_SQUARE: structure.say_forced_square,
    Kind.FORCED_CYCLE: structure.say_forced_cycle,
    Kind.PIECES: structure.say_pieces,
}


def find_argument(problem: KnightTour) -> Argument | None:
    """Return the first argument found that there is no tour, or None: then nothing is known.

    Linear in the board, but for the search for separators, which is left out on large boards.
    """
    return next((found for search in _SEARCHES for found in search(problem)), None)


def explanation(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as one sentence for a person."""
    return _SENTENCES[argument.kind](problem, argument)
