"""What is written is read back as the same problem and the same answer, in every form."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from problems import Board, Counters, InputError, KnightCover, KnightTour, Queens, Result, Rule, Status
from problems.board import Answer, Square
from problems.formats import (
    KEYS,
    Coordinates,
    Labels,
    read,
    result_from_json,
    result_json,
    to_fen,
    to_indices,
    to_json,
    to_names,
    to_pairs,
    to_permutation,
    to_text,
    to_tsplib,
)
from problems.result import Ending, Improvement
from problems.tours import is_knight_move

boards = st.builds(Board, st.integers(1, 12), st.integers(1, 12))


def squares_of(board: Board) -> st.SearchStrategy[Square]:
    return st.tuples(st.integers(0, board.rows - 1), st.integers(0, board.cols - 1))


@st.composite
def covers(draw: st.DrawFn) -> tuple[KnightCover, Answer]:
    """A cover problem and squares in any order, some of them given twice."""
    problem = KnightCover(draw(boards), draw(st.sampled_from(Rule)))
    return problem, tuple(draw(st.lists(squares_of(problem.board), max_size=20)))


@st.composite
def queens(draw: st.DrawFn) -> tuple[Queens, Answer]:
    """A permutation: one queen a row and a column."""
    n = draw(st.integers(1, 14))
    return Queens(n), tuple(enumerate(draw(st.permutations(range(n)))))


@st.composite
def paths(draw: st.DrawFn) -> tuple[KnightTour, Answer]:
    """Some or all squares of a small board in any order."""
    board = Board(draw(st.integers(1, 7)), draw(st.integers(1, 7)))
    order = draw(st.permutations(list(board.squares())))
    return KnightTour(board), tuple(order[: draw(st.integers(1, len(order)))])


def as_drawn(answer: Answer) -> Answer:
    return tuple(sorted(set(answer)))


@given(covers(), st.sampled_from(Labels))
def test_drawn_knights(case: tuple[KnightCover, Answer], labels: Labels) -> None:
    problem, answer = case
    assume(problem.board.size > 1 or answer)
    text = to_text(problem, answer, labels=labels)
    reading = read(text, "knights", rule=problem.rule)
    assert (reading.problem, reading.answer) == (problem, as_drawn(answer))


@given(queens(), st.sampled_from(Labels))
def test_drawn_queens(case: tuple[Queens, Answer], labels: Labels) -> None:
    problem, answer = case
    reading = read(to_text(problem, answer, labels=labels), "queens")
    assert (reading.problem, reading.answer) == (problem, answer)


@given(covers())
def test_board_with_missing_squares(case: tuple[KnightCover, Answer]) -> None:
    board, answer = case[0].board, case[1]
    assume(len(set(answer)) > 0 and board.size > 2)
    free = [square for square in board.squares() if square not in answer]
    assume(len(free) > 1)
    problem = KnightCover(Board(board.rows, board.cols, frozenset(free[::2])))
    reading = read(to_text(problem, answer), "knights")
    assert (reading.problem, reading.answer) == (problem, as_drawn(answer))


@given(covers())
def test_fen_of_knights(case: tuple[KnightCover, Answer]) -> None:
    problem, answer = case
    reading = read(to_fen(problem, answer), "knights", board=problem.board, rule=problem.rule)
    assert (reading.problem, reading.answer) == (problem, as_drawn(answer))
    if problem.board.cols < 10:
        assert read(to_fen(problem, answer), "knights", rule=problem.rule).problem == problem


@given(queens())
def test_fen_of_queens(case: tuple[Queens, Answer]) -> None:
    problem, answer = case
    reading = read(to_fen(problem, answer), "queens")
    assert (reading.problem, reading.answer) == (problem, answer)


@given(queens(), st.sampled_from([0, 1]))
def test_permutations(case: tuple[Queens, Answer], base: int) -> None:
    problem, answer = case
    text = to_permutation(problem, answer, base)
    for form in (text, str(text.split()).replace("'", ""), text.replace(" ", ","), text.replace(" ", "\n")):
        reading = read(form, "queens", board=problem.board)
        assert (reading.problem, reading.answer) == (problem, answer)


@given(st.one_of(covers(), queens(), paths()))
def test_lists_keep_order_and_duplicates(case: tuple[KnightCover | Queens | KnightTour, Answer]) -> None:
    problem, answer = case
    assume(answer)
    rule = problem.rule if isinstance(problem, KnightCover) else None
    forms = {
        Coordinates.NAMES: to_names(problem, answer),
        Coordinates.RC: to_pairs(problem, answer),
        Coordinates.XY: to_pairs(problem, answer, Coordinates.XY),
        Coordinates.INDEX: to_indices(problem, answer),
    }
    for coordinates, text in forms.items():
        for form in (text, text.replace(" ", "\n"), f"[{', '.join(text.split())}]"):
            reading = read(form, problem.name, board=problem.board, rule=rule, coordinates=coordinates)
            assert (reading.problem, reading.answer) == (problem, answer), coordinates


@given(st.one_of(covers(), queens(), paths()))
def test_pairs_in_brackets(case: tuple[KnightCover | Queens | KnightTour, Answer]) -> None:
    problem, answer = case
    assume(answer)
    rule = problem.rule if isinstance(problem, KnightCover) else None
    for text in (str(list(answer)), json.dumps(answer), str(set(answer)) if len(answer) < 2 else str(answer)):
        reading = read(text, problem.name, board=problem.board, rule=rule, coordinates=Coordinates.RC)
        assert (reading.problem, reading.answer) == (problem, answer)


@given(paths())
def test_indices_of_a_whole_path_from_one(case: tuple[KnightTour, Answer]) -> None:
    problem, answer = case
    answer += tuple(square for square in problem.board.squares() if square not in answer)
    reading = read(to_indices(problem, answer, 1), "tour", board=problem.board, coordinates=Coordinates.INDEX)
    assert reading.answer == answer


@given(paths(), st.sampled_from(Labels))
def test_step_matrices(case: tuple[KnightTour, Answer], labels: Labels) -> None:
    problem, answer = case
    # A matrix whose steps are moves from 1 on only is read as one that counts from 1.
    legal = [is_knight_move(a, b) for a, b in pairwise(answer)]
    assume(len(answer) < 3 or legal[0] or not all(legal[1:]))
    text = to_text(problem, answer, labels=labels)
    reading = read(text, "tour", board=problem.board)
    assert (reading.problem, reading.answer, reading.violations) == (problem, answer, ())


@given(paths())
def test_tsplib(case: tuple[KnightTour, Answer]) -> None:
    problem, answer = case
    text = to_tsplib(problem, answer)
    for form in (text, text.replace("\n", "\r\n"), text.removesuffix("EOF\n")):
        reading = read(form, "tour")
        assert (reading.problem, reading.answer) == (problem, answer)


@given(st.one_of(covers(), queens(), paths()), st.data())
def test_json(case: tuple[KnightCover | Queens | KnightTour, Answer], data: st.DataObject) -> None:
    problem, answer = case
    if isinstance(problem, Queens):
        problem = Queens(problem.n, tuple(data.draw(st.sets(squares_of(problem.board), max_size=3))))
    elif isinstance(problem, KnightTour):
        ends = st.none() | squares_of(problem.board)
        problem = KnightTour(problem.board, data.draw(ends), data.draw(ends))
        answer = answer[:1] + answer  # never closed
    else:
        holes = frozenset(data.draw(st.sets(squares_of(problem.board), max_size=problem.board.size - 1)))
        problem = KnightCover(
            Board(problem.board.rows, problem.board.cols, holes),
            problem.rule,
            data.draw(st.none() | st.integers(0, 9)),
        )
    if isinstance(problem, KnightTour) and answer and is_knight_move(answer[0], answer[-1]):
        return
    record = to_json(problem, answer)
    assert tuple(record)[: len(KEYS)] == KEYS
    assert result_from_json(json.loads(json.dumps(record))) == (problem, answer)
    reading = read(json.dumps(record, indent=data.draw(st.sampled_from([None, 2]))), problem.name)
    assert (reading.problem, reading.answer) == (problem, answer)
    assert record["valid"] == (not problem.violations(answer))


def test_result_has_the_keys_and_its_answer() -> None:
    answer = ((0, 1), (1, 3), (2, 0), (3, 2))
    result = Result(
        method="min-conflicts",
        problem=Queens(4),
        status=Status.FEASIBLE,
        ending=Ending.FINISHED,
        seconds=0.5,
        answer=answer,
        answers=(answer,),
        best=answer,
        counters=Counters(steps=7),
        trace=(Improvement(3, 1, 0.25),),
        seed=1,
    )
    record = result_json(result)
    assert set(KEYS) <= set(record)
    assert record["counters"] == {"steps": 7}
    assert record["answer"] == record["best"] == record["answers"][0] == [list(square) for square in answer]
    assert record["trace"] == [{"effort": 3, "value": 1, "seconds": 0.25}]
    assert record["valid"] is True
    assert result_from_json(record) == (Queens(4), answer)
    assert read(json.dumps(record), "queens").answer == answer


def test_result_without_an_answer() -> None:
    result = Result(
        method="sat",
        problem=KnightTour(Board(4, 4)),
        status=Status.INFEASIBLE,
        ending=Ending.FINISHED,
        seconds=0.1,
    )
    record = result_json(result)
    assert record["answer"] is None
    assert record["valid"] is None
    assert result_from_json(record) == (KnightTour(Board(4, 4)), None)
    with pytest.raises(InputError, match="INFEASIBLE"):
        read(json.dumps(record), "tour")


def test_closed_tour_stays_closed() -> None:
    tour = read("[[0,3,6,9],[11,8,1,4],[2,5,10,7]]", "tour")
    assert to_json(tour.problem, tour.answer)["closed"] is False
    ring = ((0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1))
    problem = KnightTour(Board(3, 3, frozenset({(1, 1)})), closed=True)
    record = to_json(problem, ring)
    assert record["closed"] is True
    assert result_from_json(record) == (problem, ring)


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda p, a: to_text(p, a), ". Q . .\n. . . Q\nQ . . .\n. . Q ."),
        (
            lambda p, a: to_text(p, a, labels=Labels.CHESS),
            "   a b c d\n4  . Q . .\n3  . . . Q\n2  Q . . .\n1  . . Q .",
        ),
        (lambda p, a: to_names(p, a), "b4 d3 a2 c1"),
        (lambda p, a: to_pairs(p, a), "0,1 1,3 2,0 3,2"),
        (lambda p, a: to_pairs(p, a, Coordinates.XY), "1,3 3,2 0,1 2,0"),
        (lambda p, a: to_indices(p, a), "1 7 8 14"),
        (lambda p, a: to_permutation(p, a), "1 3 0 2"),
        (lambda p, a: to_permutation(p, a, 1), "2 4 1 3"),
        (lambda p, a: to_fen(p, a), "1Q2/3Q/Q3/2Q1"),
    ],
)
def test_written_forms(write, text: str) -> None:
    assert write(Queens(4), ((0, 1), (1, 3), (2, 0), (3, 2))) == text


def test_step_matrix_is_right_aligned() -> None:
    path = ((0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1))
    assert to_text(KnightTour(Board(3, 3)), path) == "0 3 6\n5 . 1\n2 7 4"
    assert to_text(KnightTour(Board(1, 2)), ()) == ". ."


@pytest.mark.parametrize(
    "write",
    [
        lambda: to_permutation(Queens(2), ((0, 0), (0, 1))),
        lambda: to_permutation(Queens(2), ((0, 0),)),
        lambda: to_permutation(Queens(2), ((0, 0), (1, 2))),
        lambda: to_fen(KnightTour(Board(3, 4)), ()),
        lambda: to_fen(KnightCover(Board(2, 2)), ((2, 0),)),
        lambda: to_fen(KnightCover(Board(2, 2, frozenset({(0, 0)}))), ()),
        lambda: to_names(KnightCover(Board(2, 2)), ((2, 0),)),
        lambda: to_indices(KnightCover(Board(2, 2)), ((0, 2),)),
        lambda: to_pairs(KnightCover(Board(2, 2)), ((0, 1),), Coordinates.NAMES),
        lambda: to_tsplib(KnightTour(Board(2, 2)), ((2, 2),)),
        lambda: to_text(Queens(10_000), ()),
    ],
)
def test_forms_that_cannot_hold_an_answer_refuse_it(write) -> None:
    with pytest.raises(InputError):
        write()
