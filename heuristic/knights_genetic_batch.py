"""Many short runs of the genetic knights in one kernel call, their records read out of its arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from heuristic.kernels import knights_genetic as kernel
from heuristic.kernels.knights_tables import Numbering, numbering
from heuristic.kernels.random import check_seed
from heuristic.knights_genetic import Copying, Swaps
from problems import Board, Improvement, Placement

SHORT = 8192
"""The evolutions a run may make inside a batch: the clock is not looked at before it ends."""

_ROWS = 500


@dataclass(frozen=True, slots=True)
class Record:
    """A run as the batch leaves it: solved, out of evolutions, or (not decided) to be run by itself."""

    seed: int
    genes: Placement
    evolutions: int
    solved: bool
    decided: bool
    seconds: float
    trace: tuple[Improvement, ...]


def short_runs(
    board: Board, genes: int, choices: tuple[Swaps, Copying], seeds: Sequence[int], evolutions: int | None
) -> Iterator[Record]:
    """Yield a record for each seed, in order, of at most `evolutions` evolutions (None: no limit)."""
    squares = numbering(board)
    for start in range(0, len(seeds), _ROWS):
        yield from _block(squares, genes, choices, seeds[start : start + _ROWS], evolutions)


def _block(
    squares: Numbering, genes: int, choices: tuple[Swaps, Copying], seeds: Sequence[int], limit: int | None
) -> Iterator[Record]:
    for seed in seeds:
        check_seed(seed)
    (fewest, most), in_place = choices[0].bounds, choices[1] is Copying.IN_PLACE
    evolutions = SHORT if limit is None else min(SHORT, limit)
    best = np.zeros((len(seeds), genes), np.uint32)
    lengths, made = np.zeros(len(seeds), np.int64), np.zeros(len(seeds), np.int64)
    traces = np.zeros((len(seeds), squares.size + 1, 2), np.int64)
    board, one = kernel.arena(squares), kernel.individual(squares.size, genes, most, 0)
    given = np.array(seeds, np.uint64)

    def run_first(count: int) -> None:
        kernel.batch(board, one, given[:count], fewest, most, in_place, evolutions, best, made, lengths, traces)

    run_first(0)  # compiled before the clock starts
    started = perf_counter()
    run_first(len(seeds))
    # A run costs its first state and its evolutions; the former is worth about as many as there are knights.
    seconds_each = (perf_counter() - started) / float((made + genes).sum())
    for row, seed in enumerate(seeds):
        trace = tuple(
            Improvement(effort, value, (effort + genes) * seconds_each)
            for effort, value in traces[row, : lengths[row]].tolist()
        )
        solved = trace[-1].value == squares.size
        yield Record(
            seed=seed,
            genes=squares.placement(best[row]),
            evolutions=int(made[row]),
            solved=solved,
            decided=solved or evolutions == limit,
            seconds=(int(made[row]) + genes) * seconds_each,
            trace=trace,
        )
