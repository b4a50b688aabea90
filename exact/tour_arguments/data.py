"""What an argument that there is no tour is: integer data, and the words that all kinds of it share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from problems import Board, KnightTour, Square

EASY_SIDE = 4
"""On full rectangles with both sides of at least so many squares degrees are 2 or more, the graph is connected."""


class Kind(StrEnum):
    """What an argument says; the meaning of its squares and numbers."""

    TOO_FEW = "too-few"
    """A closed tour of fewer than three squares. Numbers: the squares of the board."""
    SAME_ENDS = "same-ends"
    """Start and end are the same, the board has more squares. Squares: the one. Numbers: those of the board."""
    DEAD_ENDS = "dead-ends"
    """More squares with fewer than two moves than a tour can have there. Numbers: how many moves each has."""
    DISCONNECTED = "disconnected"
    """No move leads out of the squares, and they are not all. Numbers: how many they are."""
    COLOURS = "colours"
    """The numbers of squares of each colour, that of the top left corner first, forbid it (for these ends)."""
    ALTERNATION = "alternation"
    """The squares are half of the board, of both colours, and no move joins two of them: no closed tour."""
    FORCED_SQUARE = "forced-square"
    """A closed tour would visit the first square next to all the others, three or more, with two moves each."""
    FORCED_CYCLE = "forced-cycle"
    """Squares in cyclic order, not all; of any two neighbours one has only two moves. No closed tour."""
    PIECES = "pieces"
    """Without the squares the board falls into too many pieces. Numbers: how many pieces."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Why a problem has no tour: see `Kind` for what the squares and the numbers are."""

    kind: Kind
    squares: tuple[Square, ...]
    numbers: tuple[int, ...]


def ends(problem: KnightTour) -> tuple[Square, ...]:
    """Return the given ends of the tour: start, end, both or none."""
    return tuple(square for square in (problem.start, problem.end) if square is not None)


def is_easy(board: Board) -> bool:
    """Whether every square is known to have two moves, and every one to be reached: see `EASY_SIDE`."""
    return not board.missing and min(board.rows, board.cols) >= EASY_SIDE


def degree(board: Board, square: Square) -> int:
    """Return the number of knight moves from a square."""
    return len(board.knight_moves(square))


def names(board: Board, squares: tuple[Square, ...], most: int = 12) -> str:
    """Return the names of the squares, at most so many of them."""
    shown = ", ".join(board.name(square) for square in squares[:most])
    return shown if len(squares) <= most else f"{shown} and {len(squares) - most} more"
