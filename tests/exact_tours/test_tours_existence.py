"""Where tours exist: the published tables, by every engine, and tours of large boards."""

from __future__ import annotations

from typing import Any

import pytest
from tours_truth import inline

from exact import tours
from exact.dispatch import choose, solve
from exact.search import tours as searching
from problems import Board, InputError, KnightTour, Limits, Result, Status, checked


@pytest.fixture(autouse=True)
def _no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", inline)


def decided(problem: KnightTour, engine: str, seed: int = 0) -> Result:
    result = checked(tours.solve(problem, engine=engine, limits=Limits(), seed=seed))
    assert result.status in (Status.FEASIBLE, Status.INFEASIBLE)
    assert (result.explanation is None) == (result.status is Status.FEASIBLE)
    return result


def exists(problem: KnightTour, engine: str) -> bool:
    return decided(problem, engine).status is Status.FEASIBLE


def boards(most: int) -> list[tuple[int, int]]:
    return [(a, b) for b in range(1, most + 1) for a in range(1, b + 1)]


def open_tour_is_published(a: int, b: int) -> bool:
    """`tours_open_none`, spelt out."""
    return (a, b) == (1, 1) or (a > 2 and (a, b) not in {(3, 3), (3, 5), (3, 6), (4, 4)})


def test_closed_tours_to_10_by_sat(known_values: dict[str, Any]) -> None:
    published = {
        tuple(map(int, board.split("x"))) for board in known_values["tours_closed_exist_up_to_10"]["boards"]
    }
    assert {(a, b) for a, b in boards(10) if exists(KnightTour(Board(a, b), closed=True), "sat")} == published


def test_open_tours_to_9_by_sat() -> None:
    for a, b in boards(9):
        assert exists(KnightTour(Board(a, b)), "sat") == open_tour_is_published(a, b)


@pytest.mark.parametrize("engine", ["cpsat", "search"])
def test_all_boards_by_the_other_engines(engine: str, known_values: dict[str, Any]) -> None:
    published = {
        tuple(map(int, board.split("x"))) for board in known_values["tours_closed_exist_up_to_10"]["boards"]
    }
    for a, b in boards(10):
        assert exists(KnightTour(Board(a, b), closed=True), engine) == ((a, b) in published)
    for a, b in boards(9):
        assert exists(KnightTour(Board(a, b)), engine) == open_tour_is_published(a, b)
    assert exists(KnightTour(Board(3, 12), closed=True), engine)


@pytest.mark.parametrize("engine", tours.ENGINES)
def test_minority_colour_on_5x5(engine: str) -> None:
    assert decided(KnightTour(Board(5, 5), start=(0, 1)), engine).status is Status.INFEASIBLE


def test_every_start_on_8x8() -> None:
    board = Board(8, 8)
    for start in board.squares():
        answer = decided(KnightTour(board, start=start), "sat").answer
        assert answer is not None
        assert answer[0] == start
        answer = decided(KnightTour(board, start=start, closed=True), "sat").answer
        assert answer is not None
        assert answer[0] == start


@pytest.mark.parametrize("name", ["5x5", "4x5", "4x6", "3x4", "3x7", "3x8", "5x6", "6x6", "6x8"])
def test_number_of_starting_squares(name: str, known_values: dict[str, Any]) -> None:
    number = known_values["tours_open_start_squares"]["values"][name]
    board = Board(*map(int, name.split("x")))
    assert sum(exists(KnightTour(board, start=square), "sat") for square in board.squares()) == number


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_seeds(seed: int) -> None:
    for problem in (KnightTour(Board(20, 20), closed=True), KnightTour(Board(3, 8), closed=True)):
        assert decided(problem, "sat", seed).status == decided(problem, "sat").status


LARGE = (
    KnightTour(Board(30, 30), closed=True),
    KnightTour(Board(31, 31), start=(0, 0)),
    KnightTour(Board(31, 29), start=(2, 2), end=(0, 0)),
    KnightTour(Board(30, 30), start=(3, 3), end=(3, 4)),
    KnightTour(Board(30, 20), end=(7, 7)),
    KnightTour(Board(24, 30), start=(5, 6), closed=True),
    KnightTour(Board(3, 101)),
    KnightTour(Board(4, 100), start=(0, 0)),
    KnightTour(Board(30, 30, frozenset({(0, 0), (10, 11), (20, 20), (29, 0)})), closed=True),
)


@pytest.mark.parametrize("engine", ["sat", "search"])
@pytest.mark.parametrize("problem", LARGE, ids=str)
def test_large_boards(problem: KnightTour, engine: str) -> None:
    assert decided(problem, engine).status is Status.FEASIBLE


@pytest.mark.parametrize(
    "problem", [KnightTour(Board(200, 200), closed=True), KnightTour(Board(401, 401))], ids=str
)
def test_very_large_boards_by_exchanges(problem: KnightTour) -> None:
    assert decided(problem, "search").status is Status.FEASIBLE


def test_the_search_leaves_to_sat_what_it_neither_finds_nor_exhausts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_ATTEMPTS", 0)
    result = decided(KnightTour(Board(9, 9), start=(0, 0)), "search")
    assert result.status is Status.FEASIBLE
    assert result.counters.solver_calls


def test_engines_say_what_they_do_not_support() -> None:
    huge = KnightTour(Board(300, 300), closed=True)
    with pytest.raises(InputError, match="squares"):
        solve(huge, engine="sat")
    with pytest.raises(InputError, match="squares"):
        solve(huge, engine="cpsat")
    assert choose(huge)[0] == "search"
    assert choose(KnightTour(Board(8, 8)))[0] == "sat"
