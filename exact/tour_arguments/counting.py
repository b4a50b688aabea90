"""Arguments that count squares: too few, dead ends, colours, alternation on 4 x n.

A `find` function yields the argument if it applies, a `say` function puts it into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

from exact.tour_arguments.data import Argument, Kind, degree, ends, is_easy, names
from problems import Board, KnightTour, Square, colour


def find_trivial(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    size = problem.board.size
    if problem.closed and 0 < size < 3:
        yield Argument(Kind.TOO_FEW, (), (size,))
    if problem.start is not None and problem.start == problem.end and size > 1:
        yield Argument(Kind.SAME_ENDS, (problem.start,), (size,))


def say_too_few(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    return f"a closed tour needs at least three squares, the board has {argument.numbers[0]}"


def say_same_ends(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    return f"a tour of {argument.numbers[0]} squares cannot start and end on the same square"


def find_dead_ends(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    board = problem.board
    if board.size < 2 or is_easy(board):
        return
    found: list[tuple[Square, int]] = []
    for square in board.squares():
        if (moves := degree(board, square)) < 2:
            if moves == 0 or problem.closed:
                yield Argument(Kind.DEAD_ENDS, (square,), (moves,))
                return
            if square not in ends(problem):
                found.append((square, moves))
            if len(found) > 2 - len(ends(problem)):
                yield Argument(Kind.DEAD_ENDS, tuple(q for q, _ in found), tuple(d for _, d in found))
                return


def say_dead_ends(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    listed = names(problem.board, argument.squares)
    if 0 in argument.numbers:
        lone = problem.board.name(argument.squares[argument.numbers.index(0)])
        return f"no knight move leads to {lone}"
    if problem.closed:
        return f"{listed} has one knight move only, a closed tour needs two at every square"
    verb = "has" if len(argument.squares) == 1 else "have"
    free = ("only the two ends of a tour", "only the end that is not given", "no square but the given ends")
    return f"{listed} {verb} one knight move only, but {free[len(ends(problem))]} can do with one"


def _counts(board: Board) -> tuple[int, int]:
    odd = board.rows * board.cols // 2 - sum(map(colour, board.missing))
    return board.size - odd, odd


def _colours_forbid(problem: KnightTour) -> bool:
    """Whether colours, which alternate along a tour, forbid it."""
    corner, other = _counts(problem.board)
    colours = [colour(square) for square in ends(problem)]
    if problem.closed:
        return corner != other
    if abs(corner - other) > 1:
        return True
    if corner == other:
        return len(colours) == 2 and colours[0] == colours[1]
    return any(end != (0 if corner > other else 1) for end in colours)


def find_colours(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    if _colours_forbid(problem):
        yield Argument(Kind.COLOURS, () if problem.closed else ends(problem), _counts(problem.board))


def say_colours(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    corner, other = argument.numbers
    counts = (
        f"a knight changes colour with every move, and the board has {corner} + {other} squares of the colours"
    )
    if problem.closed:
        return f"{counts}: a closed tour needs equally many"
    if abs(corner - other) > 1:
        return f"{counts}: a tour needs numbers that differ by at most one"
    if corner == other:
        listed = names(problem.board, argument.squares)
        return f"{counts}: a tour ends on the other colour than it starts on, but {listed} have the same"
    larger = 0 if corner > other else 1
    wrong = problem.board.name(next(square for square in argument.squares if colour(square) != larger))
    return f"{counts}: a tour starts and ends on the colour with more, {wrong} has the other"


def find_alternation(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    board = problem.board
    if not problem.closed or 4 not in (board.rows, board.cols):
        return
    axis = 0 if board.rows == 4 else 1
    half = tuple(square for square in board.squares() if square[axis] in (0, 3))
    if _alternates(board, frozenset(half)):
        yield Argument(Kind.ALTERNATION, half, (len(half),))


def _alternates(board: Board, half: frozenset[Square]) -> bool:
    """Whether the squares are half of the board, of both colours, and no move joins two of them."""
    return (
        2 * len(half) == board.size
        and len(set(map(colour, half))) == 2
        and half.isdisjoint(move for square in half for move in board.knight_moves(square))
    )


def say_alternation(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    listed = names(problem.board, argument.squares, 4)
    return (
        f"no knight move joins two of {listed}, {len(argument.squares)} squares and half of the board, so a "
        "closed tour visits one of them with every other move, all on one colour; but they are of both colours"
    )
