"""Finding small trees of cases whose leaves are weightings: strong branching on the linear relaxation.

Runs in a child process. A node fixes knights on some sites and none on others; its relaxation, reduced by the
symmetries that the node still has, is solved by GLOP. Every site is tried as a branch, in both orders (see
`exact.proof.weights.Cases`), and the one that promises the fewest leaves is taken. Small trees are then improved
by trying several of the best branches at every node (branch and bound on the number of leaves).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ortools.linear_solver import pywraplp

from exact.child import Report
from exact.cover import CoverPart
from exact.proof.linear import UNITS, rounded
from exact.proof.weights import Cases, Tree, Weighting
from problems import Placement, Symmetry

MARGIN = 1e-6
"""By how much a relaxation must exceed its threshold to count as above it."""

_GROWTH = 3.0
"""How much a gap of one knight is taken to multiply leaves, as a power of e; 1.5 to 6 differ little."""
_PATIENCE = 12
"""How many candidates without improvement end the search for a branch in large trees."""
_MOST_CANDIDATES = 60
_SMALL = 24
"""Trees up to so many leaves are worth improving."""
_WIDTH = 4
"""How many branches are tried at a node when a tree is improved."""


class Smaller(Exception):
    """A cover with fewer knights than the bound that was to be proved."""

    def __init__(self, placement: Placement) -> None:
        super().__init__(f"{len(placement)} knights are enough")
        self.placement = placement


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


@dataclass(frozen=True, slots=True)
class Branch:
    """A site and whether the first case is a knight there, with the two cases and the leaves they may take."""

    site: int
    knight: bool
    cases: tuple[Node, Node]
    leaves: tuple[float, float]

    @property
    def least(self) -> tuple[int, int]:
        """The fewest leaves each case can have."""
        return (1 if self.leaves[0] == 1.0 else 2, 1 if self.leaves[1] == 1.0 else 2)


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree that proves the bound, its number of leaves, and the relaxations that were solved."""

    tree: Tree
    leaves: int
    relaxations: int


def symmetries_of(part: CoverPart, rows: int, cols: int, candidates: Sequence[Symmetry]) -> tuple[PartSymmetry, ...]:
    """Return those of the board's symmetries, the identity first among them, that map the part onto itself."""
    site_of = {square: index for index, square in enumerate(part.sites)}
    target_of = {square: index for index, square in enumerate(part.targets)}
    found = []
    for symmetry in candidates:
        sites = [symmetry.apply(square, rows, cols) for square in part.sites]
        targets = [symmetry.apply(square, rows, cols) for square in part.targets]
        if set(sites) == set(site_of) and set(targets) == set(target_of):
            images = tuple(site_of[s] for s in sites), tuple(target_of[t] for t in targets)
            found.append(PartSymmetry(symmetry, *images))
    return tuple(found)


def grow(part: CoverPart, symmetries: Sequence[PartSymmetry], bound: int, effort: int, report: Report) -> Grown | Placement:
    """Return a tree that proves that the part needs `bound` knights, or a cover of fewer.

    `effort` is how many relaxations may be solved to make a small tree smaller. Reports the number of leaves
    closed so far. May take exponential time.
    """
    search = _Search(part, symmetries, bound, report)
    try:
        leaves = search.explore()
        if leaves <= _SMALL:
            leaves = search.improve(leaves, effort)
    except Smaller as found:
        return found.placement
    return Grown(search.tree(), leaves, search.relaxations)


@dataclass(slots=True)
class _Search:
    part: CoverPart
    symmetries: Sequence[PartSymmetry]
    bound: int
    report: Report
    relaxations: int = 0
    patience: int = _PATIENCE
    chosen: dict[Node, Branch | None] = field(default_factory=dict)
    ranked: dict[Node, tuple[Branch, ...]] = field(default_factory=dict)
    known: dict[Node, tuple[int, bool]] = field(default_factory=dict)

    def root(self) -> Node:
        return Node(frozenset(), frozenset(), tuple(range(len(self.symmetries))))

    # Growing greedily

    def explore(self) -> int:
        """Choose the most promising branch at every node; return the number of leaves."""
        waiting, leaves = [self.root()], 0
        while waiting:
            node = waiting.pop()
            branches = self.branches(node)
            self.chosen[node] = branches[0] if branches else None
            if branches:
                waiting.extend(reversed(branches[0].cases))
            else:
                leaves += 1
                self.report(leaves)
        return leaves

    def branches(self, node: Node) -> tuple[Branch, ...]:
        """Return the branches at a node, the most promising first; none where the relaxation is high enough."""
        if node not in self.ranked:
            found = sorted(self._tried(node), key=lambda b: (sum(b.leaves), b.site, b.knight))
            self.ranked[node] = tuple(found)
        return self.ranked[node]

    def _tried(self, node: Node) -> Iterator[Branch]:
        quotient = Relaxation(self, node, node.group)
        if quotient.value > self.bound - 1 + MARGIN:
            return
        if quotient.is_integral():
            raise Smaller(self.part.placement(quotient.chosen()))
        full = quotient if len(node.group) == 1 else Relaxation(self, node, node.group[:1])
        best, stale = math.inf, 0
        for site in quotient.fractional()[:_MOST_CANDIDATES]:
            previous = best
            for branch in self._both_orders(node, site, quotient, full):
                best = min(best, sum(branch.leaves) + MARGIN)
                yield branch
            stale = 0 if best < previous - MARGIN else stale + 1
            if best <= 2 + 2 * MARGIN or stale > self.patience:
                return

    def _both_orders(self, node: Node, site: int, quotient: Relaxation, full: Relaxation) -> Iterator[Branch]:
        """Yield the branch 'a knight here, or nowhere on the orbit' and, where it differs, the opposite."""
        orbit = frozenset(self.symmetries[g].sites[site] for g in node.group)
        fixing = tuple(g for g in node.group if self.symmetries[g].sites[site] == site)
        one = frozenset({site})
        yield Branch(
            site,
            True,
            (self._placed(node, one, fixing), Node(node.knights, node.empty | orbit, node.group)),
            (self.promise(full.probe(site, 1)), self.promise(quotient.probe(site, 0))),
        )
        if len(orbit) > 1 and not self._clash(orbit):
            yield Branch(
                site,
                False,
                (Node(node.knights, node.empty | one, fixing), self._placed(node, orbit, node.group)),
                (self.promise(full.probe(site, 0)), self.promise(quotient.probe(site, 1))),
            )

    def _placed(self, node: Node, knights: frozenset[int], group: tuple[int, ...]) -> Node:
        attacked = {b if a in knights else a for a, b in self.part.conflicts if a in knights or b in knights}
        return Node(node.knights | knights, node.empty | attacked, group)

    def _clash(self, orbit: frozenset[int]) -> bool:
        return any(a in orbit and b in orbit for a, b in self.part.conflicts)

    def promise(self, value: float) -> float:
        """Return an estimate of the leaves below a node with this relaxation; 1.0 if it is a leaf."""
        gap = self.bound - 1 - value
        return 1.0 if gap < -MARGIN else 1.0 + math.exp(_GROWTH * min(gap, 100.0))

    # Improving small trees

    def improve(self, leaves: int, effort: int) -> int:
        """Look for a tree with fewer leaves while `effort` relaxations last; return the number of leaves."""
        allowed = self.relaxations + effort
        self.patience = _MOST_CANDIDATES
        self.ranked.clear()
        before = dict(self.chosen)
        for budget in range(1, leaves):
            found = self._fewest(self.root(), budget, allowed)
            if found is not None:
                return found
        self.chosen = before
        return leaves

    def _fewest(self, node: Node, budget: int, allowed: int) -> int | None:
        """Return the leaves of a tree from here with at most `budget` of them, choosing it, or None."""
        value, closed = self.known.get(node, (0, False))
        if closed and value <= budget:
            return value
        if budget < 1 or value > budget or self.relaxations > allowed:
            return None
        branches = self.branches(node)
        if not branches:
            self.chosen[node], self.known[node] = None, (1, True)
            return 1
        best = None
        for branch in branches[:_WIDTH]:
            found = self._both(branch, (budget if best is None else best - 1), allowed)
            if found is not None:
                best = found
                self.chosen[node] = branch
        if best is not None:
            self.known[node] = (best, True)
        elif self.relaxations <= allowed:
            self.known[node] = (budget + 1, False)
        return best

    def _both(self, branch: Branch, budget: int, allowed: int) -> int | None:
        """Return the leaves of both cases together, the likely smaller one first, or None over budget."""
        order = (0, 1) if branch.leaves[0] <= branch.leaves[1] else (1, 0)
        first = self._fewest(branch.cases[order[0]], budget - branch.least[order[1]], allowed)
        if first is None:
            return None
        second = self._fewest(branch.cases[order[1]], budget - first, allowed)
        return None if second is None else first + second

    # The tree

    def tree(self) -> Tree:
        """Return the chosen tree with exact weightings at its leaves."""
        done: list[Tree] = []
        waiting: list[tuple[Node, bool]] = [(self.root(), False)]
        while waiting:
            node, finished = waiting.pop()
            branch = self.chosen[node]
            if branch is None:
                done.append(self.leaf(node))
            elif finished:
                second, first = done.pop(), done.pop()
                done.append(self._cases(node, branch, first, second))
            else:
                waiting.append((node, True))
                waiting.extend((case, False) for case in reversed(branch.cases))
        return done[0]

    def _cases(self, node: Node, branch: Branch, first: Tree, second: Tree) -> Cases:
        moving = tuple(
            self.symmetries[g].symmetry for g in node.group if self.symmetries[g].sites[branch.site] != branch.site
        )
        return Cases(self.part.sites[branch.site], branch.knight, moving, first, second)

    def leaf(self, node: Node) -> Weighting:
        """Return whole weights for a leaf with the smallest unit that rounding finds."""
        suggested = Relaxation(self, node, node.group).weights()
        reach = [
            tuple(t for t in targets if suggested[t] > 0)
            for site, targets in enumerate(self.part.reach())
            if site not in node.empty
        ]
        for unit in UNITS:
            need = unit * (self.bound - 1 - len(node.knights))
            weights = rounded(suggested, reach, unit, lambda total, need=need: total > need)
            if sum(weights) > need:
                return Weighting(unit, {self.part.targets[t]: w for t, w in enumerate(weights) if w})
        raise RuntimeError("no common denominator makes the weights of a leaf exact")


class Relaxation:
    """The linear relaxation at a node: unknowns and rows are orbits under `group`, a subgroup of the node's.

    Leaving a target uncovered costs as much as the whole bound, so that every relaxation has a solution.
    """

    def __init__(self, search: _Search, node: Node, group: tuple[int, ...]) -> None:
        self._search = search
        part = search.part
        self._orbits, self._orbit_of = _orbits(len(part.sites), [search.symmetries[g].sites for g in group])
        self._target_orbits, _ = _orbits(len(part.targets), [search.symmetries[g].targets for g in group])
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
        self._objective.SetCoefficient(slack, float(self._search.bound * size))
        self._slacks.append(slack)
        return row

    def _solve(self) -> float:
        """Return the optimum, or -infinity where GLOP does not find it."""
        self._search.relaxations += 1
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
        weights = [0.0] * len(self._search.part.targets)
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
