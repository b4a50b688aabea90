"""Ask any question of any exact engine; `auto` chooses one by problem and says why.

Every result is checked before it leaves: its answers by `problems`, its claims against each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from exact import knights
from exact.methods import METHODS, ExactMethod, find
from problems import (
    ARGUMENT,
    KnightCover,
    KnightTour,
    Limits,
    Problem,
    Queens,
    Result,
    UnsupportedProblem,
    Watcher,
    checked,
)

AUTO = "auto"
"""The engine that is none: choose one by problem."""

ENGINES: tuple[str, ...] = (AUTO, *dict.fromkeys(row.name for row in METHODS))
"""The values of `engine`: `auto` and the name of every exact method, whatever problem it is for."""


class Question(Enum):
    """What is asked of an engine: to decide (minimum or existence), or to find all answers."""

    SOLVE = "solve"
    ENUMERATE = "enumerate"


@dataclass(frozen=True, slots=True)
class _Preference:
    """Use `engine` if it is there and supports the problem; `reason` is for the user."""

    engine: str
    reason: str


def solve(
    problem: Problem,
    *,
    engine: str = AUTO,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    seed: int = 0,
    watch: Watcher | None = None,
) -> Result:
    """Decide the problem: the minimum, or whether there is an answer.

    OPTIMAL and INFEASIBLE are proved; a limit that is reached leaves FEASIBLE or UNKNOWN, with the best
    answer and bound. `watch` is called with every improvement. Raises `UnsupportedProblem` for an engine
    that is not there or does not support the problem.
    """
    row, reason = _row(problem, engine, Question.SOLVE)
    assert row.solve is not None
    return _leaving(row.solve(problem, limits=limits, seed=seed, watch=watch), reason)


def enumerate_all(
    problem: Problem,
    *,
    engine: str = AUTO,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    seed: int = 0,
    keep: int = 0,
    classes: bool = False,
) -> Result:
    """Find all answers (of an optimisation problem: all of the minimum) and return their number.

    `keep` answers, the first in sorted order, are returned in `answers`; with `classes`, the number up to the
    board's symmetries as well. Only a result with `complete` gives totals. Raises as `solve` does.
    """
    row, reason = _row(problem, engine, Question.ENUMERATE)
    assert row.enumerate is not None
    result = row.enumerate(problem, limits=limits, seed=seed, keep=keep, classes=classes)
    return _leaving(result, reason)


def _leaving(result: Result, reason: str | None) -> Result:
    """Return the checked result, with the reason for the engine that ran, if one did."""
    return checked(replace(result, engine_reason=None if result.method == ARGUMENT else reason))


def choose(problem: Problem, question: Question = Question.SOLVE) -> tuple[str, str]:
    """Return the engine that `auto` stands for here, and why; `UnsupportedProblem` if there is none."""
    reasons: list[str] = []
    for preference in _preferences(problem, question):
        reason = _reason_against(preference.engine, problem, question)
        if reason is None:
            return preference.engine, "; ".join(reasons) or preference.reason
        reasons.append(f"{preference.engine}: {reason}")
    raise UnsupportedProblem(
        f"a problem that some engine can {question.value}", f"one that none can ({'; '.join(reasons)})"
    )


def _row(problem: Problem, engine: str, question: Question) -> tuple[ExactMethod, str | None]:
    """Return the method to call, and why it was chosen if `auto` chose it."""
    reason = None
    if engine == AUTO:
        engine, reason = choose(problem, question)
    row = find(engine, problem)
    if getattr(row, question.value) is None:
        raise UnsupportedProblem(
            f"an engine that can {question.value} {problem.name}", repr(engine), where="--engine"
        )
    return row, reason


def _reason_against(engine: str, problem: Problem, question: Question) -> str | None:
    row = next((row for row in METHODS if row.name == engine and isinstance(problem, row.problem)), None)
    if row is None:
        return f"not for {problem.name}"
    return row.supports(problem) if getattr(row, question.value) else f"cannot {question.value} {problem.name}"


def _preferences(problem: Problem, question: Question) -> tuple[_Preference, ...]:
    match problem:
        case KnightCover():
            return _knights(problem, question)
        case Queens():
            return _queens(problem) if question is Question.SOLVE else _QUEENS_LISTED
        case KnightTour():
            return _tours(problem) if question is Question.SOLVE else _TOURS_LISTED


def _knights(problem: KnightCover, question: Question) -> tuple[_Preference, ...]:
    sat = _Preference("sat", "SAT that counts knights in blocks of the board closes covers fastest")
    cpsat = _Preference("cpsat", "CP-SAT's linear relaxation is ahead on large ordinary covers")
    is_cpsat_first = question is Question.SOLVE and knights.preferred_engine(problem) == cpsat.engine
    return (cpsat, sat) if is_cpsat_first else (sat, cpsat)


def _queens(problem: Queens) -> tuple[_Preference, ...]:
    search = _Preference("search", "a formula gives one placement at once; given queens: tightest line first")
    sat = _Preference("sat", "SAT completes given queens on small boards, with nothing to compile first")
    return (sat, search) if problem.given and problem.n <= _SMALL_QUEENS else (search, sat)


_SMALL_QUEENS = 40
_QUEENS_LISTED = (
    _Preference("search", "bitmasks count queens without listing them"),
    _Preference("sat", "SAT lists queens faster than CP-SAT"),
    _Preference("cpsat", "the engine that is left"),
)


def _tours(problem: KnightTour) -> tuple[_Preference, ...]:
    sat = _Preference("sat", "degrees as clauses and cuts on demand decide small boards fastest")
    search = _Preference("search", "a 2-factor whose cycles are merged by exchanges is fastest on large boards")
    cpsat = _Preference("cpsat", "the engine that is left")
    return (search, sat, cpsat) if problem.board.size > _SMALL_TOUR else (sat, search, cpsat)


_SMALL_TOUR = 2_500
"""Squares of the largest tour for SAT: 50x50 takes it 0.6 s, the search 0.1 s and a second to load."""

_TOURS_LISTED = (
    _Preference("search", "our own search counts tours fastest"),
    _Preference("sat", "SAT lists tours faster than CP-SAT"),
    _Preference("cpsat", "the engine that is left"),
)
