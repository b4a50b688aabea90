"""The covers' models, constraint by constraint: what each allows and what it forbids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Any

import pytest
from knights_truth import attacks, cover_on, covers
from ortools.sat.python import cp_model

from exact.cover import CoverPart, classes, counting_bound, greedy, split, whole
from exact.cover_symmetry import automorphisms, quotients
from exact.cpsat import engine as cpsat_engine
from exact.cpsat import knights as cpsat
from exact.sat.cover import encode, encode_whole
from exact.sat.engine import Session
from problems import KnightCover, Rule, Square

each_rule = pytest.mark.parametrize("rule", list(Rule))


def sat_allows(part: CoverPart, knights: Iterable[Square]) -> bool:
    encoded, chosen = encode(part, len(part.sites)), set(knights)
    with Session(encoded.formula.clauses) as session:
        return session.solve([v if s in chosen else -v for s, v in zip(part.sites, encoded.knights, strict=True)])


def cpsat_allows(part: CoverPart, knights: Iterable[Square]) -> bool:
    model, variables = cpsat.build(part)
    chosen = set(knights)
    for site, variable in zip(part.sites, variables, strict=True):
        model.add(variable == (site in chosen))
    return cpsat_engine.make_solver(0).solve(model) == cp_model.OPTIMAL


each_model = pytest.mark.parametrize("allows", [sat_allows, cpsat_allows])


@each_model
def test_a_target_needs_a_knight_that_covers_it(allows: Any) -> None:
    part = CoverPart(sites=((0, 0), (0, 1), (0, 2)), targets=((9, 9),), covers=((0, 2),), conflicts=())
    assert allows(part, [(0, 0)])
    assert allows(part, [(0, 2), (0, 1)])
    assert not allows(part, [(0, 1)])
    assert not allows(part, [])


@each_model
def test_knights_in_conflict_do_not_stand_together(allows: Any) -> None:
    part = CoverPart(sites=((0, 0), (0, 1)), targets=((9, 9),), covers=((0, 1),), conflicts=((0, 1),))
    assert allows(part, [(0, 0)])
    assert allows(part, [(0, 1)])
    assert not allows(part, [(0, 0), (0, 1)])


@each_model
def test_a_target_without_sites_is_never_covered(allows: Any) -> None:
    part = CoverPart(sites=((0, 0),), targets=((9, 9),), covers=((),), conflicts=())
    assert not allows(part, [(0, 0)])


def subsets(squares: tuple[Square, ...]) -> Iterator[tuple[Square, ...]]:
    return chain.from_iterable(combinations(squares, size) for size in range(len(squares) + 1))


@each_rule
@pytest.mark.parametrize(("rows", "cols", "missing"), [(3, 3, ""), (2, 5, ""), (3, 4, "b2 a1")])
def test_the_formula_allows_the_covers_and_nothing_else(rows: int, cols: int, missing: str, rule: Rule) -> None:
    problem = cover_on(rows, cols, rule, missing)
    part = whole(problem)
    encoded = encode(part, len(part.sites))
    variable = dict(zip(part.sites, encoded.knights, strict=True))
    with Session(encoded.formula.clauses) as session:
        for knights in subsets(part.sites):
            literals = [v if site in knights else -v for site, v in variable.items()]
            assert session.solve(literals) == covers(problem.board, rule, knights)
            for number, output in enumerate(encoded.outputs):
                allowed = covers(problem.board, rule, knights) and len(knights) <= number
                assert session.solve([*literals, -output]) == allowed


@each_rule
@pytest.mark.parametrize("most", [0, 3, 4, 6, 12])
def test_the_whole_formula_limits_the_knights(most: int, rule: Rule) -> None:
    problem = cover_on(3, 4, rule, at_most=most)
    encoded = encode_whole(problem, most)
    squares = tuple(problem.board.squares())
    assert encoded.knights == tuple(range(1, 13))
    with Session(encoded.formula.clauses) as session:
        for knights in subsets(squares):
            literals = [v if s in knights else -v for s, v in zip(squares, encoded.knights, strict=True)]
            allowed = len(knights) <= most and covers(problem.board, rule, knights)
            assert session.solve(literals) == allowed


@each_rule
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 4), (4, 4), (5, 6), (8, 8), (20, 20)])
def test_greedy_covers_and_counting_bounds(rows: int, cols: int, rule: Rule) -> None:
    problem = cover_on(rows, cols, rule)
    if problem.unreachable():
        return
    knights: list[Square] = []
    for part in split(problem):
        cover = greedy(part)
        assert counting_bound(part) <= len(cover)
        knights += part.placement(cover)
    assert problem.violations(tuple(knights)) == ()


def test_greedy_refuses_what_cannot_be_covered() -> None:
    with pytest.raises(ValueError, match="no site covers"):
        greedy(CoverPart(sites=((0, 0),), targets=((1, 1), (2, 2)), covers=((0,), ()), conflicts=()))


def test_the_whole_board_is_one_part() -> None:
    part = whole(cover_on(3, 3, Rule.INDEPENDENT, "a1"))
    squares = tuple(KnightCover(cover_on(3, 3, missing="a1").board).board.squares())
    assert part.sites == part.targets == squares
    for target, sites in zip(part.targets, part.covers, strict=True):
        expected = {s for s in squares if s == target or attacks(s, target)}
        assert {part.sites[site] for site in sites} == expected
    pairs = {(part.sites[a], part.sites[b]) for a, b in part.conflicts}
    assert pairs == {(a, b) for a, b in combinations(squares, 2) if attacks(a, b)}


@pytest.mark.parametrize(("side", "sizes"), [(4, [4]), (5, [8, 8]), (8, [4])])
def test_halves_keep_the_symmetries_that_keep_their_colour(side: int, sizes: list[int]) -> None:
    problem = cover_on(side, side)
    assert [len(automorphisms(cls.part, problem.board)) for cls in classes(problem)] == sizes


@each_rule
@pytest.mark.parametrize(("rows", "cols", "number"), [(7, 7, 5), (4, 5, None), (1, 3, None)])
def test_quotients_hold_whole_orbits_and_only_covers(rows: int, cols: int, number: int | None, rule: Rule) -> None:
    problem = cover_on(rows, cols, rule)
    for cls in classes(problem):
        part = cls.part
        group = automorphisms(part, problem.board)
        found = quotients(part, problem.board)
        # All symmetries, a quarter turn, a half turn, and one reflection of each kind: the others are images.
        assert number is None or len(found) == number
        for orbits in found:
            for site, orbit in enumerate(orbits):
                assert orbit <= site
                assert orbits[orbit] == orbit
                assert any(permutation[orbit] == site for permutation in group)
            if all(part.covers):
                encoded = encode(part, len(part.sites), orbits)
                with Session(encoded.formula.clauses) as session:
                    if session.solve():
                        true = set(session.chosen(encoded.knights))
                        chosen = [i for i, variable in enumerate(encoded.knights) if variable in true]
                        assert {orbits[i] for i in chosen} == {o for i, o in enumerate(orbits) if i in chosen}
                        assert all(set(cover) & set(chosen) for cover in part.covers)
                        assert not any(a in chosen and b in chosen for a, b in part.conflicts)


def test_a_quotient_counts_every_knight_of_an_orbit() -> None:
    part = CoverPart(sites=((0, 0), (0, 1), (0, 2)), targets=((9, 9),), covers=((0, 1),), conflicts=())
    encoded = encode(part, 3, orbits=(0, 0, 2))
    with Session(encoded.formula.clauses) as session:
        assert session.solve([-encoded.outputs[2]])
        assert not session.solve([-encoded.outputs[1]])
