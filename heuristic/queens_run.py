"""The loop around every heuristic for queens: budget, clock, trace of improvements, result; and the input checks.

A method is a walk that is advanced in chunks; the clock is looked at between them only, so that a seed's
trajectory does not depend on it, except where it is cut. Inside, every method minimises a cost that is 0 just
for solutions; what it shows as its value may be something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Protocol

from heuristic.budget import Budget
from heuristic.watching import Audience
from problems import (
    Answer,
    Counters,
    Ending,
    Improvement,
    InputError,
    Limits,
    Placement,
    Problem,
    Queens,
    Result,
    Status,
    Watcher,
)
from problems.errors import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_EVERY_IMPROVEMENT_UP_TO = 2_000
_CHUNK_OPERATIONS = 20_000_000


State = Callable[[], Placement]
"""A state kept as arrays: calling it gives the squares, as many as queens. A million of them take a while."""


class Phase(IntEnum):
    """How far a walk has come."""

    RUNNING = 0
    SOLVED = 1
    GIVEN_UP = 2


class Walk(Protocol):
    """A search that goes on where it stopped, from a first state that it already has.

    Its class has `warm()`, which has its kernels compiled or loaded: a method calls it before `drive`.
    """

    @property
    def cost(self) -> int:
        """The cost of the current state, 0 just for solutions."""

    @property
    def effort(self) -> int:
        """The steps made so far."""

    @property
    def phase(self) -> Phase:
        """Whether there is something left to do."""

    @property
    def operations(self) -> int:
        """What a step costs, in elementary operations; it sets how often the clock is read."""

    def advance(self, most: int, target: int) -> None:
        """Make at most `most` steps, and stop as soon as the cost is at most `target`."""

    def state(self) -> State:
        """Return the current state; it stays what it is when the walk goes on."""

    def value(self, cost: int) -> int:
        """Return what the method shows for a cost."""

    def counters(self) -> Counters:
        """Return the work done, in the method's own units."""


Make = Callable[[int, list[int] | None], Walk]
"""Make a walk on a board of so many rows, from a given first state, or from one of its own (None)."""


def drive(
    make: Make,
    problem: Queens,
    start: list[int] | None,
    *,
    method: str,
    edition: str,
    limits: Limits,
    seed: int,
    default_effort: int,
    watch: Watcher | None,
) -> Result:
    """Make a walk, advance it to its end or the limits' and report.

    FEASIBLE with the placement, or UNKNOWN with the best state. A step counts as an evaluation and as a node;
    without limits there are `default_effort` of them. The first state is made whatever the time limit (a second
    or two a million rows), and so is the step that is being made. On boards over 2,000 rows the trace has only
    those improvements that at least quarter the cost: to keep a state takes as long as the board is large.
    """
    budget, audience = Budget(limits, default=default_effort), Audience(watch)
    walk = make(problem.n, start)
    chunk = max(1, _CHUNK_OPERATIONS // max(1, walk.operations))
    trace: list[Improvement] = []
    best, kept, ending = walk.cost + 1, walk.state(), None
    target = walk.cost
    while True:
        budget.spent = walk.effort
        ending = budget.ending if walk.phase is Phase.RUNNING else Ending.FINISHED
        if walk.cost <= target or (ending is not None and walk.cost < best):
            best, kept = walk.cost, walk.state()
            target = best - 1 if problem.n <= _EVERY_IMPROVEMENT_UP_TO else min(best - 1, best // 4)
            trace.append(Improvement(walk.effort, walk.value(best), budget.seconds))
            audience.improved(trace[-1], kept)
        if ending is not None:
            break
        walk.advance(budget.chunk(chunk), target)
        audience.catch_up()
    audience.close()
    solved = walk.phase is Phase.SOLVED
    return Result(
        method=method,
        problem=problem,
        status=Status.FEASIBLE if solved else Status.UNKNOWN,
        ending=ending,
        seconds=budget.seconds,
        edition=edition,
        answer=kept() if solved else None,
        best=None if solved else kept(),
        counters=walk.counters(),
        seed=seed,
        trace=tuple(trace),
    )


def supports(problem: Problem, largest: int) -> str | None:
    """Return why a method cannot take on the problem, or None; `largest` is its largest board."""
    if not isinstance(problem, Queens):
        return f"{problem.name}, not queens"
    if problem.given:
        return "given queens, which it would move; use an exact method"
    return f"{problem.n} queens, more than {largest}" if problem.n > largest else None


def row_by_row(columns: NDArray[np.int64]) -> State:
    """Return the state of row -> column as it is now."""
    return partial(_squares, columns.copy())


def _squares(columns: NDArray[np.int64]) -> Placement:
    return tuple(enumerate(columns.tolist()))


def column_by_column(rows: NDArray[np.int64]) -> State:
    """Return the state of column -> row as it is now."""
    return partial(_turned_squares, rows.copy())


def _turned_squares(rows: NDArray[np.int64]) -> Placement:
    return tuple((row, col) for col, row in enumerate(rows.tolist()))


def columns_of(problem: Queens, initial: Answer) -> list[int]:
    """Return row -> column of an initial state; `InputError` unless it has one queen in each row."""
    _check_lines(problem, initial, [row for row, _ in initial], "row")
    return [col for _, col in sorted(initial)]


def rows_of(problem: Queens, initial: Answer) -> list[int]:
    """Return column -> row of an initial state; `InputError` unless it has one queen in each column."""
    _check_lines(problem, initial, [col for _, col in initial], "column")
    return [row for row, _ in sorted(initial, key=lambda square: square[1])]


def permutation_of(problem: Queens, initial: Answer) -> list[int]:
    """Return row -> column of an initial state; `InputError` unless it has one queen a row and a column."""
    _check_lines(problem, initial, [col for _, col in initial], "column")
    return columns_of(problem, initial)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _check_lines(problem: Queens, initial: Answer, lines: Sequence[int], kind: str) -> None:
    n = problem.n
    for square in initial:
        if not (0 <= square[0] < n and 0 <= square[1] < n):
            raise InputError(f"squares on the {n}x{n} board", shown(square), where="--initial")
    if len(lines) != n or len(set(lines)) < n:
        got = f"{_counted(len(lines), 'queen')} in {_counted(len(set(lines)), kind)}"
        raise InputError(f"{n} queens, one in each {kind}", got, where="--initial")
