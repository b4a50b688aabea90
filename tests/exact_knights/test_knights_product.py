"""Combining the parts' covers: numbers, order and classes against all combinations."""

from __future__ import annotations

from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from knights_truth import cover_on, fewest

from exact.cover import classes
from exact.cover_product import PartCovers, count, count_classes, in_order, part_covers
from problems import Board, KnightCover, Placement, Rule


def parts_of(problem: KnightCover) -> tuple[PartCovers, ...]:
    """Return the parts' covers from those of the whole board, found by brute force."""
    whole = fewest(problem.board, problem.rule)
    found: list[PartCovers] = []
    for cls in classes(problem):
        sites = set(cls.part.sites)
        covers = {tuple(square for square in placement if square in sites) for placement in whole}
        found += part_covers(cls, covers, problem.board)
    return tuple(found)


def combined(parts: tuple[PartCovers, ...]) -> list[Placement]:
    return sorted(tuple(sorted(sum(some, ()))) for some in product(*(part.covers for part in parts)))


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(
    ("rows", "cols", "missing"), [(4, 4, ""), (3, 4, ""), (2, 6, ""), (1, 5, ""), (4, 4, "a1"), (3, 5, "c2")]
)
def test_combinations_are_the_covers_of_the_board(rows: int, cols: int, missing: str, rule: Rule) -> None:
    problem = cover_on(rows, cols, rule, missing)
    truth = fewest(problem.board, rule)
    if not truth:
        return
    parts = parts_of(problem)
    assert combined(parts) == list(in_order(parts)) == sorted(truth)
    assert count(parts) == len(truth)
    assert count_classes(parts, problem.board) == len(set(map(problem.board.canonical, truth)))


@given(
    st.lists(
        st.integers(0, 3).flatmap(
            lambda size: st.sets(
                st.tuples(*[st.integers(0, 4)] * size).map(lambda t: tuple(sorted(set(t)))), max_size=6
            )
        ),
        min_size=0,
        max_size=3,
    )
)
@settings(max_examples=150, deadline=None)
def test_order_is_that_of_all_combinations(columns: list[set[tuple[int, ...]]]) -> None:
    parts = []
    for row, some in enumerate(columns):
        longest = max(map(len, some), default=0)
        # Interleave the parts' squares, so that the order of the whole is not that of the parts.
        covers = sorted(tuple((column, row) for column in cover) for cover in some if len(cover) == longest)
        parts.append(PartCovers(frozenset((column, row) for column in range(5)), tuple(covers)))
    assert list(in_order(parts)) == combined(tuple(parts))
    assert count(parts) == len(combined(tuple(parts)))


def test_the_first_of_very_many_come_at_once() -> None:
    parts = tuple(
        PartCovers(frozenset((row, col) for col in range(100)), tuple(((row, col),) for col in range(100)))
        for row in range(30)
    )
    assert count(parts) == 100**30
    first = list(islice(in_order(parts), 3))
    assert first[0] == tuple((row, 0) for row in range(30))
    assert first[2] == (*((row, 0) for row in range(29)), (29, 2))


def test_classes_need_no_combinations() -> None:
    board = Board(2, 2)
    squares = tuple(PartCovers(frozenset({square}), ((square,),)) for square in board.squares())
    assert count_classes(squares, board) == 1
    assert count_classes((), board) == 1
