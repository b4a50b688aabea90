"""The certificates' own encoder against brute force: all assignments of tiny cases, as sets."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
import pytest

from exact.proof import encoder
from exact.proof.claims import Fault
from problems import Board, KnightCover, KnightTour, Queens, Rule

RING = Board(3, 3, frozenset({(1, 1)}))
"""Eight squares in a ring."""


def projections(clauses, variables):
    """The assignments of the variables 1.. (as sets) that extend to a model, by exhaustive search."""
    plain, rest = [], []
    for clause in clauses:
        (plain if all(abs(literal) <= variables for literal in clause) else rest).append(clause)
    every = np.arange(1 << variables)
    true = {v: (every >> (v - 1)) & 1 == 1 for v in range(1, variables + 1)}
    left = np.ones(1 << variables, dtype=bool)
    for clause in plain:
        left &= np.logical_or.reduce([true[abs(lit)] == (lit > 0) for lit in clause] or [~left & left])
    found = set()
    for number in np.flatnonzero(left).tolist():
        chosen = frozenset(v for v in true if number >> (v - 1) & 1)
        reduced = [
            [literal for literal in clause if abs(literal) > variables]
            for clause in rest
            if not any(abs(lit) <= variables and (lit > 0) == (abs(lit) in chosen) for lit in clause)
        ]
        if satisfiable(reduced):
            found.add(chosen)
    return found


def satisfiable(clauses):
    """Whether clauses over auxiliary variables have a model: propagate units, then split."""
    clauses = [frozenset(clause) for clause in clauses]
    while True:
        if frozenset() in clauses:
            return False
        unit = next((clause for clause in clauses if len(clause) == 1), None)
        if unit is None:
            break
        clauses = [clause - {-literal} for literal in unit for clause in clauses if literal not in clause]
    if not clauses:
        return True
    literal = next(iter(clauses[0]))
    return any(satisfiable([*clauses, {choice}]) for choice in (literal, -literal))


def subsets(items):
    items = list(items)
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


@pytest.mark.parametrize("size", range(1, 7))
@pytest.mark.parametrize("limit", range(7))
def test_at_most_allows_exactly_the_small_sets(size, limit):
    variables = list(range(1, size + 1))
    expected = {frozenset(chosen) for chosen in subsets(variables) if len(chosen) <= limit}
    assert projections(encoder.at_most(variables, limit, size), size) == expected


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(
    "board", [Board(2, 4), Board(3, 3), Board(3, 4), Board(3, 3, frozenset({(1, 1)}))], ids=str
)
@pytest.mark.parametrize("limit", [3, 5])
def test_knights_formula_has_exactly_the_covers(rule, board, limit):
    problem = KnightCover(board, rule, at_most=limit)
    targets = tuple(board.squares())
    sites = encoder.sites(problem, targets)
    found = projections(encoder.knights(problem, targets, limit), len(sites))
    expected = {
        frozenset(number for number, site in enumerate(sites, 1) if site in chosen)
        for chosen in subsets(sites)
        if not problem.violations(chosen)
    }
    assert found == expected


@pytest.mark.parametrize(("n", "count"), [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2)])
def test_queens_formula_has_exactly_the_placements(n, count):
    problem = Queens(n)
    found = projections(encoder.queens(problem), n * n)
    squares = {encoder.queen_number(problem, square): square for square in product(range(n), repeat=2)}
    placements = [tuple(squares[number] for number in model) for model in found]
    assert len(found) == count
    assert not any(problem.violations(placement) for placement in placements)


def test_given_queens_stay():
    problem = Queens(4, given=((0, 1),))
    assert projections(encoder.queens(problem), 16) == {frozenset({2, 8, 9, 15})}


@pytest.mark.parametrize(
    "board",
    [RING, Board(3, 4), Board(3, 4, frozenset({(0, 0)})), Board(2, 4), Board(3, 3)],
    ids=str,
)
def test_closed_tours_have_degree_two_everywhere(board):
    problem = KnightTour(board, closed=True)
    edges = encoder.edges(board)
    expected = {
        frozenset(number for number, _ in chosen)
        for chosen in subsets(enumerate(edges, 1))
        if all(sum(square in edge for _, edge in chosen) == 2 for square in board.squares())
    }
    assert projections(encoder.tour(problem, ()), len(edges)) == expected


@pytest.mark.parametrize(
    ("start", "end"), [(None, None), ((0, 0), None), (None, (0, 1)), ((0, 0), (1, 2)), ((0, 0), (2, 2))]
)
def test_open_tours_of_the_ring_have_a_model_each(start, end):
    problem = KnightTour(RING, start, end)
    edges, ends = encoder.edges(RING), encoder.possible_ends(problem)
    models = projections(encoder.tour(problem, ()), len(edges) + len(ends))
    # Leaving out one edge of the ring gives an open tour; its ends are the squares of that edge.
    missing = [edge for edge in edges if {start, end} - {None} <= set(edge)]
    expected = {
        frozenset(
            [n for n, other in enumerate(edges, 1) if other != edge]
            + [n for n, square in enumerate(ends, len(edges) + 1) if square in edge]
        )
        for edge in missing
    }
    # The formula also admits other graphs of these degrees; on a ring there is none but the ring less an edge.
    assert models == expected


def test_a_cut_forbids_exactly_the_cycles_inside():
    board = Board(3, 4)
    problem = KnightTour(board, closed=True)
    edges = encoder.edges(board)
    cut = ((0, 0), (1, 2), (2, 0), (0, 1))
    crossing = {n for n, (a, b) in enumerate(edges, 1) if (a in cut) != (b in cut)}
    free = projections(encoder.tour(problem, ()), len(edges))
    assert projections(encoder.tour(problem, (cut,)), len(edges)) == {model for model in free if model & crossing}


def test_boundary_of_all_squares_of_an_open_tour_is_its_ends():
    problem = KnightTour(RING)
    number = len(encoder.edges(RING))
    assert encoder.boundary(problem, tuple(RING.squares())) == tuple(range(number + 1, number + 9))


def test_variable_maps_name_every_variable_once():
    tour = KnightTour(Board(3, 4))
    covered = KnightCover(Board(3, 4))
    targets = tuple(covered.board.squares())
    for lines, clauses in (
        (encoder.tour_map(tour), encoder.tour(tour, ())),
        (encoder.queens_map(Queens(4)), encoder.queens(Queens(4))),
        (encoder.knights_map(covered, targets), encoder.knights(covered, targets, 12)),
    ):
        numbers = [int(line.split()[0]) for line in lines]
        assert numbers == list(range(1, len(numbers) + 1))
        assert {abs(literal) for clause in clauses for literal in clause} <= set(numbers)


@pytest.mark.parametrize(
    "problem",
    [
        KnightTour(Board(1, 1)),
        KnightTour(Board(1, 1), (0, 0), (0, 0)),
        KnightTour(Board(1, 1, frozenset({(0, 0)}))),
        KnightTour(Board(1, 1, frozenset({(0, 0)})), closed=True),
    ],
)
def test_tours_that_degrees_do_not_describe_are_refused(problem):
    assert not problem.violations(tuple(problem.board.squares()))
    with pytest.raises(Fault, match="degrees"):
        encoder.check_tour_size(problem)


TWO = Board(2, 3, frozenset({(0, 1), (0, 2), (1, 0), (1, 1)}))
"""Two squares, a knight move apart."""


@pytest.mark.parametrize("problem", [KnightTour(Board(1, 1), closed=True), KnightTour(TWO, closed=True)])
def test_closed_tours_of_one_square_or_two_are_refuted_by_degrees(problem):
    # So says the problem: the way back must be another than the way there.
    assert problem.violations(tuple(problem.board.squares()))
    encoder.check_tour_size(problem)
    assert not satisfiable(list(encoder.tour(problem, ())))


def test_the_open_tour_of_two_squares_is_a_model():
    clauses = list(encoder.tour(KnightTour(TWO), ()))
    assert satisfiable(clauses)
    assert not any(satisfiable([*clauses, (-variable,)]) for variable in (1, 2, 3))


def test_dimacs_text():
    assert encoder.dimacs([(1, -2), (3,)], ["1 a"]) == b"c 1 a\np cnf 3 2\n1 -2 0\n3 0\n"
