"""Values as callers write them become what the problems promise, or are refused: no rule is lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from compare.verify import verify
from problems import Board, Ending, InputError, KnightCover, KnightTour, Limits, Queens, Result, Rule, Status
from problems.formats import Labels, read, to_text

MAKERS: Any = (Board, KnightCover, KnightTour, Queens, Limits, Result, read)
"""Called with values that type checkers would refuse: users of a notebook have none."""

board, cover, tour, queens, limits, result, read_any = MAKERS
SIX = Board(6, 6)
TWELVE = "--------\n--K-----\n--KK-KK-\n-----K--\n--K-----\n-KK-KK--\n-----K--\n--------"


def test_a_rule_by_its_name_is_that_rule() -> None:
    for rule in Rule:
        problem = cover(SIX, rule.value)
        assert problem == KnightCover(SIX, rule)
        assert problem.rule is rule
    answer = read(TWELVE, "knights").answer
    assert cover(Board(8, 8), "total").violations(answer), "twelve knights are no total cover, however it is asked"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda: board(np.int64(3), np.int32(4)), Board(3, 4)),
        (lambda: board(2, 2, [[0, 1], (1, 0)]), Board(2, 2, frozenset({(0, 1), (1, 0)}))),
        (lambda: board(2, 2, np.array([[0, 1]])), Board(2, 2, frozenset({(0, 1)}))),
        (lambda: queens(np.int64(4), [[0, 1]]), Queens(4, ((0, 1),))),
        (lambda: tour(SIX, [0, 1], np.array([2, 3])), KnightTour(SIX, (0, 1), (2, 3))),
        (lambda: tour(SIX, closed=np.True_), KnightTour(SIX, closed=True)),
        (lambda: cover(SIX, at_most=np.int64(9)), KnightCover(SIX, at_most=9)),
    ],
)
def test_numpy_numbers_and_lists_become_plain(made: Callable[[], object], expected: object) -> None:
    problem = made()
    assert problem == expected
    assert hash(problem) == hash(expected)
    assert repr(problem) == repr(expected)


@pytest.mark.parametrize(
    "make",
    [
        lambda: cover(SIX, "foo"),
        lambda: cover(SIX, None),
        lambda: cover("6x6"),
        lambda: cover(SIX, at_most=True),
        lambda: cover(SIX, at_most=2.0),
        lambda: cover(SIX, at_most="2"),
        lambda: board(8.0, 8),
        lambda: board(8, np.True_),
        lambda: board(2, 2, [3]),
        lambda: board(2, 2, "a1"),
        lambda: queens(4.0),
        lambda: queens(4, "b4"),
        lambda: queens(4, ((0, 1.0),)),
        lambda: queens(4, ((0, True),)),
        lambda: tour(8),
        lambda: tour(SIX, "a1"),
        lambda: tour(SIX, (0, 1, 2)),
        lambda: tour(SIX, closed="no"),
        lambda: tour(SIX, closed=1),
        lambda: limits(seconds=True),
        lambda: limits(nodes="5"),
        lambda: result(method="m", problem=queens(4), status="SOLVED", ending="finished", seconds=0),
    ],
)
def test_what_is_of_another_kind_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="expected"):
        make()


def test_status_and_ending_by_their_names() -> None:
    made = result(method="m", problem=queens(4), status="UNKNOWN", ending="time", seconds=0.1)
    assert (made.status, made.ending) == (Status.UNKNOWN, Ending.TIME)
    assert made.status is Status.UNKNOWN


def test_labels_by_their_names() -> None:
    write: Any = to_text
    four = Queens(4)
    for labels in Labels:
        assert write(four, ((0, 0),), labels=labels.value) == to_text(four, ((0, 0),), labels=labels)
    with pytest.raises(InputError, match="none or numbers or chess"):
        write(four, (), labels="roman")


def test_a_verdict_on_squares_as_lists() -> None:
    judge: Any = verify
    verdict = judge(Queens(4), [[0, 1], [1, 3], [2, 0], [3, 2]])
    assert verdict.valid
    assert verdict.answer == ((0, 1), (1, 3), (2, 0), (3, 2))
    assert judge(Queens(4), ([0, 1], [1, 3], [2, 0], [3, 2])).valid
    for wrong in ("b4 d3", [0, 1], [[0, 1.5]]):
        with pytest.raises(InputError, match="answer: expected"):
            judge(Queens(4), wrong)


def test_reading_takes_names_and_refuses_what_is_none() -> None:
    text = "1,0 2,0 3,0 0,2 1,2 2,2"
    by_name = read_any(text, "knights", board=Board(3, 4), coordinates="xy", rule="ordinary")
    assert by_name.form.startswith("x,y pairs")
    assert by_name.problem.rule is Rule.ORDINARY
    for options in (
        {"coordinates": "polar"},
        {"rule": "toroidal"},
        {"board": "3x4"},
        {"given": "b4"},
        {"closed": "no"},
        {"start": 3},
        {"at_most": "3"},
    ):
        with pytest.raises(InputError, match="expected"):
            read_any(text, "knights", **({"board": Board(3, 4)} | options))
