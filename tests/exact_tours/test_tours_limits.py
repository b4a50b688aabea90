"""A limit that is reached is never a claim."""

from __future__ import annotations

import pytest
from tours_truth import inline

from exact import tours
from exact.child import Job, Outcome
from exact.dispatch import enumerate_all, solve
from exact.progress import Enumerated, Solved
from exact.tour_progress import Decided
from problems import Board, Ending, KnightTour, Limits, Status

HARD = KnightTour(Board(8, 8), closed=True)


@pytest.mark.parametrize("engine", tours.ENGINES)
def test_counting_out_of_time(engine: str) -> None:
    result = enumerate_all(HARD, engine=engine, limits=Limits(seconds=2), classes=engine != "search")
    assert result.ending is Ending.TIME
    assert result.complete is False
    assert result.classes is None
    assert result.status in (Status.UNKNOWN, Status.FEASIBLE)


@pytest.mark.parametrize("engine", tours.ENGINES)
def test_solving_out_of_time(engine: str) -> None:
    result = solve(KnightTour(Board(60, 60), closed=True), engine=engine, limits=Limits(seconds=0.02))
    assert (result.status, result.ending, result.answer) == (Status.UNKNOWN, Ending.TIME, None)
    assert result.explanation is None


def test_listing_out_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", inline)
    problem = KnightTour(Board(6, 6), closed=True)
    result = enumerate_all(problem, engine="search", limits=Limits(nodes=100_000), classes=True, keep=3)
    assert (result.ending, result.complete, result.classes) == (Ending.NODES, False, None)
    assert result.count is not None
    assert 0 < result.count < 9862
    assert len(result.answers) == 3
    none = enumerate_all(
        KnightTour(Board(3, 8), closed=True), engine="search", limits=Limits(nodes=5), classes=True
    )
    assert (none.status, none.complete, none.count) == (Status.UNKNOWN, False, 0)


def test_counting_out_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", inline)
    result = enumerate_all(
        KnightTour(Board(6, 6), closed=True), engine="search", limits=Limits(nodes=1000), keep=2
    )
    assert (result.status, result.ending, result.complete) == (Status.UNKNOWN, Ending.NODES, False)
    assert result.count is None
    assert result.answers == ()


def test_exhausting_out_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", inline)
    result = solve(KnightTour(Board(3, 8), closed=True), engine="search", limits=Limits(nodes=5))
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.NODES)


def test_cpsat_alone_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_time_for_sat(job: Job, *, limits: Limits, on_report: object = None) -> Outcome:
        if job.function.startswith("exact.sat"):
            return Outcome(Ending.TIME, 1.0)
        return Outcome(
            Ending.FINISHED, 1.0, Solved(Status.INFEASIBLE) if "solve" in job.function else Enumerated(0, True)
        )

    monkeypatch.setattr(tours, "run_job", no_time_for_sat)
    problem = KnightTour(Board(3, 8), closed=True)
    assert solve(problem, engine="cpsat").status is Status.UNKNOWN
    result = enumerate_all(problem, engine="cpsat", classes=True)
    assert (result.status, result.complete, result.classes) == (Status.UNKNOWN, False, None)


def test_contradicting_engines_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def contradict(job: Job, *, limits: Limits, on_report: object = None) -> Outcome:
        if job.function.startswith("exact.sat"):
            return Outcome(Ending.FINISHED, 1.0, Decided(Status.FEASIBLE, ((0, 0),), ()))
        return Outcome(Ending.FINISHED, 1.0, Solved(Status.INFEASIBLE))

    monkeypatch.setattr(tours, "run_job", contradict)
    with pytest.raises(RuntimeError, match="CP-SAT"):
        solve(KnightTour(Board(6, 6), closed=True), engine="cpsat")


def test_a_crash_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours, "run_job", lambda job, **_: Outcome(Ending.CRASHED, 1.0, None, "gone"))
    for engine in tours.ENGINES:
        for ask in (solve, enumerate_all):
            result = ask(KnightTour(Board(6, 6), closed=True), engine=engine)
            assert (result.status, result.ending, result.explanation) == (Status.UNKNOWN, Ending.CRASHED, "gone")
            assert not result.complete
