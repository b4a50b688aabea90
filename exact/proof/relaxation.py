"""The linear relaxation of a cover at a node of a tree of cases, reduced by symmetry, solved by GLOP.

Imported in child processes only. Nothing here is trusted: weights are made exact and checked elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ortools.linear_solver import pywraplp

from exact.cover import CoverPart
from problems import Symmetry

MARGIN = 1e-6
"""By how much a relaxation must exceed its threshold to count as above it."""


@dataclass(frozen=True, slots=True)
class PartSymmetry:
    """A symmetry that maps a part onto itself, as permutations of its sites and targets."""

    symmetry: Symmetry
    sites: tuple[int, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """Sites with knights, sites without, and the symmetries (indices) that leave both sets as they are."""

    knights: frozenset[int]
    empty: frozenset[int]
    group: tuple[int, ...]


@dataclass(slots=True)
class Meter:
    """How many relaxations were solved."""

    solved: int = 0


class Relaxation:
    """The linear relaxation at a node: unknowns and rows are orbits under `group`, a subgroup of the node's.

    Targets that a knight of the node covers have no row. Leaving a target uncovered costs `penalty`, so that every
    relaxation has a solution; if that is the bound to be proved, no relaxation with a target that cannot be
    covered is below it. `meter` counts what is solved.
    """

    def __init__(
        self,
        part: CoverPart,
        group: Sequence[PartSymmetry],
        node: Node,
        penalty: int,
        meter: Meter,
    ) -> None:
        self._part = part
        self._penalty = penalty
        self._meter = meter
        self._orbits, self._orbit_of = _orbits(len(part.sites), [symmetry.sites for symmetry in group])
        every, _ = _orbits(len(part.targets), [symmetry.targets for symmetry in group])
        self._target_orbits = [o for o in every if node.knights.isdisjoint(part.covers[o[0]])]
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._objective = self._solver.Objective()
        self._objective.SetMinimization()
        self._unknowns = [
            self._solver.NumVar(float(orbit[0] in node.knights), float(orbit[0] not in node.empty), "")
            for orbit in self._orbits
        ]
        for unknown, orbit in zip(self._unknowns, self._orbits, strict=True):
            self._objective.SetCoefficient(unknown, len(orbit))
        self._decided = node.knights | node.empty
        self._slacks: list[pywraplp.Variable] = []
        self._rows = [self._row(part.covers[orbit[0]], len(orbit)) for orbit in self._target_orbits]
        self.value = self._solve()
        self._values = [unknown.solution_value() for unknown in self._unknowns]
        self._duals = [row.dual_value() for row in self._rows]
        self._uncovered = [slack.solution_value() for slack in self._slacks]

    def _row(self, covers: Sequence[int], size: int) -> pywraplp.Constraint:
        infinity = self._solver.infinity()
        row = self._solver.Constraint(1.0, infinity, "")
        for orbit in {self._orbit_of[site] for site in covers}:
            row.SetCoefficient(self._unknowns[orbit], sum(self._orbit_of[site] == orbit for site in covers))
        slack = self._solver.NumVar(0.0, infinity, "")
        row.SetCoefficient(slack, 1.0)
        self._objective.SetCoefficient(slack, float(self._penalty * size))
        self._slacks.append(slack)
        return row

    def _solve(self) -> float:
        """Return the optimum, or -infinity where GLOP does not find it."""
        self._meter.solved += 1
        if self._solver.Solve() != pywraplp.Solver.OPTIMAL:
            return -math.inf
        return float(self._objective.Value())

    def probe(self, site: int, value: int) -> float:
        """Return the optimum with the site's orbit fixed to 0 or 1."""
        unknown = self._unknowns[self._orbit_of[site]]
        before = unknown.lb(), unknown.ub()
        unknown.SetBounds(value, value)
        optimum = self._solve()
        unknown.SetBounds(*before)
        return optimum

    def fractional(self) -> list[int]:
        """Return a site of each orbit that is neither decided nor whole, those nearest to a half first."""
        values = [
            (abs(value - 0.5), orbit[0])
            for value, orbit in zip(self._values, self._orbits, strict=True)
            if orbit[0] not in self._decided and MARGIN < value < 1 - MARGIN
        ]
        return [site for _, site in sorted(values)]

    def is_integral(self) -> bool:
        """Whether the solution is a cover."""
        whole = all(min(value, 1 - value) <= MARGIN for value in self._values)
        return whole and all(slack <= MARGIN for slack in self._uncovered)

    def chosen(self) -> list[int]:
        """Return the sites whose unknowns are 1."""
        return [site for site, orbit in enumerate(self._orbit_of) if self._values[orbit] > 0.5]

    def weights(self) -> list[float]:
        """Return the dual solution as a weight for every target."""
        weights = [0.0] * len(self._part.targets)
        for orbit, dual in zip(self._target_orbits, self._duals, strict=True):
            for target in orbit:
                weights[target] = dual / len(orbit)
        return weights


def _orbits(size: int, permutations: Sequence[Sequence[int]]) -> tuple[list[list[int]], list[int]]:
    """Return the orbits of 0 to size - 1 under a group of permutations, and which orbit each is in."""
    orbits: list[list[int]] = []
    orbit_of = [-1] * size
    for item in range(size):
        if orbit_of[item] < 0:
            orbit = sorted({permutation[item] for permutation in permutations})
            for other in orbit:
                orbit_of[other] = len(orbits)
            orbits.append(orbit)
    return orbits, orbit_of
