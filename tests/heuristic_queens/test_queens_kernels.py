"""The compiled steps of the queens heuristics, each held against the naive definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.kernels import queens_annealing, queens_genetic, queens_repair
from heuristic.kernels import queens_climbing as climbing
from heuristic.kernels.random import seeded

State = list[int]


@st.composite
def states(draw: st.DrawFn, least: int = 2) -> State:
    n = draw(st.integers(least, 9))
    return draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


def permutations(least: int = 2) -> st.SearchStrategy[State]:
    return st.integers(least, 10).flatmap(lambda n: st.permutations(range(n)).map(list))


def attack(state: State, i: int, j: int) -> bool:
    return state[i] == state[j] or abs(state[i] - state[j]) == abs(i - j)


def attacked(state: State) -> int:
    return sum(any(attack(state, i, j) for j in range(len(state)) if i != j) for i in range(len(state)))


def pairs(state: State) -> int:
    return sum(attack(state, i, j) for j in range(len(state)) for i in range(j))


def moves(state: State) -> Iterator[State]:
    for line in range(len(state)):
        for place in range(len(state)):
            if place != state[line]:
                yield [*state[:line], place, *state[line + 1 :]]


def arrays(state: State) -> tuple[Any, Any]:
    at = np.array(state, np.int64)
    lines = np.zeros((3, 2 * len(state)), np.int32)
    climbing.tally(at, lines)
    return at, lines


def recount(at: Any, lines: Any) -> None:
    again = np.zeros_like(lines)
    climbing.tally(at, again)
    assert (lines == again).all()


@given(states())
def test_counts(state: State) -> None:
    at, lines = arrays(state)
    assert climbing.count_attacked(at, lines) == attacked(state)
    assert climbing.count_pairs(at, lines) == pairs(state)


@settings(max_examples=60, deadline=None)
@given(states(), st.integers(0, 2**32))
def test_a_climbing_step_goes_to_one_of_the_best_states_even_if_it_is_worse(state: State, seed: int) -> None:
    at, lines = arrays(state)
    lone, room = np.zeros_like(lines), np.zeros(len(state) ** 2, np.int64)
    cost = climbing.count_attacked(at, lines)
    made, now = climbing.climb_attacked(seeded(seed), at, lines, lone, room, cost, 1, -1)
    values = {tuple(move): attacked(move) for move in moves(state)}
    assert made == 1
    assert values[tuple(at.tolist())] == now == min(values.values())
    assert not lone.any()
    recount(at, lines)


def test_ties_between_the_best_states_are_broken_uniformly() -> None:
    state = [0, 1, 2, 3, 4]
    values = {tuple(move): attacked(move) for move in moves(state)}
    best = {move for move, value in values.items() if value == min(values.values())}
    room = np.zeros(25, np.int64)
    reached: Counter[tuple[int, ...]] = Counter()
    rng = seeded(0)
    for _ in range(2_000):
        at, lines = arrays(state)
        climbing.climb_attacked(rng, at, lines, np.zeros_like(lines), room, 5, 1, 0)
        reached[tuple(at.tolist())] += 1
    assert set(reached) == best
    # Five standard deviations each: 1 in 100,000 sets of draws would fail.
    mean = 2_000 / len(best)
    assert all(abs(times - mean) < 5 * mean**0.5 for times in reached.values())


@settings(max_examples=60, deadline=None)
@given(states(), st.integers(0, 2**32), st.integers(0, 1))
def test_steepest_descent_moves_only_where_it_may(state: State, seed: int, sideways: int) -> None:
    at, lines = arrays(state)
    cost, room = pairs(state), np.zeros(len(state) ** 2, np.int64)
    made, now, in_a_row, stuck = climbing.climb_pairs(seeded(seed), at, lines, room, cost, 0, sideways, 1, -1)
    best = min(map(pairs, moves(state)))
    may_move = best < cost or (best == cost and sideways > 0)
    assert (made, stuck) == ((1, False) if may_move else (0, True))
    assert now == pairs(at.tolist()) == (best if may_move else cost)
    assert in_a_row == (made if best == cost else 0)
    recount(at, lines)


@settings(max_examples=60, deadline=None)
@given(permutations(), st.data())
def test_a_swap_reports_its_change(state: State, data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(range(len(state))))[:2]
    at, lines = arrays(state)
    assert climbing.swap_places(lines, at, one, other) == pairs(at.tolist()) - pairs(state)
    assert at[one] == state[other]
    recount(at, lines)


@settings(max_examples=60, deadline=None)
@given(permutations(4), st.integers(0, 2**32), st.sampled_from([0.0, 1.0]))
def test_a_single_parent_swaps_its_worst_gene(state: State, seed: int, acceptance: float) -> None:
    at, lines = arrays(state)
    cost = 2 * pairs(state)
    made, now = queens_genetic.evolve_single(seeded(seed), at, lines, cost, acceptance, 1, -1)
    against = [sum(attack(state, i, j) for j in range(len(state)) if j != i) for i in range(len(state))]
    worst = against.index(max(against))
    children = []
    for other in range(len(state)):
        child = list(state)
        child[worst], child[other] = child[other], child[worst]
        if other != worst:
            children.append(child)
    kept = at.tolist()
    assert made == 1
    assert now == 2 * pairs(kept)
    assert kept in children or (acceptance == 0.0 and kept == state)
    assert acceptance == 1.0 or now < cost or kept == state


@settings(max_examples=40, deadline=None)
@given(permutations(3), st.data())
def test_a_child_has_the_prefix_and_the_other_parents_order(head: State, data: st.DataObject) -> None:
    n = len(head)
    tail = data.draw(st.permutations(range(n)))
    cut = data.draw(st.integers(1, n - 1))
    child = np.zeros(n, np.int64)
    used = np.ones(n, np.bool_)
    queens_genetic._cross(child, np.array(head), np.array(tail), cut, used)
    assert child.tolist() == head[:cut] + [col for col in tail if col not in head[:cut]]


def test_parents_are_drawn_in_proportion_to_fitness() -> None:
    costs = np.array([0, 6, 12, 9], np.int64)
    rng = seeded(3)
    drawn = Counter(queens_genetic._select(rng, costs, 12) for _ in range(21_000))
    assert drawn[2] == 0
    # Five standard deviations: 1 in 500,000 would fail.
    for parent, share in ((0, 12 / 21), (1, 6 / 21), (3, 3 / 21)):
        assert abs(drawn[parent] - 21_000 * share) < 5 * (21_000 * share * (1 - share)) ** 0.5
    no_fitness = Counter(queens_genetic._select(rng, np.full(3, 12), 12) for _ in range(300))
    assert set(no_fitness) == {0, 1, 2}


@settings(max_examples=40, deadline=None)
@given(permutations(2), st.integers(0, 2**32))
def test_reseating_keeps_a_permutation(state: State, seed: int) -> None:
    at = np.array(state)
    queens_genetic._reseat(seeded(seed), at, np.zeros(len(state), np.int64))
    assert sorted(at.tolist()) == list(range(len(state)))


@settings(max_examples=60, deadline=None)
@given(permutations(4), st.integers(0, 2**32), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_mutating_the_best_reports_its_cost(state: State, seed: int, cumulative: bool, acceptance: float) -> None:
    at, lines = arrays(state)
    cost, room = 2 * pairs(state), np.zeros(len(state), np.int64)
    now = queens_genetic._mutate_best(seeded(seed), at, lines, room, cost, acceptance, cumulative)
    assert now == 2 * pairs(at.tolist())
    assert sorted(at.tolist()) == sorted(state)
    if acceptance == 0.0:
        assert now < cost or at.tolist() == state


@given(permutations())
def test_local_search_takes_the_first_swap_that_improves(state: State) -> None:
    at, lines = arrays(state)
    now = queens_genetic._improve(at, lines, 2 * pairs(state))
    expected = state
    for one in range(len(state)):
        for other in range(one + 1, len(state)):
            child = list(state)
            child[one], child[other] = child[other], child[one]
            if expected == state and pairs(child) < pairs(state):
                expected = child
    assert at.tolist() == expected
    assert now == 2 * pairs(expected)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8))
def test_the_two_best(costs: State) -> None:
    first, second = queens_genetic._two_best(np.array(costs))
    assert costs[first] == sorted(costs)[0]
    assert costs[second] == sorted(costs)[1]
    assert first != second


@pytest.mark.parametrize("draw", [queens_genetic.few_swaps, climbing.permute])
def test_drawn_permutations_are_permutations(draw: Callable[[Any, Any], None]) -> None:
    at, rng = np.zeros(11, np.int64), seeded(9)
    drawn = set()
    for _ in range(20):
        draw(rng, at)
        assert sorted(at.tolist()) == list(range(11))
        drawn.add(tuple(at.tolist()))
    assert len(drawn) > 10


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(0, 2**32), st.integers(1, 50))
def test_a_greedy_start_is_a_permutation_with_its_tally(n: int, seed: int, tries: int) -> None:
    at, lines = np.zeros(n, np.int64), np.ones((3, 2 * n), np.int32)
    queens_repair.begin_greedy(seeded(seed), at, lines, tries)
    assert sorted(at.tolist()) == list(range(n))
    recount(at, lines)


def test_a_greedy_start_leaves_few_conflicts() -> None:
    at, lines = np.zeros(3_000, np.int64), np.zeros((3, 6_000), np.int32)
    queens_repair.begin_greedy(seeded(1), at, lines, 100)
    assert climbing.count_pairs(at, lines) < 50


@settings(max_examples=80, deadline=None)
@given(states(4), st.integers(0, 2**32), st.integers(1, 6))
def test_repairs_move_attacked_queens_to_least_attacked_columns(state: State, seed: int, most: int) -> None:
    at, lines = arrays(state)
    n = len(state)
    suspects, ties, listed = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_)
    number = queens_repair.list_attacked(at, lines, suspects, listed)
    assert suspects[:number].tolist() == [
        i for i in range(n) if any(attack(state, i, j) for j in range(n) if j != i)
    ]
    rng, cost, before = seeded(seed), pairs(state), state
    for _ in range(most):
        if not cost:
            break
        made, cost, number = queens_repair.repair(
            rng, at, lines, suspects, listed, number, ties, 0.0, cost, 1, cost - n * n
        )
        after = at.tolist()
        assert made == 1
        assert cost == pairs(after) <= pairs(before)
        changed = [row for row in range(n) if before[row] != after[row]]
        assert len(changed) <= 1
        for row in changed:
            assert any(attack(before, row, j) for j in range(n) if j != row)
            assert cost == min(pairs([*before[:row], col, *before[row + 1 :]]) for col in range(n))
        in_list = set(suspects[:number].tolist())
        assert in_list >= {i for i in range(n) if any(attack(after, i, j) for j in range(n) if j != i)}
        assert in_list == set(np.flatnonzero(listed).tolist())
        recount(at, lines)
        before = after


@settings(max_examples=60, deadline=None)
@given(permutations(), st.integers(0, 2**32))
def test_annealing_keeps_its_books(state: State, seed: int) -> None:
    at, lines = arrays(state)
    made, cost, temperature, cooling, reheatings = queens_annealing.anneal(
        seeded(seed), at, lines, pairs(state), 1.0, 0.5, 0.1, 1.0, 6, -1
    )
    assert made == 6
    assert cost == pairs(at.tolist())
    # 1, 1/2, 1/4, 1/8, then back to 1 with the root of 1/2.
    assert (temperature, cooling, reheatings) == (pytest.approx(0.5), pytest.approx(0.5**0.5), 1)
    recount(at, lines)


@settings(max_examples=30, deadline=None)
@given(permutations(4), st.integers(0, 2**32))
def test_annealing_in_the_cold_never_gets_worse(state: State, seed: int) -> None:
    at, lines = arrays(state)
    cost = queens_annealing.anneal(seeded(seed), at, lines, pairs(state), 1e-3, 1.0, 1e-4, 1e-3, 50, 0)[1]
    assert cost <= pairs(state)
