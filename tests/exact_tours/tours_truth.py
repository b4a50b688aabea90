"""The truth about small boards, from the definition alone, and boards to try."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from exact.child import Job, Outcome
from problems import Board, Ending, KnightTour, Limits, Path, Square

Seen = frozenset[Any]


def all_paths(board: Board, start: Square) -> Iterator[Path]:
    """Every way to visit all squares once by knight moves, from a start."""

    def extend(path: list[Square]) -> Iterator[Path]:
        if len(path) == board.size:
            yield tuple(path)
        for square in board.knight_moves(path[-1]):
            if square not in path:
                yield from extend([*path, square])

    return extend([start])


def all_tours(problem: KnightTour) -> list[Path]:
    """Every path that the problem accepts, directed."""
    starts = [problem.start] if problem.start is not None else list(problem.board.squares())
    return [path for start in starts for path in all_paths(problem.board, start) if not problem.violations(path)]


@cache
def any_tour(problem: KnightTour) -> bool:
    return bool(all_tours(problem))


def edges(path: Path, closed: bool) -> Seen:
    ends = path[1:] + path[:1] if closed else path[1:]
    return frozenset(frozenset(step) for step in zip(path, ends, strict=False))


def seen(problem: KnightTour, paths: Any) -> Seen:
    """What is counted: undirected tours as sets of edges, directed ones as they are."""
    if problem.closed or (problem.start is None and problem.end is None):
        return frozenset(edges(path, problem.closed) for path in paths)
    return frozenset(paths)


def truth(problem: KnightTour) -> Seen:
    return seen(problem, all_tours(problem))


def classes(problem: KnightTour) -> int:
    """How many tours differ under the board's symmetries, as undirected ones."""
    tours = [tuple(path) for path in all_tours(problem)]
    board = problem.board
    return len({frozenset(edges(image, problem.closed) for image in board.images(path)) for path in tours})


def ignore(message: Any) -> None:
    """A report that nobody hears."""


def inline(job: Job, *, limits: Limits, on_report: Any = None) -> Outcome:
    """`exact.child.run_job` without the child."""
    began = time.monotonic()
    module, _, name = job.function.partition(":")
    value = getattr(importlib.import_module(module), name)(*job.arguments, on_report or ignore)
    return Outcome(Ending.FINISHED, time.monotonic() - began, value)


@st.composite
def small_tours(draw: st.DrawFn, most_squares: int = 14) -> KnightTour:
    """A tour problem on a small board, with or without holes, ends or closed."""
    rows, cols = draw(
        st.sampled_from([(1, 1), (2, 3), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4), (3, 6), (4, 5), (5, 5)])
    )
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    least = max(0, len(squares) - most_squares)
    missing = draw(st.sets(st.sampled_from(squares), min_size=least, max_size=max(least, 4)))
    board = Board(rows, cols, frozenset(missing) if len(missing) < len(squares) else frozenset())
    present = list(board.squares())
    kind = draw(st.sampled_from(["closed", "closed from", "free", "start", "end", "both"]))
    one, other = draw(st.sampled_from(present)), draw(st.sampled_from(present))
    match kind:
        case "closed":
            return KnightTour(board, closed=True)
        case "closed from":
            return KnightTour(board, start=one, closed=True)
        case "free":
            return KnightTour(board)
        case "start":
            return KnightTour(board, start=one)
        case "end":
            return KnightTour(board, end=other)
        case _:
            return KnightTour(board, start=one, end=other)


NAMED: tuple[KnightTour, ...] = (
    KnightTour(Board(3, 4)),
    KnightTour(Board(4, 3), start=(0, 0)),
    KnightTour(Board(3, 4), end=(0, 0)),
    KnightTour(Board(3, 4), start=(0, 0), end=(1, 0)),
    KnightTour(Board(4, 5), start=(0, 0)),
    KnightTour(Board(3, 6), closed=True),
    KnightTour(Board(3, 3, frozenset({(1, 1)})), closed=True),
    KnightTour(Board(3, 3, frozenset({(1, 1)}))),
    KnightTour(Board(3, 3, frozenset({(1, 1)})), start=(0, 1), closed=True),
    KnightTour(Board(4, 4, frozenset({(0, 0), (3, 3)}))),
    KnightTour(Board(4, 4, frozenset({(0, 0), (0, 3), (3, 0), (3, 3)})), closed=True),
    KnightTour(Board(2, 3, frozenset({(0, 1), (1, 1), (0, 2), (1, 0)}))),
    KnightTour(Board(2, 3, frozenset({(0, 0), (0, 1), (1, 1), (1, 2)}))),
    KnightTour(Board(3, 4, frozenset({(0, 0)})), closed=True),
    KnightTour(Board(2, 3, frozenset({(0, 1), (1, 1), (0, 2), (1, 0)})), closed=True),
)
"""Boards with and without tours: the 3x3 ring, two squares a move apart, holes in corners."""
