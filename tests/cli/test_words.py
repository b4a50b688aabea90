"""Numbers and problems in words."""

from __future__ import annotations

from dataclasses import fields

import pytest

from compare.cli.output import _SINGULARS
from compare.words import described, numbered
from problems import Board, Counters, KnightCover, KnightTour, Problem, Queens


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [
        (1, "knight", "1 knight"),
        (0, "knight", "0 knights"),
        (9862, "tour", "9,862 tours"),
        (2, "leaf", "2 leaves"),
    ],
)
def test_nouns_agree_with_numbers(number: int, noun: str, words: str) -> None:
    assert numbered(number, noun) == words


def test_every_counter_has_a_singular_that_gives_its_name() -> None:
    assert {field.name for field in fields(Counters)} == set(_SINGULARS)
    for name, singular in _SINGULARS.items():
        assert numbered(2, singular) == f"2 {name.replace('_', ' ')}"


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (KnightCover(Board(8, 8)), "the 8x8 board under the rule total"),
        (KnightCover(Board(3, 4, frozenset({(1, 1)}))), "the 3x4 board without b2 under the rule total"),
        (Queens(6, ((0, 0),)), "6 queens with a6 given"),
        (KnightTour(Board(5, 5), start=(0, 1)), "open tours of the 5x5 board from b5"),
    ],
)
def test_problems_are_named_with_all_that_makes_them(problem: Problem, words: str) -> None:
    assert described(problem) == words


def test_hundreds_of_squares_are_not_all_named() -> None:
    board = Board(20, 20, frozenset((row, col) for row in range(10) for col in range(20)))
    assert described(KnightTour(board)).endswith("and 188 more")
