"""CP-SAT's engine: parameters, statuses, reports and enumeration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from ortools.sat.python import cp_model

from exact.cpsat import engine
from exact.progress import Bound, Incumbent
from problems import Status


def booleans(model: cp_model.CpModel, number: int) -> list[cp_model.IntVar]:
    return [model.new_bool_var(f"x{i}") for i in range(number)]


def reader(variables: list[cp_model.IntVar]) -> engine.Read:
    def read(value: Callable[[cp_model.IntVar], int]) -> tuple[Any, ...]:
        return tuple((0, i) for i, variable in enumerate(variables) if value(variable))

    return read


def solve(model: cp_model.CpModel, variables: list[cp_model.IntVar], **more: Any) -> tuple[Any, list[Any]]:
    reports: list[Any] = []
    solved = engine.solve(model, engine.make_solver(0, **more), read=reader(variables), report=reports.append)
    return solved, reports


def test_parameters() -> None:
    parameters = engine.make_solver(2**31 + 5, seconds=3.0).parameters
    assert parameters.num_workers == 1
    assert parameters.linearization_level == 2
    assert parameters.random_seed == 5
    assert parameters.max_time_in_seconds == 3.0
    assert not parameters.log_search_progress
    basic = engine.make_solver(0, linearization=engine.Linearization.BASIC).parameters
    assert basic.linearization_level == 1


def test_a_minimum_with_its_incumbents_and_bounds() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 5)
    for i in range(5):
        model.add_bool_or([xs[i], xs[(i + 1) % 5]])
    model.minimize(sum(xs))
    solved, reports = solve(model, xs)
    assert (solved.status, solved.objective, solved.bound) == (Status.OPTIMAL, 3, 3)
    assert len(solved.answer) == 3
    incumbents = [r for r in reports if isinstance(r, Incumbent)]
    bounds = [r.value for r in reports if isinstance(r, Bound)]
    assert incumbents[-1].objective == 3
    assert all(len(r.answer) == r.objective for r in incumbents)
    assert max(bounds) <= 3
    assert len(incumbents) + len(bounds) == len(reports)


def test_a_satisfied_model_is_feasible_not_optimal() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 2)
    model.add_bool_or(xs)
    solved, reports = solve(model, xs)
    assert (solved.status, solved.objective, solved.bound) == (Status.FEASIBLE, None, None)
    assert isinstance(reports[-1], Incumbent)
    assert reports[-1].objective is None


def test_an_infeasible_model() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 2)
    model.add(sum(xs) == 3)
    solved, reports = solve(model, xs)
    assert (solved.status, solved.answer, solved.bound) == (Status.INFEASIBLE, None, None)
    assert not [report for report in reports if isinstance(report, Incumbent)]


def pigeons(holes: int) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    xs = booleans(model, holes * (holes + 1))
    for pigeon in range(holes + 1):
        model.add_bool_or(xs[pigeon * holes : (pigeon + 1) * holes])
    for hole in range(holes):
        for one in range(holes + 1):
            for other in range(one):
                model.add_bool_or([~xs[one * holes + hole], ~xs[other * holes + hole]])
    return model, xs


def test_a_time_limit_is_no_proof() -> None:
    model, xs = pigeons(12)
    model.add(sum(xs) >= 0)
    solved, _ = solve(model, xs, seconds=1e-4, linearization=engine.Linearization.NONE)
    assert (solved.status, solved.answer) == (Status.UNKNOWN, None)


def test_an_invalid_model_and_an_unknown_status_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    model = cp_model.CpModel()
    x = model.new_int_var(0, 2**62, "x")
    model.add(2**10 * x >= 2**62)
    with pytest.raises(RuntimeError, match="refuses the model"):
        solve(model, [x])
    monkeypatch.setitem(vars(engine), "_STATUSES", {})
    with pytest.raises(RuntimeError, match="not known"):
        solve(cp_model.CpModel(), [])


def enumerate_all(model: cp_model.CpModel, xs: list[cp_model.IntVar], **more: Any) -> tuple[list[Any], Any]:
    found: list[Any] = []
    value = engine.enumerate_answers(
        model, engine.make_solver(0, **more), read=reader(xs), report=lambda m: found.extend(m.answers)
    )
    return found, value


def test_all_solutions() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 8)
    model.add(sum(xs) == 4)
    found, value = enumerate_all(model, xs)
    assert len(set(found)) == len(found) == value.count == 70
    assert value.complete


def test_solutions_with_the_same_answer_count_once() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 6)
    found, value = enumerate_all(model, xs[:2])
    assert len(found) == value.count == 4


def test_an_enumeration_that_is_cut_short_is_not_complete() -> None:
    model, xs = pigeons(12)
    found, value = enumerate_all(model, xs, seconds=1e-4)
    assert (found, value.count, value.complete) == ([], 0, False)


def test_no_solution_is_a_complete_enumeration() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 2)
    model.add(sum(xs) == 3)
    assert enumerate_all(model, xs)[1].complete


def test_an_objective_is_not_enumerated() -> None:
    model = cp_model.CpModel()
    xs = booleans(model, 2)
    model.minimize(sum(xs))
    with pytest.raises(ValueError, match="without objective"):
        enumerate_all(model, xs)
