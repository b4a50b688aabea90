"""What a watcher is shown, how much of a run's time that takes, and that it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hopeless import NAMES, ROWS, parameters_for, problem_for

from heuristic import methods, watching
from heuristic.methods import HeuristicMethod
from heuristic.watching import Audience
from problems import Answer, Board, Improvement, KnightTour, Limits, Queens, Result

each_method = pytest.mark.parametrize("row", ROWS, ids=NAMES)


class Clock:
    """A clock that stands still unless it is told to go on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    monkeypatch.setattr(watching, "perf_counter", clock)
    return clock


def improvement(value: int) -> Improvement:
    return Improvement(value, value, 0.0)


def state(value: int) -> Any:
    return lambda: ((value, value),)


def shown_by(audience_of: Any, cost: float, clock: Clock) -> tuple[Audience, list[int]]:
    seen: list[int] = []

    def watch(told: Improvement, squares: Answer) -> None:
        assert squares == ((told.value, told.value),)
        seen.append(told.value)
        clock.now += cost

    return audience_of(watch), seen


def test_every_improvement_is_shown_while_that_is_cheap(clock: Clock) -> None:
    audience, seen = shown_by(Audience, 0.001, clock)
    for value in range(50):
        audience.improved(improvement(value), state(value))
    assert seen == list(range(50))


def test_watching_gets_a_tenth_of_the_time_and_the_newest_improvement_is_shown(clock: Clock) -> None:
    audience, seen = shown_by(Audience, 0.5, clock)
    audience.improved(improvement(0), state(0))
    audience.improved(improvement(1), state(1))
    audience.improved(improvement(2), state(2))
    audience.catch_up()
    assert seen == [0]
    clock.now = 3.9  # 0.5 s used, 0.1 + 0.39 s allowed
    audience.catch_up()
    assert seen == [0]
    clock.now = 4.1
    audience.catch_up()
    audience.catch_up()
    assert seen == [0, 2]


def test_the_last_improvement_is_always_shown_once(clock: Clock) -> None:
    audience, seen = shown_by(Audience, 100.0, clock)
    for value in range(5):
        audience.improved(improvement(value), state(value))
    audience.close()
    audience.close()
    assert seen == [0, 4]


def test_without_a_watcher_no_state_is_made(clock: Clock) -> None:
    audience = Audience(None)
    audience.improved(improvement(0), lambda: pytest.fail("a state was made"))
    audience.catch_up()
    audience.close()


def without_clock(result: Result) -> tuple[Any, ...]:
    trace = [(step.effort, step.value) for step in result.trace]
    return result.status, result.ending, result.answer, result.best, result.counters, trace


@each_method
def test_a_watcher_without_any_time_is_shown_the_last_improvement_only(
    row: HeuristicMethod, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ALLOWANCE", -1.0)
    monkeypatch.setattr(watching, "SHARE", 0.0)
    seen: list[tuple[Improvement, Answer]] = []
    problem = Queens(12) if row.problem is Queens else problem_for(row)

    def once(watch: Any) -> Result:
        return methods.run(
            problem, row.name, limits=Limits(evaluations=3000), seed=1, parameters=parameters_for(row), watch=watch
        )

    result = once(lambda *told: seen.append(told))
    assert without_clock(result) == without_clock(once(None))
    assert [told for told, _ in seen] == [result.trace[-1]]
    if row.problem is not KnightTour:
        assert sorted(set(seen[0][1])) == sorted(set(result.answer or result.best or ()))
    assert row.problem is not KnightTour or len(seen[0][1]) == result.trace[-1].value


@pytest.mark.parametrize("nodes", range(100, 2000, 37))
def test_the_path_shown_is_that_of_the_improvement_and_not_the_longer_one_since(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ALLOWANCE", -1.0)
    monkeypatch.setattr(watching, "SHARE", 0.0)
    seen: list[tuple[Improvement, Answer]] = []
    methods.run(
        KnightTour(Board(20, 20)), "greedy", limits=Limits(nodes=nodes), seed=1,
        watch=lambda *told: seen.append(told),
    )  # fmt: skip
    for told, path in seen:
        assert len(path) == told.value
