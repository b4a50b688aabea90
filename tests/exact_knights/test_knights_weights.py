"""The engine `weights` as a method: statuses, bounds and limits."""

from __future__ import annotations

from unittest import mock

import pytest
from knights_truth import fewest, run_here

from exact import knights
from exact.child import Outcome
from exact.weights import MAX_SQUARES, engine, supports
from problems import ARGUMENT, Board, Ending, KnightCover, Limits, Queens, Result, Rule, Status, UnsupportedProblem


@pytest.fixture
def here():
    with mock.patch("exact.weights.engine.run_jobs", run_here):
        yield


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("board", [Board(3, 4), Board(4, 4), Board(4, 5)], ids=str)
def test_minima(rule, board, here):
    result = engine.solve(KnightCover(board, rule), limits=Limits(), seed=0)
    assert (result.status, result.ending) == (Status.OPTIMAL, Ending.FINISHED)
    assert result.objective == result.bound == len(next(iter(fewest(board, rule))))
    assert result.bound_source == engine.SOURCE
    assert result.counters.leaves >= 1


def test_limits_on_the_knights(here):
    board = Board(4, 4)
    below = engine.solve(KnightCover(board, at_most=5), limits=Limits(), seed=0)
    assert (below.status, below.bound) == (Status.INFEASIBLE, 6)
    assert "at least 6" in below.explanation
    enough = engine.solve(KnightCover(board, at_most=6), limits=Limits(), seed=0)
    assert (enough.status, enough.objective) == (Status.FEASIBLE, 6)


def test_squares_that_nothing_attacks():
    result = engine.solve(KnightCover(Board(3, 3)), limits=Limits(), seed=0)
    assert (result.status, result.method) == (Status.INFEASIBLE, ARGUMENT)
    assert "b2" in result.explanation


def test_the_reason_of_a_crash_is_not_lost(monkeypatch):
    def crash(jobs, **_):
        return tuple(Outcome(Ending.CRASHED, 0.1, error="out of luck") for _ in jobs)

    monkeypatch.setattr(engine, "run_jobs", crash)
    result = engine.solve(KnightCover(Board(4, 4)), limits=Limits(), seed=0)
    assert (result.status, result.ending) == (Status.FEASIBLE, Ending.CRASHED)
    assert result.explanation == "out of luck"
    monkeypatch.setattr(knights, "run_jobs", crash)
    monkeypatch.setattr(knights, "greedy", lambda part: tuple(range(len(part.sites))))
    assert engine.solve(KnightCover(Board(4, 4)), limits=Limits(), seed=0).explanation == "out of luck"


def fake_cover(problem, answer, ending=Ending.FINISHED):
    def solve(question, *, engine, limits, seed):
        status = Status.UNKNOWN if answer is None else Status.FEASIBLE
        objective = None if answer is None else len(set(answer))
        return Result(
            method="x",
            problem=question,
            status=status,
            ending=ending,
            seconds=0,
            answer=answer,
            objective=objective,
        )

    return mock.patch("exact.knights.solve", solve)


def test_a_poor_cover_is_improved_on_the_way(here):
    problem = KnightCover(Board(4, 5))
    with fake_cover(problem, tuple(problem.board.squares())):
        result = engine.solve(problem, limits=Limits(), seed=0)
    assert (result.status, result.objective) == (Status.OPTIMAL, 6)


def test_without_a_cover_there_is_a_bound_only(here):
    problem = KnightCover(Board(8, 8))
    with fake_cover(problem, None, Ending.TIME):
        result = engine.solve(problem, limits=Limits(seconds=60), seed=0)
    assert (result.status, result.ending, result.bound) == (Status.UNKNOWN, Ending.TIME, 14)
    assert result.answer is None


def test_a_limit_leaves_cover_and_bound():
    problem = KnightCover(Board(13, 13))
    answer = tuple(problem.board.squares())
    with fake_cover(problem, answer):
        result = engine.solve(problem, limits=Limits(seconds=4), seed=0)
    assert (result.status, result.ending) == (Status.FEASIBLE, Ending.TIME)
    assert result.bound < 32, "the minimum"
    assert result.objective >= 32


def test_what_is_supported():
    assert supports(KnightCover(Board(8, 8))) is None
    assert "queens" in supports(Queens(8))
    side = int(MAX_SQUARES**0.5) + 1
    assert str(MAX_SQUARES) in supports(KnightCover(Board(side, side)))
    with pytest.raises(UnsupportedProblem):
        engine.solve(KnightCover(Board(side, side)), limits=Limits(), seed=0)
