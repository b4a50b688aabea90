"""A right answer in any of many forms is never judged wrong, a wrong one never right: it may only be refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from problems import Answer, Board, InputError, KnightCover, KnightTour
from problems.formats import Coordinates, read, to_indices, to_names, to_pairs

TEXTS = {
    "tour": (
        "[[0,3,6,9],[11,8,1,4],[2,5,10,7]]",
        "[[0,11,16,5,20],[17,4,19,10,15],[12,1,8,21,6],[3,18,23,14,9],[24,13,2,7,22]]",
    ),
    "knights": (
        "0 0 0 0\n0 1 1 1\n0 1 0 0\n1 1 0 0",
        "1 1 1 1\n0 0 0 0\n0 1 1 0",
        "........\n..NNNN..\n........\n.NN..NN.\n........\n.NNNNNN.\n........\n........",
    ),
}
Rows = list[list[str]]


def labelled(rows: Rows) -> Iterator[Rows]:
    """Yield a matrix with labels at the sides, above, below and in the corner, from 0 and 1, up and down."""
    for order in (1, -1):
        for base in (0, 1):
            side = [str(row + base) for row in range(len(rows))][::order]
            head = [str(col + base) for col in range(len(rows[0]))]
            beside = [[label, *row] for label, row in zip(side, rows, strict=True)]
            yield from (beside, [[*row, label] for label, row in zip(side, rows, strict=True)])
            yield from ([head, *rows], [*rows, head], [head, *beside], [*beside, head])
            yield from ([["0", *head], *beside], [["", *head], *beside])


def matrix_texts(rows: Rows) -> Iterator[str]:
    for form in (rows, *labelled(rows)):
        yield from ("\n".join(separator.join(row) for row in form) for separator in (" ", "\t", " | "))


def tour_texts(problem: KnightTour, answer: Answer) -> Iterator[str]:
    for base in (0, 1):
        steps = {square: str(step + base) for step, square in enumerate(answer)}
        yield from matrix_texts(
            [[steps[r, c] for c in range(problem.board.cols)] for r in range(problem.board.rows)]
        )
    names = to_names(problem, answer)
    board = problem.board
    for front in ("", f"{board.size}\n", f"{board.rows} {board.cols}\n", f"{board}\n"):
        yield from (front + names, front + " ".join(f"N{name}" for name in names.split()))


def list_texts(problem: KnightCover, answer: Answer) -> Iterator[tuple[str, Coordinates | None]]:
    """Yield lists of squares with and without a number in front, and what `--coordinates` may say of them."""
    board = problem.board
    lists = [
        *((to_pairs(problem, answer, c), c) for c in (Coordinates.RC0, Coordinates.RC1, Coordinates.XY0)),
        (to_pairs(problem, answer, Coordinates.XY1), Coordinates.XY1),
        (to_indices(problem, answer), Coordinates.INDEX0),
        (to_indices(problem, answer, 1), Coordinates.INDEX1),
    ]
    for text, coordinates in lists:
        for front in ("", f"{len(answer)}\n", f"{len(answer)} ", f"{board.rows} {board.cols}\n"):
            for form in (text, text.replace(" ", "\n"), text.replace(" ", "\n").replace(",", " ")):
                if front.endswith(" ") and "\n" in form:
                    continue  # the first line would be a size
                yield from ((front + form, told) for told in (coordinates, coordinates.order, None))


def verdicts(problem: KnightCover | KnightTour, answer: Answer) -> Iterator[tuple[str, bool | None]]:
    """Yield texts of the answer with the verdict on what is read, None where the text is refused."""
    board = problem.board
    texts: list[tuple[str, Coordinates | None]]
    if isinstance(problem, KnightTour):
        texts = [(text, None) for text in tour_texts(problem, answer)]
    else:
        bits = [[str(int((r, c) in answer)) for c in range(board.cols)] for r in range(board.rows)]
        texts = [*((text, None) for text in matrix_texts(bits)), *list_texts(problem, answer)]
    for text, told in texts:
        for size in (board, None):
            try:
                reading = read(text, problem.name, board=size, coordinates=told)
            except InputError:
                yield text, None
            else:
                yield text, not reading.violations and not reading.problem.violations(reading.answer)


CASES = [(name, text) for name, texts in TEXTS.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_no_form_of_a_right_answer_is_wrong(name: str, text: str) -> None:
    reading = read(text, name)
    problem = reading.problem
    assert isinstance(problem, KnightCover | KnightTour)
    found = list(verdicts(problem, reading.answer))
    assert [form for form, verdict in found if verdict is False] == []
    assert sum(verdict is True for _, verdict in found) > len(found) / 2


@pytest.mark.parametrize(("name", "text"), CASES)
def test_no_form_of_a_wrong_answer_is_right(name: str, text: str) -> None:
    reading = read(text, name)
    problem, right = reading.problem, reading.answer
    assert isinstance(problem, KnightCover | KnightTour)
    wrong = right[:-1] if name == "knights" else (right[0], right[2], right[1], *right[3:])
    assert problem.violations(wrong)
    assert [form for form, verdict in verdicts(problem, wrong) if verdict] == []


def test_the_boards_are_what_they_are_taken_for() -> None:
    assert [read(text, name).problem.board for name, text in CASES] == [
        Board(3, 4), Board(5, 5), Board(4, 4), Board(3, 4), Board(8, 8),
    ]  # fmt: skip
