"""SVG is well formed and shows every piece, step and fault."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import Board, InputError, KnightCover, KnightTour, Queens
from problems.formats import read, to_svg

NS = "{http://www.w3.org/2000/svg}"


def drawing(problem: KnightCover | Queens | KnightTour, answer: tuple[tuple[int, int], ...]) -> ET.Element:
    return ET.fromstring(to_svg(problem, answer, problem.violations(answer)))


def count(root: ET.Element, tag: str, name: str) -> int:
    return sum(1 for element in root.iter(NS + tag) if element.get("class") == name)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_pieces_and_gaps(rows: int, cols: int, data: st.DataObject) -> None:
    board = Board(rows, cols)
    squares = st.tuples(st.integers(-1, rows), st.integers(-1, cols))
    answer = tuple(data.draw(st.lists(squares, max_size=12)))
    problem = KnightCover(board)
    root = drawing(problem, answer)
    on_board = {square for square in answer if square in board}
    repeated = {square for square in on_board if answer.count(square) > 1}
    assert count(root, "path", "p") == len(on_board)
    assert count(root, "rect", "g") == len(problem.gaps(answer)) + len(repeated)


def test_attacking_queens_are_joined() -> None:
    root = drawing(Queens(4), ((0, 0), (1, 1), (2, 3), (3, 1)))
    # One diagonal, one column, and the other diagonal of (1, 1), … as the checker lists them.
    lines = [v for v in Queens(4).violations(((0, 0), (1, 1), (2, 3), (3, 1))) if v.kind.startswith("same-")]
    assert count(root, "polyline", "b") == len(lines) > 0


def test_tour_is_a_numbered_path() -> None:
    tour = read("[[0,3,6,9],[11,8,1,4],[2,5,10,7]]", "tour")
    root = drawing(tour.problem, tour.answer)
    path = next(element for element in root.iter(NS + "polyline") if element.get("class") == "t")
    assert len(path.get("points", "").split()) == 12
    numbers = [element.text for element in root.iter(NS + "text") if element.get("class") is None]
    assert numbers == [str(step) for step in range(12)]
    assert count(root, "polyline", "b") == 0


def test_illegal_steps_are_marked() -> None:
    problem = KnightTour(Board(3, 3))
    assert count(drawing(problem, ((0, 0), (0, 1))), "polyline", "b") == 1


def test_follows_the_colour_scheme_and_has_a_title() -> None:
    text = to_svg(Queens(4), ((0, 1), (1, 3), (2, 0), (3, 2)))
    assert "prefers-color-scheme:dark" in text
    assert "<title>4 queens on a 4x4 board</title>" in text


def test_boards_with_holes_and_large_boards() -> None:
    holes = Board(3, 3, frozenset({(1, 1)}))
    light_and_dark = [e for e in drawing(KnightCover(holes), ()).iter(NS + "path") if e.get("class") in ("l", "d")]
    assert sum(e.get("d", "").count("M") for e in light_and_dark) == 8
    assert len(to_svg(KnightTour(Board(60, 60)), tuple(Board(60, 60).squares()))) < 1_000_000
    for problem in (KnightCover(Board(201, 2)), Queens(0)):
        with pytest.raises(InputError):
            to_svg(problem, ())
