"""What the knight heuristics share: checks of the input, the budget, the record of a run."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from time import perf_counter
from typing import Any, TypeVar

from problems import (
    Counters,
    Ending,
    Improvement,
    InputError,
    KnightCover,
    Limits,
    Placement,
    Result,
    Status,
    Watcher,
)
from problems.errors import shown

Choice = TypeVar("Choice", bound=StrEnum)


class Budget:
    """The effort that may still be made; the clock is looked at between chunks of it only.

    So the trajectory of a seed does not depend on the clock, except where it is cut. Without a limit on
    evaluations or seconds `default_effort` is the limit: nothing runs for ever.
    """

    def __init__(self, limits: Limits, *, default_effort: int) -> None:
        self._started = perf_counter()
        self._seconds = limits.seconds
        effort = limits.evaluations
        self._effort = default_effort if effort is None and limits.seconds is None else effort
        self.spent = 0

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._started

    @property
    def ending(self) -> Ending | None:
        """Why the budget is at its end, or None while it is not."""
        if self._effort is not None and self.spent >= self._effort:
            return Ending.EVALUATIONS
        if self._seconds is not None and self.seconds >= self._seconds:
            return Ending.TIME
        return None

    def chunk(self, largest: int) -> int:
        """Return the effort to make before the clock is looked at again, `largest` at most."""
        return largest if self._effort is None else min(largest, self._effort - self.spent)


class Session:
    """One run: what was asked of which method, its budget, the trace of improvements and who watches them."""

    def __init__(
        self, method: str, problem: KnightCover, edition: str, seed: int, budget: Budget, watch: Watcher | None
    ) -> None:
        self._method = method
        self._problem = problem
        self._edition = edition
        self._seed = seed
        self._watch = watch
        self.budget = budget
        self.trace: list[Improvement] = []

    def improved(self, value: int, state: Placement) -> None:
        """Record a value better than any before and show the watcher the state that has it."""
        improvement = Improvement(self.budget.spent, value, self.budget.seconds)
        self.trace.append(improvement)
        if self._watch is not None:
            self._watch(improvement, state)

    def found(self, answer: Placement, ending: Ending, counters: Counters) -> Result:
        """Return the result of a run that has an answer."""
        return self._result(Status.FEASIBLE, answer, None, ending, counters)

    def unknown(self, best: Placement, ending: Ending, counters: Counters) -> Result:
        """Return the result of a run that has only a best state."""
        return self._result(Status.UNKNOWN, None, best, ending, counters)

    def cover(self, cover: Placement, ending: Ending, counters: Counters) -> Result:
        """Return the result of a run whose best state is a cover: an answer unless it has too many knights."""
        limit = self._problem.at_most
        report = self.found if limit is None or len(cover) <= limit else self.unknown
        return report(cover, ending, counters)

    def _result(
        self, status: Status, answer: Placement | None, best: Placement | None, ending: Ending, counters: Counters
    ) -> Result:
        return Result(
            method=self._method,
            problem=self._problem,
            status=status,
            ending=ending,
            seconds=self.budget.seconds,
            edition=self._edition,
            answer=answer,
            best=best,
            objective=None if answer is None else len(answer),
            counters=counters,
            seed=self._seed,
            trace=tuple(self.trace),
        )


def chunk_size(squares: int) -> int:
    """Return how many moves to make between looks at the clock: fewer where a move costs more."""
    return max(32, 8192 * 1024 // max(1024, squares))


def reason_against(problem: KnightCover) -> str | None:
    """Return why no placement can exist, as far as a heuristic can see: squares that nothing attacks."""
    board = problem.board
    if not board.missing and min(board.rows, board.cols) >= 3 and max(board.rows, board.cols) >= 4:
        return None
    if unreachable := problem.unreachable():
        return f"a {board} board, on which no square attacks {board.name(unreachable[0])}"
    return None


def check_knights(problem: KnightCover) -> None:
    """Raise `InputError` unless the number of knights, if one is given, is between 1 and that of squares."""
    knights, squares = problem.at_most, problem.board.size
    if knights is not None and not 1 <= knights <= squares:
        raise InputError(
            f"between 1 and {squares} knights on a {problem.board}", shown(knights), where="--knights"
        )


def check_initial(problem: KnightCover, initial: Placement) -> None:
    """Raise `InputError` if a square of an initial state is not on the board."""
    for square in initial:
        if square not in problem.board:
            raise InputError(f"squares on the {problem.board} board", shown(square), where="--initial")


def whole(value: object, least: int, name: str) -> None:
    """Raise `InputError` unless a parameter is a whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"a whole number of {least} or more", shown(value), where=name)


def number(value: object, name: str) -> None:
    """Raise `InputError` unless a parameter is a finite number."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not isfinite(value):
        raise InputError("a finite number", shown(value), where=name)


def choice(kind: type[Choice], value: Any, name: str) -> Choice:
    """Return the member of an enumeration for its value; `InputError` lists the values."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"one of {', '.join(kind)}", shown(value), where=name) from None
