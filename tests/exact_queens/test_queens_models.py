"""The models and kernels behind the queens engines, each held against brute force."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from exact import queens
from exact.cpsat import queens as cpsat_queens
from exact.sat import queens as sat_queens
from exact.sat.engine import Session
from exact.search import queens as search
from exact.search.meter import Meter
from exact.search.queens_kernel import count_representatives, count_rotation_invariant
from exact.search.queens_masks import Listing, count_solutions
from problems import Ending, Limits, Queens


def solutions(n: int) -> set[tuple[int, ...]]:
    return {
        p
        for p in permutations(range(n))
        if len({p[r] + r for r in range(n)}) == len({p[r] - r for r in range(n)}) == n
    }


@pytest.mark.parametrize("n", range(1, 5))
def test_clauses_have_exactly_the_solutions_as_models(n: int) -> None:
    formula = sat_queens.encode(Queens(n))
    assert formula.top == n * n  # no auxiliaries on small boards
    models = {
        bits
        for bits in product((False, True), repeat=n * n)
        if all(any(bits[abs(x) - 1] == (x > 0) for x in clause) for clause in formula.clauses)
    }
    expected = {tuple(p[i // n] == i % n for i in range(n * n)) for p in solutions(n)}
    assert models == expected


def test_long_lines_are_encoded_with_auxiliaries_and_the_same_meaning() -> None:
    formula = sat_queens.encode(Queens(61, tuple((r, c) for r, c in [(0, 0), (1, 2)])))
    with Session(formula.clauses) as session:
        assert session.solve()
        for square, other in (((5, 5), (5, 9)), ((5, 9), (8, 9)), ((5, 5), (30, 30)), ((5, 50), (30, 25))):
            pair = [row * 61 + col + 1 for row, col in (square, other)]
            assert not session.solve(assumptions=pair)


def test_cpsat_model_is_valid() -> None:
    model, grid = cpsat_queens.build(Queens(6, ((0, 1),)))
    assert model.validate() == ""
    assert [len(row) for row in grid] == [6] * 6


@pytest.mark.parametrize("n", range(2, 10))
def test_rotation_invariant_solutions(n: int) -> None:
    expected = solutions(n)
    half = {p for p in expected if all(p[n - 1 - r] == n - 1 - p[r] for r in range(n))}
    quarter = {p for p in half if all(p[p[r]] == n - 1 - r for r in range(n))}
    assert count_rotation_invariant(n) == (len(half), len(quarter))


def test_rotation_invariant_solutions_of_larger_boards() -> None:
    # OEIS A032522 and A033148.
    assert count_rotation_invariant(12) == (80, 8)
    assert count_rotation_invariant(13) == (136, 8)
    assert count_rotation_invariant(16) == (3000, 64)


@pytest.mark.parametrize("n", range(4, 9))
def test_representatives_are_one_of_each_class(n: int) -> None:
    lines = np.array(sorted(solutions(n)), np.int64)
    nothing_given = np.full(n, -1, np.int64)
    assert count_representatives(lines, nothing_given) == queens.count_classes(map(tuple, lines.tolist()))


@pytest.mark.parametrize("chunk", [1, 2, 7, 1_000])
def test_chunks_of_any_size_give_the_same(chunk: int) -> None:
    expected = sorted(solutions(7))
    listing = Listing(Queens(7), Meter(Limits(), chunk))
    listing.skip(11)
    assert [tuple(line) for line in listing.take(100)] == expected[11:]
    assert listing.exhausted
    assert listing.passed == len(expected)
    meter = Meter(Limits(), chunk)
    assert count_solutions(Queens(7), meter) == (len(expected), True)
    assert count_solutions(Queens(7, ((0, 2),)), meter) == (sum(p[0] == 2 for p in expected), True)


@pytest.mark.parametrize("n", [62, 63])
def test_masks_hold_up_to_63_rows(n: int) -> None:
    placed = tuple(enumerate(search.constructed(n)))
    problem = Queens(n, placed[:25] + placed[34:])
    listing = Listing(problem, Meter(Limits(), 1_000))
    lines = list(listing.take(1_000))
    assert listing.exhausted
    assert placed in [tuple(enumerate(line)) for line in lines]
    assert count_solutions(problem, Meter(Limits(), 1_000)) == (len(lines), True)
    for line in lines:
        assert problem.violations(tuple(enumerate(line))) == ()


def test_a_cancelled_meter_stops_every_search() -> None:
    meter = Meter(Limits(), 1_000)
    meter.cancel()
    assert not meter.spend(1)
    assert meter.ending is Ending.CANCELLED
    found, complete = count_solutions(Queens(14), meter)
    assert not complete
    assert found < 365_596
