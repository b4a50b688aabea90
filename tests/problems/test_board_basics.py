"""Boards: names, moves, symmetries, and what they refuse."""

from __future__ import annotations

import pickle

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import Board, InputError, colour
from problems.board import column_number

sides = st.integers(1, 9)
boards = st.builds(Board, sides, sides)
boards_with_holes = st.tuples(sides, sides).flatmap(
    lambda shape: st.builds(
        Board,
        st.just(shape[0]),
        st.just(shape[1]),
        st.frozensets(st.tuples(st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1)), max_size=4),
    )
)


def knows(board: Board) -> list[tuple[int, int]]:
    return list(board.squares())


def test_names_count_from_the_bottom_left() -> None:
    board = Board(8, 8)
    assert (board.name((7, 0)), board.name((0, 7))) == ("a1", "h8")
    assert Board(3, 60).name((0, 27)) == "ab3"
    assert column_number("aa") == 26
    with pytest.raises(InputError):
        board.square_named("9a")


@given(boards)
def test_names_and_indices_come_back(board: Board) -> None:
    for square in board.squares():
        assert board.square_named(board.name(square)) == square
        assert board.square_named(board.name(square).upper()) == square
        assert board.square_at(board.index(square)) == square


@given(boards_with_holes)
def test_moves_are_the_knights_and_symmetric(board: Board) -> None:
    for square in board.squares():
        by_definition = {
            other for other in board.squares() if {abs(other[0] - square[0]), abs(other[1] - square[1])} == {1, 2}
        }
        moves = board.knight_moves(square)
        assert set(moves) == by_definition
        assert list(moves) == sorted(moves)
        assert all(square in board.knight_moves(other) for other in moves)
        assert all(colour(other) != colour(square) for other in moves)


@given(boards_with_holes, st.data())
def test_parts_are_those_of_the_graph_of_moves(board: Board, data: st.DataObject) -> None:
    removed = frozenset(data.draw(st.lists(st.sampled_from(knows(board)), max_size=4)) if knows(board) else ())
    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    graph.add_nodes_from(knows(board))
    graph.add_edges_from((square, other) for square in knows(board) for other in board.knight_moves(square))
    graph.remove_nodes_from(removed)
    assert board.components(removed) == tuple(
        sorted(tuple(sorted(part)) for part in nx.connected_components(graph))
    )


@given(boards_with_holes)
def test_symmetries_map_the_board_to_itself_and_keep_moves(board: Board) -> None:
    squares = knows(board)
    assert board.size == len(squares)
    images = list(board.images(squares))
    assert images[0] == tuple(squares), "the identity comes first"
    assert 1 <= len(images) <= (8 if board.is_square else 4)
    for symmetry in board.symmetries():
        image = {square: symmetry.apply(square, board.rows, board.cols) for square in squares}
        assert set(image.values()) == set(squares)
        for square in squares:
            assert {image[other] for other in board.knight_moves(square)} == set(board.knight_moves(image[square]))


@given(boards, st.data())
def test_canonical_forms_are_the_same_for_all_images(board: Board, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.sampled_from(knows(board)), max_size=5))
    form = board.canonical(chosen)
    assert form in [tuple(sorted(image)) for image in board.images(tuple(chosen))]
    assert all(board.canonical(image) == form for image in board.images(tuple(chosen)))


@pytest.mark.parametrize(("rows", "cols"), [(0, 0), (0, 3), (-1, 4), (10**9, 1), (True, 2), ("8", 8)])
def test_impossible_sizes_are_refused_in_one_line(rows: int, cols: int) -> None:
    with pytest.raises(InputError, match="expected between 1 and") as caught:
        Board(rows, cols)
    assert "\n" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_missing_squares_must_be_on_the_board() -> None:
    with pytest.raises(InputError, match="missing squares"):
        Board(2, 2, frozenset({(2, 0)}))
    assert (0, 0) not in Board(2, 2, frozenset({(0, 0)}))
