"""Problems and numbers in words, for verdicts and the command line."""

from __future__ import annotations

from collections.abc import Iterable

from problems import Board, KnightCover, Problem, Queens, Square

_PLURALS = {"branch": "branches", "leaf": "leaves"}

_NAMED = 12
"""How many squares are named before the rest is only counted."""


def numbered(number: int, noun: str) -> str:
    """Return a number of things, such as '1 knight' or '9,862 tours'."""
    return f"{number:,} {noun if number == 1 else _PLURALS.get(noun, f'{noun}s')}"


def described(problem: Problem) -> str:
    """Return the problem as a phrase, such as 'the 8x8 board under the rule total'."""
    if isinstance(problem, KnightCover):
        return f"the {_board(problem.board)} under the rule {problem.rule.value}"
    if isinstance(problem, Queens):
        given = f" with {_named(problem.board, problem.given)} given" if problem.given else ""
        return f"{numbered(problem.n, 'queen')}{given}"
    ends = [
        f"from {problem.board.name(problem.start)}" if problem.start is not None else "",
        f"to {problem.board.name(problem.end)}" if problem.end is not None else "",
    ]
    kind = "closed" if problem.closed else "open"
    return " ".join([f"{kind} tours of the {_board(problem.board)}", *filter(None, ends)])


def _board(board: Board) -> str:
    size = f"{board.rows}x{board.cols} board"
    return f"{size} without {_named(board, sorted(board.missing))}" if board.missing else size


def _named(board: Board, squares: Iterable[Square]) -> str:
    names = [board.name(square) for square in squares]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
