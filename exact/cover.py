"""Knight covers as set covers, split into independent parts.

Under the rule `total` a knight covers only squares of the other colour, so the incidence graph of squares and
knights falls apart: on every board the minimum is the sum of the parts' minima and the numbers of optimal
placements multiply. Parts are connected components, found by networkx, so rectangles, boards with missing
squares and small boards are no special cases. Parts that are images of each other need solving once.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from problems import Board, KnightCover, Placement, Rule, Square, Symmetry, colour


@dataclass(frozen=True, slots=True)
class CoverPart:
    """An independent part of a knight cover.

    `sites` are the squares where its knights may stand and `targets` the squares to be covered, both sorted.
    `covers[t]` holds the indices into `sites` of the knights that cover `targets[t]`; `conflicts` the pairs
    of indices of knights that must not stand together (rule `independent` only).
    """

    sites: tuple[Square, ...]
    targets: tuple[Square, ...]
    covers: tuple[tuple[int, ...], ...]
    conflicts: tuple[tuple[int, int], ...]

    def reach(self) -> tuple[tuple[int, ...], ...]:
        """Return for each site the indices of the targets it covers, ascending."""
        targets: list[list[int]] = [[] for _ in self.sites]
        for target, sites in enumerate(self.covers):
            for site in sites:
                targets[site].append(target)
        return tuple(map(tuple, targets))

    def placement(self, chosen: Iterable[int]) -> Placement:
        """Return the squares of the chosen sites (indices), sorted."""
        return tuple(sorted(self.sites[site] for site in chosen))


@dataclass(frozen=True, slots=True)
class PartClass:
    """A part and the symmetries of the board that carry it to every part like it, itself first."""

    part: CoverPart
    symmetries: tuple[Symmetry, ...]


def split(problem: KnightCover) -> tuple[CoverPart, ...]:
    """Return the independent parts of the problem, ordered by their least target; every square is a target."""
    import networkx as nx

    incidence: nx.Graph[tuple[str, Square]] = nx.Graph()
    for square in problem.board.squares():
        incidence.add_node(("target", square))
        incidence.add_edges_from((("site", square), ("target", target)) for target in problem.covers(square))
    if problem.rule is Rule.INDEPENDENT:
        incidence.add_edges_from(
            (("site", square), ("site", other))
            for square in problem.board.squares()
            for other in problem.attacks(square)
        )
    parts = (_part(problem, component) for component in nx.connected_components(incidence))
    return tuple(sorted((part for part in parts if part.targets), key=lambda part: part.targets))


def whole(problem: KnightCover) -> CoverPart:
    """Return the problem as one part, every square a site and a target; unreachable targets have no cover."""
    squares = problem.board.squares()
    return _part(problem, {(kind, square) for square in squares for kind in ("site", "target")})


def counting_bound(part: CoverPart) -> int:
    """Return a lower bound on the knights of the part: its targets, over the most that one knight covers."""
    most = max(map(len, part.reach()), default=1)
    return -(-len(part.targets) // most)


def quick_bound(problem: KnightCover) -> int:
    """Return a lower bound on the knights by counting alone, in time proportional to the board.

    Under the rule `total` the squares of the two colours are covered by different knights and count apart.
    """
    board, is_total = problem.board, problem.rule is Rule.TOTAL
    if not board.missing and min(board.rows, board.cols) >= 5:
        most = 8 if is_total else 9
    else:
        most = max(map(len, map(problem.covers, board.squares())), default=0)
    white = sum(map(colour, board.squares())) if board.missing else board.size // 2
    shares = [board.size - white, white] if is_total else [board.size]
    return sum(-(-share // most) for share in shares) if most else 0


def greedy(part: CoverPart) -> tuple[int, ...]:
    """Return the sites of a cover, in the order chosen: always the first of those that cover most of what is left.

    Sites in conflict with a chosen one are passed over; the site of an uncovered target is never one of them.
    Raises `ValueError` if the part cannot be covered.
    """
    reach = part.reach()
    opponents: dict[int, list[int]] = {}
    for one, other in part.conflicts:
        opponents.setdefault(one, []).append(other)
        opponents.setdefault(other, []).append(one)
    left, barred, chosen = set(range(len(part.targets))), set[int](), []
    queue = [(-len(targets), site) for site, targets in enumerate(reach)]
    heapq.heapify(queue)
    while left:
        if not queue:
            raise ValueError("the part has a target that no site covers")
        promised, site = heapq.heappop(queue)
        gain = len(left.intersection(reach[site]))
        if site in barred or not gain:
            continue
        if gain < -promised:
            heapq.heappush(queue, (-gain, site))
            continue
        chosen.append(site)
        left.difference_update(reach[site])
        barred.update(opponents.get(site, ()))
    return tuple(chosen)


def _part(problem: KnightCover, component: set[tuple[str, Square]]) -> CoverPart:
    sites = tuple(sorted(square for kind, square in component if kind == "site"))
    targets = tuple(sorted(square for kind, square in component if kind == "target"))
    site_index = {square: index for index, square in enumerate(sites)}
    # The attack relation is symmetric, so the squares that a target's square covers are those that cover it.
    covers = tuple(tuple(sorted(site_index[site] for site in problem.covers(target))) for target in targets)
    conflicts: tuple[tuple[int, int], ...] = ()
    if problem.rule is Rule.INDEPENDENT:
        conflicts = tuple(
            (site_index[square], site_index[other])
            for square in sites
            for other in problem.attacks(square)
            if square < other
        )
    return CoverPart(sites, targets, covers, conflicts)


def classes(problem: KnightCover) -> tuple[PartClass, ...]:
    """Return the parts of the problem, those that are images of each other under the board's symmetry joined."""
    board = problem.board
    symmetries = board.symmetries()
    representatives: dict[_Signature, CoverPart] = {}
    links: dict[_Signature, list[Symmetry]] = {}
    for part in split(problem):
        canonical = min(_image(part, symmetry, board) for symmetry in symmetries)
        representative = representatives.setdefault(canonical, part)
        signature = (part.sites, part.targets)
        link = next(symmetry for symmetry in symmetries if _image(representative, symmetry, board) == signature)
        links.setdefault(canonical, []).append(link)
    return tuple(PartClass(part, tuple(links[canonical])) for canonical, part in representatives.items())


_Signature = tuple[tuple[Square, ...], tuple[Square, ...]]
"""The sites and the targets of a part."""


def _image(part: CoverPart, symmetry: Symmetry, board: Board) -> _Signature:
    def image(squares: tuple[Square, ...]) -> tuple[Square, ...]:
        return tuple(sorted(symmetry.apply(square, board.rows, board.cols) for square in squares))

    return image(part.sites), image(part.targets)
