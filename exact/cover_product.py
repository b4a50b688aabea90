"""All minimum covers of a board from those of its parts: their number, the first in order, those up to symmetry.

The parts are independent, so every combination of one cover a part is a cover of the board. Nothing here makes
all combinations: numbers multiply, classes are counted by Burnside's lemma, the first ones are found in order.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from exact.cover import PartClass
from problems import Board, Placement, Square, Symmetry


@dataclass(frozen=True, slots=True)
class PartCovers:
    """A part's sites and its covers, all of the same size, each sorted and all in order."""

    sites: frozenset[Square]
    covers: tuple[Placement, ...]


def part_covers(cls: PartClass, covers: Iterable[Placement], board: Board) -> tuple[PartCovers, ...]:
    """Return the covers of each part of a class, from those of its representative."""
    known = tuple(covers)
    return tuple(
        PartCovers(
            frozenset(_image(cls.part.sites, symmetry, board)),
            tuple(sorted(_image(cover, symmetry, board) for cover in known)),
        )
        for symmetry in cls.symmetries
    )


def count(parts: Sequence[PartCovers]) -> int:
    """Return the number of combinations."""
    return math.prod(len(part.covers) for part in parts)


def count_classes(parts: Sequence[PartCovers], board: Board) -> int:
    """Return the number of combinations that differ under the board's symmetries, by Burnside's lemma.

    The parts' covers must be complete: every symmetry carries the covers of a part to those of another.
    """
    symmetries = board.symmetries()
    fixed = sum(_count_fixed(parts, symmetry, board) for symmetry in symmetries)
    return fixed // len(symmetries)


def _count_fixed(parts: Sequence[PartCovers], symmetry: Symmetry, board: Board) -> int:
    """Return how many combinations the symmetry carries to themselves.

    It permutes the parts. Around a cycle of parts the first one's cover determines the others, and it must be
    carried to itself once around.
    """
    index = {part.sites: number for number, part in enumerate(parts)}
    following = [index[frozenset(_image(part.sites, symmetry, board))] for part in parts]
    seen: set[int] = set()
    product = 1
    for first in range(len(parts)):
        length, part = 0, first
        while part not in seen:
            seen.add(part)
            length, part = length + 1, following[part]
        if length:
            product *= sum(_image(cover, symmetry, board, length) == cover for cover in parts[first].covers)
    return product


def in_order(parts: Sequence[PartCovers]) -> Iterator[Placement]:
    """Yield the combinations in sorted order, without making those that are not asked for."""
    covers = [part.covers for part in parts]
    # What is open: for each part the range of covers left and how many of their squares are settled.
    open_ranges = [tuple((0, len(some), 0) for some in covers)]
    if not count(parts):
        return
    while open_ranges:
        ranges = open_ranges.pop()
        branching = [part for part, (low, high, _) in enumerate(ranges) if high - low > 1]
        if not branching:
            yield tuple(sorted(s for some, (low, _, _) in zip(covers, ranges, strict=True) for s in some[low]))
            continue
        # The least square that is not settled decides: the covers that hold it come before those that do not.
        part = min(branching, key=lambda p: covers[p][ranges[p][0]][ranges[p][2]])
        low, high, depth = ranges[part]
        square = covers[part][low][depth]
        middle = bisect_right(covers[part], square, low, high, key=lambda cover: cover[depth])
        if middle < high:
            open_ranges.append((*ranges[:part], (middle, high, depth), *ranges[part + 1 :]))
        open_ranges.append((*ranges[:part], (low, middle, depth + 1), *ranges[part + 1 :]))


def _image(squares: Iterable[Square], symmetry: Symmetry, board: Board, times: int = 1) -> Placement:
    """Return the sorted squares to which the symmetry carries the given ones when applied so many times."""
    moved = list(squares)
    for _ in range(times):
        moved = [symmetry.apply(square, board.rows, board.cols) for square in moved]
    return tuple(sorted(moved))
