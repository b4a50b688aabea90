"""Divide and conquer: the tiles, every board it is defined for, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from heuristic import tours_divide
from heuristic.methods import find, run
from heuristic.tours_divide import divide
from heuristic.tours_tiles import TOURS, tile
from problems import Board, Ending, KnightTour, Limits, Result, Square, Status, UnsupportedProblem
from problems.tours import returns_to_start

METHOD = "divide-and-conquer"


def build(problem: KnightTour, **limits: Any) -> Result:
    return run(problem, METHOD, limits=Limits(**limits), seed=1)


def structure(rows: int, cols: int) -> set[frozenset[Square]]:
    """The edges of a structured tour: in each corner, counted from it, (1, 0)-(0, 2) and (2, 0)-(0, 1)."""
    edges = set()
    for down in (False, True):
        for right in (False, True):
            for edge in (((1, 0), (0, 2)), ((2, 0), (0, 1))):
                edges.add(frozenset((rows - 1 - r if down else r, cols - 1 - c if right else c) for r, c in edge))
    return edges


@pytest.mark.parametrize("size", TOURS)
def test_tiles_are_closed_tours_and_structured(size: str) -> None:
    rows, cols = map(int, size.split("x"))
    for height, width in ((rows, cols), (cols, rows)):
        tour = tile(height, width)
        assert tour is not None
        assert KnightTour(Board(height, width), start=(0, 0), closed=True).violations(tour) == ()
        edges = {frozenset(edge) for edge in zip(tour, tour[1:] + tour[:1], strict=True)}
        assert min(height, width) == 5 or structure(height, width) <= edges


def test_there_is_no_other_tile() -> None:
    sizes = {f"{r}x{c}" for r in range(5, 12) for c in range(r, 13) if r * c % 2 == 0}
    assert set(TOURS) == sizes
    assert tile(7, 7) is None


def test_every_board_of_up_to_40x40() -> None:
    for rows in range(5, 41):
        for cols in range(5, 41):
            if rows * cols % 2 == 0:
                result = build(KnightTour(Board(rows, cols), closed=True))
                assert result.status is Status.FEASIBLE
                assert result.counters.nodes == rows * cols


@pytest.mark.parametrize("size", [(5, 500), (7, 300), (250, 6), (13, 202), (150, 151), (150, 152)])
def test_long_and_large_boards(size: tuple[int, int]) -> None:
    assert build(KnightTour(Board(*size), closed=True)).status is Status.FEASIBLE


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1000, 1000), (1000, 1001), (999, 1000), (1000, 1002)])
def test_a_million_squares(size: tuple[int, int]) -> None:
    assert build(KnightTour(Board(*size), closed=True)).status is Status.FEASIBLE


@pytest.mark.parametrize("size", [(6, 6), (12, 12), (17, 18), (40, 7), (200, 202), (5, 100)])
def test_the_tiles_cover_the_board_and_one_join_less_than_boards_joined(size: tuple[int, int]) -> None:
    plan = divide(*size)
    covered = [
        (top + r, left + c)
        for top, left, k in plan.tiles
        for r in range(plan.sizes[k][0])
        for c in range(plan.sizes[k][1])
    ]
    assert sorted(covered) == list(Board(*size).squares())
    merged = sum(3 if kind == 2 else 1 for kind, *_ in plan.joins)
    assert len(plan.tiles) == merged + 1


def test_boards_of_parberrys_theorem_are_cut_into_quarters_only() -> None:
    for n in range(6, 120):
        for cols in (n, n + 1, n + 2):
            if n * cols % 2 == 0 and not (cols == n + 2 and n % 2):
                assert {kind for kind, *_ in divide(n, cols).joins} <= {2}


@pytest.mark.parametrize("closed", [True, False])
def test_the_tour_is_written_from_the_start(closed: bool) -> None:
    result = build(KnightTour(Board(13, 20), start=(4, 9), closed=closed))
    assert result.answer is not None
    assert result.answer[0] == (4, 9)
    assert returns_to_start(result.answer)


def test_the_tour_is_written_towards_the_end() -> None:
    result = build(KnightTour(Board(13, 20), end=(4, 9)))
    assert result.answer is not None
    assert result.answer[-1] == (4, 9)


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (KnightTour(Board(7, 7), closed=True), "odd number of squares"),
        (KnightTour(Board(4, 8), closed=True), "a side under 5"),
        (KnightTour(Board(8, 3), closed=True), "a side under 5"),
        (KnightTour(Board(8, 8, frozenset({(0, 0)}))), "missing squares"),
        (KnightTour(Board(8, 8), start=(0, 0), end=(7, 6)), "together with a given end"),
    ],
)
def test_what_is_out_of_reach_is_said(problem: KnightTour, reason: str) -> None:
    with pytest.raises(UnsupportedProblem, match=reason):
        find(METHOD, problem)


@pytest.mark.parametrize(
    ("limits", "ending"),
    [({"nodes": 150}, Ending.NODES), ({"nodes": 300, "evaluations": 150}, Ending.EVALUATIONS)],
)
def test_a_limit_on_squares_leaves_the_part_written(limits: dict[str, int], ending: Ending) -> None:
    result = build(KnightTour(Board(20, 20), closed=True), **limits)
    assert (result.status, result.ending, result.counters.nodes) == (Status.UNKNOWN, ending, 150)
    assert result.best is not None
    assert {violation.kind for violation in result.problem.violations(result.best)} == {"unvisited", "not-closed"}


@pytest.mark.parametrize("end", [None, (4, 9)])
def test_a_time_limit_leaves_the_part_written(
    end: Square | None, ticking: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = KnightTour(Board(20, 20), end=end)
    tour = build(problem).answer
    assert tour is not None
    monkeypatch.setattr(tours_divide, "CHUNK", 10)
    ticking(1.0)
    lengths = []
    for seconds in (0.5, 1.5, 2.5, 3.5, 30.5):
        result = build(problem, seconds=seconds)
        written = result.best or ()
        assert (result.status, result.ending, result.answer) == (Status.UNKNOWN, Ending.TIME, None)
        assert result.counters.nodes == len(written)
        assert written == (tour[: len(written)] if end is None else tour[len(tour) - len(written) :])
        assert [improvement.value for improvement in result.trace] == [len(written)] * bool(written)
        lengths.append(len(written))
    # The first look is after the plan; then one before each piece that is written.
    assert lengths == [0, 0, 10, 20, 290]
