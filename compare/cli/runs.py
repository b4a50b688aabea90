"""Heuristic runs: one, watched or not, or many with the statistics of their own work counter."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compare.cli import DONE, UNDECIDED
from compare.cli.compilation import measured_compilation
from compare.cli.output import board_lines, emit, emit_json, result_lines
from compare.cli.progress import Progress
from compare.verify import described
from problems import Answer, Improvement, InputError, Limits, Problem, Result, Status


@dataclass(frozen=True, slots=True)
class Assignment:
    """What to run: a heuristic on a problem, with everything that decides its trajectory."""

    problem: Problem
    method: str
    limits: Limits
    seed: int
    edition: str | None
    parameters: Any
    initial: Answer | None
    force: bool


def run_once(assignment: Assignment, *, watch: bool, json: bool, quiet: bool) -> int:
    """Run once and show the result; with `watch`, the search as it happens on standard error or the terminal."""
    from problems.formats import result_json

    _refuse_impossible(assignment)
    with measured_compilation() as compilation, Progress(_label(assignment), quiet=quiet or watch) as progress:
        watcher = _Screen(assignment.problem).show if watch else progress.watch
        result = _run(assignment, assignment.seed, watcher)
    if json:
        emit_json(result_json(result))
    else:
        emit((*result_lines(result, quiet=quiet), *compilation.lines()))
    return DONE if result.status is Status.FEASIBLE else UNDECIDED


def run_many(assignment: Assignment, runs: int, *, json: bool, quiet: bool) -> int:
    """Run `runs` times, with the seeds from `assignment.seed` on, and show each run and the statistics."""
    import heuristic.methods
    from problems.formats import result_json

    _refuse_impossible(assignment)
    effort = heuristic.methods.find(assignment.method, assignment.problem).effort
    results = []
    with measured_compilation() as compilation, Progress(_label(assignment), quiet=quiet) as progress:
        for number in range(runs):
            results.append(_run(assignment, assignment.seed + number, None))
            progress.say(f"{number + 1} of {runs} runs")
    summary = _summary(results, effort)
    best = next((result for result in results if result.answer is not None), results[0])
    if json:
        record = result_json(best)
        record.update(summary, runs=[_run_record(result, effort) for result in results])
        emit_json(record)
    else:
        emit((*_run_lines(assignment, results, effort, summary, quiet=quiet), *compilation.lines()))
    return DONE if best.answer is not None else UNDECIDED


def _label(assignment: Assignment) -> str:
    return f"running {assignment.method} (the first run on a machine compiles its kernels)"


def _run(assignment: Assignment, seed: int, watcher: Any) -> Result:
    import heuristic.methods

    return heuristic.methods.run(
        assignment.problem,
        assignment.method,
        limits=assignment.limits,
        seed=seed,
        edition=assignment.edition,
        parameters=assignment.parameters,
        initial=assignment.initial,
        watch=watcher,
    )


def _refuse_impossible(assignment: Assignment) -> None:
    """Raise `InputError` for a target that the exact side knows to be impossible, unless forced."""
    from compare.verify import impossible

    if assignment.force:
        return
    if reason := impossible(assignment.problem):
        raise InputError(
            "a target that can be reached", reason, where=assignment.method, hint="--force runs it all the same"
        )


def _work(result: Result, effort: str) -> int:
    return result.counters.as_dict().get(effort, 0)


def _summary(results: list[Result], effort: str) -> dict[str, Any]:
    """Return success rate, mean, median and standard deviation over all runs, failed ones included."""
    import statistics

    work = [_work(result, effort) for result in results]
    solved = sum(result.answer is not None for result in results)
    return {
        "success_rate": solved / len(results),
        "mean": statistics.fmean(work),
        "median": statistics.median(work),
        "sd": statistics.stdev(work) if len(work) > 1 else None,
    }


def _run_record(result: Result, effort: str) -> dict[str, Any]:
    return {
        "seed": result.seed,
        "status": result.status.value,
        "found": result.answer is not None,
        "objective": result.objective,
        effort: _work(result, effort),
        "ending": result.ending.value,
        "seconds": round(result.seconds, 6),
    }


def _run_lines(
    assignment: Assignment, results: list[Result], effort: str, summary: dict[str, Any], *, quiet: bool
) -> Iterator[str]:
    edition = f" ({results[0].edition})" if results[0].edition else ""
    yield f"{described(assignment.problem)}: {len(results)} runs of {assignment.method}{edition}"
    if not quiet:
        yield f"  {'run':>4} {'seed':>6} {'found':>5} {effort:>12}  ended by"
        for number, result in enumerate(results, 1):
            found = "yes" if result.answer is not None else "no"
            yield f"  {number:>4} {result.seed:>6} {found:>5} {_work(result, effort):>12,}  {result.ending.value}"
    solved = sum(result.answer is not None for result in results)
    yield f"  found in {solved} of {len(results)} runs ({summary['success_rate']:.1%})"
    spread = "" if summary["sd"] is None else f", standard deviation {summary['sd']:,.1f}"
    least = (
        "" if solved == len(results) else " (runs without an answer count with the work they did: at least this)"
    )
    yield f"  {effort}: mean {summary['mean']:,.1f}, median {summary['median']:,.1f}{spread}{least}"


class _Screen:
    """Show improvements: redrawn in place on a terminal, one line each otherwise (on standard error)."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.height = 0
        self.in_place = sys.stderr.isatty()

    def show(self, improvement: Improvement, state: Answer) -> None:
        line = f"{improvement.effort:>12,}  value {improvement.value:>6}  {improvement.seconds:8.3f} s"
        if not self.in_place:
            sys.stderr.write(f"{line}\n")
            return
        block = [line, *board_lines(self.problem, state)]
        up = f"\x1b[{self.height}A" if self.height else ""
        sys.stderr.write(up + "".join(f"\x1b[2K{text}\n" for text in block))
        sys.stderr.flush()
        self.height = len(block)
