"""Answers as text: drawn boards and step matrices, names, pairs, indices, permutations, FEN, TSPLIB.

Each function returns one string and writes nothing. All of them are read back by `read` (drawings and FEN show
different squares only, so they forget duplicates and their order).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from problems.board import Answer, Board, Square
from problems.coercion import choice
from problems.errors import InputError
from problems.formats.boards import HOLE, PIECES
from problems.formats.coordinates import Coordinates
from problems.knights import KnightCover
from problems.queens import Queens
from problems.result import Problem
from problems.tours import KnightTour

_EMPTY = "."
_FIELDS = " w - - 0 1"
_MAX_DRAWN = 16_000_000


class Labels(StrEnum):
    """What stands beside the rows and above the columns of a drawing."""

    NONE = "none"
    NUMBERS = "numbers"
    """Rows and columns from 0 at the top left, as in `(row, col)`."""
    CHESS = "chess"
    """Rows from 1 at the bottom, columns from a: the parts of the square names."""


def to_text(problem: Problem, answer: Answer, *, labels: Labels = Labels.NONE) -> str:
    """Return the board with the pieces drawn as N or Q, or for a tour the matrix of the steps from 0.

    Squares that hold nothing are dots, squares that the board has not are `~`. A square visited twice shows its
    first step. Squares off the board are left out. An empty board of queens gives an empty text.
    Raises `InputError` for boards of over 16 million squares.
    """
    labels = choice(Labels, labels, "labels")
    if isinstance(problem, Queens) and problem.n == 0:
        return ""
    board = problem.board
    if board.rows * board.cols > _MAX_DRAWN:
        raise InputError(f"a board of at most {_MAX_DRAWN} squares to draw", str(board))
    cells = [[_EMPTY] * board.cols for _ in range(board.rows)]
    for row, col in board.missing:
        cells[row][col] = HOLE
    if isinstance(problem, KnightTour):
        for step, (row, col) in enumerate(answer):
            if (row, col) in board and cells[row][col] == _EMPTY:
                cells[row][col] = str(step)
    else:
        for row, col in answer:
            if (row, col) in board:
                cells[row][col] = PIECES[problem.name][0]
    return "\n".join(_lines(cells, board, labels))


def _lines(cells: list[list[str]], board: Board, labels: Labels) -> list[str]:
    heads, sides = _label_texts(board, labels)
    width = max(max(map(len, row)) for row in [*cells, heads])
    side = max(map(len, sides), default=0)
    lines = [" ".join(cell.rjust(width) for cell in row) for row in cells]
    if labels is Labels.NONE:
        return lines
    head = " ".join(head.rjust(width) for head in heads)
    return [
        f"{'':{side}}  {head}",
        *(f"{label:>{side}}  {line}" for label, line in zip(sides, lines, strict=True)),
    ]


def _label_texts(board: Board, labels: Labels) -> tuple[list[str], list[str]]:
    if labels is Labels.NONE:
        return [""], []
    if labels is Labels.NUMBERS:
        return list(map(str, range(board.cols))), list(map(str, range(board.rows)))
    heads = [board.name((board.rows - 1, col)).removesuffix("1") for col in range(board.cols)]
    return heads, [str(board.rows - row) for row in range(board.rows)]


def to_names(problem: Problem, answer: Answer) -> str:
    """Return the chess names of the squares, in their order: `a1 b5 c8`; `InputError` for one off the board."""
    if not answer:
        return ""
    board = problem.board
    letters = [board.name((board.rows - 1, col)).removesuffix("1") for col in range(board.cols)]
    _require_on_board(answer, board, "square names")
    return " ".join(f"{letters[col]}{board.rows - row}" for row, col in answer)


def to_pairs(problem: Problem, answer: Answer, coordinates: Coordinates = Coordinates.RC) -> str:
    """Return the squares as `row,col` from the top left, or as `x,y` from the bottom left: `1,0 2,0`.

    They count from 0 unless the coordinates say 1. Raises `InputError` for other coordinates than pairs.
    """
    coordinates = choice(Coordinates, coordinates, "coordinates")
    base = coordinates.base or 0
    if coordinates.order is Coordinates.RC:
        return " ".join(f"{row + base},{col + base}" for row, col in answer)
    if coordinates.order is not Coordinates.XY:
        raise InputError("coordinates rc or xy for pairs", coordinates)
    if not answer:
        return ""
    bottom = problem.board.rows - 1 + base
    return " ".join(f"{col + base},{bottom - row}" for row, col in answer)


def to_indices(problem: Problem, answer: Answer, base: int = 0) -> str:
    """Return the row-major indices of the squares, from `base`: `0 7 4`; `InputError` for one off the board."""
    if not answer:
        return ""
    board = problem.board
    _require_on_board(answer, board, "row-major indices")
    return " ".join(str(base + board.index(square)) for square in answer)


def to_permutation(problem: Queens, answer: Answer, base: int = 0) -> str:
    """Return the columns of the queens row by row from the top, from `base`: `0 4 7 5 2 6 1 3`.

    Raises `InputError` unless there is exactly one queen in each row, on the board.
    """
    columns: dict[int, int] = dict(answer)
    if len(answer) != problem.n or sorted(columns) != list(range(problem.n)):
        raise InputError("one queen in each row for a permutation", f"{len(answer)} queens on {len(columns)} rows")
    if problem.n:
        _require_on_board(answer, problem.board, "a permutation")
    return " ".join(str(columns[row] + base) for row in range(problem.n))


def to_fen(problem: Problem, answer: Answer) -> str:
    """Return the board field of a FEN: rows from the top, runs of empty squares as decimal numbers, N or Q.

    A board of one row gets the fields after it too: without them `N3` would be the name of a square.
    Raises `InputError` for a tour, a board with missing squares and a square off the board.
    """
    if isinstance(problem, KnightTour):
        raise InputError("a placement for FEN", "a tour")
    if not isinstance(problem, KnightCover) and problem.n == 0:
        return ""
    board = problem.board
    if board.missing:
        raise InputError("a full board for FEN", str(board))
    _require_on_board(answer, board, "FEN")
    columns: dict[int, set[int]] = {}
    for row, col in answer:
        columns.setdefault(row, set()).add(col)
    piece = PIECES[problem.name][0]
    ranks = "/".join(_rank(sorted(columns.get(row, ())), board.cols, piece) for row in range(board.rows))
    return ranks if board.rows > 1 else ranks + _FIELDS


def _rank(columns: Sequence[int], width: int, piece: str) -> str:
    parts, free = [], 0
    for col in columns:
        parts.append(f"{col - free or ''}{piece}")
        free = col + 1
    return "".join(parts) + str(width - free or "")


def to_tsplib(problem: KnightTour, answer: Answer) -> str:
    """Return a TSPLIB tour file: row-major indices from 1, with the board in the comment.

    Raises `InputError` for a square off the board.
    """
    board = problem.board
    _require_on_board(answer, board, "TSPLIB")
    head = [
        f"NAME : knights-tour-{board.rows}x{board.cols}",
        f"COMMENT : knight's tour of the board {board.rows}x{board.cols}, row-major indices from the top left",
        "TYPE : TOUR",
        f"DIMENSION : {board.size}",
        "TOUR_SECTION",
    ]
    return "\n".join([*head, *(str(board.index(square) + 1) for square in answer), "-1", "EOF"]) + "\n"


def _require_on_board(answer: Answer, board: Board, form: str) -> None:
    for square in answer:
        if square not in board:
            raise InputError(f"squares on the {board} board for {form}", _plain(square))


def _plain(square: Square) -> str:
    return f"({square[0]}, {square[1]})"
