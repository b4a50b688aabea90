"""What a method reports: one frozen type for both sides, its status, limits and counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from numbers import Real

from problems.board import Answer
from problems.coercion import choice
from problems.errors import InputError, WrongAnswer, shown
from problems.knights import KnightCover
from problems.queens import Queens
from problems.tours import KnightTour

Problem = KnightCover | Queens | KnightTour

PROBLEMS = ("knights", "queens", "tour")
"""The names of the problems, as on the command line and in JSON."""


class Status(StrEnum):
    """What is known once a method has ended. UNKNOWN never means that there is no answer."""

    OPTIMAL = "OPTIMAL"
    FEASIBLE = "FEASIBLE"
    INFEASIBLE = "INFEASIBLE"
    UNKNOWN = "UNKNOWN"


class Ending(StrEnum):
    """Why a method ended."""

    FINISHED = "finished"
    TIME = "time"
    EVALUATIONS = "evaluations"
    NODES = "nodes"
    MEMORY = "memory"
    CANCELLED = "cancelled"
    CRASHED = "crashed"


_MOMENT_SECONDS = 1e-3


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop: wall-clock seconds, evaluations or nodes (as the method counts them), MiB of memory.

    None means no limit. Raises `InputError` for a limit that is not positive.
    """

    seconds: float | None = None
    evaluations: int | None = None
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is None:
                continue
            is_number = isinstance(value, Real) and not isinstance(value, bool)
            if not is_number or not 0 < value < float("inf"):
                raise InputError("a positive limit", shown(value), where=item.name)

    def after(self, spent: float) -> Limits:
        """Return the limits for what comes when so many seconds are spent: a moment is always left."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(self.seconds - spent, _MOMENT_SECONDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """How much work was done, in units no clock can blur; None where a method has no such unit."""

    evolutions: int | None = None
    iterations: int | None = None
    steps: int | None = None
    restarts: int | None = None
    evaluations: int | None = None
    nodes: int | None = None
    branches: int | None = None
    conflicts: int | None = None
    decisions: int | None = None
    propagations: int | None = None
    solver_calls: int | None = None
    cuts: int | None = None
    leaves: int | None = None

    def as_dict(self) -> dict[str, int]:
        """Return the counters that the method has, by name."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}

    def __add__(self, other: Counters) -> Counters:
        """Return the sums; a counter that neither has stays None."""
        mine, theirs = self.as_dict(), other.as_dict()
        return Counters(**{name: mine.get(name, 0) + theirs.get(name, 0) for name in mine | theirs})


@dataclass(frozen=True, slots=True)
class Improvement:
    """A better value than any before: how much work and how many seconds it took to find.

    `effort` is in the method's own unit; `value` is what the method minimises or maximises.
    """

    effort: int
    value: int
    seconds: float


Watcher = Callable[[Improvement, Answer], None]
"""Called with each improvement and the state that has it, while a method runs."""


ARGUMENT = "argument"
"""The method of a result that needed no engine: counting squares or colours decides it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one method found out about one problem.

    `method` is what decided: `ARGUMENT` where counting settled the question before `engine` had to run.
    `answer` is a checked answer or None; `best` is the best state of a heuristic that found no answer.
    `bound` is a proven lower bound on the objective and `bound_source` says who proved it.
    `count`, `classes` and `complete` belong to enumerations: how many answers there are, how many up to
    symmetry, and whether the search was exhausted (only then are they totals, otherwise what was found).
    `answers` holds the first of them in sorted order, as many as the caller asked to keep; an enumeration that
    was cut short keeps none where it cannot know which are the first. `explanation` is the one-sentence
    reason of an infeasibility; `engine_reason` says why `auto` chose the engine that ran. `seconds` is
    wall-clock time.
    """

    method: str
    problem: Problem
    status: Status
    ending: Ending
    seconds: float
    edition: str | None = None
    engine: str | None = None
    engine_reason: str | None = None
    answer: Answer | None = None
    best: Answer | None = None
    objective: int | None = None
    bound: int | None = None
    bound_source: str | None = None
    counters: Counters = Counters()
    seed: int | None = None
    count: int | None = None
    classes: int | None = None
    complete: bool | None = None
    answers: tuple[Answer, ...] = ()
    trace: tuple[Improvement, ...] = ()
    explanation: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", choice(Status, self.status, "status"))
        object.__setattr__(self, "ending", choice(Ending, self.ending, "ending"))


def checked(result: Result) -> Result:
    """Return the result unchanged if every answer in it is right, else raise `WrongAnswer`.

    Status, objective, bound and count are held against each other as well: nothing that contradicts itself passes.
    """
    given = (() if result.answer is None else (result.answer,)) + result.answers
    for answer in given:
        if violations := result.problem.violations(answer):
            kinds = ", ".join(sorted({violation.kind for violation in violations}))
            raise WrongAnswer(f"{result.method} returned a wrong answer for {result.problem}: {kinds}")
    if result.answer is not None:
        _check_claims(result, result.answer)
    else:
        _check_claims_alone(result)
    _check_count(result)
    return result


def _check_claims(result: Result, answer: Answer) -> None:
    objective = result.problem.objective(answer)
    if result.objective != objective:
        raise WrongAnswer(f"{result.method} claims the objective {result.objective}, the answer has {objective}")
    if result.status in (Status.INFEASIBLE, Status.UNKNOWN):
        raise WrongAnswer(f"{result.method} says {result.status} with an answer")
    if objective is not None and result.bound is not None and result.bound > objective:
        raise WrongAnswer(f"{result.method} claims the bound {result.bound} above its own answer's {objective}")
    if result.status is Status.OPTIMAL and (objective is None or result.bound != objective):
        raise WrongAnswer(f"{result.method} says OPTIMAL with bound {result.bound} and objective {objective}")


def _check_claims_alone(result: Result) -> None:
    # A count shows that there are answers: an enumeration need not keep one.
    if result.status in (Status.OPTIMAL, Status.FEASIBLE) and not result.count:
        raise WrongAnswer(f"{result.method} says {result.status} without an answer")
    if result.objective is not None and not result.count:
        raise WrongAnswer(f"{result.method} claims the objective {result.objective} without an answer")


def _check_count(result: Result) -> None:
    count, status = result.count, result.status
    if count is None:
        if result.classes is not None:
            raise WrongAnswer(
                f"{result.method} claims {result.classes} classes of answers that it has not counted"
            )
        return
    if count < 0 or (result.classes is not None and not min(count, 1) <= result.classes <= count):
        raise WrongAnswer(f"{result.method} claims {count} answers, {result.classes} up to symmetry")
    if status is Status.INFEASIBLE and count:
        raise WrongAnswer(f"{result.method} says {status} and counts {count} answers")
    if result.complete and status is not Status.INFEASIBLE and not count:
        raise WrongAnswer(f"{result.method} has counted all answers, none, and says {status}")
    if result.complete and status is Status.UNKNOWN:
        raise WrongAnswer(f"{result.method} has counted all answers and says {status}")
    if len(result.answers) > count:
        raise WrongAnswer(f"{result.method} keeps {len(result.answers)} answers and counts {count}")
