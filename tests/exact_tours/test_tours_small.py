"""Small boards: every engine finds exactly the tours that brute force finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tours_truth import NAMED, all_tours, classes, ignore, inline, seen, small_tours, truth

from exact import tours
from exact.dispatch import enumerate_all, solve
from exact.search.tours_count import count_tours
from exact.search.tours_plan import best_plan
from problems import Board, KnightTour, Limits, Result, Status, checked

UNBOUNDED = Limits()
MANY = 10**6


@pytest.fixture(autouse=True)
def _no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", inline)


no_children = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def enumerated(problem: KnightTour, engine: str, **options: Any) -> Result:
    return checked(tours.enumerate_all(problem, engine=engine, limits=UNBOUNDED, seed=0, **options))


def solved(problem: KnightTour, engine: str) -> Result:
    return checked(tours.solve(problem, engine=engine, limits=UNBOUNDED, seed=0))


@pytest.mark.parametrize("engine", tours.ENGINES)
@pytest.mark.parametrize("problem", NAMED, ids=str)
def test_named_boards(problem: KnightTour, engine: str) -> None:
    expected = truth(problem)
    result = enumerated(problem, engine, keep=MANY, classes=True)
    assert seen(problem, result.answers) == expected
    assert (result.count, result.classes, result.complete) == (len(expected), classes(problem), True)
    assert list(result.answers) == sorted(result.answers)
    assert (result.status is Status.INFEASIBLE) == (not expected)


@pytest.mark.parametrize("engine", tours.ENGINES)
@no_children
@given(problem=small_tours())
def test_random_boards(engine: str, problem: KnightTour) -> None:
    expected = truth(problem)
    result = enumerated(problem, engine, keep=MANY, classes=True)
    assert seen(problem, result.answers) == expected
    assert (result.count, result.classes, result.complete) == (len(expected), classes(problem), True)
    assert enumerated(problem, engine, keep=2).answers == result.answers[:2]
    decided = solved(problem, engine)
    assert decided.status is (Status.FEASIBLE if expected else Status.INFEASIBLE)
    assert (decided.explanation is None) == bool(expected)
    if decided.answer and problem.start:
        assert decided.answer[0] == problem.start


@no_children
@given(problem=small_tours())
def test_engines_need_no_argument(problem: KnightTour) -> None:
    """The engines' own answers, without the arguments that usually come first."""
    import exact.cpsat.tours
    import exact.sat.tours
    import exact.search.tours

    if problem.board.size < 3 or (problem.start is not None and problem.start == problem.end):
        return
    expected = truth(problem)
    status = Status.FEASIBLE if expected else Status.INFEASIBLE
    assert exact.sat.tours.decide(problem, 0, ignore).status is status
    assert exact.cpsat.tours.solve(problem, 0, ignore).status is status
    assert exact.search.tours.solve(problem, 0, None, ignore).status is status
    assert exact.sat.tours.enumerate_all(problem, 1, ignore).count == len(expected)
    assert exact.cpsat.tours.enumerate_all(problem, 0, ignore).count == len(expected)
    assert count_tours(best_plan(problem)).count == len(expected)


@pytest.mark.parametrize("engine", tours.ENGINES)
def test_closed_tours_are_written_from_the_least_square_towards_the_smaller_neighbour(engine: str) -> None:
    for path in enumerated(KnightTour(Board(5, 6), closed=True), engine, keep=MANY).answers:
        assert path[0] == (0, 0)
        assert path[1] < path[-1]


@pytest.mark.parametrize("engine", tours.ENGINES)
def test_open_tours_are_written_from_the_smaller_end(engine: str) -> None:
    answers = enumerated(KnightTour(Board(3, 4)), engine, keep=MANY).answers
    assert len(answers) == 8
    assert all(path[0] < path[-1] for path in answers)


def test_start_and_end_together_are_what_they_are_apart() -> None:
    board = Board(4, 5)
    from_corner = all_tours(KnightTour(board, start=(0, 0)))
    ends = {path[-1] for path in from_corner}
    assert ends
    for end in board.squares():
        result = enumerated(KnightTour(board, start=(0, 0), end=end), "search")
        assert result.count == sum(path[-1] == end for path in from_corner)


@pytest.mark.parametrize("engine", ["auto", *tours.ENGINES])
def test_through_children(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert solve(KnightTour(Board(5, 5), start=(0, 0)), engine=engine).status is Status.FEASIBLE
    assert enumerate_all(KnightTour(Board(3, 4)), engine=engine, keep=1).count == 8
