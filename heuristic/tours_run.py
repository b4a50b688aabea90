"""The loop around every search for tours: budget, clock, trace of improvements, result.

A search is advanced in chunks of nodes; the clock is looked at between them only, so that a seed's trajectory
does not depend on it except where it is cut. Improvements are longer paths, told when the knight is stuck.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from heuristic.budget import Budget
from heuristic.watching import Audience
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

    def told(self) -> Path:
        """Return the path of the last improvement; `longest` may have gone further since."""

    def advance(self, node_limit: int) -> Event:
        """Search on until something happens or `nodes` is at the limit."""


def drive(
    search: Search,
    problem: KnightTour,
    *,
    method: str,
    edition: str,
    budget: Budget,
    seed: int,
    watch: Watcher | None,
) -> Result:
    """Advance a search to its end or the budget's and report; the budget's clock ran while the search was made.

    FEASIBLE with the tour, or UNKNOWN with the longest path. An evaluation is a node here. What the clock cannot
    cut: the making of the search and, at the end, the writing of the path, half a second a million squares each.
    """
    audience = Audience(watch)
    trace: list[Improvement] = []
    ending: Ending | None = None
    while ending is None:
        event = search.advance(min(budget.most, search.nodes + CHUNK))
        budget.spent = search.nodes
        if event in (Event.IMPROVED, Event.SOLVED):
            trace.append(Improvement(search.nodes, search.length, budget.seconds))
        if event is Event.IMPROVED:
            audience.improved(trace[-1], search.told)
        audience.catch_up()
        if event in (Event.SOLVED, Event.EXHAUSTED):
            ending = Ending.FINISHED
        elif event is Event.PAUSED:
            ending = budget.ending
        elif budget.time_is_up:
            ending = Ending.TIME
    path = search.longest()
    if solved := event is Event.SOLVED:
        audience.improved(trace[-1], lambda: path)
    audience.close()
    return Result(
        method=method,
        problem=problem,
        status=Status.FEASIBLE if solved else Status.UNKNOWN,
        ending=ending,
        seconds=budget.seconds,
        edition=edition,
        answer=path if solved else None,
        best=None if solved else path,
        counters=Counters(nodes=search.nodes, restarts=search.restarts),
        seed=seed,
        trace=tuple(trace),
    )


def node_budget(limits: Limits) -> Budget:
    """Start the clock of a search for a tour, whose work is counted in nodes; compile everything before."""
    return Budget(limits, default=DEFAULT_NODES, unit=Ending.NODES)
