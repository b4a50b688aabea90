"""Results and verdicts as JSON records: the same keys everywhere, null where they do not apply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compare.verify import Verdict
from problems import KnightCover, Problem, Queens, Result, Violation
from problems.board import Square
from problems.tours import KnightTour, returns_to_start

KEYS = (
    "problem", "board", "rule", "status", "objective", "bound", "answer", "valid", "violations", "standing",
    "gap", "bound_source", "count", "classes", "closed", "seconds", "method", "edition", "engine", "seed",
    "counters",
)  # fmt: skip
"""The keys of every record, in this order."""

Record = dict[str, Any]


def problem_record(problem: Problem) -> Record:
    """Return a record with all `KEYS`, those that describe the problem filled in."""
    record: Record = dict.fromkeys(KEYS)
    record["problem"] = problem.name
    record["board"] = f"{problem.n}x{problem.n}" if isinstance(problem, Queens) else str(problem.board)
    record["rule"] = problem.rule.value if isinstance(problem, KnightCover) else None
    record["counters"] = {}
    return record


def result_record(result: Result) -> Record:
    """Return the record of a result, `answers`, `best`, `trace` and `ending` beside the common keys."""
    record = problem_record(result.problem)
    answer = result.answer
    record.update(
        status=result.status.value,
        objective=result.objective,
        bound=result.bound,
        answer=squares_record(answer),
        valid=None if answer is None else True,
        violations=[],
        gap=_gap(result),
        bound_source=result.bound_source,
        count=result.count,
        classes=result.classes,
        seconds=round(result.seconds, 6),
        method=result.method,
        edition=result.edition,
        engine=result.engine,
        seed=result.seed,
        counters=result.counters.as_dict(),
        ending=result.ending.value,
        complete=result.complete,
        explanation=result.explanation,
        best=squares_record(result.best),
        answers=[squares_record(found) for found in result.answers],
        trace=[[step.effort, step.value, round(step.seconds, 6)] for step in result.trace],
    )
    if isinstance(result.problem, KnightTour):
        record["closed"] = result.problem.closed if answer is None else returns_to_start(answer)
    return record


def verdict_record(verdict: Verdict) -> Record:
    """Return the record of a verdict, `remarks` beside the common keys."""
    record = problem_record(verdict.problem)
    record.update(
        objective=verdict.objective,
        bound=verdict.bound,
        answer=squares_record(verdict.answer),
        valid=verdict.valid,
        violations=[violation_record(violation) for violation in verdict.violations],
        standing=None if verdict.standing is None else verdict.standing.value,
        gap=verdict.gap,
        bound_source=verdict.bound_source,
        closed=verdict.closed,
        remarks=list(verdict.remarks),
    )
    return record


def violation_record(violation: Violation) -> Record:
    """Return `{"kind": …, "squares": [[row, col], …]}`."""
    return {"kind": violation.kind, "squares": squares_record(violation.squares)}


def squares_record(squares: Sequence[Square] | None) -> list[list[int]] | None:
    """Return `[[row, col], …]`, None for None."""
    return None if squares is None else [list(square) for square in squares]


def _gap(result: Result) -> int | None:
    if result.objective is None or result.bound is None:
        return None
    return result.objective - result.bound
