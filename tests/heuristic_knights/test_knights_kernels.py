"""The knight kernels from inside: what they keep up to date is what a plain recount gives."""

from __future__ import annotations

from collections import Counter
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from heuristic.kernels import knights_annealing as annealing
from heuristic.kernels import knights_greedy as greedy
from heuristic.kernels import knights_local_search as local_search
from heuristic.kernels.knights_cover import split, whole
from heuristic.kernels.knights_tables import attacks, numbering
from heuristic.kernels.random import seeded
from problems import Board, KnightCover, Rule, colour

ALPHA = 1e-4
"""The false-alarm rate of each statistical test; the seeds are fixed."""

boards = st.builds(
    lambda rows, cols, holes: Board(rows, cols, frozenset((r % rows, c % cols) for r, c in holes)),
    st.integers(2, 7),
    st.integers(2, 7),
    st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=2),
)
problems = st.builds(KnightCover, boards, st.sampled_from(Rule))


def listed(instance, which):
    squares, degree = getattr(instance, which), getattr(instance, f"{which}_degree")
    return [squares[i, :n].tolist() for i, n in enumerate(degree)]


@given(boards)
@settings(max_examples=50, deadline=None)
def test_attack_tables_are_the_knight_moves(board):
    squares = numbering(board)
    table = attacks(squares)
    assert squares.placement(np.arange(squares.size)) == tuple(board.squares())
    for number, square in enumerate(board.squares()):
        assert squares.placement(table.squares[number, : table.degree[number]]) == board.knight_moves(square)


@given(problems)
@settings(max_examples=50, deadline=None)
def test_an_instance_says_what_the_problem_says(problem):
    squares = numbering(problem.board)
    instance = whole(problem, squares).instance
    for number, square in enumerate(problem.board.squares()):
        covered = {squares.square(t) for t in listed(instance, "reach")[number]}
        assert covered == set(problem.covers(square))
        assert listed(instance, "covered_by")[number] == listed(instance, "reach")[number]
        barred = {squares.square(t) for t in listed(instance, "conflicts")[number]}
        assert barred == (set(problem.attacks(square)) if problem.rule is Rule.INDEPENDENT else set())


@given(problems)
@settings(max_examples=50, deadline=None)
def test_parts_are_the_connected_components(problem):
    squares = numbering(problem.board)
    board_wide = whole(problem, squares).instance
    seen = set()
    for part in split(whole(problem, squares)):
        reach = {int(part.sites[site]): targets for site, targets in enumerate(listed(part.instance, "reach"))}
        component, todo = set(), [int(part.sites[0])]
        while todo:  # sites that share a target or conflict
            site = todo.pop()
            if site not in component:
                component.add(site)
                todo += [
                    other
                    for target in listed(board_wide, "reach")[site]
                    for other in listed(board_wide, "covered_by")[target]
                ]
                todo += listed(board_wide, "conflicts")[site]
        assert component == set(reach)
        assert not component & seen
        seen |= component
        assert {site: len(targets) for site, targets in reach.items()} == {
            site: len(listed(board_wide, "reach")[site]) for site in reach
        }
    assert {s for s, t in enumerate(listed(board_wide, "reach")) if t} <= seen


def test_total_domination_splits_by_colour():
    squares = numbering(Board(8, 8))
    parts = split(whole(KnightCover(Board(8, 8)), squares))
    assert [{colour(squares.square(site)) for site in part.sites} for part in parts] == [{0}, {1}]
    assert [part.fewest for part in parts] == [4, 4]


def recount(instance, chosen):
    covers = [sum(site in chosen for site in sites) for sites in listed(instance, "covered_by")]
    clashes = [sum(other in chosen for other in others) for others in listed(instance, "conflicts")]
    return covers, clashes


@given(problems, st.integers(0, 10**6), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_local_search_keeps_its_scores_right(problem, seed, steps):
    instance = whole(problem, numbering(problem.board)).instance
    if len(instance.reach_degree) == 0 or (instance.covered_by_degree == 0).any():
        return
    state = local_search.search(instance, seeded(seed))
    cover = greedy.complete(instance, np.zeros(0, np.uint32), seeded(seed), True)
    local_search.choose(instance, state, cover)
    for goal in range(len(cover) - 1, max(0, len(cover) - 4), -1):
        local_search.descend(instance, state, goal, 1, steps)
    chosen = set(local_search.members(state).tolist())
    covers, clashes = recount(instance, chosen)
    uncovered = {target for target, times in enumerate(covers) if times == 0}
    assert chosen == set(np.flatnonzero(state.chosen).tolist())
    assert state.covers.tolist() == covers
    assert set(state.uncovered[: state.totals[local_search.OPEN]].tolist()) == uncovered
    assert set(state.clashing[: state.totals[local_search.CLASHING]].tolist()) == {s for s in chosen if clashes[s]}
    assert local_search.flawless(state) == (not uncovered and not any(clashes[s] for s in chosen))
    for site, targets in enumerate(listed(instance, "reach")):
        clash = sum(
            int(state.clash_weight[site, i])
            for i, other in enumerate(listed(instance, "conflicts")[site])
            if other in chosen
        )
        if site in chosen:
            gain = clash - sum(int(state.weight[t]) for t in targets if covers[t] == 1)
        else:
            gain = sum(int(state.weight[t]) for t in targets if covers[t] == 0) - clash
        assert state.score[site] == gain


def test_weights_rise_where_something_stays_wrong_and_only_with_an_increment():
    instance = whole(KnightCover(Board(8, 8)), numbering(Board(8, 8))).instance
    for increment in (0, 1, 3):
        state = local_search.search(instance, seeded(1))
        local_search.choose(instance, state, np.arange(64, dtype=np.uint32))
        local_search.descend(instance, state, 12, increment, 500)
        risen = state.weight - 1
        assert (risen % max(1, increment) == 0).all()
        assert (risen.sum() > 0) == (increment > 0)


@given(problems, st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_greedy_always_takes_a_site_that_gains_most(problem, seed):
    instance = whole(problem, numbering(problem.board)).instance
    if len(instance.reach_degree) == 0:
        return
    taken = greedy.complete(instance, np.zeros(0, np.uint32), seeded(seed), False).tolist()
    reach, conflicts = listed(instance, "reach"), listed(instance, "conflicts")
    covered, barred = set(), set()
    for site in taken:
        gains = {s: len(set(targets) - covered) for s, targets in enumerate(reach) if s not in barred}
        assert gains[site] == max(gains.values()) > 0
        covered.update(reach[site])
        barred.update(conflicts[site])
    assert covered == {target for targets in reach for target in targets}
    pruned = greedy.complete(instance, np.zeros(0, np.uint32), seeded(seed), True).tolist()
    assert set(pruned) <= set(taken)
    for site in pruned:
        assert {t for s in pruned if s != site for t in reach[s]} != covered


def test_greedy_draws_its_first_site_evenly_among_the_best():
    instance = whole(KnightCover(Board(8, 8)), numbering(Board(8, 8))).instance
    random, nothing = seeded(2), np.zeros(0, np.uint32)
    first = Counter(int(greedy.complete(instance, nothing, random, False)[0]) for _ in range(3200))
    assert set(first) == {8 * row + col for row in range(2, 6) for col in range(2, 6)}
    assert stats.chisquare(list(first.values())).pvalue > ALPHA


@given(problems, st.integers(0, 10**6), st.integers(1, 49), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=60, deadline=None)
def test_annealing_keeps_its_energy_right(problem, seed, knights, targeted):
    instance = whole(problem, numbering(problem.board)).instance
    size = len(instance.reach_degree)
    if size == 0 or (instance.covered_by_degree == 0).any():
        return
    state = annealing.anneal(instance, seeded(seed))
    annealing.scatter(instance, state, min(knights, size))
    annealing.cool(instance, state, annealing.Cooling(2.0, 0.5, 20, targeted), 50, -1)
    members = annealing.members(state).tolist()
    assert len(set(members)) == min(knights, size)
    assert sorted(state.order.tolist()) == list(range(size))
    covers, clashes = recount(instance, set(members))
    assert state.covers.tolist() == covers
    assert annealing.energy(state) == covers.count(0) + sum(clashes[s] for s in members) // 2


def test_annealing_at_one_temperature_samples_the_boltzmann_distribution():
    """One knight on 3x4, moves without aim: energies as often as exp(-energy / temperature) says."""
    problem = KnightCover(Board(3, 4), Rule.ORDINARY)
    instance = whole(problem, numbering(problem.board)).instance
    state = annealing.anneal(instance, seeded(3))
    annealing.scatter(instance, state, 1)
    cooling = annealing.Cooling(1.5, 1.5, 10, 0.0)
    drawn = Counter()
    for _ in range(3000):
        annealing.cool(instance, state, cooling, 40, -1)
        drawn[annealing.energy(state)] += 1
    weights = Counter()
    for square in problem.board.squares():
        energy = len(problem.gaps((square,)))
        weights[energy] += exp(-energy / 1.5)
    expected = [3000 * weights[e] / weights.total() for e in sorted(weights)]
    assert stats.chisquare([drawn[e] for e in sorted(weights)], expected).pvalue > ALPHA


@pytest.mark.parametrize("rule", Rule)
def test_annealing_near_zero_never_goes_up(rule):
    instance = whole(KnightCover(Board(7, 7), rule), numbering(Board(7, 7))).instance
    state = annealing.anneal(instance, seeded(4))
    annealing.scatter(instance, state, 8)
    cold, energies = annealing.Cooling(1e-9, 1e-9, 10, 0.5), []
    for _ in range(300):
        energies.append(annealing.energy(state))
        annealing.cool(instance, state, cold, 1, -1)
    assert energies == sorted(energies, reverse=True)
    assert energies[-1] < energies[0]
