"""Texts of whole numbers: which of the number forms they are, for each problem.

A 0/1 matrix is a board, a matrix of other numbers a tour's steps, rows of two are pairs, and a plain list is a
permutation (queens), row-major indices, or pairs one after the other. A size may stand in front.
"""

from __future__ import annotations

import re
from dataclasses import replace

from problems.board import Board
from problems.errors import InputError, shown
from problems.formats import lists
from problems.formats.candidates import Candidate, Coordinates, Question, need_board, refuse_coordinates
from problems.formats.layout import Layout, parse_layout
from problems.formats.steps import path_from_steps

_DIGITS = re.compile(r"[0-9]{2,10}")
_LINES_OF_BITS = re.compile(r"[01]{2,}(?:\n[01]+)*")


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the readings of a text that `layout.plain_numbers` let through."""
    refuse = [c for c in Coordinates if c is not Coordinates.NAMES]
    refuse_coordinates(question, "numbers", *refuse)
    packed = _packed(text, question)
    if packed is not None:
        return packed
    layout = parse_layout(text)
    if not layout.rows:
        return [_nothing(question)]
    layout, size = _without_size(layout, question)
    sized = question if size is None else replace(question, board=_agreed(size, question))
    found = _READERS[question.name](layout, sized)
    if size is not None:
        return [candidate.noting(f"the first line taken as the size {size}") for candidate in found]
    return found


def _nothing(question: Question) -> Candidate:
    if question.board is None and question.name != "queens":
        raise need_board("an empty list")
    return Candidate("empty list", (), question.board)


def _packed(text: str, question: Question) -> list[Candidate] | None:
    """Return the readings of digits without separators: `2413`, or lines of 0 and 1."""
    body = "\n".join(line.strip() for line in text.split("\n")) if text[:1].isdigit() and len(text) < 10**7 else ""
    if question.name == "queens" and _DIGITS.fullmatch(body):
        return lists.queens_from_flat([int(digit) for digit in body], question)
    if question.name == "tour" or not _LINES_OF_BITS.fullmatch(body):
        return None
    lines = body.split("\n")
    if len(lines) == 1 and (question.board is None or question.board.cols != len(body)):
        return None
    return [
        _bits(
            Layout([[int(bit) for bit in line] for line in lines], lines=tuple(range(1, len(lines) + 1))), question
        )
    ]


def _bits(layout: Layout, question: Question) -> Candidate:
    board = _shape(layout, question)
    return lists.marked_cells(layout.rows, board, "0/1 matrix")


def _shape(layout: Layout, question: Question) -> Board:
    """Return the board of a matrix; `InputError` for torn rows and for another size than was asked for."""
    width = layout.require_width()
    return agreed_board(Board(len(layout.rows), width), question)


def agreed_board(board: Board, question: Question) -> Board:
    """Return the board of a drawing; `InputError` if another one was given or queens stand on no square one."""
    if question.board is not None:
        if (question.board.rows, question.board.cols) != (board.rows, board.cols):
            raise InputError(f"a board of {question.board}", f"one of {board}", where="answer")
        return question.board
    if question.name == "queens" and not board.is_square:
        raise InputError("as many rows as columns for queens", f"{board}", where="answer")
    return board


def _without_size(layout: Layout, question: Question) -> tuple[Layout, Board | None]:
    """Take a leading size from the layout: `8` or `8 8` on its own line, or before pairs."""
    if layout.lead:
        return replace(layout, lead=()), _size(layout.lead)
    first, rest = layout.rows[0], layout.rows[1:]
    if layout.nested or not rest or len(first) > 2:
        return layout, None
    widths = set(map(len, rest))
    if len(first) == 1 and widths == {1}:
        return layout, None
    if len(first) == 2 and widths == {2} and not _heads_pairs(first, rest, question):
        return layout, None
    if len(first) == 2 and len(widths) > 1 and 2 in widths:
        return layout, None
    if min(first) < 1 or (len(first) == 1 and len(widths) > 1 and question.name == "tour"):
        return layout, None
    return Layout(rest, lines=layout.lines[1:]), _size(tuple(first))


def _heads_pairs(first: list[int], rest: list[list[int]], question: Question) -> bool:
    """Whether the first of many pairs is a board's size: all others lie on that board."""
    rows, cols = first
    inside = all(0 <= a < rows and 0 <= b < cols for a, b in rest)
    known = question.board is not None and [question.board.rows, question.board.cols] == first
    counted = question.name == "queens" and rows == cols == len(rest)
    return inside and (known or counted or (question.board is None and question.name == "knights"))


def _size(numbers: tuple[int, ...]) -> Board:
    return Board(numbers[0], numbers[-1])


def _agreed(size: Board, question: Question) -> Board:
    if question.board is not None and (question.board.rows, question.board.cols) != (size.rows, size.cols):
        raise InputError(f"a board of {question.board}", f"the size {size} in the first line", where="answer")
    if question.name == "queens" and not size.is_square:
        raise InputError("a square board for queens", f"the size {size} in the first line", where="answer")
    return question.board or size


def _queens(layout: Layout, question: Question) -> list[Candidate]:
    rows = layout.rows
    width = layout.width
    flat = layout.flat
    if len(rows) == 1 or width == 1:
        return lists.queens_from_flat(flat, question)
    if question.coordinates is Coordinates.INDEX:
        return lists.queens_from_flat(flat, question)
    if set(flat) <= {0, 1} and (width == len(rows) or width != 2):
        return [_bits(layout, question)]
    if width == 2:
        return lists.pairs(lists.as_pairs(flat), question)
    if question.coordinates is not None or lists.is_permutation(flat, 0) or lists.is_permutation(flat, 1):
        return lists.queens_from_flat(flat, question)
    layout.require_width()
    raise InputError(
        "one list of columns, pairs or a 0/1 matrix", f"{len(rows)} rows of {width} numbers", where="answer"
    )


def _knights(layout: Layout, question: Question) -> list[Candidate]:
    rows, width, flat = layout.rows, layout.width, layout.flat
    board = question.board
    bits = set(flat) <= {0, 1}
    if question.coordinates is None and bits and (len(rows) > 1 or layout.nested) and width not in (None, 2):
        return [_bits(layout, question)]
    if question.coordinates is Coordinates.INDEX or len(rows) == 1 or width == 1:
        return lists.knights_from_flat(flat, question)
    if width == 2:
        found: list[Candidate] = []
        if bits and question.coordinates is None and (board is None or (board.rows, board.cols) == (len(rows), 2)):
            found.append(_bits(layout, question))
        if board is not None or not found:
            found += lists.pairs(lists.as_pairs(flat), question)
        return found
    if bits:
        layout.require_width()
    if question.coordinates is None and board is None:
        layout.require_width()
        raise need_board(f"{len(rows)} rows of numbers that are not all 0 or 1")
    return lists.knights_from_flat(flat, question)


def _tour(layout: Layout, question: Question) -> list[Candidate]:
    rows, width, flat = layout.rows, layout.width, layout.flat
    board = question.board
    if question.coordinates is Coordinates.INDEX:
        return lists.path_from_flat(flat, question)
    if question.coordinates is not None:
        return lists.pairs(lists.as_pairs(flat), question)
    counts = lists.is_permutation(flat, 0) or lists.is_permutation(flat, 1)
    if width == 2 and (len(rows) > 1 or layout.nested) and not counts:
        return lists.pairs(lists.as_pairs(flat), question)
    if len(rows) == 1 and (not layout.nested or board is not None):
        return _one_row(layout, question)
    if width == 1 and (board is None or board.cols > 1) and len(rows) > 1:
        return _one_row(Layout([flat]), question)
    if board is not None and board.rows * board.cols == len(flat) and width != board.cols:
        raise InputError(
            f"a step matrix of {board}",
            f"{len(rows)} rows of {'unequal length' if width is None else width}",
            where="answer",
            hint="for a list of row-major indices say --coordinates index",
        )
    if width is None and counts:
        layout.require_width()
    _shape(layout, question)
    return [path_from_steps(rows)]


def _one_row(layout: Layout, question: Question) -> list[Candidate]:
    """Return the readings of one row of numbers: a list of squares, or the steps of a whole board in one row."""
    flat, board = layout.flat, question.board
    found: list[Candidate] = []
    if board is None and layout.nested:
        return [path_from_steps([flat])]
    found = lists.path_from_flat(flat, question)
    if board is not None and len(flat) == board.rows * board.cols:
        matrix = [flat[start : start + board.cols] for start in range(0, len(flat), board.cols)]
        steps = path_from_steps(matrix, "step matrix in one row")
        found.append(replace(steps, option="one line a row of the board for it"))
    return found


_READERS = {"queens": _queens, "knights": _knights, "tour": _tour}


def unreadable(text: str, question: Question) -> InputError:
    """Return the error for a text of numbers that is no form of this problem."""
    return InputError(f"an answer for {question.name}", shown(text[:60]), where="answer")
