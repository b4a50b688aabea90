"""How much work a run may do: its clock, and one reading of the limits for every method.

The clock is looked at between chunks of work only, so that the trajectory of a seed does not depend on it, except
where it is cut. It starts when a `Budget` is made: after everything has been imported and compiled.
"""

from __future__ import annotations

from time import perf_counter

from problems import Ending, Limits

UNBOUNDED = 1 << 62
"""More work than any run does, and still a 64-bit integer when a few are added."""


def effort_budget(limits: Limits, default: int, *, unit: Ending = Ending.EVALUATIONS) -> tuple[int, Ending]:
    """Return how much of its own work a method may do, and how a run ends that has done it.

    Evaluations and nodes both mean the method's own counter (`HeuristicMethod.effort`): the smaller limit holds
    and names the ending. `unit` names it where they are equal and where neither is given; `default` is the limit
    then, unless the seconds are limited: nothing runs for ever.
    """
    given = [
        (limit, ending is not unit, ending)
        for limit, ending in ((limits.evaluations, Ending.EVALUATIONS), (limits.nodes, Ending.NODES))
        if limit is not None
    ]
    if given:
        most, _, ending = min(given)
        return most, ending
    return (default if limits.seconds is None else UNBOUNDED), unit


class Budget:
    """The work that may still be done and the time that may still pass; `spent` is kept up by the method."""

    def __init__(self, limits: Limits, *, default: int, unit: Ending = Ending.EVALUATIONS) -> None:
        self._started = perf_counter()
        self._seconds = limits.seconds
        self.most, self._at_most = effort_budget(limits, default, unit=unit)
        self.spent = 0

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._started

    @property
    def time_is_up(self) -> bool:
        """Whether the seconds have gone by."""
        return self._seconds is not None and self.seconds >= self._seconds

    @property
    def ending(self) -> Ending | None:
        """Why the budget is at its end, or None while it is not."""
        if self.spent >= self.most:
            return self._at_most
        return Ending.TIME if self.time_is_up else None

    def chunk(self, largest: int) -> int:
        """Return the work to do before the clock is looked at again, `largest` at most."""
        return min(largest, self.most - self.spent)
