"""Knight covers, exactly: the fewest knights, whether K can do, all placements of the fewest.

The board is split into independent parts (`exact.cover`); parts that are images of each other are solved once,
different ones side by side in children. These report covers and bounds as they come: a limit leaves the best
placement, the bound and the gap, and a question of at most K ends as soon as they decide it.
Answers are checked by `exact.dispatch`, not here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import islice

from exact import cover_product
from exact.child import Job, Outcome, run_jobs
from exact.cover import PartClass, classes, counting_bound, greedy
from exact.progress import Bound, Enumerated, Found, Incumbent, OfPart, Solved
from problems import (
    ARGUMENT,
    Counters,
    Ending,
    Improvement,
    KnightCover,
    Limits,
    Placement,
    Problem,
    Result,
    Rule,
    Status,
    UnsupportedProblem,
    Watcher,
)

ENGINES: tuple[str, ...] = ("cpsat", "sat")

SOURCES = {"cpsat": "CP-SAT, one run", "sat": "SAT (CaDiCaL 1.9.5)"}
"""Who vouches for a bound, by engine."""

MAX_SQUARES = {"cpsat": 40_000, "sat": 10_000}
"""The largest board, in squares, by engine: beyond, the model outgrows an ordinary machine's memory."""

_SMALL_ORDINARY = 144
"""Squares of the largest ordinary cover for SAT: 12x12 0.6 s and 0.9 + 0.7 to load CP-SAT, 13x13 4.1 and 0.6."""

_COUNTING = "counting the squares that one knight covers"
_NAMED_SQUARES = 5


def supports(engine: str, problem: Problem) -> str | None:
    """Return None, or why the engine cannot take on the problem."""
    if not isinstance(problem, KnightCover):
        return "another problem"
    size = problem.board.size
    if size <= MAX_SQUARES[engine] or problem.unreachable():
        return None
    return f"{size} squares, more than {MAX_SQUARES[engine]}"


def preferred_engine(problem: KnightCover) -> str:
    """Return the engine that is likely to find the minimum first."""
    is_large_ordinary = problem.rule is Rule.ORDINARY and problem.board.size > _SMALL_ORDINARY
    return "cpsat" if is_large_ordinary else "sat"


def solve(problem: KnightCover, *, engine: str, limits: Limits, seed: int, watch: Watcher | None = None) -> Result:
    """Find the fewest knights, or decide whether `at_most` of them can do; `engine` is one of `ENGINES`.

    INFEASIBLE is published when the bounds exceed `at_most`; those of CP-SAT only after SAT has confirmed them,
    else the status is UNKNOWN and the bound says that it is CP-SAT's alone.
    """
    if settled := impossible(problem, engine):
        return settled
    run = _Run(problem, engine, limits, seed, watch)
    run.minimise()
    result = run.result()
    if result.status is Status.INFEASIBLE and run.rests_on(SOURCES["cpsat"]):
        return _confirmed(result, limits, seed)
    return result


def enumerate_all(
    problem: KnightCover, *, engine: str, limits: Limits, seed: int, keep: int = 0, classes: bool = False
) -> Result:
    """Count all placements of the fewest knights, with `classes` up to symmetry too; keep the first in order.

    Totals only with `complete`. When a limit ends it, `count` is what was found: 0 as long as the minimum is
    not proved. Raises `UnsupportedProblem` for a problem with `at_most`, which has no minimum to enumerate.
    """
    if problem.at_most is not None:
        raise UnsupportedProblem(
            "a count of the placements with the fewest knights",
            f"at most {problem.at_most} knights",
            where="--at-most",
            hint="leave it out",
        )
    if settled := impossible(problem, engine):
        return replace(settled, count=0, classes=0 if classes else None, complete=True)
    run = _Run(problem, engine, limits, seed, None)
    run.enumerate_all()
    return run.enumeration(keep, classes)


def impossible(problem: KnightCover, engine: str) -> Result | None:
    """Return INFEASIBLE with the squares that no knight attacks, or None if there are none."""
    unreachable = problem.unreachable()
    if not unreachable:
        return None
    names = [f"{problem.board.name(square)} {square}" for square in unreachable[:_NAMED_SQUARES]]
    if further := len(unreachable) - len(names):
        names.append(f"{further} more")
    return Result(
        method=ARGUMENT,
        engine=engine,
        problem=problem,
        status=Status.INFEASIBLE,
        ending=Ending.FINISHED,
        seconds=0.0,
        explanation=f"no knight, wherever it stands, attacks {', '.join(names)}",
    )


def _confirmed(result: Result, limits: Limits, seed: int) -> Result:
    """Return CP-SAT's INFEASIBLE if SAT says the same, else UNKNOWN (or what SAT found against it)."""
    assert isinstance(result.problem, KnightCover)
    run = _Run(result.problem, "sat", limits.after(result.seconds), seed, None)
    run.minimise()
    second = run.result()
    combined = replace(result, seconds=result.seconds + second.seconds, counters=result.counters + second.counters)
    if second.status is Status.INFEASIBLE:
        reason = second.explanation
        return replace(combined, bound_source="CP-SAT, confirmed by SAT", bound=second.bound, explanation=reason)
    if second.status is Status.UNKNOWN:
        reason = f"CP-SAT alone says that {result.bound} knights are needed; SAT had no time to confirm it"
        return replace(combined, status=Status.UNKNOWN, ending=second.ending, explanation=reason)
    raise RuntimeError(f"CP-SAT says {result.bound} knights are needed, SAT has a cover with {second.objective}")


@dataclass(slots=True)
class _Share:
    """What is known of one class of parts: of each of its parts, that is."""

    cls: PartClass
    start: tuple[int, ...]
    bound: int
    source: str
    best: Placement | None
    found: list[Placement]
    counters: Counters = field(default=Counters())
    exhausted: bool = False

    @property
    def parts(self) -> int:
        """How many parts are like this one."""
        return len(self.cls.symmetries)

    @property
    def is_proved(self) -> bool:
        """Whether the best cover is known to have the fewest knights."""
        return self.best is not None and len(self.best) == self.bound


class _Run:
    """One call: the parts, what is known of each, and when that is enough."""

    def __init__(
        self, problem: KnightCover, engine: str, limits: Limits, seed: int, watch: Watcher | None
    ) -> None:
        self.problem = problem
        self.engine = engine
        self.limits = limits
        self.seed = seed
        self.watch = watch
        self.began = time.monotonic()
        self.trace: list[Improvement] = []
        self.outcomes: tuple[Outcome, ...] = ()
        self.shares = [
            _Share(cls, greedy(cls.part), counting_bound(cls.part), _COUNTING, None, [])
            for cls in classes(problem)
        ]
        for share in self.shares:
            share.best = share.cls.part.placement(share.start)
        self._note_improvement()

    def minimise(self) -> None:
        """Find the fewest knights of one part of each class, or only what the question of at most K takes."""
        shares = [share for share in self.shares if not share.is_proved]
        if self.problem.at_most is None:
            self._side_by_side("minimise", shares)
        elif not self._is_decided():
            self._in_turn(shares)

    def enumerate_all(self) -> None:
        """Find all covers with the fewest knights of one part of each class."""
        self._side_by_side("enumerate_all", self.shares)

    def _in_turn(self, shares: list[_Share]) -> None:
        """Minimise in one child until the question is decided.

        With a child a part, it would be chance which reports decide it.
        """
        parts = tuple((share.cls.part, share.start) for share in shares)
        job = Job(f"exact.{self.engine}.knights:minimise_together", (parts, self.problem.board, self.seed))
        self.outcomes = run_jobs(
            [job],
            limits=self.limits.after(time.monotonic() - self.began),
            on_report=lambda _, told: self._hear(shares, told),
        )
        for share, solved in zip(shares, self.outcomes[0].value or (), strict=False):
            self._conclude(share, solved)

    def _hear(self, shares: list[_Share], told: OfPart) -> bool:
        return self._listen(shares[told.index], told.report)

    def _side_by_side(self, function: str, shares: list[_Share]) -> None:
        board, name = self.problem.board, f"exact.{self.engine}.knights:{function}"
        jobs = [Job(name, (share.cls.part, board, share.start, self.seed)) for share in shares]
        left = self.limits.after(time.monotonic() - self.began)
        self.outcomes = run_jobs(
            jobs, limits=left, on_report=lambda index, message: self._listen(shares[index], message)
        )
        for share, outcome in zip(shares, self.outcomes, strict=True):
            if outcome.value is not None:
                self._conclude(share, outcome.value)

    def _conclude(self, share: _Share, value: Solved | Enumerated) -> None:
        """Take in what a child has proved about a part."""
        share.counters = value.counters
        match value:
            case Solved():
                self._take(share, value.answer)
                self._prove(share, value.bound)
            case Enumerated():
                share.exhausted = value.complete

    def result(self) -> Result:
        """Return what is known, as the answer to the problem."""
        status = self._status()
        answer = self.cover() if status in (Status.OPTIMAL, Status.FEASIBLE) else None
        bound, most = self.bound(), self.problem.at_most
        explanation = next((outcome.error for outcome in self.outcomes if outcome.error), None)
        if status is Status.INFEASIBLE:
            explanation = f"at least {bound} knights are needed, {most} are allowed"
        decided = status in (Status.OPTIMAL, Status.INFEASIBLE) or (most is not None and answer is not None)
        return Result(
            method=self.engine,
            engine=self.engine,
            problem=self.problem,
            status=status,
            ending=Ending.FINISHED if decided else self._ending(),
            seconds=time.monotonic() - self.began,
            answer=answer,
            objective=None if answer is None else len(answer),
            bound=bound,
            bound_source=self._bound_source(),
            counters=self._counters(),
            seed=self.seed,
            trace=tuple(self.trace),
            explanation=explanation,
        )

    def enumeration(self, keep: int, up_to_symmetry: bool) -> Result:
        """Return what is known, with the number of placements and the first `keep`."""
        result = self.result()
        complete = all(share.exhausted for share in self.shares)
        found = [share.found if share.is_proved else [] for share in self.shares]
        board = self.problem.board
        parts = [
            part
            for share, covers in zip(self.shares, found, strict=True)
            for part in cover_product.part_covers(share.cls, covers, board)
        ]
        first = list(islice(cover_product.in_order(parts), max(keep, 1)))
        return replace(
            result,
            ending=self._ending(),
            answer=first[0] if first else result.answer,
            # Solvers find covers in no order: which are the first is known only when all are.
            answers=tuple(first[:keep]) if complete else (),
            count=cover_product.count(parts),
            classes=cover_product.count_classes(parts, board) if up_to_symmetry and complete else None,
            complete=complete,
            seconds=time.monotonic() - self.began,
        )

    def cover(self) -> Placement | None:
        """Return the best placement on the whole board, sorted; None while some part has none."""
        board, squares = self.problem.board, []
        for share in self.shares:
            if share.best is None:
                return None
            for symmetry in share.cls.symmetries:
                squares += [symmetry.apply(square, board.rows, board.cols) for square in share.best]
        return tuple(sorted(squares))

    def bound(self) -> int:
        """Return the sum of the parts' bounds."""
        return sum(share.parts * share.bound for share in self.shares)

    def _status(self) -> Status:
        objective, most = self._objective(), self.problem.at_most
        if most is None:
            if objective is None:
                return Status.UNKNOWN
            return Status.OPTIMAL if self.bound() == objective else Status.FEASIBLE
        if objective is not None and objective <= most:
            return Status.FEASIBLE
        return Status.INFEASIBLE if self.bound() > most else Status.UNKNOWN

    def _objective(self) -> int | None:
        sizes = [None if share.best is None else share.parts * len(share.best) for share in self.shares]
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None

    def _listen(self, share: _Share, message: object) -> bool:
        """Take in a report; True when it decides the question."""
        if isinstance(message, Incumbent | Bound) and message.counters != Counters():
            share.counters = message.counters
        match message:
            case Incumbent():
                self._take(share, message.answer)
            case Bound():
                self._prove(share, message.value)
            case Found():
                share.found.extend(message.answers)
        return self._is_decided()

    def _is_decided(self) -> bool:
        """Whether a question of at most K has its answer; a minimum has it when all parts are done."""
        return self.problem.at_most is not None and self._status() is not Status.UNKNOWN

    def _take(self, share: _Share, cover: Placement | None) -> None:
        if cover is None or (share.best is not None and len(share.best) <= len(cover)):
            return
        share.best = cover
        self._note_improvement()

    def _note_improvement(self) -> None:
        whole = self.cover()
        if whole is None:
            return
        self.trace.append(Improvement(len(self.trace) + 1, len(whole), time.monotonic() - self.began))
        if self.watch is not None:
            self.watch(self.trace[-1], whole)

    def _prove(self, share: _Share, bound: int | None) -> None:
        if bound is not None and bound > share.bound:
            share.bound, share.source = bound, SOURCES[self.engine]

    def rests_on(self, source: str) -> bool:
        """Whether the bound of some part comes from this source."""
        return any(share.source == source for share in self.shares)

    def _bound_source(self) -> str:
        """Return who vouches for the bound, and how it is made up where the board splits."""
        source = " and ".join(dict.fromkeys(share.source for share in self.shares))
        parts_of: dict[int, int] = {}
        for share in self.shares:
            parts_of[share.bound] = parts_of.get(share.bound, 0) + share.parts
        terms = [f"{parts} x {bound}" if parts > 1 else str(bound) for bound, parts in parts_of.items()]
        return source if terms == [str(self.bound())] else f"{source}, independent parts {' + '.join(terms)}"

    def _ending(self) -> Ending:
        endings = (outcome.ending for outcome in self.outcomes)
        return next((ending for ending in endings if ending is not Ending.FINISHED), Ending.FINISHED)

    def _counters(self) -> Counters:
        """Return the children's work; of those that were ended, until their last report."""
        return sum((share.counters for share in self.shares), Counters())
