"""Knight covers as set covers, split into independent parts.

Under the rule `total` a knight covers only squares of the other colour, so the incidence graph of squares and
knights falls apart: on every board the minimum is the sum of the parts' minima and the numbers of optimal
placements multiply. Parts are connected components, found by networkx, so rectangles, boards with missing
squares and small boards are no special cases. Parts that are images of each other need solving once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from problems import KnightCover, Placement, Rule, Square, Symmetry


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
    found: list[tuple[CoverPart, list[Symmetry]]] = []
    for part in split(problem):
        signature = (part.sites, part.targets)
        for representative, symmetries in found:
            link = next(
                (s for s in board.symmetries() if _image(representative, s, board.rows, board.cols) == signature),
                None,
            )
            if link is not None:
                symmetries.append(link)
                break
        else:
            found.append((part, [board.symmetries()[0]]))
    return tuple(PartClass(part, tuple(symmetries)) for part, symmetries in found)


def _image(
    part: CoverPart, symmetry: Symmetry, rows: int, cols: int
) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    def image(squares: tuple[Square, ...]) -> tuple[Square, ...]:
        return tuple(sorted(symmetry.apply(square, rows, cols) for square in squares))

    return image(part.sites), image(part.targets)
