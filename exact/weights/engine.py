"""The engine `weights` for knight covers: a cover from another engine, a lower bound that needs no trust in any.

The bound is one weighting of squares a part, or a tree of cases that ends in weightings, checked with integers
before it is reported (`exact.proof.weights`); so OPTIMAL and INFEASIBLE do not rest on a solver's word.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from exact import knights
from exact.child import run_jobs
from exact.cover import PartClass, classes
from exact.proof.for_knights import assembled, share
from exact.proof.growing import THOROUGH, Grown, Outcome, growth_job, proved_part, remember, weighting_job
from exact.proof.weights import Part, Weighting, check_bound
from exact.weights import NAME, supports
from problems import (
    Counters,
    Ending,
    Improvement,
    KnightCover,
    Limits,
    Placement,
    Result,
    Status,
    UnsupportedProblem,
    Watcher,
    checked,
)

SOURCE = "weights (exact rational LP dual)"

_COVER_SHARE = 0.5
"""The part of a time limit that the search for a cover may take."""


def solve(problem: KnightCover, *, limits: Limits, seed: int, watch: Watcher | None = None) -> Result:
    """Decide the problem: a cover found by another engine, and its proof of minimality by weights.

    A limit that is reached leaves the cover with the bound that the parts' weightings prove so far.
    """
    began = time.monotonic()
    if reason := supports(problem):
        raise UnsupportedProblem("a problem that the engine weights supports", reason)
    if settled := knights.impossible(problem, NAME):
        return settled
    start = _cover(problem, limits, seed)
    if start.answer is not None and watch is not None:
        watch(Improvement(1, len(start.answer), time.monotonic() - began), start.answer)
    state = _judged(problem, _bounded(problem, start.answer, limits.after(time.monotonic() - began)))
    if start.answer is None:
        state = replace(state, ending=start.ending, explanation=start.explanation)
    return _result(problem, state, began, seed)


@dataclass(frozen=True, slots=True)
class _Found:
    """The smallest cover known, the bound proved, the counters, and why the search for the bound ended."""

    cover: Placement | None
    bound: int
    counters: Counters
    ending: Ending
    error: str | None


@dataclass(frozen=True, slots=True)
class _State:
    status: Status
    answer: Placement | None = None
    bound: int | None = None
    counters: Counters = field(default=Counters())
    ending: Ending = Ending.FINISHED
    explanation: str | None = None


def _cover(problem: KnightCover, limits: Limits, seed: int) -> Result:
    """Return what the engine that is likely to be fastest finds of the minimum in its share of the time."""
    seconds = None if limits.seconds is None else limits.seconds * _COVER_SHARE
    free, engine = replace(problem, at_most=None), knights.preferred_engine(problem)
    return knights.solve(free, engine=engine, limits=replace(limits, seconds=seconds), seed=seed)


def _bounded(problem: KnightCover, cover: Placement | None, limits: Limits) -> _Found:
    """Return the best bound on all parts, checked, and a smaller cover if one turns up on the way."""
    began = time.monotonic()
    parts = [_Progress(cls, None if cover is None else share(cls, problem, cover)) for cls in classes(problem)]
    roots = run_jobs([weighting_job(progress.cls.part) for progress in parts], limits=limits)
    for progress, root in zip(parts, roots, strict=True):
        if root.ending is Ending.FINISHED:
            progress.take_root(*root.value)
    ended = next((root for root in roots if root.ending is not Ending.FINISHED), None)
    counters = Counters(leaves=sum(progress.proved is not None for progress in parts), solver_calls=len(parts))
    while ended is None and (waiting := [p for p in parts if p.is_open]):
        jobs = [growth_job(p.cls.part, problem.board, len(p.placement), THOROUGH) for p in waiting]
        outcomes = run_jobs(jobs, limits=limits.after(time.monotonic() - began))
        for progress, job, outcome in zip(waiting, jobs, outcomes, strict=True):
            if isinstance(outcome.value, Grown):
                remember(job, outcome.value)  # a certificate of the same minimum needs the same tree
            if outcome.ending is Ending.FINISHED:
                counters += progress.take(outcome.value)
            else:
                ended = outcome
    if cover is not None:
        cover = assembled([(progress.cls, progress.placement) for progress in parts], problem)
    bound = check_bound(problem, [progress.proved for progress in parts if progress.proved is not None])
    if ended is None:
        return _Found(cover, bound, counters, Ending.FINISHED, None)
    return _Found(cover, bound, counters, ended.ending, ended.error)


class _Progress:
    """What is known about one class of parts: the smallest cover and the highest bound."""

    def __init__(self, cls: PartClass, placement: Placement | None) -> None:
        self.cls = cls
        self.placement: Placement = placement or ()
        self.proved: Part | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a cover with more knights than are proved to be needed."""
        return len(self.placement) > (0 if self.proved is None else self.proved.bound)

    def take_root(self, bound: int, leaf: Weighting) -> None:
        """Take in a single weighting."""
        self.proved = Part(self.cls.part.targets, self.cls.symmetries, bound, leaf)

    def take(self, outcome: Outcome) -> Counters:
        """Take in a tree, or a smaller cover; return what it took to grow the tree."""
        if isinstance(outcome, Grown):
            self.proved = proved_part(self.cls, len(self.placement), outcome)
            # The single weighting, one leaf, is a part of the proof no more.
            return Counters(leaves=outcome.leaves - 1, solver_calls=outcome.relaxations)
        assert outcome is not None
        self.placement = outcome
        return Counters()


def _judged(problem: KnightCover, found: _Found) -> _State:
    limit = problem.at_most
    if limit is not None and found.bound > limit:
        reason = f"at least {found.bound} knights are needed"
        return _State(Status.INFEASIBLE, None, found.bound, found.counters, Ending.FINISHED, reason)
    if found.cover is None or (limit is not None and len(found.cover) > limit):
        return _State(Status.UNKNOWN, None, found.bound, found.counters, found.ending, found.error)
    optimal = limit is None and found.bound == len(found.cover)
    status = Status.OPTIMAL if optimal else Status.FEASIBLE
    ending = Ending.FINISHED if limit is not None else found.ending
    explanation = None if ending is Ending.FINISHED else found.error
    return _State(status, found.cover, found.bound, found.counters, ending, explanation)


def _result(problem: KnightCover, state: _State, began: float, seed: int) -> Result:
    return checked(
        Result(
            method=NAME,
            engine=NAME,
            problem=problem,
            status=state.status,
            ending=state.ending,
            seconds=time.monotonic() - began,
            answer=state.answer,
            objective=None if state.answer is None else problem.objective(state.answer),
            bound=state.bound,
            bound_source=None if state.bound is None else SOURCE,
            counters=state.counters,
            seed=seed,
            explanation=state.explanation,
        )
    )
