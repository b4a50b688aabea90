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

from exact.child import Report
from exact.cover import CoverPart
from exact.cover_symmetry import permutation_of, symmetries_of
from exact.proof.growing import Effort, Grown
from exact.proof.linear import UNITS, rounded
from exact.proof.relaxation import MARGIN, Meter, Node, PartSymmetry, Relaxation
from exact.proof.weights import Cases, Tree, Weighting
from problems import Board, Placement

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


def _symmetries_of(part: CoverPart, board: Board) -> tuple[PartSymmetry, ...]:
    """Return those of the board's symmetries, the identity first among them, that map the part onto itself."""
    return tuple(
        PartSymmetry(
            symmetry, permutation_of(symmetry, part.sites, board), permutation_of(symmetry, part.targets, board)
        )
        for symmetry in symmetries_of(part, board)
    )


def grow(part: CoverPart, board: Board, bound: int, effort: Effort, report: Report) -> Grown | Placement | None:
    """Return a tree that proves that the part needs `bound` knights, or a cover of fewer; None over `effort`.

    Reports the number of leaves closed so far. Without a limit on the effort it may take exponential time.
    """
    search = _Search(part, _symmetries_of(part, board), bound, report)
    try:
        leaves = search.explore(effort.growing)
        if leaves is None:
            return None
        if leaves <= _SMALL:
            leaves = search.improve(leaves, effort.improving)
    except Smaller as found:
        return found.placement
    polishing = effort.polishing if leaves <= _SMALL else 0.0
    return Grown(search.tree(polishing), leaves, search.meter.solved)


@dataclass(slots=True)
class _Search:
    part: CoverPart
    symmetries: Sequence[PartSymmetry]
    bound: int
    report: Report
    meter: Meter = field(default_factory=Meter)
    patience: int = _PATIENCE
    chosen: dict[Node, Branch | None] = field(default_factory=dict)
    ranked: dict[Node, tuple[Branch, ...]] = field(default_factory=dict)
    known: dict[Node, tuple[int, bool]] = field(default_factory=dict)

    def root(self) -> Node:
        return Node(frozenset(), frozenset(), tuple(range(len(self.symmetries))))

    def _relaxation(self, node: Node, group: tuple[int, ...]) -> Relaxation:
        return Relaxation(self.part, [self.symmetries[g] for g in group], node, self.bound, self.meter)

    # Growing greedily

    def explore(self, limit: int | None) -> int | None:
        """Choose the most promising branch at every node; return the number of leaves, None over the limit."""
        waiting, leaves = [self.root()], 0
        while waiting:
            if limit is not None and self.meter.solved > limit:
                return None
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
        quotient = self._relaxation(node, node.group)
        if quotient.value > self.bound - 1 + MARGIN:
            return
        candidates = quotient.fractional()[:_MOST_CANDIDATES]
        if quotient.is_integral():
            # The relaxation does not know that knights must not attack each other.
            candidates = self._attacking(quotient.chosen())
            if not candidates:
                raise Smaller(self.part.placement(quotient.chosen()))
        full = quotient if len(node.group) == 1 else self._relaxation(node, node.group[:1])
        best, stale = math.inf, 0
        for site in candidates:
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

    def _attacking(self, knights: Sequence[int]) -> list[int]:
        """Return those of the knights that attack one another, in order."""
        standing = set(knights)
        return sorted({s for pair in self.part.conflicts if standing.issuperset(pair) for s in pair})

    def _clash(self, orbit: frozenset[int]) -> bool:
        return any(a in orbit and b in orbit for a, b in self.part.conflicts)

    def promise(self, value: float) -> float:
        """Return an estimate of the leaves below a node with this relaxation; 1.0 if it is a leaf."""
        gap = self.bound - 1 - value
        return 1.0 if gap < -MARGIN else 1.0 + math.exp(_GROWTH * min(gap, 100.0))

    # Improving small trees

    def improve(self, leaves: int, effort: int) -> int:
        """Look for a tree with fewer leaves while `effort` relaxations last; return the number of leaves."""
        allowed = self.meter.solved + effort
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
        if budget < 1 or value > budget or self.meter.solved > allowed:
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
        elif self.meter.solved <= allowed:
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

    def tree(self, polishing: float) -> Tree:
        """Return the chosen tree with exact weightings at its leaves."""
        done: list[Tree] = []
        waiting: list[tuple[Node, bool]] = [(self.root(), False)]
        while waiting:
            node, finished = waiting.pop()
            branch = self.chosen[node]
            if branch is None:
                done.append(self.leaf(node, polishing))
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

    def leaf(self, node: Node, polishing: float) -> Weighting:
        """Return whole weights for a leaf with the smallest unit that rounding, or polishing, finds."""
        suggested = self._relaxation(node, node.group).weights()
        reach = [targets for site, targets in enumerate(self.part.reach()) if site not in node.empty]
        worth = self.bound - 1 - len(node.knights)
        for unit in UNITS:
            rows = [tuple(t for t in targets if suggested[t] > 0) for targets in reach]
            weights = rounded(suggested, rows, unit, unit * worth + 1)
            if sum(weights) > unit * worth:
                found = {target: weight for target, weight in enumerate(weights) if weight}
                if polishing:
                    unit, found = self._polished(node, found, unit, reach, polishing)
                return Weighting(unit, {self.part.targets[target]: weight for target, weight in found.items()})
        raise RuntimeError("no common denominator makes the weights of a leaf exact")

    def _polished(
        self, node: Node, weights: dict[int, int], unit: int, reach: list[tuple[int, ...]], polishing: float
    ) -> tuple[int, dict[int, int]]:
        from exact.proof.polishing import polished

        covered = {t for t, sites in enumerate(self.part.covers) if not node.knights.isdisjoint(sites)}
        rows = [tuple(t for t in targets if t not in covered) for targets in reach]
        return polished(weights, unit, rows, self.bound - 1 - len(node.knights), polishing)
