"""Boards as the tour kernels see them, and the square a tour starts from when none is given.

A kernel's board is padded with a border two squares wide that counts as visited, as do the missing squares, so
that no move needs a bounds check: a move is the addition of a constant to an index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from problems import Board, InputError, KnightTour, Path, Problem, Square, colour
from problems.errors import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAD = 2
"""The width of the border: the longest part of a knight move."""

LABELLED_STEPS: tuple[Square, ...] = (
    (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1),
)  # fmt: skip
"""The knight moves 0 to 7 of the fourth document's drawing, as `(row, col)` steps."""

DOCUMENT_ORDER = "56701234"
"""The order in which the fourth document's program tries the moves, by their numbers in its drawing."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A padded board: `blocked` is 1 for squares that may not be entered, row by row, `stride` squares a row."""

    board: Board
    stride: int
    blocked: NDArray[np.int8]

    @property
    def reach(self) -> int:
        """The largest difference of indices that a knight move makes."""
        return PAD * self.stride + 1

    def index(self, square: Square) -> int:
        """Return the kernel's index of a square of the board."""
        return (square[0] + PAD) * self.stride + square[1] + PAD

    def offsets(self, order: str = DOCUMENT_ORDER) -> NDArray[np.int64]:
        """Return the differences of indices of the moves, in the order given by their numbers; shape (8,)."""
        import numpy as np

        steps = (LABELLED_STEPS[int(label)] for label in order)
        return np.array([row * self.stride + col for row, col in steps], np.int64)

    def squares(self, indices: NDArray[Any]) -> Path:
        """Return the squares of kernel indices, in their order."""
        import numpy as np

        rows, cols = np.divmod(indices, self.stride)
        return tuple(zip((rows - PAD).tolist(), (cols - PAD).tolist(), strict=True))


def padded(board: Board) -> Grid:
    """Return the padded board."""
    import numpy as np

    blocked = np.ones((board.rows + 2 * PAD, board.cols + 2 * PAD), np.int8)
    blocked[PAD:-PAD, PAD:-PAD] = 0
    for row, col in board.missing:
        blocked[row + PAD, col + PAD] = 1
    return Grid(board, board.cols + 2 * PAD, blocked.ravel())


def check_order(order: str) -> None:
    """Raise `InputError` unless a move order names each of the eight moves once."""
    if not isinstance(order, str) or sorted(order) != list("01234567"):
        raise InputError("the digits 0 to 7, each once", shown(order), where="order")


def start_of(problem: KnightTour) -> Square:
    """Return the given start, or the first square from which the colours allow a tour, row by row from the top.

    On a board with as many squares of either colour a tour ends on the other colour than it starts on, otherwise
    it starts and ends on the colour with one more. On full boards without a given end this is `(0, 0)`.
    """
    if problem.start is not None:
        return problem.start
    board, end = problem.board, problem.end
    surplus = sum(1 - 2 * colour(square) for square in board.missing)
    surplus = board.rows * board.cols % 2 - surplus
    wanted = {1: 0, -1: 1}.get(surplus, None if end is None else 1 - colour(end))
    squares = (s for s in board.squares() if s != end or board.size == 1)
    first = next(squares)
    if wanted is None or colour(first) == wanted:
        return first
    return next((square for square in squares if colour(square) == wanted), first)


def supports(problem: Problem) -> str | None:
    """Return why no search for a tour can begin, or None."""
    if not isinstance(problem, KnightTour):
        return "another problem"
    if problem.board.size == 0:
        return "a board without squares"
    if problem.end is not None and problem.start == problem.end and problem.board.size > 1:
        return f"a tour from {problem.board.name(problem.end)} to itself"
    return None
