"""`exact.solve` and `exact.enumerate_all`: which engine runs, what is refused, what is checked."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import exact
from exact import dispatch, methods
from exact.methods import ExactMethod
from problems import (
    Board,
    Ending,
    KnightCover,
    Limits,
    Queens,
    Result,
    Rule,
    Status,
    UnsupportedProblem,
    WrongAnswer,
)

COVER = KnightCover(Board(3, 4))


def result(**more: Any) -> Result:
    known = {"method": "fake", "problem": COVER, "ending": Ending.FINISHED, "seconds": 0.0}
    return Result(**{**known, "status": Status.UNKNOWN, **more})


def use_only(monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    row = ExactMethod("fake", KnightCover, "a fake", None, None, lambda problem: None)
    monkeypatch.setattr(methods, "METHODS", (replace(row, **more),))


def test_there_is_a_row_for_every_engine_and_auto() -> None:
    assert exact.ENGINES[0] == exact.AUTO == "auto"
    assert {"cpsat", "sat", "search"} <= set(exact.ENGINES)
    assert set(exact.ENGINES[1:]) == {row.name for row in exact.METHODS}


@pytest.mark.parametrize("question", list(exact.Question))
@pytest.mark.parametrize(
    "problem",
    [COVER, KnightCover(Board(20, 20), Rule.ORDINARY), KnightCover(Board(9, 9), Rule.INDEPENDENT), Queens(8)],
)
def test_auto_chooses_a_method_that_is_there_and_gives_a_reason(problem: Any, question: exact.Question) -> None:
    engine, reason = exact.choose(problem, question)
    row = exact.find(engine, problem)
    assert getattr(row, question.value) is not None
    assert reason


def test_covers_too_large_for_sat_go_to_cpsat() -> None:
    assert exact.choose(KnightCover(Board(150, 150)))[0] == "cpsat"
    assert exact.choose(KnightCover(Board(13, 13), Rule.ORDINARY))[0] == "cpsat"
    assert exact.choose(KnightCover(Board(12, 12), Rule.ORDINARY))[0] == "sat"


def test_a_problem_that_no_engine_supports_is_refused() -> None:
    with pytest.raises(UnsupportedProblem, match="some engine can solve"):
        exact.solve(KnightCover(Board(1000, 1000)))


def test_an_engine_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UnsupportedProblem, match=r"cpsat, sat.*'magic'"):
        exact.solve(COVER, engine="magic")


def test_an_engine_without_that_side_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    use_only(monkeypatch)
    with pytest.raises(UnsupportedProblem, match="can solve knights"):
        exact.solve(COVER, engine="fake")
    with pytest.raises(UnsupportedProblem, match="can enumerate knights"):
        exact.enumerate_all(COVER, engine="fake")


def test_everything_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def note(problem: Any, **more: Any) -> Result:
        calls.append((problem, more))
        return result()

    use_only(monkeypatch, solve=note, enumerate=note)
    limits = Limits(seconds=3)
    exact.solve(COVER, engine="fake", limits=limits, seed=7, watch=print)
    exact.enumerate_all(COVER, engine="fake", limits=limits, seed=8, keep=9, classes=True)
    assert calls == [
        (COVER, {"limits": limits, "seed": 7, "watch": print}),
        (COVER, {"limits": limits, "seed": 8, "keep": 9, "classes": True}),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": Status.FEASIBLE, "answer": ((0, 0),), "objective": 1},
        {"status": Status.OPTIMAL},
        {"status": Status.FEASIBLE, "answers": (((0, 0),),), "count": 1},
    ],
)
def test_wrong_answers_do_not_leave(wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    use_only(monkeypatch, solve=lambda *_, **__: result(**wrong), enumerate=lambda *_, **__: result(**wrong))
    with pytest.raises(WrongAnswer):
        exact.solve(COVER, engine="fake")
    with pytest.raises(WrongAnswer):
        exact.enumerate_all(COVER, engine="fake")


def test_importing_the_exact_side_loads_no_heavy_library() -> None:
    heavy = ("ortools", "pysat", "numpy", "numba", "scipy", "networkx", "pandas", "psutil")
    program = f"import sys, exact, exact.export; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_reason_of_auto_is_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    use_only(monkeypatch, name="sat", solve=lambda *_, **__: result(method="sat"))
    reason = dispatch.choose(COVER)[1]
    assert exact.solve(COVER).engine_reason == reason
    assert exact.solve(COVER, engine="sat").engine_reason is None
