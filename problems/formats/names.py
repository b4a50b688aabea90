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
from problems.formats.moves import are_moves, path_of_moves

_LETTER_AND_DIGIT = re.compile(r"[A-Za-z][0-9]")
# The bound on letters keeps the search linear in a text of letters only.
_NAME = re.compile(r"([A-Za-z]{1,7})([0-9]+)")
_SIZE = re.compile(r"\s*([0-9]{1,8})(?:\s{1,9}([0-9]{1,8}))?(?=[\s,;:])")
_BETWEEN = re.compile(r"[\s,;:.>\-→|/'\"()\[\]{}]*")
_MOVE_NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,7}[.):](?=[\sA-Za-z])")
_PIECES = {"knights": "NK", "queens": "Q", "tour": "NK"}
_PIECE = re.compile(r"[A-Z][a-z]+")
_MOVE = re.compile(r"([A-Za-z]{1,7}[0-9]+)(?:->|→|[-x:])([A-Za-z]{1,7}[0-9]+)[+#]?")
_BULLET = re.compile(r"^[ \t]*[*•+][ \t]+", re.MULTILINE)
_PART = re.compile(r"[\n;,]")
_MAX_NAMES = 5_000_000
_MAX_MOVES = 1_000_000
_COMMAS = str.maketrans(",;", "  ")
_MAX_LETTERS = 6
_LAST_ONE_LETTER_COLUMN = 26
_MAX_DIGITS = 8


def looks_like_names(text: str) -> bool:
    """Whether the text holds names and nothing but separators, move numbers and a leading size beside them."""
    if _LETTER_AND_DIGIT.search(text) is None:
        return False
    _, rest = _leading_size(text)
    rest = _BULLET.sub("", rest)
    beside = _NAME.sub("", rest)
    if _BETWEEN.fullmatch(beside):
        return True
    return bool(_BETWEEN.fullmatch(_NAME.sub("", _MOVE_NUMBER.sub(" ", rest))))


def _leading_size(text: str) -> tuple[tuple[int, ...] | None, str]:
    match = _SIZE.match(text)
    if match is None or _MOVE_NUMBER.match(text.lstrip()):
        return None, text
    return tuple(int(side) for side in match.groups() if side), text[match.end() :]


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the readings of names on the given board, or on the one they (queens: their number) make up.

    Raises `InputError` for pieces of another problem, and for moves that do not follow each other.
    """
    refuse_coordinates(question, "square names", Coordinates.NAMES)
    size, rest = _leading_size(text)
    if len(rest) > 2 * _MAX_NAMES and sum(1 for _ in islice(_NAME.finditer(rest), _MAX_NAMES + 1)) > _MAX_NAMES:
        raise InputError(f"at most {_MAX_NAMES} square names", "more", where="answer")
    moves, notes = _moves(rest, question)
    readings = _without_pieces(moves or _NAME.findall(rest), question)
    return [_on_a_board(found, size, question, notes) for found in readings]


Name = tuple[str, str]


def _moves(text: str, question: Question) -> tuple[list[Name], tuple[str, ...]]:
    """Return the squares of a list of moves such as `a1-b3 b3-c5`, with a note; none for other texts."""
    words = _MOVE_NUMBER.sub(" ", text).translate(_COMMAS).split() if len(text) <= _MAX_MOVES else []
    found = [_MOVE.fullmatch(word) for word in words]
    moves = [(move[1], move[2]) for move in found if move]
    if len(moves) < max(2, len(words)):
        moves = _two_by_two(text) if words else []
        if not are_moves(moves, _bare):
            return [], ()
    if question.name != "tour":
        shown_moves = shown(" ".join("-".join(move) for move in moves[:3]))
        raise InputError(f"squares for {question.name}", f"moves: {shown_moves}", where="answer")
    squares, notes = path_of_moves(moves, _bare)
    return [_NAME.findall(square)[0] for square in squares], notes


def _two_by_two(text: str) -> list[tuple[str, str]]:
    """Return the names of a text each part or word of which has two, such as `a1 -> b3; b3 -> c5`, `a1b3 b3c5`."""
    for parts in (_PART.split(text), text.split()):
        found = [_NAME.findall(part) for part in parts]
        pairs = [("".join(names[0]), "".join(names[1])) for names in found if len(names) == 2]
        if len(pairs) == sum(1 for names in found if names) > 1:
            return pairs
    return []


def _bare(name: str) -> str:
    return (name[1:] if _PIECE.match(name) else name).lower()


def _without_pieces(found: list[Name], question: Question) -> list[list[Name]]:
    """Return the names without letters of pieces: a capital before a small letter is one wherever it stands.

    Where all names begin with the piece's letter in one case, it may also be part of a column such as NA.
    """
    pieces = _PIECES[question.name]
    for letters, digits in found:
        if _PIECE.fullmatch(letters) and letters[0] not in pieces:
            expected = f"square names such as a1 (or {pieces[0]}a1)"
            raise InputError(expected, shown(letters + digits), where="answer")
    bare = [(letters[1:] if _PIECE.fullmatch(letters) else letters, digits) for letters, digits in found]
    if all(len(letters) > 1 and letters[0].upper() == pieces[0] for letters, _ in bare):
        without = [(letters[1:], digits) for letters, digits in bare]
        narrow = question.board is not None and question.board.cols <= _LAST_ONE_LETTER_COLUMN
        return [without] if narrow else [without, bare]
    return [bare]


def _on_a_board(
    found: list[Name], size: tuple[int, ...] | None, question: Question, notes: tuple[str, ...]
) -> Candidate:
    for letters, digits in found:
        if len(letters) > _MAX_LETTERS or len(digits) > _MAX_DIGITS:
            raise InputError("square names such as a1", shown(letters + digits), where="answer")
    column = cache(column_number)
    cols = [column(letters) for letters, _ in found]
    ranks = [int(digits) for _, digits in found]
    board, more = _board(size, max(ranks), max(cols) + 1, len(found), question)
    height = board.rows
    squares = tuple((height - rank, col) for rank, col in zip(ranks, cols, strict=True))
    option = "--coordinates names" if question.board is not None else f"--board {board}"
    return Candidate("square names", squares, board, option, notes=notes + more)


def _board(
    numbers: tuple[int, ...] | None, rows: int, cols: int, count: int, question: Question
) -> tuple[Board, tuple[str, ...]]:
    given = question.board
    size = None if numbers is None else (numbers[0], numbers[-1])
    if numbers == (count,) and question.name != "queens" and (given is None or size != (given.rows, given.cols)):
        note = f"the first number taken as the number of squares, {count}"
        if given is None and question.name == "knights":
            raise need_board(f"{count} square names after the number {count}")
        board = given or bounding_board(rows, cols)
        return board, (
            note,
            *(() if given else (f"board {board} taken from the squares; --board says otherwise",)),
        )
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
