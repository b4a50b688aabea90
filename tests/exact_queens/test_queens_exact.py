"""Queens by every engine: against brute force from a one-line predicate, published counts and each other."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exact
from exact import queens
from exact.search import queens as search
from problems import Ending, InputError, Limits, Placement, Queens, Status, UnsupportedProblem

ENGINES = queens.ENGINES
each_engine = pytest.mark.parametrize("engine", ENGINES)


def is_solution(columns: tuple[int, ...]) -> bool:
    return (
        len({c + r for r, c in enumerate(columns)}) == len({c - r for r, c in enumerate(columns)}) == len(columns)
    )


def brute_force(problem: Queens) -> set[Placement]:
    placements = (tuple(enumerate(columns)) for columns in permutations(range(problem.n)) if is_solution(columns))
    return {placement for placement in placements if set(problem.given) <= set(placement)}


def brute_classes(problem: Queens, placements: set[Placement]) -> int:
    if not problem.n:
        return len(placements)
    return len({problem.board.canonical(placement) for placement in placements})


@each_engine
@pytest.mark.parametrize("n", [0, 1, 3, 4, 7])
def test_all_placements_are_those_of_brute_force(engine: str, n: int) -> None:
    expected = brute_force(Queens(n))
    result = exact.enumerate_all(Queens(n), engine=engine, keep=1_000, classes=True)
    assert result.answers == tuple(sorted(expected))
    assert (result.count, result.classes) == (len(expected), brute_classes(Queens(n), expected))
    assert result.complete
    assert result.ending is Ending.FINISHED
    assert result.status is (Status.FEASIBLE if expected else Status.INFEASIBLE)


@each_engine
def test_published_counts_to_ten(engine: str, known_values: dict[str, Any]) -> None:
    for n in (8, 10):
        result = exact.enumerate_all(Queens(n), engine=engine, classes=True)
        assert result.complete
        assert result.count == known_values["queens_count"]["values"][str(n)]
        assert result.classes == known_values["queens_count_inequivalent"]["values"][str(n)]


def test_published_counts_by_search(known_values: dict[str, Any]) -> None:
    for n in range(1, 14):
        result = exact.enumerate_all(Queens(n), engine="search", classes=True)
        assert result.count == known_values["queens_count"]["values"][str(n)]
        assert result.classes == known_values["queens_count_inequivalent"]["values"][str(n)]


@pytest.mark.slow
@pytest.mark.parametrize("n", [14, 15, 16])
def test_published_counts_by_search_of_large_boards(n: int, known_values: dict[str, Any]) -> None:
    result = exact.enumerate_all(Queens(n), engine="search", classes=True)
    assert result.count == known_values["queens_count"]["values"][str(n)]
    assert result.classes == known_values["queens_count_inequivalent"]["values"][str(n)]


@each_engine
@pytest.mark.parametrize("n", [0, 1, 8])
def test_one_placement(engine: str, n: int) -> None:
    result = exact.solve(Queens(n), engine=engine)
    assert result.status is Status.FEASIBLE
    assert result.answer is not None
    assert len(result.answer) == n
    assert result.engine == engine


@each_engine
@pytest.mark.parametrize("n", [2, 3])
def test_no_placement_of_two_or_three(engine: str, n: int) -> None:
    result = exact.solve(Queens(n), engine=engine)
    assert result.status is Status.INFEASIBLE
    assert result.explanation is not None
    if engine == "cpsat":
        assert "CP-SAT and SAT" in result.explanation


@each_engine
def test_given_queens_that_can_and_cannot_be_completed(engine: str) -> None:
    result = exact.solve(Queens(8, ((0, 0), (1, 4))), engine=engine)
    assert result.answer is not None
    assert {(0, 0), (1, 4)} <= set(result.answer)
    assert exact.solve(Queens(6, ((0, 0),)), engine=engine).status is Status.INFEASIBLE


@each_engine
def test_given_queens_that_attack_each_other_are_named(engine: str) -> None:
    result = exact.enumerate_all(Queens(8, ((0, 0), (1, 1))), engine=engine, classes=True)
    assert (result.status, result.count, result.classes) == (Status.INFEASIBLE, 0, 0)
    assert result.explanation == "the given queens a8, b7 share a diagonal"


@st.composite
def partial_placements(draw: st.DrawFn) -> Queens:
    n = draw(st.integers(1, 7))
    square = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    return Queens(n, tuple(draw(st.lists(square, max_size=3, unique=True))))


@settings(max_examples=80, deadline=None)
@given(partial_placements())
def test_completions_by_search_are_those_of_brute_force(problem: Queens) -> None:
    expected = brute_force(problem)
    listed = exact.enumerate_all(problem, engine="search", keep=1_000, classes=True)
    assert listed.answers == tuple(sorted(expected))
    assert (listed.count, listed.classes) == (len(expected), brute_classes(problem, expected))
    counted = exact.enumerate_all(problem, engine="search")
    assert (counted.count, counted.complete) == (len(expected), True)
    assert (exact.solve(problem, engine="search").answer is not None) == bool(expected)


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
@pytest.mark.parametrize("given", [((0, 0),), ((2, 3), (5, 0))])
def test_completions_by_solvers_are_those_of_brute_force(engine: str, given: Placement) -> None:
    problem = Queens(7, given)
    expected = brute_force(problem)
    result = exact.enumerate_all(problem, engine=engine, keep=1_000, classes=True)
    assert result.answers == tuple(sorted(expected))
    assert (result.count, result.classes) == (len(expected), brute_classes(problem, expected))


def test_formula_is_right_for_every_remainder() -> None:
    for n in range(4, 125):
        assert Queens(n).violations(search.placement(search.constructed(n))) == ()


def test_formula_needs_no_search() -> None:
    result = exact.solve(Queens(100_003))
    assert result.engine == "search"
    assert result.counters.nodes == 0
    assert result.answer is not None


def test_the_37th_of_the_92() -> None:
    every = sorted(brute_force(Queens(8)))
    assert queens.solution_at(Queens(8), 37, limits=Limits()).answer == every[36]
    assert queens.solution_at(Queens(8), 92, limits=Limits()).answer == every[91]
    assert queens.solution_at(Queens(0), 1, limits=Limits()).answer == ()


@pytest.mark.parametrize(
    ("problem", "index", "message"),
    [
        (Queens(8), 93, "from 1 to 92, got 93"),
        (Queens(8), 0, "from 1 on, got 0"),
        (Queens(3), 1, "there is no placement, got 1"),
        (Queens(1), 2, "from 1 to 1, got 2"),
    ],
)
def test_a_number_beyond_the_last_placement_is_refused(problem: Queens, index: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        queens.solution_at(problem, index, limits=Limits())


def test_the_first_placements_are_kept_when_more_are_counted() -> None:
    result = exact.enumerate_all(Queens(8), engine="search", keep=5)
    assert result.answers == tuple(sorted(brute_force(Queens(8)))[:5])
    assert (result.count, result.complete) == (92, True)


def test_a_limit_is_never_a_claim() -> None:
    result = exact.enumerate_all(Queens(20), engine="search", limits=Limits(nodes=10_000_000), classes=True)
    assert result.ending is Ending.NODES
    assert result.complete is False
    assert result.classes is None
    assert result.status is Status.FEASIBLE
    timed = exact.enumerate_all(Queens(24), engine="search", limits=Limits(seconds=0.3))
    assert timed.ending is Ending.TIME
    assert timed.complete is False


def test_a_completion_that_runs_out_of_nodes_is_unknown() -> None:
    problem = Queens(60, ((0, 0),))
    result = exact.solve(problem, engine="search", limits=Limits(nodes=5))
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.NODES)
    assert queens.solution_at(Queens(40), 1, limits=Limits(nodes=9)).status is Status.UNKNOWN


def test_a_killed_solver_is_unknown() -> None:
    for engine in ("cpsat", "sat"):
        result = exact.solve(Queens(8), engine=engine, limits=Limits(seconds=0.001))
        assert (result.status, result.ending) == (Status.UNKNOWN, Ending.TIME)


def test_a_confirmation_that_is_cut_short_is_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    real = queens.run_job

    def run_job(job: Any, *, limits: Limits, **listener: Any) -> Any:
        return real(
            job, limits=Limits(seconds=0.001) if job.function == "exact.sat.queens:solve" else limits, **listener
        )

    monkeypatch.setattr(queens, "run_job", run_job)
    counted = exact.enumerate_all(Queens(3), engine="cpsat")
    assert (counted.status, counted.complete) == (Status.UNKNOWN, False)


def test_same_seed_same_completion() -> None:
    problem = Queens(50, ((0, 3), (7, 7)))
    one, again = (exact.solve(problem, engine="search", seed=5) for _ in range(2))
    assert (one.answer, one.counters) == (again.answer, again.counters)
    other = exact.solve(problem, engine="search", seed=6)
    assert other.answer != one.answer


def test_boards_out_of_reach_are_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="at most 63 rows"):
        exact.enumerate_all(Queens(64), engine="search")
    with pytest.raises(UnsupportedProblem, match="more than 500 rows"):
        exact.solve(Queens(501), engine="sat")
    with pytest.raises(UnsupportedProblem, match="more than 10000 rows"):
        exact.solve(Queens(10_001, ((0, 0),)), engine="search")


def test_auto_says_why() -> None:
    result = exact.solve(Queens(1_000))
    assert result.engine == "search"
    assert result.engine_reason
