"""The encodings, each against its predicate on every assignment of its literals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from exact.sat.engine import Session
from exact.sat.formula import Formula, Tree

Bits = tuple[bool, ...]


def assignments(formula: Formula, literals: list[int]) -> Iterator[tuple[Bits, bool]]:
    """Yield every assignment of the literals, and whether the formula can be satisfied with it."""
    with Session(formula.clauses) as session:
        for bits in product((False, True), repeat=len(literals)):
            yield bits, session.solve([x if bit else -x for x, bit in zip(literals, bits, strict=True)])


def assert_means(build: Callable[[Formula, list[int]], None], size: int, predicate: Callable[[int], bool]) -> None:
    """Check the encoding of a predicate of the number of true literals; every other one is a negated variable."""
    formula = Formula()
    literals = [formula.variable(i) * (-1 if i % 2 else 1) for i in range(size)]
    build(formula, literals)
    for bits, satisfiable in assignments(formula, literals):
        assert satisfiable == predicate(sum(bits)), (bits, formula.clauses)


@pytest.mark.parametrize("size", range(1, 10))
def test_at_least_at_most_and_exactly_one(size: int) -> None:
    assert_means(lambda f, xs: f.at_least_one(xs), size, lambda true: true >= 1)
    assert_means(lambda f, xs: f.at_most_one(xs), size, lambda true: true <= 1)
    assert_means(lambda f, xs: f.exactly_one(xs), size, lambda true: true == 1)


@pytest.mark.parametrize("size", range(1, 8))
def test_at_most(size: int) -> None:
    for most in range(-1, size + 2):
        assert_means(lambda f, xs, most=most: f.at_most(xs, most), size, lambda true, most=most: true <= most)


def test_at_most_of_nothing() -> None:
    for most, satisfiable in ((-1, False), (0, True), (3, True)):
        formula = Formula()
        formula.at_most([], most)
        with Session(formula.clauses) as session:
            assert session.solve() is satisfiable


def balanced(literals: list[int]) -> Tree:
    if len(literals) == 1:
        return literals[0]
    middle = len(literals) // 2
    return (balanced(literals[:middle]), balanced(literals[middle:]))


def leaning(literals: list[int]) -> Tree:
    tree: Tree = literals[0]
    for literal in literals[1:]:
        tree = (tree, literal)
    return tree


COUNTERS: dict[str, Callable[[Formula, list[int], int], tuple[int, ...]]] = {
    "balanced tree": lambda formula, literals, most: formula.tree_counter(balanced(literals), most),
    "leaning tree": lambda formula, literals, most: formula.tree_counter(leaning(literals), most),
}


@pytest.mark.parametrize("kind", COUNTERS)
@pytest.mark.parametrize("size", range(1, 8))
def test_counters(size: int, kind: str) -> None:
    for most in range(size + 2):
        formula = Formula()
        literals = [formula.variable(i) for i in range(size)]
        outputs = COUNTERS[kind](formula, literals, most)
        assert len(outputs) == min(size, most)
        with Session(formula.clauses) as session:
            for bits in product((False, True), repeat=size):
                assumed = [x if bit else -x for x, bit in zip(literals, bits, strict=True)]
                # Every number is possible, and an output that is denied allows just that many.
                assert session.solve(assumed)
                for number, output in enumerate(outputs):
                    assert session.solve([*assumed, -output]) == (sum(bits) <= number)


def test_a_leaf_of_several_branches_counts_as_often() -> None:
    formula = Formula()
    x, y = formula.variable("x"), formula.variable("y")
    outputs = formula.tree_counter(((x, y), (x, x)), 4)
    with Session(formula.clauses) as session:
        assert session.solve([x, -y, -outputs[3]])
        assert not session.solve([x, -y, -outputs[2]])
        assert session.solve([-x, y, -outputs[1]])


def test_encodings_do_not_collide() -> None:
    formula = Formula()
    xs = [formula.variable(("x", i)) for i in range(8)]
    formula.exactly_one(xs)
    ys = [formula.variable(("y", i)) for i in range(8)]
    formula.exactly_one(ys)
    formula.at_most(xs + ys, 2)
    outputs = formula.tree_counter(balanced(xs + ys), 3)
    formula.add(outputs[2])
    for bits, satisfiable in assignments(formula, xs + ys):
        assert satisfiable == (sum(bits[:8]) == sum(bits[8:]) == 1)


def test_variables_are_known_by_what_they_stand_for() -> None:
    formula = Formula()
    first, auxiliary, second = formula.variable("a"), formula.fresh(), formula.variable("b")
    assert [first, auxiliary, second] == [1, 2, 3]
    assert formula.variable("a") == first
    assert formula.variable("b") == second
    assert formula.top == 3
