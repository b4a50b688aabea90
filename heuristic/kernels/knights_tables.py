"""Boards as arrays for the knight kernels: squares numbered row by row, missing ones left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from problems import Board, KnightCover, Placement, Rule, Square
from problems.board import KNIGHT_STEPS

Ints = NDArray[np.int32]
Squares = NDArray[np.uint32]
"""Numbers of squares. Unsigned, so that numba need not look out for negative indices."""

Number = int | np.int64
"""The number of a square, of a site or of a target."""


class Table(NamedTuple):
    """A list of squares for each square: `squares[i, : degree[i]]`, ascending; the rest of a row is 0."""

    squares: Squares
    degree: Ints


class Numbering(NamedTuple):
    """The squares of a board as numbers 0..n-1: their rows and columns, and the number at each place (or -1)."""

    rows: Ints
    cols: Ints
    grid: Ints

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.rows)

    def square(self, number: int) -> Square:
        """Return the square of a number."""
        return int(self.rows[number]), int(self.cols[number])

    def placement(self, numbers: NDArray[np.integer]) -> Placement:
        """Return the squares of the numbers, in the order given."""
        return tuple(zip(self.rows[numbers].tolist(), self.cols[numbers].tolist(), strict=True))

    def sorted_placement(self, numbers: NDArray[np.integer]) -> Placement:
        """Return the squares of the numbers, row by row."""
        return self.placement(np.sort(numbers))

    def numbers(self, squares: Placement) -> Squares:
        """Return the numbers of squares that are on the board, in the order given."""
        pairs = np.array(squares, np.int32).reshape(-1, 2)
        return self.grid[pairs[:, 0], pairs[:, 1]].astype(np.uint32)


def numbering(board: Board) -> Numbering:
    """Number the squares of a board row by row."""
    present = np.ones((board.rows, board.cols), np.bool_)
    for square in board.missing:
        present[square] = False
    rows, cols = (axis.astype(np.int32) for axis in np.nonzero(present))
    grid = np.full(present.shape, -1, np.int32)
    grid[rows, cols] = np.arange(len(rows), dtype=np.int32)
    return Numbering(rows, cols, grid)


def attacks(squares: Numbering) -> Table:
    """Return for each square the squares a knight on it attacks."""
    # A border as wide as the longest part of a move, so that no move leaves the grid.
    grid = np.pad(squares.grid, 2, constant_values=-1)
    rows, cols = squares.rows + 2, squares.cols + 2
    return packed(np.stack([grid[rows + row, cols + col] for row, col in KNIGHT_STEPS], axis=1))


def covers(problem: KnightCover, squares: Numbering, attacked: Table) -> Table:
    """Return for each square the squares a knight on it covers; the relation is symmetric."""
    if problem.rule is Rule.TOTAL:
        return attacked
    width = np.arange(attacked.squares.shape[1])
    padded = np.where(width < attacked.degree[:, None], attacked.squares.view(np.int32), -1)
    itself = np.arange(squares.size, dtype=np.int32)[:, None]
    return packed(np.concatenate((itself, padded), axis=1))


def conflicts(problem: KnightCover, attacked: Table) -> Table:
    """Return for each square the squares on which no second knight may stand beside one on it."""
    if problem.rule is Rule.INDEPENDENT:
        return attacked
    return Table(attacked.squares, np.zeros_like(attacked.degree))


def packed(lists: NDArray[np.signedinteger]) -> Table:
    """Return rows of squares with the entries of -1 taken out, the others kept in order."""
    present = lists >= 0
    degree = present.sum(axis=1, dtype=np.int32)
    squares = np.zeros(lists.shape, np.uint32)
    squares[np.arange(lists.shape[1]) < degree[:, None]] = lists[present]
    return Table(squares, degree)
