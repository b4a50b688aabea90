"""Every rule: one right and one wrong micro-instance; symmetries keep verdicts; mutations are caught."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import (
    Answer,
    Board,
    Counters,
    Ending,
    InputError,
    KnightCover,
    KnightTour,
    Limits,
    Problem,
    Queens,
    Result,
    Rule,
    Status,
    WrongAnswer,
    checked,
)
from problems.formats import read
from problems.violation import KINDS

FOUR = KnightCover(Board(4, 4))
SIX = ((1, 1), (1, 2), (1, 3), (2, 1), (3, 0), (3, 1))
TOUR = KnightTour(Board(3, 4))
PATH = ((0, 0), (1, 2), (2, 0), (0, 1), (1, 3), (2, 1), (0, 2), (1, 0), (2, 2), (0, 3), (1, 1), (2, 3))
EIGHT = tuple(enumerate((0, 4, 7, 5, 2, 6, 1, 3)))


TWO_SQUARES = Board(2, 3, frozenset({(0, 1), (0, 2), (1, 0), (1, 1)}))


def kinds(problem: Problem, answer: Answer) -> list[str]:
    found = problem.violations(answer)
    assert all(violation.kind in KINDS for violation in found)
    return sorted(violation.kind for violation in found)


def test_right_answers_have_no_violation() -> None:
    assert kinds(FOUR, SIX) == kinds(TOUR, PATH) == kinds(Queens(8), EIGHT) == []
    assert kinds(KnightTour(Board(1, 1)), ((0, 0),)) == []
    assert kinds(Queens(0), ()) == []
    assert kinds(KnightCover(Board(1, 1), Rule.ORDINARY), ((0, 0),)) == []


@pytest.mark.parametrize(
    ("problem", "answer", "expected"),
    [
        (FOUR, SIX[1:], ["unattacked"]),
        (FOUR, (*SIX, SIX[0]), ["duplicate"]),
        (FOUR, (*SIX, (4, 0)), ["off-board"]),
        (replace(FOUR, at_most=5), SIX, ["too-many"]),
        (replace(FOUR, rule=Rule.ORDINARY), ((0, 0),), ["uncovered"]),
        (KnightCover(Board(2, 3), Rule.INDEPENDENT), tuple(Board(2, 3).squares()), ["attacking", "attacking"]),
        (
            KnightCover(Board(2, 2, frozenset({(0, 0)})), Rule.ORDINARY),
            tuple(Board(2, 2).squares()),
            ["off-board"],
        ),
        (Queens(8), EIGHT[1:], ["wrong-number"]),
        (Queens(2), ((0, 0), (0, 1)), ["same-row"]),
        (Queens(2), ((0, 0), (1, 0)), ["same-column"]),
        (Queens(2), ((0, 0), (1, 1)), ["same-diagonal"]),
        (Queens(2), ((0, 1), (1, 0)), ["same-diagonal"]),
        (Queens(8, given=((0, 1),)), EIGHT, ["given-missing"]),
        (Queens(1), ((0, 0), (0, 0)), ["duplicate", "wrong-number"]),
        (Queens(1), ((5, 5),), ["off-board"]),
        (Queens(0), ((0, 0),), ["off-board", "wrong-number"]),
        (TOUR, PATH[:-1], ["unvisited"]),
        (TOUR, (*PATH, PATH[-3]), ["duplicate", "illegal-step"]),
        (TOUR, PATH[:3] + PATH[4:] + PATH[3:4], ["illegal-step", "illegal-step"]),
        (replace(TOUR, closed=True), PATH, ["not-closed"]),
        (replace(TOUR, start=(0, 1)), PATH, ["wrong-start"]),
        (replace(TOUR, end=(0, 1)), PATH, ["wrong-end"]),
        (KnightTour(Board(1, 1)), (), ["unvisited"]),
        (KnightTour(Board(1, 1), closed=True), ((0, 0),), ["not-closed"]),
        (KnightTour(TWO_SQUARES, closed=True), ((0, 0), (1, 2)), ["not-closed"]),
    ],
)
def test_each_broken_rule_is_reported(problem: Problem, answer: Answer, expected: list[str]) -> None:
    assert kinds(problem, answer) == expected


def test_all_violations_are_reported_at_once() -> None:
    found = Queens(4).violations(((0, 0), (0, 0), (1, 1), (9, 9)))
    assert {violation.kind for violation in found} >= {"off-board", "duplicate", "same-diagonal"}


@given(st.permutations(range(6)))
def test_queens_agree_with_the_definition(columns: list[int]) -> None:
    answer = tuple(enumerate(columns))
    right = all(abs(columns[a] - columns[b]) != b - a for a in range(6) for b in range(a + 1, 6))
    assert (Queens(6).violations(answer) == ()) is right


def test_eight_queens_have_92_answers() -> None:
    right = [p for p in permutations(range(8)) if not Queens(8).violations(tuple(enumerate(p)))]
    assert len(right) == 92
    assert right[36] == (3, 5, 0, 4, 1, 7, 2, 6)


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))), st.sampled_from(list(Rule)))
def test_symmetries_keep_the_verdict_of_placements(knights: set[tuple[int, int]], rule: Rule) -> None:
    problem = KnightCover(Board(5, 5), rule)
    verdict = kinds(problem, tuple(knights))
    for image in problem.board.images(tuple(knights)):
        assert kinds(problem, image) == verdict


def test_symmetries_keep_the_verdict_of_tours_and_queens() -> None:
    for image in TOUR.board.images(PATH):
        assert TOUR.violations(image) == TOUR.violations(image[::-1]) == ()
    for image in Queens(8).board.images(EIGHT):
        assert Queens(8).violations(image) == ()


GOOD = [
    (case["problem"], case.get("board"), case.get("coordinates"), case["text"])
    for case in json.loads((Path(__file__).parents[1] / "data" / "answers.json").read_text())
    if case["expect"].get("standing") == "optimal" and case["rule"] == "total"
]


@given(st.sampled_from(GOOD), st.data())
def test_an_optimal_cover_without_any_one_knight_is_rejected(good: tuple[str, ...], data: st.DataObject) -> None:
    from problems.formats import Coordinates, parse_board

    name, board, coordinates, text = good
    reading = read(
        text,
        name,
        board=parse_board(board) if board else None,
        coordinates=Coordinates(coordinates) if coordinates else None,
    )
    place = data.draw(st.integers(0, len(reading.answer) - 1))
    assert reading.problem.violations(reading.answer) == ()
    assert reading.problem.violations(reading.answer[:place] + reading.answer[place + 1 :])


@given(st.integers(0, 11), st.integers(0, 11))
def test_a_tour_with_two_squares_exchanged_is_rejected(a: int, b: int) -> None:
    path = list(PATH)
    path[a], path[b] = path[b], path[a]
    assert (TOUR.violations(tuple(path)) == ()) is (a == b)


@given(st.integers(0, 7), st.integers(0, 7))
def test_a_queen_moved_in_its_row_is_rejected(row: int, col: int) -> None:
    answer = tuple((r, col if r == row else c) for r, c in EIGHT)
    assert (Queens(8).violations(answer) == ()) is (EIGHT[row][1] == col)


@pytest.mark.parametrize(
    "make",
    [
        lambda: KnightCover(Board(3000, 3000)),
        lambda: KnightCover(Board(3, 3), at_most=-1),
        lambda: Queens(-1),
        lambda: Queens(10**9),
        lambda: Queens(4, given=((4, 0),)),
        lambda: Queens(4, given=((0, 0), (0, 0))),
        lambda: KnightTour(Board(3, 3), start=(3, 3)),
        lambda: KnightTour(Board(3, 3), end=(0, 0), closed=True),
        lambda: Limits(seconds=0),
        lambda: Limits(nodes=-1),
        lambda: Limits(seconds=float("nan")),
    ],
)
def test_impossible_problems_are_refused(make: object) -> None:
    with pytest.raises(InputError, match="expected"):
        make()  # type: ignore[operator]


def result(**changes: object) -> Result:
    base = Result(
        method="m", problem=FOUR, status=Status.OPTIMAL, ending=Ending.FINISHED, seconds=0.1, answer=SIX,
        objective=6, bound=6, counters=Counters(nodes=3),
    )  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_right_result_passes_and_pickles() -> None:
    assert checked(result()) == pickle.loads(pickle.dumps(result()))
    assert checked(result(status=Status.FEASIBLE, bound=5)).bound == 5


@pytest.mark.parametrize(
    "changes",
    [
        {"answer": SIX[1:]},
        {"objective": 5},
        {"bound": 7},
        {"bound": 5},
        {"bound": None},
        {"status": Status.INFEASIBLE},
        {"status": Status.UNKNOWN},
        {"answer": None},
        {"answers": (SIX, SIX[1:])},
    ],
)
def test_a_result_that_contradicts_itself_is_never_shown(changes: dict[str, object]) -> None:
    with pytest.raises(WrongAnswer):
        checked(result(**changes))


def test_counters_add_up_and_leave_out_what_is_not_counted() -> None:
    total = Counters(nodes=1, conflicts=2) + Counters(nodes=3)
    assert total.as_dict() == {"nodes": 4, "conflicts": 2}
    assert total.cuts is None


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.INFEASIBLE, "count": 5, "complete": True},
        {"status": Status.INFEASIBLE, "count": 5},
        {"status": Status.UNKNOWN, "objective": 3, "bound": 9},
        {"status": Status.UNKNOWN, "count": 5, "complete": True},
        {"status": Status.UNKNOWN, "count": 0, "complete": True},
        {"status": Status.FEASIBLE, "count": 0},
        {"status": Status.OPTIMAL, "count": 3, "classes": 4},
        {"status": Status.OPTIMAL, "count": 3, "classes": 0},
        {"status": Status.UNKNOWN, "classes": 1},
        {"status": Status.UNKNOWN, "count": 1, "answers": (SIX, SIX)},
    ],
)
def test_claims_without_an_answer_are_held_against_each_other(changes: dict[str, object]) -> None:
    with pytest.raises(WrongAnswer):
        checked(result(**{"answer": None, "objective": None, "bound": None} | changes))


def test_counts_need_no_answer() -> None:
    for changes in (
        {"status": Status.FEASIBLE, "count": 5, "classes": 2, "complete": True},
        {"status": Status.INFEASIBLE, "count": 0, "classes": 0, "complete": True},
        {"status": Status.UNKNOWN, "count": 0, "complete": False},
    ):
        assert checked(result(**{"answer": None, "objective": None, "bound": None} | changes))


RING = ((0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1))
WITHOUT_CENTRE = Board(3, 3, frozenset({(1, 1)}))


def test_a_closed_tour_that_repeats_its_start_is_not_called_open() -> None:
    closed = KnightTour(WITHOUT_CENTRE, closed=True)
    assert kinds(closed, RING) == []
    assert kinds(closed, (*RING, RING[0])) == ["duplicate"]
    assert kinds(KnightTour(WITHOUT_CENTRE), (*RING, RING[0])) == ["duplicate"]
    # The last entry repeats the first, but no move leads there.
    assert kinds(replace(TOUR, closed=True), (*PATH, PATH[0])) == ["duplicate", "illegal-step", "not-closed"]


def test_what_is_spent_of_a_limit_leaves_a_moment_at_least() -> None:
    assert Limits(nodes=5).after(100.0) == Limits(nodes=5)
    assert Limits(seconds=10, nodes=5).after(4.0) == Limits(seconds=6.0, nodes=5)
    assert 0 < (Limits(seconds=1).after(2.0).seconds or 0) < 0.01
