"""Lists of moves: from one square to the next, each move beginning where the last one ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from problems.errors import InputError, shown


def are_moves(moves: Sequence[tuple[str, str]], key: Callable[[str], str]) -> bool:
    """Whether at least half of two or more moves begin where the one before ended: no list of squares does.

    Squares are the same where their keys are.
    """
    links = [key(target) == key(origin) for (_, target), (origin, _) in pairwise(moves)]
    return bool(links) and 2 * sum(links) >= len(links) and all(key(a) != key(b) for a, b in moves)


def path_of_moves(
    moves: Sequence[tuple[str, str]], key: Callable[[str], str]
) -> tuple[list[str], tuple[str, ...]]:
    """Return the squares that the moves visit, with notes; a last move back to the start visits none.

    Raises `InputError` for a move that begins elsewhere than the one before ended.
    """
    for number, ((_, target), (origin, _)) in enumerate(pairwise(moves), 2):
        if key(target) != key(origin):
            raise InputError(
                "moves that follow each other",
                " and then ".join(shown(key(square), 20).strip("'") for square in (target, origin)),
                where=f"move {number}",
                hint="list the squares",
            )
    squares = [moves[0][0], *(target for _, target in moves)]
    notes: tuple[str, ...] = ("moves read as the path they make up",)
    if len(squares) > 2 and key(squares[-1]) == key(squares[0]):
        squares.pop()
        notes += ("the last move, back to the start, is no square of its own",)
    return squares, notes
