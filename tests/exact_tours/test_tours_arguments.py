"""Arguments that there is no tour are never wrong, explain the published boards, and are checked by sums."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from tours_truth import all_tours, small_tours

from exact.proof.arguments import find_combination
from exact.tour_arguments import Kind, explanation, find_argument
from problems import Board, KnightTour


def closed(rows: int, cols: int, *missing: tuple[int, int]) -> KnightTour:
    return KnightTour(Board(rows, cols, frozenset(missing)), closed=True)


def opened(rows: int, cols: int, *missing: tuple[int, int]) -> KnightTour:
    return KnightTour(Board(rows, cols, frozenset(missing)))


TWO_RINGS = opened(3, 10, (1, 1), (1, 8), *((row, col) for row in range(3) for col in range(3, 7)))

KNOWN = (
    (closed(1, 1), Kind.TOO_FEW),
    (KnightTour(Board(5, 5), start=(0, 0), end=(0, 0)), Kind.SAME_ENDS),
    (closed(2, 8), Kind.DEAD_ENDS),
    (opened(3, 3), Kind.DEAD_ENDS),
    (opened(2, 6), Kind.DEAD_ENDS),
    (opened(2, 4), Kind.DEAD_ENDS),
    (TWO_RINGS, Kind.DISCONNECTED),
    (closed(15, 15), Kind.COLOURS),
    (KnightTour(Board(5, 5), start=(0, 1)), Kind.COLOURS),
    (KnightTour(Board(6, 6), start=(0, 1), end=(1, 0)), Kind.COLOURS),
    (opened(4, 4, (0, 0), (1, 1)), Kind.COLOURS),
    (closed(4, 20), Kind.ALTERNATION),
    (closed(7, 4), Kind.ALTERNATION),
    (closed(5, 5, (4, 4)), None),
    (closed(3, 6), Kind.FORCED_CYCLE),
    (closed(4, 4, (3, 0), (3, 1)), Kind.FORCED_CYCLE),
    (closed(3, 5, (0, 0)), Kind.FORCED_SQUARE),
    (opened(3, 5), Kind.PIECES),
    (opened(3, 6), Kind.PIECES),
    (opened(4, 4), Kind.PIECES),
)


@pytest.mark.parametrize(("problem", "kind"), KNOWN, ids=str)
def test_known_boards(problem: KnightTour, kind: Kind | None) -> None:
    argument = find_argument(problem)
    assert (None if argument is None else argument.kind) is kind
    if argument is not None:
        assert find_combination(problem) is not None
        assert "\n" not in explanation(problem, argument)


@settings(deadline=None, max_examples=250)
@given(problem=small_tours(14))
def test_an_argument_is_never_wrong(problem: KnightTour) -> None:
    argument = find_argument(problem)
    assume(argument is not None)
    assert argument is not None
    assert not all_tours(problem)
    assert find_combination(problem) is not None
    assert explanation(problem, argument)


def test_a_board_without_squares_has_the_empty_tour() -> None:
    for problem in (closed(1, 1, (0, 0)), opened(1, 1, (0, 0)), closed(4, 1, (0, 0), (1, 0), (2, 0), (3, 0))):
        assert not problem.violations(())
        assert find_argument(problem) is None


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(problem=small_tours(20))
def test_an_argument_is_never_wrong_on_larger_boards(problem: KnightTour) -> None:
    if find_argument(problem) is not None:
        assert not all_tours(problem)
