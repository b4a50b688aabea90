"""Short texts on the command line: the size of a board, a square."""

from __future__ import annotations

import re

from problems.board import MAX_SIDE, Board, Square
from problems.errors import InputError, shown

_SIZE = re.compile(r"([0-9]+)(?:\s*[x×*]\s*([0-9]+))?", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z]{1,6}[0-9]{1,8}")
_PAIR = re.compile(r"(-?[0-9]{1,8})\s{0,9}[,;\s]\s{0,9}(-?[0-9]{1,8})")
_MAX_DIGITS = len(str(MAX_SIDE))


def parse_board(text: str, where: str = "board size") -> Board:
    """Return the board of a text such as `8x8`, `3X10` or `8` (a square board); rows come first.

    Raises `InputError` for anything else, and for sides outside 1..MAX_SIDE.
    """
    rows, cols = _sides(text, where)
    return Board(rows, cols)


def parse_instance(text: str, problem_name: str) -> Board | int:
    """Return what an instance on the command line stands for: n for queens (0 included), else a board.

    `8x8` and `8` mean the same. Raises `InputError` for non-numbers, 0x0, negative and huge sizes, and for
    queens on a board that is not square.
    """
    rows, cols = _sides(text, "board size")
    if problem_name != "queens":
        return Board(rows, cols)
    if rows == cols == 0 and text.strip() == "0":
        return 0
    if not Board(rows, cols).is_square:
        raise InputError("a square board for queens", f"{rows}x{cols}", where="board size")
    return rows


def _sides(text: str, where: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise InputError("a board size such as 8x8, 3x10 or 8", shown(text), where=where)
    if max(len(part.lstrip("0")) for part in match.groups(default="")) > _MAX_DIGITS:
        raise InputError(f"at most {MAX_SIDE} rows and columns", shown(text), where=where)
    rows = int(match[1])
    return rows, rows if match[2] is None else int(match[2])


def parse_square(text: str, board: Board, where: str = "square") -> Square:
    """Return the square on `board` that a text names: `a1`, or row and column as `0,1` or `(0, 1)`, 0-based.

    Raises `InputError`, with `where` in it, for texts of another form and for squares off the board.
    """
    name = text.strip()
    pair = _PAIR.fullmatch(name.strip("()[] "))
    if _NAME.fullmatch(name):
        square = board.square_named(name)
    elif pair is not None:
        square = (int(pair[1]), int(pair[2]))
    else:
        raise InputError("a square such as a1, or row,col such as 0,1", shown(text), where=where)
    if square not in board:
        raise InputError(f"a square on the {board} board", shown(name), where=where)
    return square
