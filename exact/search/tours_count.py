"""Count knight's tours: the compiled frontier of `exact.search.tours_frontier`, step by step along a plan.

The cost grows some 25-fold with each further row of the narrower side and slowly with the longer one. Processor
seconds, closed tours: 6x6 0.1, 6x8 1.2, 6x12 25, 7x8 91 (34,524,432,316 tours, 1.4 GiB), 5x40 3, 3x100 0.05; open
tours: 6x6 5, 6x8 45. 8x8 would need about 30 times the memory of 7x8: out of reach here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exact.search import tours_frontier as kernel
from exact.search.tours_plan import Plan, Step

_FIRST_BITS = 10
_MOST_LIMBS = 64

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of tours, and how many states were looked at."""

    count: int
    states: int


class OutOfNodes(Exception):
    """More states than the caller allows."""


def count_tours(plan: Plan, most_states: int | None = None) -> Counted:
    """Count. Raises `MemoryError` when a table would get too large, `OutOfNodes` after `most_states` states.

    Sums that do not fit the limbs are noticed, and the count begins again with twice as many limbs.
    """
    limbs = 1
    while limbs <= _MOST_LIMBS:
        counted = _attempt(plan, limbs, most_states)
        if counted is not None:
            return counted
        limbs *= 2
    raise MemoryError("too large a number")


def _attempt(plan: Plan, limbs: int, most_states: int | None) -> Counted | None:
    total = np.zeros(limbs, np.uint64)
    front = _Table(limbs, most_states)
    if not front.run(plan.front, total):
        return None
    if not plan.back:
        return Counted(_integer(total, 64), front.states)
    back = _Table(limbs, None if most_states is None else most_states - front.states)
    if not back.run(plan.back, np.zeros(limbs, np.uint64)):
        return None
    product = np.zeros(4 * limbs + 2, np.uint64)
    if not kernel.meet(
        *front.sorted(plan.meeting, False), *back.sorted(plan.meeting, True), plan.meeting, product
    ):
        return None
    # Cycles that the front closed by itself have no edge within the second half.
    count = _integer(total, 64) + _integer(product, 32)
    return Counted(count, front.states + back.states)


def _integer(limbs: Iterable[Any], bits: int) -> int:
    return sum(int(limb) << (bits * place) for place, limb in enumerate(limbs))


class _Table:
    """A table of states on its way through the steps."""

    def __init__(self, limbs: int, most_states: int | None) -> None:
        self.most_states = most_states
        self.keys = np.zeros(1, np.uint64)
        self.numbers = np.zeros((1, limbs), np.uint64)
        self.numbers[0, 0] = 1
        self.states = 0

    def run(self, steps: Sequence[Step], total: Words) -> bool:
        """Take the steps; False if a sum did not fit."""
        size = 0
        for step in steps:
            bits = max(_FIRST_BITS, int(size).bit_length() - 1)
            self.keys, self.numbers, size, fits = kernel.advance(
                self.keys, self.numbers, (_array(step.kept), _array(step.fresh)), step.here, step.stays,
                _array(step.near), _array(step.left), step.forced, step.last, total, bits,
            )  # fmt: skip
            self.states += size
            if not fits:
                return False
            if self.most_states is not None and self.states > self.most_states:
                raise OutOfNodes
        return True

    def sorted(self, slots: int, swapped: bool) -> tuple[Words, Words, Words]:
        """Return keys, numbers and groups for `kernel.meet`."""
        used = self.keys != kernel.EMPTY
        keys, numbers = self.keys[used], self.numbers[used]
        groups = kernel.patterns(keys, slots, swapped)
        order = np.argsort(groups, kind="stable")
        return keys[order], numbers[order], groups[order]


def _array(slots: Sequence[int]) -> NDArray[np.int64]:
    return np.array(slots, np.int64)
