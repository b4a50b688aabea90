"""Heuristic runs: one, watched or not, or many with the statistics of their own work counter."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compare.bounds import Effort, impossible, knight_bounds
from compare.cli import DONE, UNDECIDED
from compare.cli.compilation import measured_compilation
from compare.cli.output import drawing_lines, emit, emit_json, result_lines
from compare.cli.progress import Progress, terminal_size
from compare.words import described, numbered
from problems import Answer, Improvement, InputError, KnightCover, Limits, Problem, Result, Status


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
        # Methods make a state for every call of a watcher: without one to look at it, they are far faster.
        unseen = progress.watch if progress.active else None
        watcher = _Screen(assignment.problem).show if watch else unseen
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
    target = _target(assignment.problem, assignment.seed)
    results = []
    with measured_compilation() as compilation, Progress(_label(assignment), quiet=quiet) as progress:
        for number in range(runs):
            results.append(_run(assignment, assignment.seed + number, None))
            progress.say(f"{number + 1} of {runs} runs")
    summary = _summary(results, effort, target)
    answered = [result for result in results if result.answer is not None]
    best = min(answered, key=lambda result: result.objective or 0, default=results[0])
    if json:
        record = result_json(best)
        record.update(summary, runs=[_run_record(result, effort, target) for result in results])
        emit_json(record)
    else:
        emit((*_run_lines(assignment, results, effort, target, quiet=quiet), *compilation.lines()))
    return DONE if answered else UNDECIDED


@dataclass(frozen=True, slots=True)
class _Target:
    """What a run is to find: any answer, or one with this proven optimum; `says` is for the reader."""

    optimum: int | None
    says: str

    def is_found(self, result: Result) -> bool:
        """Whether the run found it."""
        return result.answer is not None and (self.optimum is None or result.objective == self.optimum)


def _target(problem: Problem, seed: int) -> _Target:
    """Return the optimum, where the exact side knows it quickly and the task does not set a number itself."""
    if not isinstance(problem, KnightCover) or problem.at_most is not None:
        return _Target(None, "found")
    bounds = knight_bounds(problem, Effort(seed=seed))
    if bounds.lower is None or bounds.lower != bounds.upper:
        return _Target(None, "a cover, not judged against the minimum, which is not known here, found")
    return _Target(bounds.lower, f"the minimum, {bounds.lower} ({bounds.source}), found")


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
    if assignment.force:
        return
    if reason := impossible(assignment.problem):
        raise InputError(
            "a target that can be reached", reason, where=assignment.method, hint="--force runs it all the same"
        )


def _work(result: Result, effort: str) -> int:
    return result.counters.as_dict().get(effort, 0)


def _summary(results: list[Result], effort: str, target: _Target) -> dict[str, Any]:
    """Return success rate, different answers, and the work of all runs, failed ones included."""
    import statistics

    work = [_work(result, effort) for result in results]
    return {
        "success_rate": sum(map(target.is_found, results)) / len(results),
        "distinct": len({result.answer for result in results if target.is_found(result)}),
        "mean": statistics.fmean(work),
        "median": statistics.median(work),
        "sd": statistics.stdev(work) if len(work) > 1 else None,
    }


def _run_record(result: Result, effort: str, target: _Target) -> dict[str, Any]:
    return {
        "seed": result.seed,
        "status": result.status.value,
        "found": target.is_found(result),
        "objective": result.objective,
        effort: _work(result, effort),
        "ending": result.ending.value,
        "seconds": round(result.seconds, 6),
    }


def _run_lines(
    assignment: Assignment, results: list[Result], effort: str, target: _Target, *, quiet: bool
) -> Iterator[str]:
    edition = f" ({results[0].edition})" if results[0].edition else ""
    summary = _summary(results, effort, target)
    yield f"{described(assignment.problem)}: {numbered(len(results), 'run')} of {assignment.method}{edition}"
    if not quiet:
        yield from _run_rows(results, effort, target)
    solved = sum(map(target.is_found, results))
    share = f"{solved} of {numbered(len(results), 'run')} ({summary['success_rate']:.1%})"
    yield f"  {target.says} in {share}, {numbered(summary['distinct'], 'different answer')}"
    sizes = [result.objective for result in results if result.objective is not None]
    if sizes and _has_sizes(assignment.problem):
        yield f"  knights: best {min(sizes)}, worst {max(sizes)}"
    spread = "" if summary["sd"] is None else f", standard deviation {summary['sd']:,.1f}"
    least = (
        ""
        if solved == len(results)
        else " (runs that did not find it count with the work they did: at least this)"
    )
    yield f"  {effort}: mean {summary['mean']:,.1f}, median {summary['median']:,.1f}{spread}{least}"


def _has_sizes(problem: Problem) -> bool:
    """Whether answers differ in size: not where the task sets the number of knights."""
    return isinstance(problem, KnightCover) and problem.at_most is None


def _run_rows(results: list[Result], effort: str, target: _Target) -> Iterator[str]:
    """Yield a table: whether each run found what it was to find, the size of its cover, its work, its ending."""
    is_sized = _has_sizes(results[0].problem)
    head = f"  {'run':>4} {'seed':>6} {'found':>5}"
    yield f"{head}{' knights' if is_sized else ''} {effort:>12}  ended by"
    for number, result in enumerate(results, 1):
        row = f"  {number:>4} {result.seed:>6} {'yes' if target.is_found(result) else 'no':>5}"
        size = f" {result.objective if result.objective is not None else '-':>7}" if is_sized else ""
        yield f"{row}{size} {_work(result, effort):>12,}  {result.ending.value}"


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
        block = self._fitting([line, *drawing_lines(self.problem, state)])
        up = f"\x1b[{self.height}A" if self.height else ""
        sys.stderr.write(f"{up}\x1b[J" + "".join(f"{text}\n" for text in block))
        sys.stderr.flush()
        self.height = len(block)

    @staticmethod
    def _fitting(block: list[str]) -> list[str]:
        """Return what can be redrawn in place: lines that do not wrap, the first one alone if all are too many."""
        columns, lines = terminal_size()
        return [text[: columns - 1] for text in (block if len(block) < lines else block[:1])]
