"""What tour children tell their parents, beyond `exact.progress`. Imports no solver."""

from __future__ import annotations

from dataclasses import dataclass, field

from problems import Counters, Path, Square, Status


@dataclass(frozen=True, slots=True)
class Tally:
    """A report: how many tours a listing has found so far, after how many nodes."""

    count: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A listing's value: the tours found, their number up to symmetry if asked for, the first in order, nodes.

    Only a complete listing gives totals.
    """

    count: int
    classes: int | None
    kept: tuple[Path, ...]
    nodes: int
    complete: bool


@dataclass(frozen=True, slots=True)
class Decided:
    """What the SAT engine found out: a tour, or that degrees and cuts contradict each other, or nothing.

    `cuts` are the sets of squares of which the formula says that the tour leaves them, in the order added.
    """

    status: Status
    path: Path | None
    cuts: tuple[tuple[Square, ...], ...]
    counters: Counters = field(default=Counters())
