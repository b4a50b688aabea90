"""Counting arguments: sums that contradict each other, and nothing that does not."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from proof_truth import has_tour

from exact.proof import Fault
from exact.proof.arguments import _COMBINATIONS, find_combination
from exact.proof.counting import (
    Combination,
    Cut,
    check_combination,
    check_cuts,
    combination_json,
    read_combination,
)
from exact.tour_arguments import Argument, Kind, find_argument
from problems import Board, KnightTour


def coloured(board):
    return tuple((square, 1 if sum(square) % 2 == 0 else -1) for square in board.squares())


def test_colours_of_an_odd_board():
    board = Board(5, 5)
    found = check_combination(KnightTour(board, closed=True), Combination(coloured(board)))
    assert (found.reachable, found.required) == (0, 2)


def test_start_on_the_colour_with_fewer_squares():
    board = Board(5, 5)
    degrees = coloured(board)
    assert check_combination(KnightTour(board, start=(0, 1)), Combination(degrees, -1, 2)).required == 2
    with pytest.raises(Fault, match="no contradiction"):
        check_combination(KnightTour(board, start=(0, 0)), Combination(degrees, -1, 2))
    with pytest.raises(Fault, match="equation of the start"):
        check_combination(KnightTour(board), Combination(degrees, -1, 2))
    with pytest.raises(Fault, match="equation of the ends"):
        check_combination(KnightTour(board, closed=True), Combination(degrees, -1))


def test_the_combination_is_added_up_over_moves_and_ends():
    # A corner of the 3x4 board has two moves: its degree alone can reach 2, with the end 3.
    board = Board(3, 4)
    corner = Combination((((0, 0), 1),))
    for problem, reachable in ((KnightTour(board, closed=True), 2), (KnightTour(board), 3)):
        with pytest.raises(Fault, match=f"can reach {reachable}, it needs 2"):
            check_combination(problem, corner)
    with pytest.raises(Fault, match="can reach 2, it needs 2"):
        # Where both ends are given no other square can be one.
        check_combination(KnightTour(board, (0, 1), (0, 2)), corner)


@pytest.mark.parametrize("cut", [(), tuple(Board(4, 4).squares())])
def test_cuts_of_closed_tours_are_proper(cut):
    problem = KnightTour(Board(4, 4), closed=True)
    with pytest.raises(Fault, match="boundary"):
        check_cuts(problem, [cut])
    with pytest.raises(Fault, match="boundary"):
        check_combination(problem, Combination((), cuts=(Cut(cut, 1),)))


def test_cuts_of_open_tours_may_hold_the_whole_board():
    problem = KnightTour(Board(4, 4))
    check_cuts(problem, [tuple(problem.board.squares())])
    with pytest.raises(Fault, match="boundary"):
        check_cuts(problem, [()])


PROBLEMS = {
    Kind.TOO_FEW: KnightTour(Board(1, 1), closed=True),
    Kind.SAME_ENDS: KnightTour(Board(3, 4), (0, 0), (0, 0)),
    Kind.COLOURS: KnightTour(Board(4, 5), (0, 0), (0, 2)),
    Kind.DEAD_ENDS: KnightTour(Board(2, 7)),
    Kind.DISCONNECTED: KnightTour(Board(4, 4, frozenset({(0, 3), (3, 0), (1, 1), (2, 2), (1, 2), (2, 1)}))),
    Kind.ALTERNATION: KnightTour(Board(4, 8), closed=True),
    Kind.FORCED_SQUARE: KnightTour(Board(4, 6, frozenset({(0, 0), (2, 4)})), closed=True),
    Kind.FORCED_CYCLE: KnightTour(Board(3, 6), closed=True),
    Kind.PIECES: KnightTour(Board(4, 4)),
}


@pytest.mark.parametrize("problem", [
    *(problem for kind, problem in PROBLEMS.items() if kind not in (Kind.DISCONNECTED, Kind.FORCED_SQUARE)),
    KnightTour(Board(3, 3)), KnightTour(Board(3, 5)), KnightTour(Board(3, 6)), KnightTour(Board(5, 5), (0, 1)),
    KnightTour(Board(5, 5), closed=True), KnightTour(Board(15, 15), closed=True),
    KnightTour(Board(4, 20), closed=True), KnightTour(Board(4, 5), (0, 0), (1, 1)),
])  # fmt: skip
def test_boards_without_tours_have_combinations(problem):
    combination = find_combination(problem)
    assert combination is not None
    found = check_combination(problem, combination)
    assert found.reachable < found.required
    assert read_combination(problem.board, combination_json(combination)) == combination


def every_small_problem():
    boards = [Board(rows, cols) for rows in range(1, 4) for cols in range(rows, 6)]
    boards += [Board(4, 4), Board(3, 4, frozenset({(0, 0)})), Board(3, 4, frozenset({(1, 1), (2, 3)}))]
    boards += [
        Board(4, 4, frozenset(gone)) for gone in ({(0, 0)}, {(0, 0), (0, 1)}, {(1, 1), (1, 2), (2, 1), (2, 2)})
    ]
    for board in boards:
        yield KnightTour(board, closed=True)
        yield KnightTour(board)
        squares = list(board.squares())
        for start in squares[:: max(1, len(squares) // 4)]:
            yield KnightTour(board, start)
            yield KnightTour(board, None, start)
            for end in squares[:: max(1, len(squares) // 3)]:
                yield KnightTour(board, start, end)


def test_combinations_are_found_only_where_there_is_no_tour():
    kinds = set()
    for problem in every_small_problem():
        combination = find_combination(problem)
        if combination is not None:
            assert not has_tour(problem), problem
            argument = find_argument(problem)
            assert argument is not None
            kinds.add(argument.kind)
        else:
            assert find_argument(problem) is None
    assert kinds >= {Kind.COLOURS, Kind.DEAD_ENDS, Kind.PIECES, Kind.SAME_ENDS, Kind.TOO_FEW}


def test_a_set_that_no_move_leaves():
    board = Board(3, 3)
    argument = Argument(Kind.DISCONNECTED, ((1, 1),), (1,))
    for problem in (KnightTour(board, closed=True), KnightTour(board), KnightTour(board, (0, 0))):
        check_combination(problem, _COMBINATIONS[argument.kind](problem, argument))


def test_a_square_between_too_many_with_two_moves():
    seen = 0
    for gone in combinations(Board(4, 5).squares(), 2):
        board = Board(4, 5, frozenset(gone))
        problem = KnightTour(board, closed=True)
        for square in board.squares():
            narrow = tuple(other for other in board.knight_moves(square) if len(board.knight_moves(other)) == 2)
            if len(narrow) > 2:
                argument = Argument(Kind.FORCED_SQUARE, (square, *narrow), (len(narrow),))
                check_combination(problem, _COMBINATIONS[argument.kind](problem, argument))
                seen += 1
    assert seen


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda c: replace(c, degrees=tuple((square, -factor) for square, factor in c.degrees)),
        lambda c: replace(c, cuts=()),
        lambda c: replace(c, cuts=(replace(c.cuts[0], squares=c.cuts[0].squares[1:]),)),
    ],
)
def test_spoilt_combinations_are_refused(spoilt):
    problem = PROBLEMS[Kind.ALTERNATION]
    combination = find_combination(problem)
    with pytest.raises(Fault):
        check_combination(problem, spoilt(combination))


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda d: d.pop("cuts"),
        lambda d: d["degrees"].append([0, 0]),
        lambda d: d["degrees"].append([0, 0, 1]),
        lambda d: d["degrees"].append([9, 9, 1]),
        lambda d: d["degrees"][0].__setitem__(2, 1.5),
        lambda d: d.update(ends=None),
        lambda d: d["cuts"][0].update(multiplier=-1),
        lambda d: d["cuts"][0].update(multiplier=0),
        lambda d: d["cuts"][0]["squares"].append(d["cuts"][0]["squares"][0]),
        lambda d: d["cuts"][0]["squares"].append([9, 9]),
    ],
)
def test_json_that_states_no_combination_is_refused(spoilt):
    problem = PROBLEMS[Kind.ALTERNATION]
    data = combination_json(find_combination(problem))
    spoilt(data)
    with pytest.raises(Fault):
        read_combination(problem.board, data)
