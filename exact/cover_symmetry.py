"""The symmetries of a part of a cover: which covers to look for first, without loss for what comes after.

Good covers are often symmetrical, and those that are make up a far smaller space: a quotient has one variable
an orbit. Searching quotients first finds incumbents; it proves nothing about covers without symmetry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exact.cover import CoverPart
from problems import Board, Square, Symmetry

Permutation = tuple[int, ...]
"""For each site (index) the site that it is carried to."""

Orbits = tuple[int, ...]
"""For each site (index) the least site of its orbit."""


def symmetries_of(part: CoverPart, board: Board) -> tuple[Symmetry, ...]:
    """Return those of the board's symmetries that carry the part to itself, the identity first among them."""

    def keeps(symmetry: Symmetry, squares: frozenset[Square]) -> bool:
        return all(symmetry.apply(square, board.rows, board.cols) in squares for square in squares)

    sites, targets = frozenset(part.sites), frozenset(part.targets)
    return tuple(s for s in board.symmetries() if keeps(s, sites) and keeps(s, targets))


def permutation_of(symmetry: Symmetry, squares: Sequence[Square], board: Board) -> Permutation:
    """Return where the symmetry, which carries the squares to themselves, takes each of them, as indices."""
    index = {square: number for number, square in enumerate(squares)}
    return tuple(index[symmetry.apply(square, board.rows, board.cols)] for square in squares)


def automorphisms(part: CoverPart, board: Board) -> tuple[Permutation, ...]:
    """Return the symmetries that carry the part to itself, as permutations of sites, the identity first."""
    found = (permutation_of(symmetry, part.sites, board) for symmetry in symmetries_of(part, board))
    return tuple(dict.fromkeys(found))


def quotients(part: CoverPart, board: Board) -> tuple[Orbits, ...]:
    """Return the orbits under all symmetries of the part, and under each by itself, the fewest orbits first.

    Groups that are images of each other give the same covers but for a symmetry; one of them is returned.
    """
    group = automorphisms(part, board)
    found: list[Orbits] = []
    for generators in (group, *((permutation,) for permutation in group)):
        orbits = _orbits(generators)
        is_proper = len(set(orbits)) < len(orbits)
        if is_proper and not any(image in found for image in _images(orbits, group)):
            found.append(orbits)
    return tuple(sorted(found, key=lambda orbits: len(set(orbits))))


def _orbits(generators: Sequence[Permutation]) -> Orbits:
    """Return the orbits under the group that permutations of finite order generate."""
    orbits = [-1] * len(generators[0])
    for site in range(len(orbits)):
        reached = [site] if orbits[site] < 0 else []
        while reached:
            member = reached.pop()
            if orbits[member] < 0:
                orbits[member] = site
                reached += [permutation[member] for permutation in generators]
    return tuple(orbits)


def _images(orbits: Orbits, group: tuple[Permutation, ...]) -> Iterator[Orbits]:
    """Yield the partition as each symmetry carries it, its orbits named after their least sites."""
    for permutation in group:
        least: dict[int, int] = {}
        for site, orbit in enumerate(orbits):
            least[orbit] = min(least.get(orbit, len(orbits)), permutation[site])
        image = [0] * len(orbits)
        for site, orbit in enumerate(orbits):
            image[permutation[site]] = least[orbit]
        yield tuple(image)
