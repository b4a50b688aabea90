"""Backtracking and the greedy order: the documents' node counts, and exhaustive search on small boards."""

from __future__ import annotations

from typing import Any

import plain_tours
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.methods import run
from heuristic.tours_backtracking import BacktrackingParameters
from heuristic.tours_greedy import GreedyParameters
from problems import Board, Ending, InputError, KnightTour, Limits, Result, Square, Status
from problems.tours import returns_to_start

DOCUMENT = KnightTour(Board(6, 6), start=(1, 2))
SEARCHES = (
    ("backtracking", "printed", plain_tours.plain),
    ("backtracking", "described", plain_tours.plain),
    ("greedy", "printed", plain_tours.static_degree),
    ("greedy", "described", plain_tours.unvisited_degree),
)
EDITIONS = tuple(search[:2] for search in SEARCHES)


def search(problem: KnightTour, method: str, edition: str, *, nodes: int | None = None, **rest: Any) -> Result:
    return run(problem, method, limits=Limits(nodes=nodes), seed=1, edition=edition, **rest)


@pytest.mark.parametrize(
    ("method", "edition", "nodes"),
    [
        ("backtracking", "printed", 221_175),
        ("backtracking", "described", 221_175),
        ("greedy", "printed", 313),
        ("greedy", "described", 36),
    ],
)
def test_nodes_of_the_document(method: str, edition: str, nodes: int) -> None:
    result = search(DOCUMENT, method, edition)
    assert (result.status, result.ending) == (Status.FEASIBLE, Ending.FINISHED)
    assert result.counters.nodes == nodes
    assert result.answer is not None
    assert result.answer[0] == (1, 2)
    assert result.trace[-1].value == 36
    assert result.trace[-1].effort == nodes


def test_the_slow_search_agrees_with_the_document() -> None:
    counts = [plain_tours.search(DOCUMENT, (1, 2), order)[0] for _, _, order in SEARCHES[1:]]
    assert counts == [221_175, 313, 36]


def test_the_documents_tour_happens_to_be_closed() -> None:
    answer = search(DOCUMENT, "backtracking", "printed").answer
    assert answer is not None
    assert returns_to_start(answer)


@st.composite
def small_tours(draw: st.DrawFn) -> KnightTour:
    board = Board(draw(st.integers(2, 4)), draw(st.integers(2, 5)))
    squares = list(board.squares())
    missing = frozenset(draw(st.lists(st.sampled_from(squares), max_size=3)))
    start = draw(st.sampled_from([square for square in squares if square not in missing]))
    return KnightTour(Board(board.rows, board.cols, missing), start=start)


@pytest.mark.parametrize(("method", "edition", "order"), SEARCHES)
@given(problem=small_tours())
@settings(max_examples=20, deadline=None)
def test_same_nodes_and_same_tour_as_the_slow_search(
    method: str, edition: str, order: plain_tours.Order, problem: KnightTour
) -> None:
    nodes, tour = plain_tours.search(problem, problem.start or (0, 0), order)
    result = search(problem, method, edition)
    assert result.counters.nodes == nodes
    assert result.answer == tour


@pytest.mark.parametrize(("method", "edition"), EDITIONS)
@pytest.mark.parametrize(
    "board", [Board(3, 4), Board(4, 5), Board(3, 5), Board(4, 4, frozenset({(0, 0), (3, 3)}))]
)
def test_open_tours_between_all_pairs_of_squares(method: str, edition: str, board: Board) -> None:
    ends = {(tour[0], tour[-1]) for tour in plain_tours.all_tours(board)}
    found = set()
    for start in board.squares():
        for end in board.squares():
            if start != end and search(KnightTour(board, start=start, end=end), method, edition).answer:
                found.add((start, end))
    assert found == ends


@pytest.mark.parametrize(("method", "edition"), EDITIONS)
@pytest.mark.parametrize(
    "board",
    [
        Board(4, 5),
        Board(3, 4),
        Board(4, 4, frozenset({(0, 0), (0, 3)})),
        Board(3, 3, frozenset({(1, 1)})),
        Board(1, 1),
    ],
)
def test_closed_tours_where_there_are_any(method: str, edition: str, board: Board) -> None:
    tours = plain_tours.all_tours(board)
    exists = any(KnightTour(board, closed=True).violations(tour) == () for tour in tours)
    for start in board.squares():
        result = search(KnightTour(board, start=start, closed=True), method, edition)
        assert (result.answer is not None) == exists
        assert result.ending is Ending.FINISHED


@pytest.mark.parametrize(("method", "edition"), EDITIONS)
def test_closed_tours_of_5x6_and_6x6(method: str, edition: str) -> None:
    for board, start in ((Board(5, 6), (0, 0)), (Board(6, 6), (1, 2))):
        answer = search(KnightTour(board, start=start, closed=True), method, edition).answer
        assert answer is not None
        assert answer[0] == start
        assert returns_to_start(answer)


@pytest.mark.parametrize(("method", "edition"), EDITIONS)
def test_starts_with_an_open_tour(known_values: dict[str, Any], method: str, edition: str) -> None:
    published = known_values["tours_open_start_squares"]["values"]
    for rows, cols in ((4, 5), (3, 4), (3, 7)):
        board = Board(rows, cols)
        tours = [search(KnightTour(board, start=start), method, edition).answer for start in board.squares()]
        assert sum(tour is not None for tour in tours) == published[f"{rows}x{cols}"]


@pytest.mark.parametrize(("method", "edition"), EDITIONS)
@pytest.mark.parametrize("nodes", [1, 2, 17, 300, 5000])
def test_the_node_limit_is_exact_and_the_best_path_is_told(method: str, edition: str, nodes: int) -> None:
    result = search(KnightTour(Board(5, 5), start=(0, 1)), method, edition, nodes=nodes)
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.NODES)
    assert result.counters.nodes == nodes
    assert result.best is not None
    assert result.best[0] == (0, 1)
    kinds = {violation.kind for violation in result.problem.violations(result.best)}
    assert kinds == {"unvisited"}


def test_no_start_means_the_top_left_corner() -> None:
    assert search(KnightTour(Board(5, 5)), "greedy", "described").answer[0] == (0, 0)  # type: ignore[index]


@pytest.mark.parametrize(
    ("problem", "start"),
    [
        (KnightTour(Board(5, 5, frozenset({(0, 0)}))), (0, 1)),
        (KnightTour(Board(5, 5, frozenset({(0, 0), (0, 2), (4, 4)}))), (0, 1)),
        (KnightTour(Board(6, 6), end=(0, 2)), (0, 1)),
        (KnightTour(Board(5, 5), end=(0, 0)), (0, 2)),
    ],
)
def test_a_start_is_chosen_that_the_colours_allow(problem: KnightTour, start: Square) -> None:
    result = search(problem, "backtracking", "printed", nodes=50)
    path = result.answer or result.best
    assert path is not None
    assert path[0] == start


@pytest.mark.parametrize("kind", [BacktrackingParameters, GreedyParameters])
@pytest.mark.parametrize("order", ["", "0123456", "01234566", "01234568", 12345670])
def test_a_move_order_names_each_move_once(kind: type, order: Any) -> None:
    with pytest.raises(InputError, match="the digits 0 to 7, each once"):
        kind(order=order)


def test_another_move_order_is_another_search() -> None:
    ours = search(DOCUMENT, "backtracking", "printed", nodes=10**7)
    other = search(DOCUMENT, "backtracking", "printed", nodes=10**7, parameters=BacktrackingParameters("43210765"))
    assert ours.counters.nodes != other.counters.nodes
