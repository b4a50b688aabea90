"""Published and computed values, found by both engines; the larger ones among the slow tests."""

from __future__ import annotations

from typing import Any

import pytest
from knights_truth import run_here

import exact
from exact import knights
from problems import Board, KnightCover, Limits, Rule, Status

KEYS = {
    Rule.TOTAL: "knights_total_domination_min",
    Rule.ORDINARY: "knights_domination_min",
    Rule.INDEPENDENT: "knights_independent_domination_min",
}


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knights, "run_jobs", run_here)


def assert_minimum(board: Board, rule: Rule, engine: str, value: int | None) -> None:
    result = exact.solve(KnightCover(board, rule), engine=engine)
    assert result.status is (Status.INFEASIBLE if value is None else Status.OPTIMAL)
    assert result.objective == value
    if value and board.size <= 144:
        tight = exact.solve(KnightCover(board, rule, at_most=value - 1), engine="sat")
        assert tight.status is Status.INFEASIBLE


FAST = [
    *((Rule.TOTAL, "sat", n) for n in range(1, 16)),
    *((Rule.TOTAL, "cpsat", n) for n in range(1, 13)),
    *((Rule.ORDINARY, "sat", n) for n in range(1, 11)),
    *((Rule.ORDINARY, "cpsat", n) for n in range(1, 11)),
    *((Rule.INDEPENDENT, "sat", n) for n in range(1, 11)),
    *((Rule.INDEPENDENT, "cpsat", n) for n in range(1, 11)),
]
SLOW = [
    *((Rule.TOTAL, "sat", n) for n in range(16, 25)),
    *((Rule.TOTAL, "cpsat", n) for n in range(13, 18)),
    *((Rule.ORDINARY, "sat", n) for n in range(11, 15)),
    *((Rule.ORDINARY, "cpsat", n) for n in range(11, 15)),
    *((Rule.INDEPENDENT, "sat", n) for n in range(11, 16)),
    *((Rule.INDEPENDENT, "cpsat", n) for n in range(11, 15)),
]


@pytest.mark.parametrize(("rule", "engine", "n"), FAST)
def test_minimum_on_squares(rule: Rule, engine: str, n: int, known_values: dict[str, Any]) -> None:
    assert_minimum(Board(n, n), rule, engine, known_values[KEYS[rule]]["values"].get(str(n)))


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "engine", "n"), SLOW)
def test_minimum_on_large_squares(rule: Rule, engine: str, n: int, known_values: dict[str, Any]) -> None:
    assert_minimum(Board(n, n), rule, engine, known_values[KEYS[rule]]["values"][str(n)])


@pytest.mark.parametrize("engine", knights.ENGINES)
def test_minimum_on_rectangles(engine: str, known_values: dict[str, Any]) -> None:
    for size, value in known_values["knights_total_domination_rect_min"]["values"].items():
        rows, cols = map(int, size.split("x"))
        assert_minimum(Board(rows, cols), Rule.TOTAL, engine, value)
        assert_minimum(Board(cols, rows), Rule.TOTAL, engine, value)


@pytest.mark.parametrize("engine", knights.ENGINES)
def test_ordinary_minimum_on_rectangles(engine: str, known_values: dict[str, Any]) -> None:
    for n, row in enumerate(known_values["knights_domination_triangle"]["rows"][:8], 1):
        for k, value in enumerate(row, 1):
            assert exact.solve(KnightCover(Board(k, n), Rule.ORDINARY), engine=engine).objective == value


def test_the_bound_names_the_halves(known_values: dict[str, Any]) -> None:
    for n, (corner, other) in known_values["knights_total_domination_half_min"]["values"].items():
        if 4 <= int(n) <= 13:
            result = exact.solve(KnightCover(Board(int(n), int(n))))
            # On even boards one half is the mirror image of the other.
            split = f"2 x {corner}" if int(n) % 2 == 0 else f"{corner} + {other}"
            assert str(result.bound_source).endswith(f"independent parts {split}")


COUNTED = [
    *((Rule.TOTAL, "sat", n) for n in (4, 5, 6, 7, 8, 9, 10, 11, 12)),
    *((Rule.TOTAL, "cpsat", n) for n in (4, 5, 6, 7, 8, 9)),
    *((Rule.ORDINARY, "sat", n) for n in range(1, 10)),
    *((Rule.ORDINARY, "cpsat", n) for n in range(1, 9)),
]
COUNTED_SLOWLY = [
    *((Rule.TOTAL, "sat", n) for n in range(13, 19)),
    *((Rule.TOTAL, "cpsat", n) for n in (10, 11, 12, 13)),
    *((Rule.ORDINARY, "sat", n) for n in (10, 11, 12, 13)),
    *((Rule.ORDINARY, "cpsat", n) for n in (9, 10, 12)),
]


def assert_count(rule: Rule, engine: str, n: int, known_values: dict[str, Any]) -> None:
    if rule is Rule.TOTAL:
        every, classes = known_values["knights_total_domination_count"]["values"][str(n)]
    else:
        every = known_values["knights_domination_count"]["values"][str(n)]
        classes = known_values["knights_domination_count_inequivalent"]["values"][str(n)]
    result = exact.enumerate_all(KnightCover(Board(n, n), rule), engine=engine, classes=True, keep=3)
    assert result.complete
    assert result.count == every
    assert classes is None or result.classes == classes
    assert len(result.answers) == min(3, every)


@pytest.mark.parametrize(("rule", "engine", "n"), COUNTED)
def test_number_of_placements(rule: Rule, engine: str, n: int, known_values: dict[str, Any]) -> None:
    assert_count(rule, engine, n, known_values)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "engine", "n"), COUNTED_SLOWLY)
def test_large_number_of_placements(rule: Rule, engine: str, n: int, known_values: dict[str, Any]) -> None:
    assert_count(rule, engine, n, known_values)


def test_auto_says_why_it_chose() -> None:
    result = exact.solve(KnightCover(Board(5, 5)), limits=Limits(seconds=60))
    assert (result.engine, result.engine_reason) == exact.choose(KnightCover(Board(5, 5)))
    assert exact.solve(KnightCover(Board(5, 5)), engine="cpsat").engine_reason is None
