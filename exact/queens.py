"""Queens, exactly: one placement, all, their number, up to symmetry, and the completion of given queens.

CP-SAT and SAT run in children that can be killed; the search runs here, in threads. INFEASIBLE from CP-SAT is
published only after SAT has said the same. Answers are not checked here but by `exact.dispatch`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from exact.child import Job, Outcome, run_job
from exact.progress import Enumerated, Found, Solved
from exact.search import queens as search
from problems import Counters, Ending, Limits, Problem, Queens, Result, Status, Watcher

SEARCH = search.NAME
ENGINES: tuple[str, ...] = ("cpsat", "sat", SEARCH)
MAX_SOLVER = 500
"""The largest board for CP-SAT and SAT, which need a variable a square."""

_MODULES = {"cpsat": "exact.cpsat.queens", "sat": "exact.sat.queens"}
_NAMES = {"cpsat": "CP-SAT", "sat": "SAT"}


def solve(problem: Queens, *, engine: str, limits: Limits, seed: int, watch: Watcher | None = None) -> Result:
    """Find one placement, or prove that there is none.

    `engine` is one of `ENGINES`. There is nothing to minimise, so `watch` is never called.
    """
    if engine == SEARCH:
        return search.solve(problem, limits=limits, seed=seed)
    outcome = run_job(Job(f"{_MODULES[engine]}:solve", (problem, seed)), limits=limits)
    if not isinstance(outcome.value, Solved):
        return _unknown(problem, engine, outcome)
    solved = outcome.value
    result = Result(
        method=engine,
        engine=engine,
        problem=problem,
        status=solved.status,
        ending=Ending.FINISHED,
        seconds=outcome.seconds,
        answer=solved.answer,
        counters=solved.counters,
    )
    return _with_reason(result, limits) if solved.status is Status.INFEASIBLE else result


def enumerate_all(
    problem: Queens, *, engine: str, limits: Limits, seed: int, keep: int = 0, classes: bool = False
) -> Result:
    """Count the placements, up to symmetry as well with `classes`, and keep the first `keep` in sorted order.

    Solvers find them in no order: which are the first is known, and told, only when all are.
    Totals only with `complete`. Two placements are of one class when a symmetry of the board carries one to
    the other; with given queens the classes are those of the completions, whether or not the symmetry leaves
    the given queens in place.
    """
    if engine == SEARCH:
        return search.enumerate_all(problem, limits=limits, seed=seed, keep=keep, classes=classes)
    found: list[tuple[int, ...]] = []

    def listen(message: Found) -> None:
        found.extend(tuple(col for _, col in answer) for answer in message.answers)

    outcome = run_job(Job(f"{_MODULES[engine]}:enumerate_all", (problem, seed)), limits=limits, on_report=listen)
    complete = isinstance(outcome.value, Enumerated) and outcome.value.complete
    found.sort()
    first = tuple(search.placement(columns) for columns in islice(found, max(keep, 1)))
    result = Result(
        method=engine,
        engine=engine,
        problem=problem,
        status=Status.FEASIBLE if found else Status.INFEASIBLE if complete else Status.UNKNOWN,
        ending=outcome.ending,
        seconds=outcome.seconds,
        answer=first[0] if first else None,
        answers=first[:keep] if complete else (),
        count=len(found),
        classes=count_classes(found) if classes and complete else None,
        complete=complete,
        counters=outcome.value.counters if complete else Counters(),
        explanation=outcome.error,
    )
    return _with_reason(result, limits) if result.status is Status.INFEASIBLE else result


solution_at = search.solution_at


def count_classes(placements: Iterable[tuple[int, ...]]) -> int:
    """Return how many of the placements (row -> column) differ under the eight symmetries of the square."""
    return len({min(_images(columns)) for columns in placements})


def supports(engine: str, problem: Problem) -> str | None:
    """Return None, or why the engine cannot take on the problem."""
    if not isinstance(problem, Queens):
        return "another problem"
    if engine == SEARCH:
        return search.supports(problem)
    return f"a board of more than {MAX_SOLVER} rows" if problem.n > MAX_SOLVER else None


def _images(columns: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the eight images of a placement, row -> column."""
    n = len(columns)
    inverse = [0] * n
    for row, col in enumerate(columns):
        inverse[col] = row
    halves = [columns, tuple(inverse), columns[::-1], tuple(reversed(inverse))]
    return halves + [tuple(n - 1 - col for col in image) for image in halves]


def _with_reason(result: Result, limits: Limits) -> Result:
    """Return the infeasible result with its reason; CP-SAT's word only counts when SAT says the same."""
    problem = result.problem
    assert isinstance(problem, Queens)
    engine = result.method
    engines = _NAMES[engine]
    if engine == "cpsat":
        second = run_job(Job(f"{_MODULES['sat']}:solve", (problem, 0)), limits=limits.after(result.seconds))
        if not isinstance(second.value, Solved):
            return replace(
                _unknown(problem, engine, second),
                complete=None if result.complete is None else False,
                counters=result.counters,
                seconds=result.seconds + second.seconds,
            )
        if second.value.status is not Status.INFEASIBLE:
            raise RuntimeError(f"CP-SAT finds {problem} infeasible, SAT does not")
        engines += " and SAT"
        result = replace(result, seconds=result.seconds + second.seconds)
    clash = search.clashing(problem)
    return replace(result, explanation=clash or f"no placement: proved by {engines}")


def _unknown(problem: Queens, engine: str, outcome: Outcome) -> Result:
    return Result(
        method=engine,
        engine=engine,
        problem=problem,
        status=Status.UNKNOWN,
        ending=outcome.ending,
        seconds=outcome.seconds,
        explanation=outcome.error,
    )
