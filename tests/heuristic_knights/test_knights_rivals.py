"""Local search, greedy cover and annealing: right answers, known optima, budgets, seeds, bad input."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic import methods, watching
from heuristic.knights_annealing import AnnealingParameters
from heuristic.knights_greedy_cover import GreedyParameters, Pruning
from heuristic.knights_local_search import LocalSearchParameters
from problems import Board, Ending, InputError, KnightCover, Limits, Rule, Status, UnsupportedProblem

RIVALS = ["local-search", "greedy-cover", "annealing"]
MINIMA = {
    Rule.TOTAL: "knights_total_domination_min",
    Rule.ORDINARY: "knights_domination_min",
    Rule.INDEPENDENT: "knights_independent_domination_min",
}


def solve(method, problem, *, evaluations=20_000, seed=1, **more):
    return methods.run(problem, method, limits=Limits(evaluations=evaluations), seed=seed, **more)


def outline(result):
    """Everything about a result but its times."""
    return (
        result.status, result.ending, result.answer, result.best, result.objective, result.counters,
        [(i.effort, i.value) for i in result.trace],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "sizes", "steps"),
    [
        (Rule.TOTAL, range(4, 17), 20_000),
        (Rule.ORDINARY, range(1, 14), 20_000),
        (Rule.INDEPENDENT, range(1, 12), 20_000),
    ],
)
def test_local_search_finds_the_known_minima(known_values, rule, sizes, steps):
    known = known_values[MINIMA[rule]]["values"]
    for n in sizes:
        result = solve("local-search", KnightCover(Board(n, n), rule), evaluations=steps)
        assert result.objective == known[str(n)], n


@pytest.mark.parametrize("seed", range(5))
def test_local_search_finds_70_on_20x20(seed):
    assert solve("local-search", KnightCover(Board(20, 20)), evaluations=50_000, seed=seed).objective == 70


def test_local_search_on_rectangles(known_values):
    for name, fewest in known_values["knights_total_domination_rect_min"]["values"].items():
        problem = KnightCover(Board(*map(int, name.split("x"))))
        if fewest is not None:
            assert solve("local-search", problem).objective == fewest
        else:
            with pytest.raises(UnsupportedProblem, match="no square attacks"):
                solve("local-search", problem)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(
    "board",
    [Board(2, 5), Board(3, 4), Board(4, 3, frozenset({(0, 0)})), Board(3, 5, frozenset({(1, 2)}))],
    ids=str,
)
def test_local_search_against_brute_force(rule, board):
    problem = KnightCover(board, rule)
    fewest = next(
        k
        for k in range(board.size + 1)
        if any(not problem.violations(placement) for placement in combinations(board.squares(), k))
    )
    assert solve("local-search", problem, evaluations=2000).objective == fewest


@pytest.mark.parametrize("method", RIVALS)
@pytest.mark.parametrize("rule", Rule)
def test_nothing_beats_a_proven_minimum(known_values, method, rule):
    known = known_values[MINIMA[rule]]["values"]
    for n in range(4, 12):
        result = solve(method, KnightCover(Board(n, n), rule), evaluations=2000)
        assert result.status is Status.FEASIBLE
        assert result.objective >= known[str(n)]


@pytest.mark.parametrize("method", RIVALS)
@given(
    rows=st.integers(1, 7),
    cols=st.integers(1, 7),
    rule=st.sampled_from(Rule),
    at_most=st.none() | st.integers(1, 20),
    seed=st.integers(0, 2**64 - 1),
    holes=st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=3),
)
@settings(max_examples=60, deadline=None)
def test_what_they_return_is_right(method, rows, cols, rule, at_most, seed, holes):
    board = Board(rows, cols, frozenset(hole for hole in holes if hole[0] < rows and hole[1] < cols))
    problem = KnightCover(board, rule, None if at_most is None else min(at_most, max(1, board.size)))
    if board.size == 0:
        return
    if problem.unreachable():
        with pytest.raises(UnsupportedProblem, match="no square attacks"):
            solve(method, problem, evaluations=200)
        return
    result = solve(method, problem, evaluations=200, seed=seed)  # methods.run checks the answer
    assert max(result.counters.as_dict().values()) <= 200
    values = [improvement.value for improvement in result.trace]
    assert values == sorted(set(values), reverse=True)
    if at_most is None:
        assert result.status is Status.FEASIBLE
        assert result.objective == values[-1]
    elif result.status is Status.UNKNOWN:
        assert result.best
        assert problem.violations(result.best)


@pytest.mark.parametrize("method", RIVALS)
def test_same_seed_same_trajectory_whatever_the_number_of_workers(method):
    problem = KnightCover(Board(9, 9), Rule.INDEPENDENT)

    def once(seed):
        return outline(solve(method, problem, seed=seed, evaluations=3000))

    alone = [once(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(once, range(8))) == alone
    assert len({str(run) for run in alone}) > 1


@pytest.mark.parametrize("method", ["local-search", "annealing"])
@pytest.mark.parametrize("at_most", [None, 13])
def test_a_larger_budget_continues_the_same_trajectory(method, at_most):
    problem = KnightCover(Board(8, 8), at_most=at_most)
    short, long = (solve(method, problem, evaluations=steps, seed=4) for steps in (777, 30_000))
    assert short.counters.steps == 777
    assert outline(long)[-1][: len(short.trace)] == outline(short)[-1]


@pytest.mark.parametrize("method", ["local-search", "annealing"])
def test_the_clock_cuts_a_trajectory_but_does_not_change_it(method, ticking):
    ticking(0.01)
    problem = KnightCover(Board(8, 8), at_most=13)
    cut = methods.run(problem, method, limits=Limits(seconds=0.295), seed=3)
    assert cut.ending is Ending.TIME
    assert cut.counters.steps > 0
    again = solve(method, problem, seed=3, evaluations=cut.counters.steps)
    assert outline(again)[2:] == outline(cut)[2:]


@pytest.mark.parametrize("method", RIVALS)
def test_an_impossible_number_ends_by_the_budget_with_the_best_state(method):
    result = solve(
        method,
        KnightCover(Board(8, 8), at_most=13),
        evaluations=30,
        parameters=GreedyParameters(repeats=100) if method == "greedy-cover" else None,
    )
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.EVALUATIONS)
    assert max(result.counters.as_dict().values()) == 30
    assert result.answer is None
    problem = KnightCover(Board(8, 8))
    if method == "annealing":
        assert len(result.best) == 13
        assert len(problem.gaps(result.best)) == result.trace[-1].value > 0
    else:
        assert problem.violations(result.best) == ()
        assert len(result.best) == result.trace[-1].value > 13


@pytest.mark.parametrize("method", RIVALS)
def test_it_stops_once_the_number_is_reached(method):
    result = solve(method, KnightCover(Board(8, 8), at_most=17), evaluations=100_000)
    assert (result.status, result.ending) == (Status.FEASIBLE, Ending.FINISHED)
    assert result.objective <= 17
    assert max(result.counters.as_dict().values()) < 100_000


def test_local_search_stops_where_a_count_shows_that_nothing_smaller_exists():
    result = solve("local-search", KnightCover(Board(1, 7), Rule.ORDINARY))
    assert (result.objective, result.ending, result.counters.steps) == (7, Ending.FINISHED, 0)


@pytest.mark.parametrize("method", RIVALS)
def test_the_watcher_sees_every_improvement_and_changes_nothing(method, monkeypatch):
    monkeypatch.setattr(watching, "ALLOWANCE", inf)
    seen = []
    problem = KnightCover(Board(10, 10), Rule.ORDINARY)
    result = solve(method, problem, watch=lambda *improvement: seen.append(improvement), evaluations=5000)
    assert tuple(improvement for improvement, _ in seen) == result.trace
    for improvement, state in seen:
        assert problem.violations(state) == ()
        assert len(state) == improvement.value
    assert outline(result) == outline(solve(method, problem, evaluations=5000))


@pytest.mark.parametrize("method", ["local-search", "annealing"])
def test_a_minimum_as_initial_state_is_kept(method):
    problem = KnightCover(Board(8, 8))
    minimum = solve("local-search", problem).answer
    result = solve(method, problem, initial=minimum, evaluations=500)
    assert result.trace[0].value == 14
    assert result.answer == minimum
    question = KnightCover(Board(8, 8), at_most=14)
    result = solve(method, question, initial=minimum)
    assert (result.answer, result.counters.steps, result.ending) == (minimum, 0, Ending.FINISHED)


@pytest.mark.parametrize("method", ["local-search", "annealing"])
@pytest.mark.parametrize("rule", Rule)
def test_an_initial_state_that_is_no_cover_is_completed(method, rule):
    problem = KnightCover(Board(6, 6), rule)
    result = solve(method, problem, initial=((0, 0), (1, 2), (0, 0), (5, 5)), evaluations=1)
    assert result.status is Status.FEASIBLE


@pytest.mark.parametrize("method", RIVALS)
@pytest.mark.parametrize("knights", [0, 65])
def test_a_number_of_knights_outside_the_board_is_refused(method, knights):
    with pytest.raises(InputError, match="expected between 1 and 64 knights"):
        solve(method, KnightCover(Board(8, 8), at_most=knights))


@pytest.mark.parametrize(
    ("method", "initial", "words"),
    [
        ("local-search", ((9, 9),), "squares on the 8x8"),
        ("annealing", ((9, 9),), "squares on the 8x8"),
        ("annealing", ((1, 1),) * 14, "exactly 14 different squares"),
        ("greedy-cover", ((1, 1),), "no initial state"),
    ],
)
def test_a_wrong_initial_state_is_refused(method, initial, words):
    with pytest.raises(InputError, match=words):
        solve(method, KnightCover(Board(8, 8), at_most=14), initial=initial)


@pytest.mark.parametrize(
    ("kind", "bad", "words"),
    [
        (LocalSearchParameters, {"increment": -1}, "increment: expected a whole number of 0 or more"),
        (LocalSearchParameters, {"increment": 1.5}, "increment"),
        (LocalSearchParameters, {"increment": 2**62}, "increment: expected a whole number of 1000000 at most"),
        (GreedyParameters, {"repeats": 10**20}, "repeats: expected a whole number of 1000000000000 at most"),
        (AnnealingParameters, {"moves": 10**20}, "moves: expected a whole number of 1000000000000 at most"),
        (AnnealingParameters, {"hot": 1e308, "cold": 1e-308}, "temperatures from 1e-09 to 1e\\+09"),
        (AnnealingParameters, {"hot": 1e10}, "temperatures from"),
        (AnnealingParameters, {"cold": 1e-10}, "temperatures from"),
        (GreedyParameters, {"repeats": 0}, "repeats: expected a whole number of 1 or more"),
        (GreedyParameters, {"pruning": "some"}, "pruning: expected one of none, redundant"),
        (AnnealingParameters, {"targeted": 1.5}, "targeted: expected a probability from 0 to 1"),
        (AnnealingParameters, {"targeted": -0.1}, "probability"),
        (AnnealingParameters, {"hot": float("nan")}, "hot: expected a finite number"),
        (AnnealingParameters, {"hot": 0.1, "cold": 0.2}, "0 < cold <= hot"),
        (AnnealingParameters, {"cold": 0.0}, "0 < cold <= hot"),
        (AnnealingParameters, {"moves": 0}, "moves: expected a whole number of 1 or more"),
    ],
)
def test_bad_parameters_are_refused(kind, bad, words):
    with pytest.raises(InputError, match=words):
        kind(**bad)


def test_more_repeats_never_make_a_greedy_cover_worse():
    problem = KnightCover(Board(12, 12))
    sizes = [
        solve("greedy-cover", problem, parameters=GreedyParameters(repeats=repeats)).objective
        for repeats in (1, 5, 50)
    ]
    assert sizes == sorted(sizes, reverse=True)
    unpruned = solve("greedy-cover", problem, parameters=GreedyParameters(pruning="none"))
    assert GreedyParameters(pruning="none").pruning is Pruning.NONE
    assert unpruned.status is Status.FEASIBLE


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("local-search", LocalSearchParameters(increment=10**6)),
        ("annealing", AnnealingParameters(hot=1e9, cold=1e-9, moves=1)),
        ("annealing", AnnealingParameters(hot=1e9, cold=1e-9, moves=2)),
        ("annealing", AnnealingParameters(hot=1e-9, cold=1e-9, moves=10**12)),
    ],
)
@pytest.mark.parametrize("rule", Rule)
def test_the_most_extreme_parameters_still_work(method, parameters, rule):
    problem = KnightCover(Board(8, 8), rule, at_most=5 if rule is Rule.ORDINARY else 10)
    result = solve(method, problem, parameters=parameters)
    assert (result.status, result.counters.steps) == (Status.UNKNOWN, 20_000)
