"""Arguments that there is no tour are never wrong, explain the published boards, and do not survive changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tours_truth import NAMED, all_tours, any_tour, small_tours

from exact.tour_arguments import Argument, Kind, explanation, find_argument, holds
from exact.tour_arguments.separators import pieces
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
        assert holds(problem, argument)
        assert "\n" not in explanation(problem, argument)


@settings(deadline=None, max_examples=250)
@given(problem=small_tours(14))
def test_an_argument_is_never_wrong(problem: KnightTour) -> None:
    argument = find_argument(problem)
    assume(argument is not None)
    assert argument is not None
    assert not all_tours(problem)
    assert holds(problem, argument)
    assert explanation(problem, argument)


@pytest.mark.parametrize("problem", NAMED, ids=str)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_nothing_is_accepted_against_a_tour(problem: KnightTour, data: st.DataObject) -> None:
    if problem.board.size == 1 or not any_tour(problem):
        return
    board = problem.board
    squares = data.draw(st.lists(st.sampled_from(list(board.squares())), unique=True))
    degrees = tuple(len(board.knight_moves(square)) for square in squares)
    plausible = [*((n,) for n in range(board.size + 2)), degrees, (pieces(board, frozenset(squares)),)]
    for kind in Kind:
        assert not any(holds(problem, Argument(kind, tuple(squares), numbers)) for numbers in plausible)


@pytest.mark.parametrize("problem", [problem for problem, kind in KNOWN if kind], ids=str)
def test_changed_data_is_refused(problem: KnightTour) -> None:
    argument = find_argument(problem)
    assert argument is not None
    for place, number in enumerate(argument.numbers):
        for wrong in (number - 1, number + 1):
            numbers = (*argument.numbers[:place], wrong, *argument.numbers[place + 1 :])
            assert not holds(problem, replace(argument, numbers=numbers))
    assert not holds(problem, replace(argument, squares=(*argument.squares, (99, 0))))
    assert not holds(problem, replace(argument, numbers=()))
    if argument.squares:
        assert not holds(problem, replace(argument, squares=(*argument.squares, argument.squares[0])))
        assert not holds(problem, replace(argument, squares=argument.squares[1:]))


@pytest.mark.parametrize("problem", [problem for problem, kind in KNOWN if kind], ids=str)
def test_an_argument_about_another_problem_is_refused(problem: KnightTour) -> None:
    argument = find_argument(problem)
    assert argument is not None
    assert not holds(KnightTour(Board(6, 6), closed=True), argument)
    assert not holds(KnightTour(Board(5, 6)), argument)


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(problem=small_tours(20))
def test_an_argument_is_never_wrong_on_larger_boards(problem: KnightTour) -> None:
    if find_argument(problem) is not None:
        assert not all_tours(problem)
