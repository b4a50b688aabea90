"""Step matrices: each square holds the number of the step that visits it, counted from 0 or from 1.

Squares that are not visited hold 0 (when the steps count from 1), -1 or a blank mark. Steps that stand on several
squares and steps that stand on none are faults of the matrix: the path, in the order of the numbers and row by row
among equal ones, does not show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from problems.board import Board, Square
from problems.formats.candidates import Candidate
from problems.formats.lists import is_permutation
from problems.tours import is_knight_move
from problems.violation import Violation

UNVISITED = -1
"""Stands for a square without a step in the rows given to `path_from_steps`."""


def path_from_steps(rows: Sequence[Sequence[int]], form: str = "step matrix") -> Candidate:
    """Return the reading of a matrix of step numbers, all rows of which have the same length."""
    board = Board(len(rows), len(rows[0]))
    flat = list(chain.from_iterable(rows))
    if is_permutation(flat, 0):
        return _complete(flat, 0, board, form)
    if is_permutation(flat, 1):
        return _complete(flat, 1, board, form)
    visited = [value for value in flat if value > 0]
    if 0 not in flat:
        # Without a 0 the steps count from 1, unless some square is marked as unvisited and 1 is missing too.
        return _listed(flat, 1, board, f"{form}, 1-based", hidden=UNVISITED)
    if len(visited) < len(flat) and is_permutation(visited, 1) and UNVISITED not in flat:
        note = f"0 taken for the {flat.count(0)} squares without a step: the other numbers are 1 to {len(visited)}"
        return _listed(flat, 1, board, f"{form}, 1-based, 0 = not visited", hidden=0).noting(note)
    return _listed(flat, 0, board, f"{form}, 0-based", hidden=UNVISITED)


def _complete(flat: list[int], base: int, board: Board, form: str) -> Candidate:
    order: list[Square] = [(0, 0)] * len(flat)
    for square, value in zip(board.squares(), flat, strict=True):
        order[value - base] = square
    squares = tuple(order)
    if base == 0 and len(flat) > 2 and not is_knight_move(squares[0], squares[1]) and is_path(squares[1:]):
        note = (
            "0 taken for the square without a step, since the steps from 1 on are knight moves and 0 to 1 is not"
        )
        unfinished = f"{form}, 1-based, 0 = not visited"
        return Candidate(unfinished, squares[1:], board, notes=(note,))
    return Candidate(f"{form}, {base}-based", squares, board)


def is_path(squares: Sequence[Square]) -> bool:
    """Whether all steps are knight moves."""
    return all(is_knight_move(a, b) for a, b in pairwise(squares))


def _listed(flat: list[int], base: int, board: Board, form: str, hidden: int) -> Candidate:
    """Return the path in the order of the numbers, with the faults of the matrix; `hidden` marks no step."""
    steps = [(value, index) for index, value in enumerate(flat) if value != hidden]
    steps.sort()
    squares = tuple(divmod(index, board.cols) for _, index in steps)
    return Candidate(form, squares, board, faults=tuple(_faults(steps, base, board)))


def _faults(steps: list[tuple[int, int]], base: int, board: Board) -> list[Violation]:
    """Return the repeated steps, then the missing ones: those below the number of squares that have a step."""
    places: dict[int, list[Square]] = {}
    for value, index in steps:
        places.setdefault(value, []).append(divmod(index, board.cols))
    repeated = [Violation("repeated-step", tuple(p), value) for value, p in places.items() if len(p) > 1]
    missing = [Violation("missing-step", (), v) for v in range(base, base + len(steps)) if v not in places]
    return repeated + missing
