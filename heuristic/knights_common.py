"""What the knight heuristics share: checks of the input, the budget, and the log of improvements."""

from __future__ import annotations

from enum import StrEnum
from time import perf_counter
from typing import Any, TypeVar

from problems import Answer, Ending, Improvement, InputError, KnightCover, Limits, Watcher
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


class Log:
    """The trace of improvements, told to the watcher as they happen."""

    def __init__(self, budget: Budget, watch: Watcher | None) -> None:
        self._budget = budget
        self._watch = watch
        self.trace: list[Improvement] = []

    def improved(self, value: int, state: Answer) -> None:
        """Record a value better than any before and show the watcher the state that has it."""
        improvement = Improvement(self._budget.spent, value, self._budget.seconds)
        self.trace.append(improvement)
        if self._watch is not None:
            self._watch(improvement, state)


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


def check_initial(problem: KnightCover, initial: Answer) -> None:
    """Raise `InputError` if a square of an initial state is not on the board."""
    for square in initial:
        if square not in problem.board:
            raise InputError(f"squares on the {problem.board} board", shown(square), where="--initial")


def whole(value: object, least: int, name: str) -> None:
    """Raise `InputError` unless a parameter is a whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"a whole number of {least} or more", shown(value), where=name)


def choice(kind: type[Choice], value: Any, name: str) -> Choice:
    """Return the member of an enumeration for its value; `InputError` lists the values."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"one of {', '.join(kind)}", shown(value), where=name) from None
