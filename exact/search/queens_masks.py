"""Counting and listing queens on bit masks: the searches around the compiled loops of `queens_kernel`.

Boards of 2 to 63 rows. Counting searches half of the board, since the mirror image of a solution is another
one, in subtrees that all cores share. Listing goes in lexicographic order of row -> column, on one core.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np

from exact.child import cores
from exact.search.meter import Meter
from exact.search.queens_kernel import (
    Columns,
    Words,
    count_chunk,
    count_representatives,
    count_rotation_invariant,
    list_chunk,
)
from problems import Limits, Queens

_LIST_BATCH = 4_096
_MAX_TURNS = 32
_WORD = (1 << 64) - 1


@cache
def warm() -> None:
    """Compile the kernels, or load them from their cache: no limit on seconds should count that."""
    meter = Meter(Limits(), 1)
    count_completions(Queens(4, ((0, 1),)), meter)
    count_solutions(Queens(4), meter)
    count_classes(4, 2)


class Listing:
    """The placements in lexicographic order, found as they are asked for."""

    def __init__(self, problem: Queens, meter: Meter) -> None:
        self.passed = 0
        self._meter = meter
        self._n = problem.n
        self._allowed = _allowed(problem)
        self._stack = _stack(problem.n, _Subtree(self._allowed, 0, 0, 0, 0))
        self._row = 0

    @property
    def exhausted(self) -> bool:
        """Whether the search has ended: `passed` is then the number of all placements."""
        return self._row < 0

    def skip(self, number: int) -> None:
        """Pass over the next placements."""
        target = self.passed + number
        while self.passed < target and self._going:
            self._go(target - self.passed, 0)

    def take(self, number: int) -> Iterator[list[int]]:
        """Yield the next placements, row -> column, at most `number`."""
        for batch in self.batches(number):
            yield from batch.tolist()

    def batches(self, number: int | None = None) -> Iterator[Columns]:
        """Yield the next placements in arrays, a line each; all that are left when `number` is None."""
        left = number
        while (left is None or left > 0) and self._going:
            batch = self._go(0, _LIST_BATCH if left is None else min(left, _LIST_BATCH))
            left = None if left is None else left - len(batch)
            yield batch

    @property
    def _going(self) -> bool:
        return not self.exhausted and self._meter.ending is None

    def _go(self, skip: int, size: int) -> Columns:
        out: Columns = np.empty((size, self._n), np.int64)
        passed, written, nodes, self._row = list_chunk(
            self._n, self._allowed, self._stack, self._row, self._meter.chunk, skip, out
        )
        self.passed += passed + written
        self._meter.spend(nodes)
        return out[:written]


def count_solutions(problem: Queens, meter: Meter) -> tuple[int, bool]:
    """Count with all cores; return the number found and whether that is all."""
    factor, boards = _halves(problem)
    subtrees = iter([tree for allowed in boards for tree in _subtrees(problem.n, allowed)])
    lock = threading.Lock()

    def work() -> tuple[int, bool]:
        total, finished = 0, True
        while finished:
            with lock:
                tree = next(subtrees, None)
            if tree is None:
                break
            solutions, finished = _count_subtree(problem.n, tree, meter)
            total += solutions
        return total, finished

    workers = cores()
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work) for _ in range(workers)]
        try:
            outcomes = [future.result() for future in futures]
        except BaseException:
            meter.cancel()
            raise
    return factor * sum(total for total, _ in outcomes), all(finished for _, finished in outcomes)


def count_classes(n: int, solutions: int) -> int | None:
    """Return how many solutions of the empty board there are up to symmetry; None for boards over 32 rows.

    From two queens on, no reflection leaves a solution unchanged. By the Cauchy-Frobenius lemma, with H
    solutions unchanged by a half turn and R by a quarter turn, there are (solutions + H + 2R) / 8 classes.
    """
    if n > _MAX_TURNS:
        return None
    half, quarter = count_rotation_invariant(n)
    return int(solutions + half + 2 * quarter) // 8


def count_completions(problem: Queens, meter: Meter) -> tuple[int, int, bool]:
    """Return how many completions of the given queens there are, how many up to symmetry, and if that is all.

    Two completions are of one class when a symmetry of the board carries one to the other, whether or not it
    leaves the given queens in place; a class is counted at its least completion.
    """
    given = np.full(problem.n, -1, np.int64)
    for row, col in problem.given:
        given[row] = col
    listing = Listing(problem, meter)
    classes = sum(int(count_representatives(batch, given)) for batch in listing.batches())
    return listing.passed, classes, listing.exhausted


@dataclass(frozen=True, slots=True)
class _Subtree:
    """The placements that begin as the masks of row `depth` say (see the kernel)."""

    allowed: Words
    depth: int
    cols: int
    left: int
    right: int

    @property
    def free(self) -> int:
        return int(self.allowed[self.depth]) & ~(self.cols | self.left | self.right)

    def child(self, bit: int) -> _Subtree:
        return _Subtree(
            self.allowed, self.depth + 1, self.cols | bit, (self.left | bit) << 1, (self.right | bit) >> 1
        )


def _count_subtree(n: int, tree: _Subtree, meter: Meter) -> tuple[int, bool]:
    stack, row, total = _stack(n, tree), tree.depth, 0
    while row >= tree.depth:
        solutions, nodes, row = count_chunk(n, tree.allowed, stack, row, tree.depth, meter.chunk)
        total += solutions
        if not meter.spend(nodes):
            break
    return total, row < tree.depth


def _halves(problem: Queens) -> tuple[int, list[Words]]:
    """Return a factor and the masks of boards whose solutions, times the factor, are all solutions.

    Without given queens: the top queen in the left half; on odd boards also in the middle, the second queen
    then in the left half. Mirror images make up the rest.
    """
    n, allowed = problem.n, _allowed(problem)
    if problem.given:
        return 1, [allowed]
    left_half = (1 << n // 2) - 1
    left = allowed.copy()
    left[0] = left_half
    if n % 2 == 0:
        return 2, [left]
    middle = allowed.copy()
    middle[0], middle[1] = 1 << n // 2, left_half
    return 2, [left, middle]


def _subtrees(n: int, allowed: Words) -> list[_Subtree]:
    """Cut the search into subtrees, deep enough for the cores to share them evenly."""
    trees = [_Subtree(allowed, 0, 0, 0, 0)]
    for _ in range(min(2 if n < 18 else 3, n - 2)):
        trees = [tree.child(1 << col) for tree in trees for col in range(n) if tree.free >> col & 1]
    return trees


def _allowed(problem: Queens) -> Words:
    """Return a mask a row, the columns that no given queen of another row attacks, and one mask more."""
    n = problem.n
    masks = [(1 << n) - 1] * n
    for row, col in problem.given:
        for other in range(n):
            attacked = {col, col + other - row, col - other + row}
            masks[other] &= 1 << col if other == row else ~sum(1 << c for c in attacked if 0 <= c < n)
    return np.array([*masks, 0], np.uint64)


def _stack(n: int, tree: _Subtree) -> Words:
    stack = np.zeros((n + 1, 4), np.uint64)
    stack[tree.depth] = tree.cols, tree.left & _WORD, tree.right, tree.free
    return stack
