"""The walks of the other queens heuristics, with their arrays; imported only when a method runs."""

from __future__ import annotations

from enum import Enum
from functools import cache

import numpy as np

from heuristic.kernels import queens_annealing, queens_climbing, queens_genetic, queens_repair
from heuristic.kernels.random import seeded
from heuristic.queens_run import Phase, State, row_by_row
from problems import Counters


class Draw(Enum):
    """How a first permutation is drawn: uniformly, or the identity after n // 2 random swaps."""

    UNIFORM = "uniform"
    FEW_SWAPS = "few swaps"


class _Walk:
    """What these walks have in common: one state, row -> column, that ends only as a solution."""

    def __init__(self, n: int, seed: int) -> None:
        self.cost = 0
        self.effort = 0
        self._n = n
        self._rng = seeded(seed)
        self._at = np.zeros(n, np.int64)
        self._lines = np.zeros((3, 2 * n), np.int32)

    @property
    def phase(self) -> Phase:
        """Whether the state is a solution."""
        return Phase.RUNNING if self.cost else Phase.SOLVED

    @property
    def operations(self) -> int:
        """A step costs as much as a row of the board."""
        return self._n

    def state(self) -> State:
        """Return the current state."""
        return row_by_row(self._at)

    def value(self, cost: int) -> int:
        """Return the cost: the number of attacking pairs."""
        return cost

    def counters(self) -> Counters:
        """Return the steps."""
        return Counters(steps=self.effort)

    def _measure(self) -> None:
        queens_climbing.tally(self._at, self._lines)
        self.cost = int(queens_climbing.count_pairs(self._at, self._lines))


class SingleWalk(_Walk):
    """The single-parent genetic algorithm; the cost is n(n - 1) less the fitness."""

    def __init__(self, n: int, seed: int, start: list[int] | None, draw: Draw, acceptance: float) -> None:
        super().__init__(n, seed)
        self._acceptance = float(acceptance)
        if start is not None:
            self._at[:] = start
        else:
            queens_genetic.draw_population(self._rng, self._at.reshape(1, n), draw is Draw.UNIFORM)
        self._measure()
        self.cost *= 2

    @staticmethod
    @cache
    def warm() -> None:
        """Have the code compiled or loaded, once, so that no run's clock counts it."""
        SingleWalk(4, 0, None, Draw.UNIFORM, 0.5).advance(1, 0)

    def advance(self, most: int, target: int) -> None:
        """Make iterations."""
        made, self.cost = queens_genetic.evolve_single(
            self._rng, self._at, self._lines, self.cost, self._acceptance, most, target
        )
        self.effort += made

    def value(self, cost: int) -> int:
        """Return the fitness."""
        return self._n * (self._n - 1) - cost

    def counters(self) -> Counters:
        """Return the iterations."""
        return Counters(iterations=self.effort)


class PopulationWalk(_Walk):
    """The two-parent genetic algorithm; the cost is that of the best individual, the state as well."""

    def __init__(
        self,
        n: int,
        seed: int,
        start: list[int] | None,
        draw: Draw,
        mutation: float,
        acceptance: float,
        *,
        cumulative: bool,
    ) -> None:
        super().__init__(n, seed)
        size = max(n, 2)
        self._mutation, self._acceptance, self._cumulative = float(mutation), float(acceptance), cumulative
        self._population = np.zeros((size, n), np.int64)
        self._children = np.zeros((size, n), np.int64)
        self._costs = np.zeros(size, np.int64)
        self._used, self._scratch = np.zeros(n, np.bool_), np.zeros(n, np.int64)
        queens_genetic.draw_population(self._rng, self._population, draw is Draw.UNIFORM)
        if start is not None:
            self._population[0] = start
        self.advance(0, 0)

    @staticmethod
    @cache
    def warm() -> None:
        """Have the code compiled or loaded, once, so that no run's clock counts it."""
        PopulationWalk(4, 0, None, Draw.UNIFORM, 0.5, 0.5, cumulative=True).advance(1, 0)

    @property
    def operations(self) -> int:
        """A generation selects, crosses and measures n individuals, and swaps all pairs of genes of one."""
        return 20 * self._n**2

    def advance(self, most: int, target: int) -> None:
        """Make generations."""
        made, best = queens_genetic.evolve_population(
            self._rng,
            self._population,
            self._children,
            self._costs,
            self._lines,
            self._used,
            self._scratch,
            self._mutation,
            self._acceptance,
            self._cumulative,
            most,
            target,
        )
        self.effort += made
        self.cost = int(self._costs[best])
        self._at[:] = self._population[best]

    def value(self, cost: int) -> int:
        """Return the fitness."""
        return self._n * (self._n - 1) - cost

    def counters(self) -> Counters:
        """Return the generations."""
        return Counters(iterations=self.effort)


class RepairWalk(_Walk):
    """Min-conflicts; the cost is the number of attacking pairs. `tries` is 0 for a random start."""

    def __init__(self, n: int, seed: int, start: list[int] | None, tries: int, noise: float) -> None:
        super().__init__(n, seed)
        self._noise = float(noise)
        if start is not None:
            self._at[:] = start
        elif tries:
            queens_repair.begin_greedy(self._rng, self._at, self._lines, tries)
        else:
            queens_climbing.permute(self._rng, self._at)
        self._measure()
        self._suspects, self._ties = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._listed = np.zeros(n, np.bool_)
        self._number = queens_repair.list_attacked(self._at, self._lines, self._suspects, self._listed)

    @staticmethod
    @cache
    def warm() -> None:
        """Have the code compiled or loaded, once, so that no run's clock counts it."""
        for tries in (0, 1):
            RepairWalk(4, 0, None, tries, 0.5).advance(1, 0)

    def advance(self, most: int, target: int) -> None:
        """Make repairs."""
        made, self.cost, self._number = queens_repair.repair(
            self._rng,
            self._at,
            self._lines,
            self._suspects,
            self._listed,
            self._number,
            self._ties,
            self._noise,
            self.cost,
            most,
            target,
        )
        self.effort += made


class AnnealingWalk(_Walk):
    """Simulated annealing; the cost is the number of attacking pairs."""

    def __init__(
        self, n: int, seed: int, start: list[int] | None, hottest: float, coldest: float, cooling: float
    ) -> None:
        super().__init__(n, seed)
        self._hottest, self._coldest = float(hottest), float(coldest)
        self._temperature, self._cooling = float(hottest), cooling ** (1 / max(n, 1))
        self._reheatings = 0
        if start is not None:
            self._at[:] = start
        else:
            queens_climbing.permute(self._rng, self._at)
        self._measure()

    @staticmethod
    @cache
    def warm() -> None:
        """Have the code compiled or loaded, once, so that no run's clock counts it."""
        AnnealingWalk(4, 0, None, 1.0, 0.5, 0.5).advance(1, 0)

    @property
    def operations(self) -> int:
        """A proposal takes constant time."""
        return 20

    def advance(self, most: int, target: int) -> None:
        """Propose swaps."""
        made, self.cost, self._temperature, self._cooling, reheatings = queens_annealing.anneal(
            self._rng,
            self._at,
            self._lines,
            self.cost,
            self._temperature,
            self._cooling,
            self._coldest,
            self._hottest,
            most,
            target,
        )
        self.effort += made
        self._reheatings += reheatings

    def counters(self) -> Counters:
        """Return the proposals and the reheatings."""
        return Counters(steps=self.effort, restarts=self._reheatings)
