"""The loop around every search for tours: budget, clock, trace of improvements, result.

A search is advanced in chunks of nodes; the clock is looked at between them only, so that a seed's trajectory
does not depend on it except where it is cut. Improvements are longer paths, told when the knight is stuck.
"""

from __future__ import annotations

from enum import IntEnum
from time import perf_counter
from typing import Protocol

from problems import Counters, Ending, Improvement, KnightTour, Limits, Path, Result, Status, Watcher

CHUNK = 1 << 19
"""Nodes between two looks at the clock: 10 to 50 ms."""

DEFAULT_NODES = 1_000_000_000
"""The node limit when neither nodes nor seconds are limited: nothing runs for ever."""


class Event(IntEnum):
    """Why a search returned to its caller."""

    PAUSED = 0
    """It has used up the nodes it was given."""
    IMPROVED = 1
    """It is stuck, on the longest path so far."""
    SOLVED = 2
    """It has found what it was looking for."""
    EXHAUSTED = 3
    """There is nothing left to try."""


class Search(Protocol):
    """A search that goes on where it stopped."""

    @property
    def nodes(self) -> int:
        """The squares entered so far, starts included."""

    @property
    def restarts(self) -> int | None:
        """How often it began anew, or None if it never does."""

    @property
    def length(self) -> int:
        """The number of squares of the longest path so far."""

    def longest(self) -> Path:
        """Return the longest path so far, the tour once it is found."""

    def advance(self, node_limit: int) -> Event:
        """Search on until something happens or `nodes` is at the limit."""


def drive(
    search: Search,
    problem: KnightTour,
    *,
    method: str,
    edition: str,
    limits: Limits,
    seed: int,
    watch: Watcher | None,
    started: float,
) -> Result:
    """Advance a search to its end or the limits' and report; `started` is the clock when the method began.

    FEASIBLE with the tour, or UNKNOWN with the longest path. An evaluation is a node here.
    """
    budget = node_budget(limits)
    trace: list[Improvement] = []
    ending: Ending | None = None
    while ending is None:
        event = search.advance(min(budget, search.nodes + CHUNK))
        seconds = perf_counter() - started
        if event in (Event.IMPROVED, Event.SOLVED):
            trace.append(Improvement(search.nodes, search.length, seconds))
            if watch is not None:
                watch(trace[-1], search.longest())
        if event in (Event.SOLVED, Event.EXHAUSTED):
            ending = Ending.FINISHED
        elif event is Event.PAUSED and search.nodes >= budget:
            ending = Ending.NODES
        elif limits.seconds is not None and seconds >= limits.seconds:
            ending = Ending.TIME
    path = search.longest()
    solved = event is Event.SOLVED
    return Result(
        method=method,
        problem=problem,
        status=Status.FEASIBLE if solved else Status.UNKNOWN,
        ending=ending,
        seconds=perf_counter() - started,
        edition=edition,
        answer=path if solved else None,
        best=None if solved else path,
        counters=Counters(nodes=search.nodes, restarts=search.restarts),
        seed=seed,
        trace=tuple(trace),
    )


def node_budget(limits: Limits) -> int:
    """Return how many nodes may be used; whichever of nodes and evaluations is the tighter."""
    given = [limit for limit in (limits.nodes, limits.evaluations) if limit is not None]
    if given:
        return min(given)
    return DEFAULT_NODES if limits.seconds is None else 1 << 62
