"""From what a run says to its row: its answer is checked here by `problems`, whoever it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compare.study.jobs import Batch
from compare.study.plan import Engine, Heuristic
from compare.study.rows import RunEnding, RunRow, digest_of, kept
from problems import Answer, Improvement, Result, Status, Violation


@dataclass(frozen=True, slots=True)
class Used:
    """What a run used: wall-clock and processor seconds, MiB at its peak; None where it is not known."""

    seconds: float
    cpu_seconds: float | None = None
    peak_mib: float | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer's violations and objective, and whether it meets the batch's goal."""

    violations: tuple[Violation, ...]
    objective: int | None
    meets_goal: bool


def judge(batch: Batch, answer: Answer, found: Sequence[Violation] = ()) -> Judgement:
    """Check an answer; `found` are faults that reading it showed. More knights than the goal are no fault."""
    problem = batch.task.problem
    violations = (*found, *problem.violations(answer))
    objective = problem.objective(answer)
    within = batch.goal is None or objective is None or objective <= batch.goal
    return Judgement(violations, objective, not violations and within)


def row_of_result(batch: Batch, run: int, seed: int, result: Result, effort: str | None, used: Used) -> RunRow:
    """Return the row of a run of one of our own methods, which has returned; its answer is checked once more."""
    counters = result.counters.as_dict()
    answer = result.answer if result.answer is not None else result.best
    judged = None if answer is None else judge(batch, answer)
    solved = result.answer is not None and judged is not None and judged.meets_goal
    objective = None if judged is None or judged.violations else judged.objective
    first = _first_reached(batch, result.trace, objective)
    wrong = result.answer is not None and judged is not None and bool(judged.violations)
    return RunRow(
        task=batch.task.name,
        entry=batch.entry.label,
        run=run,
        seed=seed,
        status=Status.UNKNOWN if wrong else result.status,
        ending=RunEnding.WRONG_ANSWER if wrong else RunEnding(result.ending.value),
        reason=described(judged.violations) if wrong and judged else "",
        solved=solved,
        valid=None if judged is None else not judged.violations,
        objective=objective,
        bound=result.bound,
        value=result.trace[-1].value if result.trace else None,
        effort=counters.get(effort or ""),
        effort_name=effort,
        counters=counters,
        seconds=used.seconds,
        cpu_seconds=used.cpu_seconds,
        peak_mib=used.peak_mib,
        solved_seconds=(used.seconds if first is None else first.seconds) if solved else None,
        solved_effort=_work_until(batch, first, counters.get(effort or "")) if solved else None,
        answer=kept(answer),
        answer_digest=digest_of(batch.task.problem, answer),
        engine=result.engine,
        trace=result.trace,
        host="",
    )


def _first_reached(batch: Batch, trace: Sequence[Improvement], objective: int | None) -> Improvement | None:
    """Return the first improvement that reaches the target, where the trace tells: methods may go on from there.

    The values of a heuristic that is given a limit may be its own measure; it ends when it has reached it.
    """
    tells = isinstance(batch.entry.player, Engine) or batch.goal is None
    if not tells or not trace or trace[-1].value != objective:
        return None
    return next((found for found in trace if batch.goal is None or found.value <= batch.goal), None)


def _work_until(batch: Batch, first: Improvement | None, whole: int | None) -> int | None:
    """Return the work until the target was reached; an engine's trace counts improvements, not its work."""
    if isinstance(batch.entry.player, Engine):
        return None
    return whole if first is None else first.effort


def row_of_failure(
    batch: Batch,
    run: int,
    seed: int,
    ending: RunEnding,
    reason: str,
    used: Used,
    *,
    best: Answer | None = None,
    found: Sequence[Violation] = (),
    trace: tuple[Improvement, ...] = (),
) -> RunRow:
    """Return the row of a run that was ended, or went wrong, with the best it had until then."""
    judged = None if best is None else judge(batch, best, found)
    valid = None if judged is None else not judged.violations
    solved = judged is not None and judged.meets_goal and ending is RunEnding.TIME
    objective = judged.objective if judged is not None and valid else None
    first = _first_reached(batch, trace, objective) or (trace[-1] if trace else None)
    unit = _unit(batch)
    effort = trace[-1].effort if trace and unit is not None else None
    return RunRow(
        task=batch.task.name,
        entry=batch.entry.label,
        run=run,
        seed=seed,
        status=Status.FEASIBLE if valid else Status.UNKNOWN,
        ending=ending,
        reason=reason,
        solved=solved,
        valid=valid,
        objective=objective,
        value=trace[-1].value if trace else None,
        effort=effort,
        effort_name=unit,
        seconds=used.seconds,
        cpu_seconds=used.cpu_seconds,
        peak_mib=used.peak_mib,
        solved_seconds=(used.seconds if first is None else first.seconds) if solved else None,
        solved_effort=_work_until(batch, first, effort) if solved else None,
        answer=kept(best),
        answer_digest=digest_of(batch.task.problem, best),
        trace=trace,
        host="",
    )


def _unit(batch: Batch) -> str | None:
    """Return the unit of a heuristic's work, in which its trace counts; None for anybody else."""
    if not isinstance(batch.entry.player, Heuristic):
        return None
    from heuristic import methods

    return methods.find(batch.entry.player.method, batch.task.posed(batch.goal)).effort


def described(violations: Sequence[Violation]) -> str:
    """Return the kinds of the violations, each once, with how many squares they concern."""
    squares: dict[str, int] = {}
    for violation in violations:
        squares[violation.kind] = squares.get(violation.kind, 0) + len(violation.squares)
    return ", ".join(f"{kind} ({count} squares)" for kind, count in squares.items())
