"""Square names such as a1, in any case and with any separators: letters from the left, numbers from the bottom."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from problems.board import Board, column_number
from problems.errors import InputError, shown
from problems.formats.candidates import (
    Candidate,
    Question,
    need_board,
    queens_board,
    refuse_coordinates,
)
from problems.formats.coordinates import Coordinates
from problems.formats.lists import bounding_board

_LETTER_AND_DIGIT = re.compile(r"[A-Za-z][0-9]")
# The bound on letters keeps the search linear in a text of letters only.
_NAME = re.compile(r"([A-Za-z]{1,7})([0-9]+)")
_SIZE = re.compile(r"\s*([0-9]{1,8})(?:\s{1,9}([0-9]{1,8}))?(?=[\s,;:])")
_BETWEEN = re.compile(r"[\s,;:.>\-→|/'\"()\[\]{}]*")
_MOVE_NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,7}[.):](?=[\sA-Za-z])")
_PIECE = re.compile(r"[NQ][a-z]+")
_MAX_NAMES = 5_000_000
_MAX_LETTERS = 6
_MAX_DIGITS = 8


def looks_like_names(text: str) -> bool:
    """Whether the text holds names and nothing but separators, move numbers and a leading size beside them."""
    if _LETTER_AND_DIGIT.search(text) is None:
        return False
    _, rest = _leading_size(text)
    beside = _NAME.sub("", rest)
    if _BETWEEN.fullmatch(beside):
        return True
    return bool(_BETWEEN.fullmatch(_NAME.sub("", _MOVE_NUMBER.sub(" ", rest))))


def _leading_size(text: str) -> tuple[tuple[int, int] | None, str]:
    match = _SIZE.match(text)
    if match is None or _MOVE_NUMBER.match(text.lstrip()):
        return None, text
    return (int(match[1]), int(match[2] or match[1])), text[match.end() :]


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the reading of names on the given board, or on the one they (queens: their number) make up."""
    refuse_coordinates(question, "square names", Coordinates.NAMES)
    size, rest = _leading_size(text)
    if len(rest) > 2 * _MAX_NAMES and sum(1 for _ in islice(_NAME.finditer(rest), _MAX_NAMES + 1)) > _MAX_NAMES:
        raise InputError(f"at most {_MAX_NAMES} square names", "more", where="answer")
    found = _NAME.findall(rest)
    if all(letters[0] in "NQ" and _PIECE.fullmatch(letters) for letters, _ in found):
        found = [(letters[1:], digits) for letters, digits in found]
    for letters, digits in found:
        if len(letters) > _MAX_LETTERS or len(digits) > _MAX_DIGITS:
            raise InputError("square names such as a1", shown(letters + digits), where="answer")
    column = cache(column_number)
    cols = [column(letters) for letters, _ in found]
    ranks = [int(digits) for _, digits in found]
    board, notes = _board(size, max(ranks), max(cols) + 1, len(found), question)
    height = board.rows
    squares = tuple((height - rank, col) for rank, col in zip(ranks, cols, strict=True))
    return [Candidate("square names", squares, board, "--coordinates names", notes=notes)]


def _board(
    size: tuple[int, int] | None, rows: int, cols: int, count: int, question: Question
) -> tuple[Board, tuple[str, ...]]:
    given = question.board
    if size is not None and given is not None and size != (given.rows, given.cols):
        raise InputError(f"a board of {given}", f"the size {size[0]}x{size[1]} in front", where="answer")
    if given is not None:
        return given, ()
    if size is not None:
        board = Board(*size)
        if question.name == "queens" and not board.is_square:
            raise InputError("a square board for queens", f"the size {board} in front", where="answer")
        return board, (f"the first number taken as the size {board}",)
    if question.name == "queens":
        side, notes = queens_board(count, max(rows, cols), question)
        return side or Board(1, 1), notes
    if question.name == "knights":
        raise need_board("a list of square names")
    board = bounding_board(rows, cols)
    return board, (f"board {board} taken from the squares; --board says otherwise",)
