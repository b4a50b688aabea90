"""Arguments about how a board hangs together: parts, forced moves, pieces without some squares.

Functions as in `exact.tour_arguments.counting`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exact.tour_arguments.data import EASY_SIDE, Argument, Kind, degree, ends, is_easy, names
from exact.tour_arguments.separators import find_separator
from problems import Board, KnightTour, Square


def find_disconnected(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    board = problem.board
    if board.size < 2 or is_easy(board):
        return
    reached, *others = board.components()
    if others:
        rest = tuple(sorted(square for part in others for square in part))
        smaller = min(reached, rest, key=len)
        yield Argument(Kind.DISCONNECTED, smaller, (len(smaller),))


def say_disconnected(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    listed = names(problem.board, argument.squares)
    return f"no knight move leads from {listed} to the rest of the board"


def find_forced(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    board = problem.board
    if not problem.closed or board.size < 4:
        return
    forced: dict[Square, set[Square]] = {}
    for square in _low_squares(board):
        if len(moves := board.knight_moves(square)) == 2:
            for move in moves:
                forced.setdefault(square, set()).add(move)
                forced.setdefault(move, set()).add(square)
    for square in sorted(forced):
        narrow = tuple(sorted(other for other in forced[square] if degree(board, other) == 2))
        if len(narrow) > 2:
            yield Argument(Kind.FORCED_SQUARE, (square, *narrow), (len(narrow),))
            return
    if all(len(others) <= 2 for others in forced.values()):
        yield from _forced_cycles(problem, forced)


def _low_squares(board: Board) -> Iterator[Square]:
    """Yield the squares that may have only two moves: on full boards they lie near the corners."""
    if board.missing or min(board.rows, board.cols) < EASY_SIDE + 1:
        yield from board.squares()
    else:
        yield from ((row, col) for row in (0, board.rows - 1) for col in (0, board.cols - 1))


def _forced_cycles(problem: KnightTour, forced: dict[Square, set[Square]]) -> Iterator[Argument]:
    seen: set[Square] = set()
    for first in sorted(forced):
        if first in seen:
            continue
        cycle, here = [first], first
        seen.add(first)
        while following := sorted(forced[here] - seen):
            here = following[0]
            seen.add(here)
            cycle.append(here)
        if _is_forced_cycle(problem.board, cycle):
            yield Argument(Kind.FORCED_CYCLE, tuple(cycle), (len(cycle),))
            return


def _is_forced_cycle(board: Board, squares: Sequence[Square]) -> bool:
    """Whether moves join the squares in a cycle, not all of them; of any two neighbours one has two moves only."""
    steps = zip(squares, (*squares[1:], squares[0]), strict=True)
    return 3 <= len(squares) < board.size and all(
        b in board.knight_moves(a) and 2 in (degree(board, a), degree(board, b)) for a, b in steps
    )


def say_forced_square(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    board = problem.board
    square, *narrow = argument.squares
    listed = names(board, tuple(narrow))
    return (
        f"{listed} have two knight moves each, so a closed tour would have {board.name(square)} next to them all"
    )


def say_forced_cycle(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    listed = names(problem.board, argument.squares)
    return f"squares with two knight moves force {listed} into a round trip of their own"


def allowed_pieces(problem: KnightTour, removed: frozenset[Square]) -> int:
    """Return into how many pieces, at most, a tour falls without the squares `removed` (not empty)."""
    if problem.closed:
        return len(removed)
    return len(removed) + 1 - sum(end in removed for end in ends(problem))


def find_pieces(problem: KnightTour) -> Iterator[Argument]:
    """Yield the argument if it applies."""
    removed = find_separator(problem.board, () if problem.closed else ends(problem), 0 if problem.closed else 1)
    if removed is not None:
        number = len(problem.board.components(removed))
        yield Argument(Kind.PIECES, removed, (number,))


def say_pieces(problem: KnightTour, argument: Argument) -> str:
    """Return the argument as a sentence."""
    allowed = allowed_pieces(problem, frozenset(argument.squares))
    listed = names(problem.board, argument.squares)
    kind = "a closed" if problem.closed else "an open"
    count = f"{len(argument.squares)} squares " if len(argument.squares) > 1 else ""
    return (
        f"without {count}{listed} the board falls into {argument.numbers[0]} pieces, "
        f"{kind} tour into {allowed} at most"
    )
