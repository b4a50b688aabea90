"""What is true of small covers, from one-line predicates; and solver jobs run in place of children."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from exact.child import Job, Outcome
from problems import Board, Ending, KnightCover, Limits, Placement, Rule, Square


def attacks(knight: Square, square: Square) -> bool:
    return {abs(knight[0] - square[0]), abs(knight[1] - square[1])} == {1, 2}


def covers(board: Board, rule: Rule, knights: Sequence[Square]) -> bool:
    """Whether every square is attacked, or occupied where the rule lets that count; no attacks if independent."""
    return all(
        any(attacks(k, square) or (rule is not Rule.TOTAL and k == square) for k in knights)
        for square in board.squares()
    ) and not (rule is Rule.INDEPENDENT and any(attacks(a, b) for a, b in combinations(knights, 2)))


def fewest(board: Board, rule: Rule) -> set[Placement]:
    """Return all covers with the fewest knights, none if there is no cover."""
    squares = tuple(board.squares())
    for number in range(len(squares) + 1):
        if found := {knights for knights in combinations(squares, number) if covers(board, rule, knights)}:
            return found
    return set()


def run_here(
    jobs: Sequence[Job],
    *,
    limits: Limits,
    workers: int | None = None,
    on_report: Callable[[int, Any], bool | None] | None = None,
) -> tuple[Outcome, ...]:
    """Do what `exact.child.run_jobs` does, one job after the other in this process and without limits."""
    outcomes: list[Outcome] = []
    for index, job in enumerate(jobs):
        module, _, name = job.function.partition(":")

        def report(message: Any, index: int = index) -> None:
            if on_report and on_report(index, message):
                raise _Stopped

        try:
            value = getattr(importlib.import_module(module), name)(*job.arguments, report)
            outcomes.append(Outcome(Ending.FINISHED, 0.0, value))
        except _Stopped:
            left = len(jobs) - index
            return (*outcomes, *(Outcome(Ending.CANCELLED, 0.0) for _ in range(left)))
    return tuple(outcomes)


class _Stopped(Exception):
    pass


def cover_on(rows: int, cols: int, rule: Rule = Rule.TOTAL, missing: str = "", **more: Any) -> KnightCover:
    """Return a problem on a board without the squares named, e.g. `"a1 b2"`."""
    plain = Board(rows, cols)
    return KnightCover(Board(rows, cols, frozenset(map(plain.square_named, missing.split()))), rule, **more)
