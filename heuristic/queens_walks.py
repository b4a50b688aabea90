"""The walks of the hill climbers, with their arrays; imported only when a method runs."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from heuristic.kernels import queens_climbing as kernel
from heuristic.kernels.random import seeded
from heuristic.queens_run import Phase, State, column_by_column, row_by_row
from problems import Counters


class _Climber:
    """What both climbers have: climbs that follow each other, the first from a given state if there is one."""

    def __init__(self, n: int, seed: int, start: list[int] | None, climbs: int) -> None:
        self.effort = 0
        self.cost = 0
        self._n = n
        self._climbs = climbs
        self._made = 0
        self._over = False
        self._rng = seeded(seed)
        self._at = np.zeros(n, np.int64)
        self._lines = np.zeros((3, 2 * n), np.int32)
        self._moves = np.zeros(n * n, np.int64)
        if start is None:
            self._begin()
        else:
            self._at[:] = start
            self._settle()

    @property
    def operations(self) -> int:
        """A step values every square."""
        return 4 * self._n**2

    @property
    def phase(self) -> Phase:
        """Whether a climb has succeeded, or all have failed."""
        if not self.cost:
            return Phase.SOLVED
        return Phase.GIVEN_UP if self._over and self._made + 1 >= self._climbs else Phase.RUNNING

    def value(self, cost: int) -> int:
        """Return the cost."""
        return cost

    def counters(self) -> Counters:
        """Return the steps, the squares valued, and the climbs begun after the first."""
        return Counters(steps=self.effort, restarts=self._made, evaluations=self.effort * self._n * (self._n - 1))

    def _next(self) -> None:
        """Begin the next climb if this one is over."""
        if self._over:
            self._made += 1
            self._begin()

    def _begin(self) -> None:
        self._draw()
        self._settle()

    def _settle(self) -> None:
        self._over = False
        kernel.tally(self._at, self._lines)
        self.cost = self._measure()

    def _draw(self) -> None:
        raise NotImplementedError

    def _measure(self) -> int:
        raise NotImplementedError


class HillWalk(_Climber):
    """The document's climbs; the cost is the number of queens attacked.

    Without `keep_last` a solution that comes with a climb's last step is none: it costs more than any state.
    """

    def __init__(
        self, n: int, seed: int, start: list[int] | None, length: int, climbs: int, *, keep_last: bool
    ) -> None:
        self._length = length
        self._keep_last = keep_last
        self._steps = 0
        super().__init__(n, seed, start, climbs)
        self._lone = np.zeros_like(self._lines)

    @staticmethod
    @cache
    def warm() -> None:
        """Have the code compiled or loaded, once, so that no run's clock counts it."""
        HillWalk(4, 0, None, 1, 1, keep_last=True).advance(1, 0)

    def advance(self, most: int, target: int) -> None:
        """Go on climbing, at most to the end of a climb."""
        self._next()
        most = min(most, self._length - self._steps)
        made, cost = kernel.climb_attacked(
            self._rng, self._at, self._lines, self._lone, self._moves, self.cost, most, target
        )
        self.effort += made
        self._steps += made
        self._over = self._steps == self._length or not cost
        thrown_away = not (cost or self._keep_last) and self._steps == self._length
        self.cost = self._n + 1 if thrown_away else cost

    def state(self) -> State:
        """Return the current state."""
        return row_by_row(self._at)

    def _settle(self) -> None:
        self._steps = 0
        super()._settle()

    def _draw(self) -> None:
        kernel.permute(self._rng, self._at)

    def _measure(self) -> int:
        return int(kernel.count_attacked(self._at, self._lines))


class SteepestWalk(_Climber):
    """The textbook's climbs, one queen a column; the cost is the number of attacking pairs."""

    def __init__(self, n: int, seed: int, start: list[int] | None, sideways: int, climbs: int) -> None:
        self._sideways = sideways
        self._sideways_made = 0
        super().__init__(n, seed, start, climbs)

    @staticmethod
    @cache
    def warm() -> None:
        """Have the code compiled or loaded, once, so that no run's clock counts it."""
        SteepestWalk(4, 0, None, 0, 1).advance(1, 0)

    def advance(self, most: int, target: int) -> None:
        """Go on climbing, at most until a climb is stuck."""
        self._next()
        made, self.cost, self._sideways_made, self._over = kernel.climb_pairs(
            self._rng,
            self._at,
            self._lines,
            self._moves,
            self.cost,
            self._sideways_made,
            self._sideways,
            most,
            target,
        )
        self.effort += made

    def state(self) -> State:
        """Return the current state."""
        return column_by_column(self._at)

    def _settle(self) -> None:
        self._sideways_made = 0
        super()._settle()

    def _draw(self) -> None:
        kernel.scatter(self._rng, self._at)

    def _measure(self) -> int:
        return int(kernel.count_pairs(self._at, self._lines))


def many_climbs(
    n: int, seed: int, climbs: int, length: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the steps of each climb, its last state (row -> column), and whether that is a solution."""
    steps, ends = np.zeros(climbs, np.int64), np.zeros((climbs, n), np.int64)
    costs = np.zeros(climbs, np.int64)
    at, lines = np.zeros(n, np.int64), np.zeros((3, 2 * n), np.int32)
    moves = np.zeros(n * n, np.int64)
    kernel.many_climbs(seeded(seed), at, lines, np.zeros_like(lines), moves, length, steps, ends, costs)
    return steps, ends, costs == 0


@cache
def warm_many_climbs() -> None:
    """Have the code of `many_climbs` compiled or loaded, once, so that no clock counts it."""
    many_climbs(4, 0, 1, 1)
