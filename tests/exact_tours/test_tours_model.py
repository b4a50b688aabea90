"""The graph, the formula and the cuts, from their definitions."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from tours_truth import all_tours, small_tours

from exact import tour_model
from exact.tour_model import (
    cut_clauses,
    cycles,
    degree_clauses,
    path_of,
    sides,
    undirected,
)
from exact.tour_model import (
    tour_model as model_of,
)
from problems import Board, KnightTour

RING = Board(3, 3, frozenset({(1, 1)}))


def satisfied(clauses: list[tuple[int, ...]], true: set[int]) -> bool:
    return all(any((literal > 0) == (abs(literal) in true) for literal in clause) for clause in clauses)


@pytest.mark.parametrize("problem", [KnightTour(Board(3, 4), closed=True), KnightTour(RING, closed=True)], ids=str)
def test_models_are_the_two_factors(problem: KnightTour) -> None:
    model = model_of(problem)
    clauses = list(degree_clauses(model))
    for chosen in chain.from_iterable(
        combinations(range(len(model.edges)), n) for n in range(len(model.edges) + 1)
    ):
        degrees = [sum(vertex in model.edges[index] for index in chosen) for vertex in range(model.order)]
        expected = all(degree == 2 for degree in degrees)
        assert satisfied(clauses, {index + 1 for index in chosen}) == expected


def test_order_of_the_edges() -> None:
    model = model_of(KnightTour(Board(3, 4)))
    assert list(model.edges) == sorted(model.edges)
    assert all(u < v for u, v in model.edges)
    assert {model.squares[v] for v in range(12)} == set(Board(3, 4).squares())
    assert sum(v == 12 for _, v in model.edges) == 12


@pytest.mark.parametrize("number", [1, 2])
def test_the_counter_says_how_many_and_adds_no_models(number: int) -> None:
    literals, top = [1, 2, 3, 4], 4
    clauses = list(tour_model._counted(literals, number, top))
    auxiliaries = sorted({abs(literal) for clause in clauses for literal in clause} - set(literals))
    assert auxiliaries == list(range(top + 1, top + len(literals) * (number + 1) + 1))
    for values in product((False, True), repeat=len(literals)):
        true = {literal for literal, value in zip(literals, values, strict=True) if value}
        # Literal by literal, each auxiliary is determined by those before: follow them.
        for place in range(len(literals)):
            for j in range(number + 1):
                if sum(literal in true for literal in literals[: place + 1]) > j:
                    true.add(top + 1 + place * (number + 1) + j)
        assert satisfied(clauses, true) == (sum(values) == number)
        for auxiliary in auxiliaries:
            assert not satisfied(clauses, true ^ {auxiliary})


@settings(deadline=None, max_examples=150)
@given(problem=small_tours(12))
def test_every_tour_satisfies_formula_and_cuts(problem: KnightTour) -> None:
    tours = all_tours(problem)
    if problem.board.size < 3 or not tours:
        return
    model = model_of(problem)
    variable = {edge: index + 1 for index, edge in enumerate(model.edges)}
    vertex = {square: index for index, square in enumerate(model.squares)}
    dummy = len(model.squares)
    cuts = [tuple(side) for size in (1, 2, 3) for side in combinations(range(dummy), size)][:200]
    clauses = [*degree_clauses(model), *cut_clauses(model, cuts)]
    for path in tours:
        steps = [vertex[square] for square in path] + ([] if problem.closed else [dummy])
        used = [tuple(sorted(step)) for step in zip(steps, steps[1:] + steps[:1], strict=True)]
        assert satisfied(clauses, {variable[edge] for edge in used})
        (cycle,) = cycles(model, [variable[edge] - 1 for edge in used])
        again = path_of(model, cycle)
        assert not problem.violations(again)
        assert undirected(again, problem.closed) == undirected(path, problem.closed)


def test_sides_are_cuts_once_each() -> None:
    closed = model_of(KnightTour(Board(4, 4), closed=True))
    assert sides(closed, [[0, 1], [2, 3]]) == [(0, 1)]
    assert sides(closed, [[1, 0], [2], [3]]) == [(0, 1), (2,), (3,)]
    opened = model_of(KnightTour(Board(2, 2)))
    assert sides(opened, [[0, 4], [1, 2, 3]]) == [(1, 2, 3)]


def test_two_edges_at_every_vertex() -> None:
    model = model_of(KnightTour(RING, closed=True))
    with pytest.raises(ValueError, match="two edges"):
        cycles(model, range(len(model.edges) - 1))
