"""Knight's tours, exactly: a tour, or the proof that there is none; their number, up to symmetry as well.

Short arguments come first (`exact.tour_arguments`), then the engine, in a child that can be killed: `sat`
(degrees and cuts), `cpsat` (circuits) or `search` (exchanges on large boards, exhaustion and frontiers on small
ones). INFEASIBLE from CP-SAT is published only after SAT has said the same. Tours are counted undirected, but
with a given start or end directed. Answers are not checked here but by `exact.dispatch`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from exact.child import Job, Outcome, run_job
from exact.progress import Enumerated, Found, Solved
from exact.tour_arguments import explanation, find_argument
from exact.tour_model import undirected
from exact.tour_progress import Decided, Listed, Tally
from problems import ARGUMENT, Counters, Ending, KnightTour, Limits, Path, Problem, Result, Status, Watcher

SEARCH = "search"
ENGINES: tuple[str, ...] = ("cpsat", "sat", SEARCH)

MAX_SQUARES = {"cpsat": 4_000, "sat": 40_000}
"""The largest board, in squares, by engine; beyond, `search` finds tours in less time than the model takes."""

MAX_SQUARES_TO_PLAN = 5_000
"""The largest board, in squares, whose tours are counted by frontiers."""

_BY_SAT = (
    "two moves at every square and {cuts} cuts (moves that leave a set of squares) contradict each other: SAT"
)
_BY_SEARCH = "an exhaustive search found none"
_BY_FRONTIER = "no partial tour can be completed, counted by frontiers"


def supports(engine: str, problem: Problem) -> str | None:
    """Return None, or why the engine cannot take on the problem."""
    if not isinstance(problem, KnightTour):
        return "another problem"
    most = MAX_SQUARES.get(engine)
    if most is None or problem.board.size <= most:
        return None
    return f"{problem.board.size} squares, more than {most}"


def solve(problem: KnightTour, *, engine: str, limits: Limits, seed: int, watch: Watcher | None = None) -> Result:
    """Find a tour or prove that there is none; `engine` is one of `ENGINES`.

    A closed tour with a start begins there. There is nothing to minimise, so `watch` is never called.
    `limits.nodes` bounds the exhaustive part of `search`, which leaves to SAT what it neither finds nor exhausts.
    UNKNOWN when a limit was reached, or when the board is too large for SAT as well.
    """
    run = _Run(problem, engine, limits)
    if (settled := run.settled()) is not None:
        return settled
    match engine:
        case "sat":
            return _by_sat(run, seed)
        case "cpsat":
            return _by_cpsat(run, seed)
        case _:
            return _by_search(run, seed)


def enumerate_all(
    problem: KnightTour, *, engine: str, limits: Limits, seed: int, keep: int = 0, classes: bool = False
) -> Result:
    """Count the tours, with `classes` up to the board's symmetries too; keep the first `keep` in sorted order.

    Totals only with `complete`; else `count` is what was found, None where nothing was listed. Two tours are of
    one class when a symmetry carries one to the other as undirected tours, whatever start or end are given.
    """
    run = _Run(problem, engine, limits)
    if (settled := run.settled()) is not None:
        return _as_count(settled, keep, classes)
    if engine == SEARCH:
        return _list(run, keep, classes=True) if classes else _count(run, keep)
    return _enumerate(run, seed, keep, classes)


def count_classes(problem: KnightTour, paths: Iterable[Path]) -> int:
    """Return how many of the tours differ under the board's symmetries, as undirected tours."""
    board = problem.board
    return len({min(undirected(image, problem.closed) for image in board.images(path)) for path in paths})


@dataclass(slots=True)
class _Run:
    """One call: the problem, the engine, the limits, and what it has cost so far."""

    problem: KnightTour
    engine: str
    limits: Limits
    began: float = field(default_factory=time.monotonic)
    counters: Counters = field(default=Counters())

    def settled(self) -> Result | None:
        """Return the result where no engine is needed."""
        size = self.problem.board.size
        if size == 0 or (size == 1 and not self.problem.closed):
            answer = tuple(self.problem.board.squares())
            return replace(self.result(Status.FEASIBLE), method=ARGUMENT, answer=answer)
        argument = find_argument(self.problem)
        if argument is None:
            return None
        reason = explanation(self.problem, argument)
        return replace(self.result(Status.INFEASIBLE), method=ARGUMENT, explanation=reason)

    def job(self, function: str, *arguments: Any, listener: Any = None) -> Outcome:
        """Run a child's function within what is left of the limits."""
        left = self.limits.after(time.monotonic() - self.began)
        return run_job(Job(function, arguments), limits=left, on_report=listener)

    def result(self, status: Status, ending: Ending = Ending.FINISHED) -> Result:
        """Return a result about this problem, for callers to complete."""
        return Result(
            method=self.engine,
            engine=self.engine,
            problem=self.problem,
            status=status,
            ending=ending,
            seconds=time.monotonic() - self.began,
            counters=self.counters,
        )

    def unknown(self, outcome: Outcome) -> Result:
        """Return what is left when a child was ended or has failed."""
        return replace(self.result(Status.UNKNOWN, outcome.ending), explanation=outcome.error)


def _by_sat(run: _Run, seed: int) -> Result:
    outcome = run.job("exact.sat.tours:decide", run.problem, seed)
    if not isinstance(outcome.value, Decided):
        return run.unknown(outcome)
    decided = outcome.value
    run.counters += decided.counters
    reason = _BY_SAT.format(cuts=len(decided.cuts)) if decided.status is Status.INFEASIBLE else None
    return replace(run.result(decided.status), answer=decided.path, explanation=reason)


def _by_cpsat(run: _Run, seed: int) -> Result:
    outcome = run.job("exact.cpsat.tours:solve", run.problem, seed)
    if not isinstance(outcome.value, Solved):
        return run.unknown(outcome)
    run.counters += outcome.value.counters
    if outcome.value.status is Status.INFEASIBLE:
        return _confirmed(run, seed)
    return replace(run.result(outcome.value.status), answer=outcome.value.answer)


def _confirmed(run: _Run, seed: int) -> Result:
    """Return INFEASIBLE if SAT says it as well as CP-SAT, UNKNOWN if it does not get to say so."""
    second = _by_sat(run, seed)
    if second.status is Status.FEASIBLE:
        raise RuntimeError(f"CP-SAT finds no tour for {run.problem}, SAT does")
    if second.status is Status.INFEASIBLE:
        return replace(second, explanation=f"{second.explanation}, and CP-SAT")
    return replace(second, explanation="CP-SAT alone finds no tour; SAT had no time to confirm it")


def _by_search(run: _Run, seed: int) -> Result:
    outcome = run.job("exact.search.tours:solve", run.problem, seed, run.limits.nodes)
    if not isinstance(outcome.value, Solved):
        return run.unknown(outcome)
    solved = outcome.value
    run.counters += solved.counters
    if solved.status is Status.UNKNOWN and solved.counters.nodes is not None:
        return run.result(Status.UNKNOWN, Ending.NODES)
    if solved.status is Status.UNKNOWN:
        return run.result(Status.UNKNOWN) if supports("sat", run.problem) else _by_sat(run, seed)
    reason = _BY_SEARCH if solved.status is Status.INFEASIBLE else None
    return replace(run.result(solved.status), answer=solved.answer, explanation=reason)


def _as_count(result: Result, keep: int, classes: bool) -> Result:
    """Return what needs no engine as the result of an enumeration."""
    answers = () if result.answer is None else (result.answer,)
    return replace(
        result,
        count=len(answers),
        classes=len(answers) if classes else None,
        complete=True,
        answers=answers[:keep],
    )


def _enumerate(run: _Run, seed: int, keep: int, classes: bool) -> Result:
    """Have SAT or CP-SAT find all tours."""
    heard = _Heard()
    outcome = run.job(f"exact.{run.engine}.tours:enumerate_all", run.problem, seed, listener=heard.listen)
    if isinstance(outcome.value, Enumerated):
        run.counters += outcome.value.counters
    complete = isinstance(outcome.value, Enumerated) and outcome.value.complete
    found = sorted(heard.tours)
    if complete and not found:
        return _none_found(run, seed, classes)
    return replace(
        run.result(Status.FEASIBLE if found else Status.UNKNOWN, outcome.ending),
        answer=found[0] if found else None,
        # Solvers find tours in no order: which are the first is known only when all are.
        answers=tuple(found[:keep]) if complete else (),
        count=len(found),
        classes=count_classes(run.problem, found) if classes and complete else None,
        complete=complete,
        explanation=outcome.error,
    )


def _none_found(run: _Run, seed: int, classes: bool) -> Result:
    """Return the count 0, which is as strong a claim as INFEASIBLE."""
    result = _confirmed(run, seed) if run.engine == "cpsat" else _by_sat(run, seed)
    complete = result.status is Status.INFEASIBLE
    return replace(result, count=0, classes=0 if classes and complete else None, complete=complete)


def _count(run: _Run, keep: int) -> Result:
    """Count by frontiers and list the first tours; where the frontier is too wide, list them all."""
    from exact.search.tours_plan import WIDEST, best_plan

    problem = run.problem
    if problem.board.size > MAX_SQUARES_TO_PLAN or (plan := best_plan(problem)).width > WIDEST:
        return _list(run, keep, classes=False)
    heard = _Heard()
    arguments = (problem, plan, keep, run.limits.nodes)
    outcome = run.job("exact.search.tours:count", *arguments, listener=heard.listen)
    total = outcome.value if isinstance(outcome.value, Enumerated) else heard.total
    if total is None:
        return replace(run.unknown(outcome), complete=False)
    run.counters += total.counters
    if not total.complete:
        return replace(run.result(Status.UNKNOWN, Ending.NODES), complete=False)
    return replace(
        run.result(Status.FEASIBLE if total.count else Status.INFEASIBLE, outcome.ending),
        answer=heard.tours[0] if heard.tours else None,
        answers=tuple(heard.tours[:keep]),
        count=total.count,
        complete=True,
        explanation=outcome.error if total.count else _BY_FRONTIER,
    )


def _list(run: _Run, keep: int, *, classes: bool) -> Result:
    """List all tours by search."""
    heard = _Heard()
    arguments = (run.problem, max(keep, 1), run.limits.nodes, classes)
    outcome = run.job("exact.search.tours:enumerate_tours", *arguments, listener=heard.listen)
    listed = outcome.value if isinstance(outcome.value, Listed) else None
    tally = heard.tally if listed is None else listed
    complete = listed is not None and listed.complete
    run.counters += Counters(nodes=tally.nodes)
    status = Status.FEASIBLE if heard.tours else Status.INFEASIBLE if complete else Status.UNKNOWN
    return replace(
        run.result(status, outcome.ending if complete or listed is None else Ending.NODES),
        answer=heard.tours[0] if heard.tours else None,
        answers=tuple(heard.tours[:keep]),
        count=tally.count,
        classes=None if listed is None else listed.classes,
        complete=complete,
        explanation=_BY_SEARCH if status is Status.INFEASIBLE else outcome.error,
    )


@dataclass(slots=True)
class _Heard:
    """What an enumerating child has reported: tours, and how far it has got."""

    tours: list[Path] = field(default_factory=list)
    tally: Tally = field(default=Tally(0, 0))
    total: Enumerated | None = None

    def listen(self, message: Any) -> None:
        """Take in a report."""
        match message:
            case Found():
                self.tours.extend(message.answers)
            case Tally():
                self.tally = message
            case Enumerated():
                self.total = message
