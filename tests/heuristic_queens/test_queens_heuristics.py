"""Every queens heuristic as its users see it: answers, seeds, budgets, first states, bad input."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from heuristic import methods, queens_hill_climbing, queens_run, watching
from heuristic.queens_annealing import AnnealingParameters
from heuristic.queens_genetic import TwoParentParameters
from heuristic.queens_genetic_single import SingleParentParameters
from heuristic.queens_hill_climbing import HillClimbingParameters, collect
from heuristic.queens_min_conflicts import MinConflictsParameters, Start
from heuristic.queens_steepest_ascent import SteepestAscentParameters
from problems import Answer, Ending, Improvement, InputError, Limits, Queens, Result, Status, UnsupportedProblem

ROWS = tuple(row for row in methods.METHODS if row.problem is Queens)
NAMES = tuple(row.name for row in ROWS)
EDITIONS = tuple((row.name, edition) for row in ROWS for edition in row.editions)
MANY_CLIMBS: dict[str, Any] = {
    "hill-climbing": HillClimbingParameters(climbs=50),
    "steepest-ascent": SteepestAscentParameters(sideways=100, climbs=50),
}
each_method = pytest.mark.parametrize("name", NAMES)
each_edition = pytest.mark.parametrize(("name", "edition"), EDITIONS)


def run(name: str, n: int = 8, *, seed: int = 1, limits: Limits | None = None, **options: Any) -> Result:
    options.setdefault("parameters", MANY_CLIMBS.get(name))
    return methods.run(Queens(n), name, seed=seed, limits=limits or Limits(), **options)


def without_clock(result: Result) -> Result:
    return replace(result, seconds=0.0, trace=tuple(replace(step, seconds=0.0) for step in result.trace))


def attacked(state: Answer) -> int:
    return sum(any(attack(a, b) for b in state if a != b) for a in state)


def pairs(state: Answer) -> int:
    return sum(attack(a, b) for a in state for b in state if a < b)


def attack(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1])


def value_of(name: str, state: Answer) -> int:
    n = len(state)
    if name == "hill-climbing":
        return attacked(state)
    return n * (n - 1) - 2 * pairs(state) if name.startswith("genetic") else pairs(state)


def test_the_table_has_the_six_methods() -> None:
    assert set(NAMES) == {
        "hill-climbing", "steepest-ascent", "genetic", "genetic-single", "min-conflicts", "annealing",
    }  # fmt: skip


@each_edition
@pytest.mark.parametrize("n", [0, 1, 4, 5, 8, 13])
def test_placements_are_found(name: str, edition: str, n: int) -> None:
    result = run(name, n, edition=edition)
    assert result.status is Status.FEASIBLE
    assert result.ending is Ending.FINISHED
    assert result.answer is not None
    assert len(result.answer) == n
    assert (result.edition, result.method, result.seed) == (edition, name, 1)


@each_method
@pytest.mark.parametrize("n", [2, 3])
def test_where_there_is_no_placement_the_budget_ends_it(name: str, n: int) -> None:
    result = run(name, n, limits=Limits(evaluations=100))
    assert result.status is Status.UNKNOWN
    assert result.ending in (Ending.EVALUATIONS, Ending.FINISHED)
    assert result.best is not None
    assert len(result.best) == n


@each_edition
def test_same_seed_same_trajectory(name: str, edition: str) -> None:
    one, again, other = (run(name, 12, seed=seed, edition=edition) for seed in (7, 7, 8))
    assert without_clock(one) == without_clock(again)
    assert without_clock(one) != replace(without_clock(other), seed=7)


@each_edition
def test_looks_at_the_clock_do_not_change_the_trajectory(
    name: str, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(name, 12, seed=3, edition=edition)
    monkeypatch.setattr(queens_run, "_CHUNK_OPERATIONS", 1)
    assert without_clock(run(name, 12, seed=3, edition=edition)) == without_clock(expected)


@each_method
def test_a_budget_cuts_the_same_trajectory(name: str) -> None:
    whole = next(r for r in (run(name, 12, seed=seed) for seed in range(50)) if r.trace[-1].effort > 10)
    assert whole.seed is not None
    cut = run(name, 12, seed=whole.seed, limits=Limits(evaluations=7))
    assert cut.status is Status.UNKNOWN
    assert cut.ending is Ending.EVALUATIONS
    assert cut.counters.as_dict()[next(row.effort for row in ROWS if row.name == name)] == 7
    prefix = [(step.effort, step.value) for step in whole.trace if step.effort <= 7]
    assert [(step.effort, step.value) for step in cut.trace] == prefix
    by_nodes = run(name, 12, seed=whole.seed, limits=Limits(nodes=7))
    assert by_nodes.ending is Ending.NODES
    assert by_nodes.best == cut.best


@each_method
def test_a_time_limit_ends_a_hopeless_run(name: str) -> None:
    parameters = {
        "hill-climbing": HillClimbingParameters(climbs=10**9),
        "steepest-ascent": SteepestAscentParameters(climbs=10**9),
    }.get(name)
    result = run(name, 3, limits=Limits(seconds=0.05), parameters=parameters)
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.TIME)


@each_method
def test_the_watcher_sees_every_improvement_and_its_state(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ALLOWANCE", math.inf)
    seen: list[tuple[Improvement, Answer]] = []
    result = run(name, 10, seed=5, watch=lambda improvement, state: seen.append((improvement, state)))
    assert tuple(improvement for improvement, _ in seen) == result.trace
    assert [value_of(name, state) for _, state in seen] == [improvement.value for improvement in result.trace]
    assert seen[-1][1] == result.answer


@each_method
def test_the_best_state_has_the_best_value(name: str) -> None:
    result = run(name, 30, seed=2, limits=Limits(evaluations=2))
    assert result.best is not None
    assert value_of(name, result.best) == result.trace[-1].value
    values = [step.value for step in result.trace]
    assert values == sorted(set(values), reverse=not name.startswith("genetic"))


@each_edition
def test_a_run_starts_from_any_given_state(name: str, edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ALLOWANCE", math.inf)
    diagonal = tuple((i, i) for i in range(9))
    states: list[Answer] = []
    result = run(name, 9, edition=edition, initial=diagonal, watch=lambda _, state: states.append(state))
    assert result.answer is not None
    # The two-parent algorithm shows the best of a population, of which the given state is one.
    assert states[0] == diagonal or name == "genetic"


@each_method
def test_a_given_solution_needs_no_step(name: str) -> None:
    solution = ((0, 4), (1, 6), (2, 0), (3, 3), (4, 1), (5, 7), (6, 5), (7, 2))
    shuffled = solution[3:] + solution[:3]
    result = run(name, initial=shuffled)
    assert result.answer == solution or name == "steepest-ascent"
    assert set(result.answer or ()) == set(solution)
    assert set(result.counters.as_dict().values()) == {0}


@pytest.mark.parametrize(
    ("name", "initial", "message"),
    [
        ("hill-climbing", ((0, 0), (0, 1), (2, 2), (3, 3)), "one in each row, got 4 queens in 3 rows"),
        ("steepest-ascent", ((0, 0), (1, 0), (2, 2), (3, 3)), "one in each column, got 4 queens in 3 columns"),
        ("genetic", ((0, 0), (1, 0), (2, 2), (3, 3)), "one in each column"),
        ("genetic-single", ((0, 0), (0, 1), (2, 2), (3, 3)), "one in each row"),
        ("annealing", ((0, 0), (1, 1), (2, 2)), "got 3 queens in 3 columns"),
        ("annealing", ((0, 1), (1, 1), (2, 1), (3, 1)), "got 4 queens in 1 column$"),
        ("hill-climbing", ((2, 1),), "got 1 queen in 1 row$"),
        ("min-conflicts", ((0, 0), (1, 1), (2, 2), (3, 4)), r"on the 4x4 board, got \(3, 4\)"),
    ],
)
def test_states_that_a_method_cannot_start_from(name: str, initial: Answer, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(name, 4, initial=initial)


def test_queens_may_share_columns_where_rows_are_the_lines() -> None:
    for name in ("hill-climbing", "min-conflicts"):
        assert run(name, initial=tuple((row, 3) for row in range(8))).answer is not None
    assert run("steepest-ascent", initial=tuple((3, col) for col in range(8))).answer is not None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HillClimbingParameters(steps=0), "steps: expected a whole number of 1 or more, got 0"),
        (lambda: HillClimbingParameters(climbs=True), "climbs"),
        (lambda: HillClimbingParameters(steps=10**20), "steps: expected a whole number of 1000000000000 at most"),
        (lambda: SteepestAscentParameters(sideways=10**20), "sideways: expected a whole number of 1000000000000"),
        (lambda: MinConflictsParameters(tries=2**63), "tries: expected a whole number of 1000000000000 at most"),
        (lambda: SteepestAscentParameters(sideways=-1), "sideways"),
        (lambda: SteepestAscentParameters(climbs=0), "climbs"),
        (lambda: TwoParentParameters(mutation=1.5), "mutation: expected a probability from 0 to 1, got 1.5"),
        (lambda: TwoParentParameters(acceptance=math.nan), "acceptance"),
        (lambda: SingleParentParameters(acceptance=-0.1), "acceptance"),
        (lambda: MinConflictsParameters(start="clever"), "greedy, random"),  # type: ignore[arg-type]
        (lambda: MinConflictsParameters(tries=0), "tries"),
        (lambda: MinConflictsParameters(noise=2), "noise"),
        (lambda: AnnealingParameters(coldest=0.6), "a temperature below hottest, 0.5"),
        (lambda: AnnealingParameters(cooling=1.0), "a factor below 1"),
        (lambda: AnnealingParameters(hottest=math.inf), "a positive number"),
    ],
)
def test_parameters_check_themselves(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


@each_method
def test_problems_out_of_reach_are_refused(name: str) -> None:
    with pytest.raises(UnsupportedProblem, match="given queens"):
        methods.run(Queens(8, ((0, 0),)), name, limits=Limits(), seed=0)
    largest = {"min-conflicts": 10_000_000, "annealing": 100_000, "genetic-single": 10_000}.get(name, 1_000)
    if largest < 10_000_000:
        with pytest.raises(UnsupportedProblem, match=f"more than {largest}"):
            methods.run(Queens(largest + 1), name, limits=Limits(), seed=0)
    with pytest.raises(InputError, match="a seed between 0"):
        run(name, seed=-1)


def test_printed_throws_away_a_solution_of_the_very_last_step() -> None:
    found = run("hill-climbing", seed=4, edition="described", parameters=HillClimbingParameters())
    assert found.answer is not None
    just_enough = HillClimbingParameters(steps=found.trace[-1].effort)
    assert run("hill-climbing", seed=4, edition="described", parameters=just_enough).answer == found.answer
    printed = run("hill-climbing", seed=4, edition="printed", parameters=just_enough)
    assert (printed.status, printed.ending) == (Status.UNKNOWN, Ending.FINISHED)
    assert printed.counters == found.counters
    assert printed.best is not None
    assert attacked(printed.best) == printed.trace[-1].value > 0
    one_more = HillClimbingParameters(steps=found.trace[-1].effort + 1)
    assert run("hill-climbing", seed=4, edition="printed", parameters=one_more).answer == found.answer


@pytest.mark.parametrize("edition", ["printed", "described"])
def test_collecting_makes_the_climbs_of_a_run(edition: str) -> None:
    parameters = HillClimbingParameters(steps=9, climbs=300)
    collected = collect(Queens(8), 300, 11, edition=edition, parameters=parameters)
    single = run("hill-climbing", seed=11, edition=edition, parameters=parameters)
    first = next(i for i in range(300) if i not in collected.failed)
    assert single.answer == collected.solutions[0]
    assert single.counters.restarts == first
    assert single.counters.steps == sum(collected.steps[: first + 1])
    assert all(collected.steps[i] == 9 for i in collected.failed)
    assert len(set(collected.solutions)) == len(collected.solutions)
    if edition == "described":
        assert any(steps == 9 and i not in collected.failed for i, steps in enumerate(collected.steps))
    else:
        assert all(steps < 9 for i, steps in enumerate(collected.steps) if i not in collected.failed)


@pytest.mark.parametrize("edition", ["printed", "described"])
@pytest.mark.parametrize("seed", range(12))
def test_a_climb_after_a_solution_thrown_away_can_succeed(edition: str, seed: int) -> None:
    # So short that with most of these seeds a solution comes with a last step before another one comes earlier.
    parameters = HillClimbingParameters(steps=4, climbs=400)
    collected = collect(Queens(8), 400, seed, edition=edition, parameters=parameters)
    single = run("hill-climbing", seed=seed, edition=edition, parameters=parameters)
    assert single.answer == collected.solutions[0]
    assert single.counters.restarts == next(i for i in range(400) if i not in collected.failed)
    assert (single.trace[-1].value, single.trace[-1].effort) == (0, single.counters.steps)


def test_collecting_finds_nothing_where_there_is_nothing() -> None:
    collected = collect(Queens(3), 4, 0)
    assert (collected.solutions, collected.failed) == ((), (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: collect(Queens(8), 0, 0), "climbs: expected a whole number of 1 or more"),
        (lambda: collect(Queens(8), 10**7, 0), "climbs: expected a whole number of 1000000 at most"),
        (lambda: collect(Queens(8), 1, -1), "a seed between 0"),
        (lambda: collect(Queens(8), 1, 0, edition="revised"), "hill-climbing .printed, described., got 'revised'"),
        (lambda: collect(Queens(8, ((0, 0),)), 1, 0), "given queens"),
        (lambda: collect(Queens(2000), 1, 0), "more than 1000"),
    ],
)
def test_what_cannot_be_collected_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_the_last_edition_is_told_from_the_first() -> None:
    assert not queens_hill_climbing.keeps_last("printed")
    assert queens_hill_climbing.keeps_last("described")


@pytest.mark.parametrize("start", list(Start))
def test_min_conflicts_places_many_queens(start: Start) -> None:
    n = 100_000 if start is Start.GREEDY else 2_000
    result = run("min-conflicts", n, parameters=MinConflictsParameters(start=start))
    assert result.answer is not None
    assert len(result.trace) < 10 or start is Start.RANDOM


@pytest.mark.slow
def test_min_conflicts_places_a_million_queens() -> None:
    assert run("min-conflicts", 1_000_000).answer is not None
