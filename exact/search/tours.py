"""Knight's tours by our own search: large ones by exchanges, small boards exhaustively, numbers by frontiers.

Only children import this module (see `exact.child`): compiled loops cannot be interrupted. What can be decided
without a search, boards of fewer than two squares included, is decided before (`exact.tours`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exact.child import Report
from exact.progress import Enumerated, Found, Solved
from exact.search import tours_exchange as exchange
from exact.search.tours_count import OutOfNodes, count_tours
from exact.search.tours_listing import Walk
from exact.search.tours_plan import Plan
from exact.tour_progress import Listed, Tally
from problems import Counters, KnightTour, Path, Square, Status

MOST_SQUARES_TO_EXHAUST = 64
"""Largest board, in squares, on which `solve` goes on to an exhaustive search."""

_ATTEMPTS_BEFORE = 12
_ATTEMPTS = 100
_SHAKES = 40
_NOISE = 0.02
_CHUNK = 1 << 20


def solve(problem: KnightTour, seed: int, nodes: int | None, report: Report) -> Solved:
    """Find a tour: FEASIBLE, INFEASIBLE (small boards only, exhaustive), or UNKNOWN when out of attempts.

    Attempts are 2-factors merged by exchanges; small boards are searched depth-first after a few of them.
    `nodes` bounds the depth-first search.
    """
    exhaustible = problem.board.size <= MOST_SQUARES_TO_EXHAUST
    board = problem.board
    table = exchange.neighbour_table(board.rows, board.cols, board.missing)
    squares = tuple(board.squares())
    random = np.random.default_rng(seed)
    for attempt in range(1, (_ATTEMPTS_BEFORE if exhaustible else _ATTEMPTS) + 1):
        path = _attempt(problem, squares, table, random, attempt)
        if path is not None:
            return Solved(Status.FEASIBLE, path, counters=Counters(restarts=attempt - 1))
    if not exhaustible:
        return Solved(Status.UNKNOWN, counters=Counters(restarts=_ATTEMPTS))
    listed = _list(problem, 1, nodes, None, report, stop_when_kept=True)
    counters = Counters(restarts=_ATTEMPTS_BEFORE, nodes=listed.nodes)
    if listed.kept:
        return Solved(Status.FEASIBLE, listed.kept[0], counters=counters)
    return Solved(Status.INFEASIBLE if listed.complete else Status.UNKNOWN, counters=counters)


# Large tours: a 2-factor, merged by exchanges


def _attempt(
    problem: KnightTour, squares: tuple[Square, ...], table: Any, random: np.random.Generator, attempt: int
) -> Path | None:
    near, side = table
    ends = _choose_ends(problem, squares, table, random, attempt)
    if ends is None:
        return None
    need = np.full(len(squares), 2, np.int8)
    need[list(ends)] = 1
    order = np.tile(np.arange(8, dtype=np.int8), (len(squares), 1))
    # The order of the moves makes a 2-factor of few long cycles; a little noise makes a different one each time.
    noisy = np.flatnonzero(random.random(len(squares)) < _NOISE * (attempt > 2))
    order[noisy] = random.permuted(order[noisy], axis=1)
    used = np.zeros(near.shape, np.bool_)
    degree = np.zeros(len(squares), np.int8)
    exchange.fill(near, side, need, order, used, degree)
    exchange.augment(near, side, need, used, degree)
    if (degree != need).any() or not _merge_all(near, used, random):
        return None
    given = problem.start if problem.start is not None else problem.end
    first = ends[0] if ends else 0 if given is None else squares.index(given)
    path = [squares[v] for v in exchange.walk(near, used, first).tolist()]
    if not ends and not problem.closed and problem.start is None and problem.end is not None:
        path = [*path[1:], path[0]]
    return tuple(path)


def _merge_all(near: Any, used: Any, random: np.random.Generator) -> bool:
    """Merge all components by exchanges, shaking those that are left over; False if some stay."""
    labels = np.empty(len(near), np.int32)
    state = random.integers(0, 2**63, 1, np.uint64)
    for _ in range(_SHAKES):
        if exchange.merge(near, used, labels, exchange.label(near, used, labels)) == 1:
            return True
        exchange.shake(near, used, labels, exchange.label(near, used, labels), state)
    return False


def _choose_ends(
    problem: KnightTour, squares: tuple[Square, ...], table: Any, random: np.random.Generator, attempt: int
) -> tuple[int, ...] | None:
    """Return start and end, chosen at random where not given; () for a closed tour, also as a source of open ones.

    None if the colours leave no choice. Colours alternate: with as many squares of each the ends differ in
    colour, else both have the colour of which there are more.
    """
    near, side = table
    surplus = len(side) - 2 * int(side.sum())
    start = None if problem.start is None else squares.index(problem.start)
    end = None if problem.end is None else squares.index(problem.end)
    if problem.closed or (surplus == 0 and (start is None or end is None) and attempt % 2):
        return ()
    larger = 0 if surplus > 0 else 1
    if start is None:
        start = _choose(near, side, 1 - int(side[end]) if end is not None and not surplus else larger, end, random)
    if start is not None and end is None:
        end = _choose(near, side, larger if surplus else 1 - int(side[start]), start, random)
    return None if start is None or end is None else (start, end)


def _choose(near: Any, side: Any, wanted: int, other: int | None, random: np.random.Generator) -> int | None:
    """Return a random square of the colour, half the time one with the fewest moves; None if there is none."""
    candidates = np.flatnonzero(side == wanted)
    candidates = candidates[candidates != (-1 if other is None else other)]
    if not len(candidates):
        return None
    if random.random() < 0.5:
        moves = (near[candidates] >= 0).sum(axis=1)
        candidates = candidates[moves == moves.min()]
    return int(random.choice(candidates))


# Counting and listing


def count(problem: KnightTour, plan: Plan, keep: int, nodes: int | None, report: Report) -> Enumerated:
    """Count the tours along a plan, report that, then list the first `keep`; `nodes` bounds the states.

    Raises `MemoryError` where the tables would get too large.
    """
    try:
        counted = count_tours(plan, nodes)
    except OutOfNodes:
        return Enumerated(0, False, Counters(nodes=nodes))
    total = Enumerated(counted.count, True, Counters(nodes=counted.states))
    if keep and counted.count:
        report(total)
        _list(problem, keep, None, None, report, stop_when_kept=True)
    return total


def enumerate_tours(problem: KnightTour, keep: int, nodes: int | None, classes: bool, report: Report) -> Listed:
    """List all tours in order, within `nodes`: keep the first `keep`, with `classes` count up to symmetry as well.

    Those kept are reported as `Found`, progress as `Tally`.
    """
    tally = np.zeros(9, np.int64) if classes else None
    return _list(problem, keep, nodes, tally, report, stop_when_kept=False)


def _list(
    problem: KnightTour, keep: int, nodes: int | None, tally: NDArray[np.int64] | None, report: Report, *,
    stop_when_kept: bool,
) -> Listed:  # fmt: skip
    board = problem.board
    squares = tuple(board.squares())
    index = {square: i for i, square in enumerate(squares)}
    near = np.full((len(squares), 8), -1, np.int64)
    for i, square in enumerate(squares):
        for j, move in enumerate(board.knight_moves(square)):
            near[i, j] = index[move]
    images = np.zeros((0, len(squares)), np.int64)
    if tally is not None:
        images = np.array([[index[square] for square in image] for image in board.images(squares)], np.int64)
    ends = [index[square] for square in (problem.start, problem.end) if square is not None and not problem.closed]
    required = np.array(ends, np.int64)
    kept: list[Path] = []
    found = spent = 0
    for walk in _walks(problem, near, index):
        finished = False
        while not finished:
            budget = _CHUNK if nodes is None else min(_CHUNK, nodes - spent)
            if budget <= 0 or (stop_when_kept and len(kept) >= keep):
                return Listed(found, None, tuple(kept), spent, complete=False)
            wanted = min(keep - len(kept), 1000)
            rows = np.empty((wanted, len(squares)), np.int64)
            chunk = min(budget, 4096) if stop_when_kept else budget
            finished, used, more, stored = walk.go_on(
                chunk, rows, wanted, images, required, np.zeros(9, np.int64) if tally is None else tally
            )
            spent += used
            found += more
            new = tuple(tuple(squares[v] for v in row) for row in rows[:stored].tolist())
            kept += new
            if new:
                report(Found(new))
            report(Tally(found, spent))
    return Listed(found, None if tally is None else _classes(tally), tuple(kept), spent, complete=True)


def _walks(problem: KnightTour, near: NDArray[np.int64], index: dict[Square, int]) -> Iterator[Walk]:
    end = None if problem.end is None else index[problem.end]
    if problem.start is not None:
        yield Walk(near, index[problem.start], end, problem.closed, False)
    elif problem.closed:
        yield Walk(near, 0, None, True, False)
    else:
        for start in range(len(near)):
            if start != end or len(near) == 1:
                yield Walk(near, start, end, False, end is None)


def _classes(tally: NDArray[np.int64]) -> int:
    """Return the number of classes: a tour with h images among the tours, s of them itself, is s / h of one."""
    return int(sum(Fraction(int(same), hits) for hits, same in enumerate(tally) if hits))
