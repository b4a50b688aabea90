"""Limits, confirmations and kills: what is not proved is not claimed, and no child stays behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import psutil
import pytest
from knights_truth import cover_on, run_here

import exact
from exact import knights
from exact.child import Job, Outcome
from exact.progress import Bound, Found, Incumbent, OfPart, Solved
from problems import Counters, Ending, KnightCover, Limits, Placement, Rule, Status, UnsupportedProblem

each_engine = pytest.mark.parametrize("engine", knights.ENGINES)
HARD = cover_on(24, 24, Rule.ORDINARY)
"""Nobody has proved the minimum, and no second is enough to try."""


def children() -> set[int]:
    return {process.pid for process in psutil.Process().children(recursive=True)}


@each_engine
def test_a_time_limit_leaves_answer_bound_and_gap_but_no_claim(engine: str) -> None:
    before = children()
    result = exact.solve(HARD, engine=engine, limits=Limits(seconds=1))
    assert result.status is Status.FEASIBLE
    assert result.ending is Ending.TIME
    assert result.answer is not None
    assert result.bound is not None
    assert result.objective is not None
    assert result.bound < result.objective
    assert children() <= before


@each_engine
def test_a_question_between_the_bounds_stays_open(engine: str) -> None:
    result = exact.solve(replace(HARD, at_most=80), engine=engine, limits=Limits(seconds=1))
    assert result.status is Status.UNKNOWN
    assert result.ending is Ending.TIME
    assert result.answer is None
    assert result.bound is not None
    assert result.bound <= 80


@each_engine
def test_questions_that_need_no_search_need_no_time(engine: str) -> None:
    enough = exact.solve(replace(HARD, at_most=300), engine=engine, limits=Limits(seconds=1e-3))
    assert enough.status is Status.FEASIBLE
    assert enough.ending is Ending.FINISHED
    too_few = exact.solve(replace(HARD, at_most=20), engine="sat", limits=Limits(seconds=1e-3))
    assert too_few.status is Status.INFEASIBLE
    assert too_few.bound_source == "counting the squares that one knight covers"


def test_an_enumeration_that_is_cut_short_is_not_complete() -> None:
    result = exact.enumerate_all(HARD, limits=Limits(seconds=0.5), classes=True, keep=3)
    assert result.status is Status.FEASIBLE
    assert result.complete is False
    assert result.count == 0
    assert result.classes is None
    assert result.answers == ()


@each_engine
def test_children_solve_as_the_process_itself_does(engine: str) -> None:
    before = children()
    assert exact.solve(cover_on(5, 5), engine=engine).objective == 7
    result = exact.enumerate_all(cover_on(5, 5), engine=engine, classes=True)
    assert (result.count, result.classes, result.complete) == (480, 62, True)
    assert children() <= before


def test_an_enumeration_with_a_limit_on_the_knights_is_refused() -> None:
    with pytest.raises(UnsupportedProblem, match="--at-most"):
        exact.enumerate_all(cover_on(5, 5, at_most=7))


@pytest.mark.parametrize(("engine", "side"), [("sat", 101), ("cpsat", 201)])
def test_boards_that_are_too_large_are_refused(engine: str, side: int) -> None:
    with pytest.raises(UnsupportedProblem, match=f"{side * side} squares"):
        exact.solve(cover_on(side, side), engine=engine)


def stopping(function: str, ending: Ending, reports: Sequence[Any]) -> Any:
    """Return a runner whose jobs of one function report what is given and then end like that."""

    def run(jobs: Sequence[Job], *, limits: Limits, on_report: Any) -> tuple[Outcome, ...]:
        if jobs[0].function != function:
            return run_here(jobs, limits=limits, on_report=on_report)
        for report in reports:
            on_report(0, report)
        return tuple(Outcome(ending, 0.1, error="out of luck") for _ in jobs)

    return run


def test_cpsat_alone_does_not_make_a_cover_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = cover_on(8, 8, at_most=13)
    confirmed = exact.solve(problem, engine="cpsat")
    assert confirmed.status is Status.INFEASIBLE
    assert confirmed.bound_source == "CP-SAT, confirmed by SAT"
    cut_short = stopping("exact.sat.knights:minimise_together", Ending.TIME, [OfPart(0, Bound(6))])
    monkeypatch.setattr(knights, "run_jobs", cut_short)
    alone = exact.solve(problem, engine="cpsat")
    assert alone.status is Status.UNKNOWN
    assert alone.ending is Ending.TIME
    assert alone.bound == 14
    assert str(alone.bound_source).startswith("CP-SAT, one run")
    assert "CP-SAT alone" in str(alone.explanation)


def test_engines_that_contradict_each_other_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = stopping("exact.cpsat.knights:minimise_together", Ending.FINISHED, [OfPart(0, Bound(12))])
    monkeypatch.setattr(knights, "run_jobs", wrong)
    with pytest.raises(RuntimeError, match="SAT has a cover with 22"):
        exact.solve(cover_on(10, 10, at_most=22), engine="cpsat")


@pytest.mark.parametrize("ending", [Ending.TIME, Ending.MEMORY, Ending.CRASHED])
def test_what_was_reported_before_the_end_is_kept(ending: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    half = _minimum_of_a_half()
    reports = [Incumbent(half, 7), Bound(6)]
    monkeypatch.setattr(knights, "run_jobs", stopping("exact.sat.knights:minimise", ending, reports))
    result = exact.solve(cover_on(8, 8), engine="sat")
    assert (result.status, result.ending) == (Status.FEASIBLE, ending)
    assert (result.objective, result.bound) == (14, 12)
    assert result.explanation == "out of luck"


def test_placements_found_before_the_end_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    half = _minimum_of_a_half()
    reports = [Incumbent(half, 7), Bound(7), Found((half,))]
    monkeypatch.setattr(knights, "run_jobs", stopping("exact.sat.knights:enumerate_all", Ending.TIME, reports))
    result = exact.enumerate_all(cover_on(8, 8), engine="sat", keep=9, classes=True)
    assert (result.status, result.ending, result.complete) == (Status.OPTIMAL, Ending.TIME, False)
    assert (result.count, result.answers, result.classes) == (1, (), None)


@pytest.mark.parametrize("ending", [Ending.TIME, Ending.CANCELLED])
def test_the_work_until_the_last_report_is_counted(ending: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = [Bound(5, Counters(conflicts=3)), Bound(6, Counters(conflicts=8)), Found(())]
    monkeypatch.setattr(knights, "run_jobs", stopping("exact.sat.knights:minimise", ending, reports))
    assert exact.solve(cover_on(8, 8), engine="sat").counters == Counters(conflicts=8)


@each_engine
def test_a_question_that_a_report_decides_costs_the_same_every_time(engine: str) -> None:
    """On 9x9 the two parts differ, and neither must be solved to the end."""
    for problem in (cover_on(8, 8, at_most=13), cover_on(9, 9, at_most=18)):
        results = [exact.solve(problem, engine=engine) for _ in range(3)]
        assert len({replace(result, seconds=0.0, trace=()) for result in results}) == 1
        assert results[0].counters.solver_calls


def test_the_sat_search_counts_its_closed_solvers_once() -> None:
    from exact.cover import classes, greedy
    from exact.sat import knights as sat

    problem = cover_on(10, 10)
    part = classes(problem)[0].part
    counts: list[int] = []

    def note(message: object) -> None:
        if isinstance(message, Incumbent | Bound):
            counts.append(message.counters.solver_calls or 0)

    solved = sat.minimise(part, problem.board, greedy(part), 0, note)
    assert counts == sorted(counts)
    assert 0 < counts[0] <= counts[-1] <= (solved.counters.solver_calls or 0)


def test_a_worse_report_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    half = _minimum_of_a_half()
    worse = tuple(sorted({*half, (0, 1), (0, 3), (0, 5), (0, 7), (2, 1)}))
    reports = [Incumbent(half, 7), Incumbent(worse, len(worse)), Bound(6), Bound(5)]
    monkeypatch.setattr(knights, "run_jobs", stopping("exact.sat.knights:minimise", Ending.TIME, reports))
    result = exact.solve(cover_on(8, 8), engine="sat")
    assert (result.objective, result.bound) == (14, 12)


def _minimum_of_a_half() -> Placement:
    from exact.cover import classes, greedy
    from exact.sat.knights import minimise

    problem = KnightCover(cover_on(8, 8).board)
    part = classes(problem)[0].part
    solved = minimise(part, problem.board, greedy(part), 0, lambda message: None)
    assert isinstance(solved, Solved)
    assert solved.answer is not None
    return solved.answer


def test_the_sat_search_goes_on_when_a_budget_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    from exact.cover import classes, greedy
    from exact.sat import knights as sat

    monkeypatch.setattr(sat, "_FIRST_BUDGET", 1)
    for side, minima in ((7, [6, 4]), (9, [10, 8])):
        problem = cover_on(side, side)
        bounds: list[int] = []
        for cls, minimum in zip(classes(problem), minima, strict=True):
            bounds.clear()

            def note(message: object, bounds: list[int] = bounds) -> None:
                if isinstance(message, Bound):
                    bounds.append(message.value)

            solved = sat.minimise(cls.part, problem.board, greedy(cls.part), 0, note)
            assert (solved.status, solved.objective, solved.bound) == (Status.OPTIMAL, minimum, minimum)
            assert bounds == sorted(bounds)
            assert bounds[-1] == minimum


@each_engine
def test_parts_minimised_in_turn_are_minimised(engine: str) -> None:
    import importlib

    from exact.cover import classes, greedy

    problem = cover_on(9, 9)
    parts = tuple((cls.part, greedy(cls.part)) for cls in classes(problem))
    heard: list[OfPart] = []
    module = importlib.import_module(f"exact.{engine}.knights")
    solved = module.minimise_together(parts, problem.board, 0, heard.append)
    assert [(one.status, one.objective, one.bound) for one in solved] == [
        (Status.OPTIMAL, 10, 10),
        (Status.OPTIMAL, 8, 8),
    ]
    assert {told.index for told in heard} == {0, 1}
    assert all(isinstance(told.report, Incumbent | Bound) for told in heard)


def test_cpsat_goes_on_from_its_best_cover_when_a_round_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    from exact.cover import classes, greedy
    from exact.cpsat import knights as cpsat

    monkeypatch.setattr(cpsat, "_FIRST_EFFORT", 1e-4)
    problem = cover_on(11, 11)
    parts = tuple((cls.part, greedy(cls.part)) for cls in classes(problem))
    solved = cpsat.minimise_together(parts, problem.board, 0, lambda message: None)
    assert [(one.objective, one.bound) for one in solved] == [(13, 13), (12, 12)]
    assert any((one.counters.solver_calls or 0) > 1 for one in solved)


def test_cpsat_counts_the_work_of_all_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    from exact.cover import classes, greedy
    from exact.cpsat import knights as cpsat

    monkeypatch.setattr(cpsat, "_FIRST_EFFORT", 1e-4)
    problem = cover_on(11, 11)
    parts = tuple((cls.part, greedy(cls.part)) for cls in classes(problem))
    calls: dict[int, list[int]] = {0: [], 1: []}

    def note(told: OfPart) -> None:
        calls[told.index].append(told.report.counters.solver_calls or 0)

    solved = cpsat.minimise_together(parts, problem.board, 0, note)
    for index, counts in calls.items():
        assert counts == sorted(counts)
        assert counts[-1] <= (solved[index].counters.solver_calls or 0)
    assert max(map(max, calls.values())) > 1


@pytest.mark.parametrize("most", [30, 43])
def test_cpsats_refutations_say_one_thing(most: int) -> None:
    """What SAT confirms is what is explained; what counting decides is put down to counting."""
    result = exact.solve(cover_on(16, 16, at_most=most), engine="cpsat")
    assert result.status is Status.INFEASIBLE
    assert result.explanation == f"at least {result.bound} knights are needed, {most} are allowed"
    source = "counting the squares" if most == 30 else "CP-SAT, confirmed by SAT"
    assert str(result.bound_source).startswith(source)
