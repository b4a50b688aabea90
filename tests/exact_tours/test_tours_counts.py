"""How many tours there are: published numbers by every engine, and the arithmetic behind the large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tours_truth import ignore, inline

from exact import tours
from exact.search import tours_frontier as kernel
from exact.search import tours_plan
from exact.search.tours_count import OutOfNodes, _attempt, count_tours
from exact.search.tours_plan import Plan, best_plan
from problems import Board, KnightTour, Limits, Result, checked

IN_SECONDS = 2_000_000
"""Numbers up to here are counted in seconds."""


@pytest.fixture(autouse=True)
def _no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", inline)


def counted(problem: KnightTour, engine: str, **options: Any) -> Result:
    return checked(tours.enumerate_all(problem, engine=engine, limits=Limits(), seed=0, **options))


def published(known_values: dict[str, Any]) -> list[tuple[KnightTour, int]]:
    tables = ((known_values["tours_closed_undirected"], True), (known_values["tours_open_undirected"], False))
    return [
        (KnightTour(Board(*map(int, name.split("x"))), closed=closed), number)
        for table, closed in tables
        for name, number in table["values"].items()
    ]


def test_published_numbers_by_search(known_values: dict[str, Any]) -> None:
    cheap = [(problem, number) for problem, number in published(known_values) if number <= IN_SECONDS]
    assert len(cheap) > 15
    for problem, number in cheap:
        assert counted(problem, "search").count == number


@pytest.mark.slow
def test_all_published_numbers_but_8x8_by_search(known_values: dict[str, Any]) -> None:
    for problem, number in published(known_values):
        if number < 10**13:
            assert counted(problem, "search").count == number


@pytest.mark.parametrize(("engine", "most"), [("sat", 900), ("cpsat", 200)])
def test_published_numbers_by_solvers(engine: str, most: int, known_values: dict[str, Any]) -> None:
    for problem, number in published(known_values):
        if number <= most:
            assert counted(problem, engine).count == number


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["sat", "cpsat"])
def test_more_published_numbers_by_solvers(engine: str, known_values: dict[str, Any]) -> None:
    for problem, number in published(known_values):
        if number <= 20_000:
            assert counted(problem, engine).count == number


@pytest.mark.parametrize("engine", ["sat", "search"])
def test_6x6_closed(engine: str) -> None:
    result = counted(KnightTour(Board(6, 6), closed=True), engine, keep=3, classes=True)
    assert (result.count, result.classes, len(result.answers)) == (9862, 1245, 3)


def test_5x5_by_start(known_values: dict[str, Any]) -> None:
    values = known_values["tours_open_directed_5x5_by_start"]["values"]
    board = Board(5, 5)
    numbers = {square: counted(KnightTour(board, start=square), "search").count for square in board.squares()}
    assert numbers[0, 0] == values["corner"]
    assert numbers[2, 2] == values["centre"]
    assert numbers[0, 2] == values["each other square of the corner colour"]
    assert numbers[0, 1] == values["each square of the other colour"]
    assert sum(number or 0 for number in numbers.values()) == values["total"]
    assert counted(KnightTour(board, start=(2, 2)), "sat").count == values["centre"]
    assert counted(KnightTour(board, end=(2, 2)), "cpsat").count == values["centre"]


def test_one_frontier_counts_what_two_count() -> None:
    for problem in (
        KnightTour(Board(5, 6)),
        KnightTour(Board(3, 40), closed=True),
        KnightTour(Board(4, 7), (0, 0)),
    ):
        one, two = _one_frontier(problem), best_plan(problem)
        assert two.back
        assert count_tours(one).count == count_tours(two).count


def _one_frontier(problem: KnightTour) -> Plan:
    """A plan without a meeting."""
    original = tours_plan._meeting_plan

    def whole(near: list[set[int]], forced: dict[int, int], dummy: int | None, reach: int) -> Plan:
        return Plan(tours_plan._steps(near, range(len(near)), range(len(near)), (), forced), (), 0)

    tours_plan._meeting_plan = whole
    try:
        return best_plan(problem)
    finally:
        tours_plan._meeting_plan = original


def test_numbers_beyond_64_bits() -> None:
    problem = KnightTour(Board(3, 150), closed=True)
    plan = best_plan(problem)
    count = count_tours(plan).count
    assert count > 2**192
    assert _attempt(plan, 1, None) is None
    assert _attempt(_one_frontier(problem), 2, None) is None
    assert count_tours(_one_frontier(problem)).count == count


@given(st.integers(0, 2**192 - 1), st.integers(0, 2**192 - 1))
def test_addition_in_limbs(x: int, y: int) -> None:
    total = _limbs(x, 64, 3)
    fits = kernel.add(total, _limbs(y, 64, 3))
    assert _value(total, 64) == (x + y) % 2**192
    assert fits == (x + y < 2**192)


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**128 - 1), st.integers(0, 2**200))
def test_multiplication_in_limbs(x: int, y: int, before: int) -> None:
    total = _limbs(before, 32, 8)
    kernel._multiply_add(total, _limbs(x, 64, 2), _limbs(y, 64, 2))
    assert _value(total, 32) == (before + x * y) % 2**256


def _limbs(value: int, bits: int, number: int) -> Any:
    return np.array([value >> (bits * i) & (2**bits - 1) for i in range(number)], np.uint64)


def _value(limbs: Any, bits: int) -> int:
    return sum(int(limb) << (bits * i) for i, limb in enumerate(limbs))


@given(st.data())
def test_mates_survive_packing(data: st.DataObject) -> None:
    slots = data.draw(st.integers(1, tours_plan.WIDEST))
    mate = np.full(slots, -1, np.int64)
    free = data.draw(st.permutations(range(slots)))
    paths = data.draw(st.integers(0, slots // 2))
    for i in range(paths):
        a, b = free[2 * i : 2 * i + 2]
        mate[a], mate[b] = b, a
    for slot in free[2 * paths :]:
        mate[slot] = slot if data.draw(st.booleans()) else -1
    opened = np.empty(slots, np.int64)
    key = kernel._encode(mate, -1, opened)
    again = np.empty(slots, np.int64)
    kernel._decode(np.uint64(key), np.arange(slots), np.empty(0, np.int64), again, opened)
    assert again.tolist() == mate.tolist()


def test_states_are_limited() -> None:
    with pytest.raises(OutOfNodes):
        count_tours(best_plan(KnightTour(Board(6, 6), closed=True)), 100)


def test_boards_too_wide_for_frontiers_are_listed() -> None:
    problem = KnightTour(Board(10, 10), closed=True)
    assert best_plan(problem).width > tours_plan.WIDEST
    result = tours.enumerate_all(problem, engine="search", limits=Limits(nodes=10_000), seed=0, keep=1)
    assert not result.complete
    import exact.search.tours

    listed = exact.search.tours.enumerate_tours(KnightTour(Board(5, 6), closed=True), 2, None, False, ignore)
    assert (listed.count, len(listed.kept), listed.complete) == (8, 2, True)
