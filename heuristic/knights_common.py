"""What the knight heuristics share: checks of the input and the record of a run."""

from __future__ import annotations

from collections.abc import Callable

from heuristic.budget import Budget
from heuristic.watching import Audience
from problems import (
    Counters,
    Ending,
    Improvement,
    InputError,
    KnightCover,
    Placement,
    Result,
    Status,
    Watcher,
)
from problems.errors import shown


class Session:
    """One run: what was asked of which method, its budget, the trace of improvements and who watches them."""

    def __init__(
        self, method: str, problem: KnightCover, edition: str, seed: int, budget: Budget, watch: Watcher | None
    ) -> None:
        self._method = method
        self._problem = problem
        self._edition = edition
        self._seed = seed
        self._audience = Audience(watch)
        self.budget = budget
        self.trace: list[Improvement] = []

    @property
    def ending(self) -> Ending | None:
        """Why the budget is at its end, or None; looked at between chunks, when a watcher can catch up as well."""
        self._audience.catch_up()
        return self.budget.ending

    def improved(self, value: int, state: Callable[[], Placement]) -> None:
        """Record a value better than any before; the watcher is shown its state, which is made only then."""
        self.trace.append(Improvement(self.budget.spent, value, self.budget.seconds))
        self._audience.improved(self.trace[-1], state)

    def stateless(self, counters: Counters) -> Result:
        """Return the result of a run whose time was up before it had any state."""
        return self._result(Status.UNKNOWN, None, None, Ending.TIME, counters)

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
        self._audience.close()
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
