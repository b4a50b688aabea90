"""Texts of whole numbers: which of the number forms they are, for each problem.

A 0/1 matrix is a board, a matrix of other numbers a tour's steps, rows of two are pairs, and a plain list is a
permutation (queens), row-major indices, or pairs one after the other. A size may stand in front.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from problems.board import Board
from problems.errors import InputError, shown
from problems.formats import lists
from problems.formats.candidates import (
    Candidate,
    Question,
    label_order,
    mirrored,
    need_board,
    refuse_coordinates,
    turned_by_labels,
)
from problems.formats.coordinates import Coordinates
from problems.formats.labels import Line, counts, counts_either_way, inner_matrices, without_labels
from problems.formats.layout import Layout, parse_layout
from problems.formats.listings import numbered_pairs
from problems.formats.source import require_few_numbers
from problems.formats.steps import is_path, path_from_steps
from problems.knights import MAX_SQUARES, check_size
from problems.queens import MAX_QUEENS

_SIZE_LINE = re.compile(r"\s{0,9}([1-9][0-9]{0,6})(?:\s{1,9}([1-9][0-9]{0,6}))?\s{0,9}")
_DIGITS = re.compile(r"[0-9]{2,10}")
_BITS = re.compile(r"[01]+")
_SIZE_NOTE = "the first line taken as the size {}"


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the readings of a text that `layout.plain_numbers` let through."""
    refuse_coordinates(question, "numbers", Coordinates.RC, Coordinates.XY, Coordinates.INDEX)
    packed = _packed(text, question)
    if packed is not None:
        return packed
    largest = MAX_QUEENS if question.name == "queens" else MAX_SQUARES
    require_few_numbers(text, 2 * largest + 2)
    layout = parse_layout(text)
    if not layout.flat:
        return [_nothing(text, question)]
    layout, size = _without_size(layout, question)
    if size is not None and _is_number_of_squares(size, layout, question):
        found = _READERS[question.name](layout, question)
        return [
            candidate.noting(f"the first line taken as the number of squares, {size.rows}") for candidate in found
        ]
    sized = question if size is None else replace(question, board=_agreed(size, question))
    found = _READERS[question.name](layout, sized)
    if size is not None:
        return [candidate.noting(_SIZE_NOTE.format(size)) for candidate in found]
    return found + _after_a_size(layout, question)


def _after_a_size(layout: Layout, question: Question) -> list[Candidate]:
    """Return the readings of pairs whose first may be the size of the board, without it: `3 4` is a corner too."""
    board = question.board
    if board is None or layout.nested or layout.width != 2 or layout.height < 3:
        return []
    if layout.flat[:2] != [board.rows, board.cols]:
        return []
    found = _READERS[question.name](layout.without_first_row(), question)
    return [replace(c, unusual=True, option="take out the first line, if it is the size") for c in found]


def _nothing(text: str, question: Question) -> Candidate:
    if not any(bracket in text for bracket in "[({"):
        raise InputError("an answer", f"no numbers: {shown(text[:20])}", where="answer")
    if question.board is None and question.name != "queens":
        raise need_board("an empty list")
    return Candidate("empty list", (), question.board)


def _packed(text: str, question: Question) -> list[Candidate] | None:
    """Return the readings of digits without separators: `2413`, or lines of 0 and 1."""
    if not text[:1].isdigit() or question.coordinates is not None:
        return None
    if question.name == "queens" and _DIGITS.fullmatch(text):
        return lists.queens_from_flat([int(digit) for digit in text], question)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    size = None if _BITS.fullmatch(lines[0][1]) else _SIZE_LINE.fullmatch(lines[0][1])
    numbers, rows = zip(*(lines if size is None else lines[1:] or lines), strict=True)
    if question.name == "tour" or not all(map(_BITS.fullmatch, rows)) or not _are_packed(rows, question):
        return None
    if question.name != "queens":
        check_size(Board(len(rows), len(rows[0])))
    layout = Layout(list(map(int, "".join(rows))), list(map(len, rows)), lines=numbers)
    if size is None:
        return [_bits(layout, question)]
    board = _agreed(_size(tuple(int(side) for side in size.groups() if side)), question)
    return [_bits(layout, replace(question, board=board)).noting(_SIZE_NOTE.format(board))]


def _are_packed(rows: Sequence[str], question: Question) -> bool:
    """Whether lines of 0 and 1 are rows of cells: numbers such as 10 and 11 look the same."""
    board = question.board
    if len(rows[0]) < 2:
        return False
    if board is not None and (board.rows, board.cols) == (len(rows), len(rows[0])):
        return True
    if any(row[0] == "0" and len(row) > 1 for row in rows):
        return len(rows) > 1 or board is not None
    return board is None and len(rows) > 1 and len(set(map(len, rows))) == 1


def _bits(layout: Layout, question: Question) -> Candidate:
    return lists.marked_cells(layout.flat, _shape(layout, question), "0/1 matrix")


def _shape(layout: Layout, question: Question) -> Board:
    """Return the board of a matrix; `InputError` for torn rows and for another size than was asked for."""
    width = layout.require_width()
    return agreed_board(Board(layout.height, width), question)


def agreed_board(board: Board, question: Question) -> Board:
    """Return the board of a drawing; `InputError` if another one was given or queens stand on no square one."""
    given = question.board
    if question.name != "queens":
        check_size(board)
    if given is not None:
        same_holes = board.missing == given.missing or not (board.missing and given.missing)
        if (given.rows, given.cols) != (board.rows, board.cols) or not same_holes:
            raise InputError(f"a board of {given}", f"one of {board}", where="answer")
        return board if board.missing else given
    if question.name == "queens" and not board.is_square:
        raise InputError("as many rows as columns for queens", f"{board}", where="answer")
    return board


def _without_size(layout: Layout, question: Question) -> tuple[Layout, Board | None]:
    """Take a leading size from the layout: `8` or `8 8` on its own line, or before pairs."""
    if layout.lead:
        return replace(layout, lead=()), _size(layout.lead)
    if layout.nested or layout.height < 2 or layout.widths[0] > 2:
        return layout, None
    first, rest = layout.flat[: layout.widths[0]], layout.without_first_row()
    if min(first) < 1 or rest.width == len(first) == 1:
        return layout, None
    if len(first) == 2 and rest.width == 2 and not _heads_pairs(first, rest, question):
        return layout, None
    if rest.width is None and (2 in rest.widths if len(first) == 2 else question.name == "tour"):
        return layout, None
    return rest, _size(tuple(first))


def _heads_pairs(first: list[int], rest: Layout, question: Question) -> bool:
    """Whether the first of many pairs is a board's size: all others lie on that board."""
    rows, cols = first
    inside = min(rest.flat) >= 0 and max(rest.flat[0::2]) < rows and max(rest.flat[1::2]) < cols
    known = question.board is not None and [question.board.rows, question.board.cols] == first
    counted = question.name == "queens" and rows == cols == rest.height
    return inside and (known or counted or (question.board is None and question.name == "knights"))


def _is_number_of_squares(size: Board, layout: Layout, question: Question) -> bool:
    """Whether a single leading number counts the squares after it; `AmbiguousInput` if it may be the side too."""
    if question.name == "queens" or size.rows != size.cols:
        return False
    are_pairs = layout.height == size.rows and (layout.width == 2 or numbered_pairs(layout) is not None)
    if not are_pairs and not (1 in (layout.height, layout.width) and len(layout.flat) == size.rows):
        return False
    if question.board is None:
        what = "pairs" if are_pairs else "numbers"
        raise need_board(f"{size.rows} {what} after the number {size.rows}")
    return question.board.rows != size.rows or question.board.cols != size.cols


def _size(numbers: tuple[int, ...]) -> Board:
    return Board(numbers[0], numbers[-1])


def _agreed(size: Board, question: Question) -> Board:
    if question.board is not None and (question.board.rows, question.board.cols) != (size.rows, size.cols):
        raise InputError(f"a board of {question.board}", f"the size {size} in the first line", where="answer")
    if question.name == "queens" and not size.is_square:
        raise InputError("a square board for queens", f"the size {size} in the first line", where="answer")
    return question.board or size


def _queens(layout: Layout, question: Question) -> list[Candidate]:
    height, width, flat = layout.height, layout.width, layout.flat
    if height == 1 or width == 1:
        return lists.queens_from_flat(flat, question)
    if question.coordinates is not None:
        return lists.queens_from_flat(flat, question)
    if numbered := _numbered(layout, question):
        return numbered
    if set(flat) <= {0, 1} and (width == height or width != 2):
        return [_bits(layout, question)]
    if width == 2:
        return lists.pairs(flat, question)
    if labelled := _labelled_bits(layout, question):
        return labelled
    if layout.nested:
        layout.require_width()
    if lists.is_permutation(flat, 0) or lists.is_permutation(flat, 1):
        return lists.queens_from_flat(flat, question)
    layout.require_width()
    raise InputError(
        "one list of columns, pairs or a 0/1 matrix", f"{height} rows of {width} numbers", where="answer"
    )


def _knights(layout: Layout, question: Question) -> list[Candidate]:
    height, width, flat = layout.height, layout.width, layout.flat
    bits = set(flat) <= {0, 1}
    if numbered := _numbered(layout, question):
        return numbered + [c for c in _knight_lists(layout, question) if _is_plausible(c)]
    if question.coordinates is None and bits and (height > 1 or layout.nested) and width not in (None, 2):
        return [_bits(layout, question)]
    if labelled := [] if bits else _labelled_bits(layout, question):
        return labelled + [c for c in _knight_lists(layout, question) if _is_plausible(c)]
    return _knight_lists(layout, question)


def _is_plausible(candidate: Candidate) -> bool:
    """Whether a list beside a labelled matrix may be meant: its squares differ and lie on the board."""
    squares, board = candidate.squares, candidate.board
    return board is not None and len(set(squares)) == len(squares) and all(square in board for square in squares)


def _knight_lists(layout: Layout, question: Question) -> list[Candidate]:
    height, width, flat = layout.height, layout.width, layout.flat
    board, bits = question.board, set(flat) <= {0, 1}
    if question.order is Coordinates.INDEX or height == 1 or width == 1:
        return lists.knights_from_flat(flat, question)
    if width == 2:
        found: list[Candidate] = []
        if bits and question.coordinates is None and (board is None or (board.rows, board.cols) == (height, 2)):
            found.append(_bits(layout, question))
        if board is not None or not found:
            found += lists.pairs(flat, question)
        return found
    if bits:
        layout.require_width()
    if question.coordinates is None and board is None:
        layout.require_width()
        raise need_board(f"{height} rows of numbers that are not all 0 or 1")
    return lists.knights_from_flat(flat, question)


def _tour(layout: Layout, question: Question) -> list[Candidate]:
    height, width, flat = layout.height, layout.width, layout.flat
    board = question.board
    if question.order is not Coordinates.INDEX and (numbered := _numbered(layout, question)):
        return numbered
    if question.order is Coordinates.INDEX:
        return lists.path_from_flat(flat, question)
    if question.coordinates is not None:
        return lists.pairs(flat, question)
    counts = _counts(flat)
    if width == 2 and (height > 1 or layout.nested) and not counts:
        return lists.pairs(flat, question)
    if height == 1 and (not layout.nested or board is not None):
        return _one_row(layout, question)
    if width == 1 and (board is None or board.cols > 1) and height > 1:
        return _one_row(Layout(flat, [len(flat)]), question)
    if board is not None and board.rows * board.cols == len(flat) and width != board.cols:
        raise InputError(
            f"a step matrix of {board}",
            f"{height} rows of {'unequal length' if width is None else width}",
            where="answer",
            hint="for a list of row-major indices say --coordinates index",
        )
    if width is None and counts:
        layout.require_width()
    if labelled := [] if counts else _labelled(layout, question, _counts):
        return _as_labelled([path_from_steps(rows).noting(note) for rows, note in labelled], layout, question)
    shape = _shape(layout, question)
    found = [path_from_steps(layout.rows)]
    if counts and shape.rows > 1 and not layout.nested:
        # The lines may be those of a long list: worth a word only if that makes a path.
        paths = [c for c in lists.indices(flat, question, shape) if is_path(c.squares)]
        if paths:
            return [replace(found[0], option="write the matrix in brackets, [[..], [..]]"), *paths]
    return found


def _numbered(layout: Layout, question: Question) -> list[Candidate]:
    """Return the readings of rows such as `step row col`; none for the matrix of a board that was given."""
    board = question.board
    if board is not None and (board.rows, board.cols) == (layout.height, layout.width):
        return []
    found = numbered_pairs(layout)
    if found is None or _counts(layout.flat):
        return []
    values, note = found
    if question.name == "queens" and (max(values) > layout.height or 2 * len(set(values[1::2])) <= layout.height):
        return []  # the third column may be something else, such as a diagonal or the queens attacked
    if question.name == "knights" and layout.flat[0::3] != sorted(layout.flat[0::3]):
        return []
    return lists.pairs(values, question, note=note)


def _counts(numbers: Sequence[int]) -> bool:
    return lists.is_permutation(numbers, 0) or lists.is_permutation(numbers, 1)


def _one_row(layout: Layout, question: Question) -> list[Candidate]:
    """Return the readings of one row of numbers: a list of squares, or the steps of a whole board in one row."""
    flat, board = layout.flat, question.board
    if (board is None and layout.nested) or (board is not None and board.rows == 1 and board.cols == len(flat)):
        return [path_from_steps([flat])]
    found = lists.path_from_flat(flat, question)
    if board is not None and len(flat) == board.rows * board.cols:
        matrix = [flat[start : start + board.cols] for start in range(0, len(flat), board.cols)]
        steps = path_from_steps(matrix, "step matrix in one row")
        found.append(replace(steps, option="write each row of the matrix on its own line"))
    return found


def _labelled_bits(layout: Layout, question: Question) -> list[Candidate]:
    """Return the readings of a 0/1 matrix whose labels make it another matrix."""
    if question.coordinates is not None:
        return []
    bits = _labelled(layout, question, lambda cells: set(cells) <= {0, 1})
    found = [
        lists.marked_cells(
            [bit for row in rows for bit in row], question.board or Board(len(rows), len(rows[0])), "0/1 matrix"
        ).noting(note)
        for rows, note in bits
    ]
    return _as_labelled(found, layout, question)


def _as_labelled(found: list[Candidate], layout: Layout, question: Question) -> list[Candidate]:
    """Return the readings, and upside down too where the labels beside the rows ask for it."""
    if not found or not question.fixes_squares:
        return found
    board = found[0].board
    assert board is not None
    rows = [row for row in layout.rows if len(row) > board.cols][-board.rows :]
    orders = [label_order([row[edge] for row in rows]) for edge in (0, -1)]
    found = found + turned_by_labels(found, orders[0] or orders[1], question)
    heads = [tuple(map(str, row))[-board.cols :] for row in (layout.rows[0], layout.rows[-1])]
    taken = [head for head in heads if layout.height > board.rows and len(head) == board.cols > 1]
    if any(counts_either_way(head) and not counts(head) for head in taken):
        found = found + mirrored(found)
    return found


def _labelled(
    layout: Layout, question: Question, is_whole: Callable[[list[int]], bool]
) -> list[tuple[list[list[int]], str]]:
    """Return what is left of a matrix without labels where that is whole and of the board's size, with a note."""
    board = question.board
    if layout.nested or layout.height < 2 or (layout.width or 2) < 2:
        return []
    if board is not None and (board.rows, board.cols) == (layout.height, layout.width):
        return []
    if len(layout.flat) > MAX_SQUARES + 4 * (layout.height + layout.widths[0]):
        return []
    found: list[tuple[list[list[int]], str]] = []
    for rows in _inner(layout):
        height, width = len(rows), len(rows[0])
        fits = min(height, width) >= 2 if board is None else (height, width) == (board.rows, board.cols)
        fits = fits and (question.name != "queens" or height == width)
        if fits and is_whole([number for row in rows for number in row]):
            note = f"labels around the {height}x{width} matrix left out: they count"
            if all(rows != other for other, _ in found):
                found.append((rows, note))
    return found


def _inner(layout: Layout) -> Iterator[list[list[int]]]:
    """Yield what is left of a matrix without lines and columns that count."""
    rows = layout.rows
    if layout.width is None:
        lines = [Line(0, "", tuple(map(str, row))) for row in rows]
        left = [list(map(int, line.cells)) for line in without_labels(lines, frozenset())]
        if left != rows and left[0] and len(set(map(len, left))) == 1:
            yield left
        return
    for rest in (rows, rows[1:], rows[:-1]):
        edges = [rest[0], rest[-1], [row[0] for row in rest], [row[-1] for row in rest]]
        if any(counts_either_way(tuple(map(str, edge))) for edge in edges):
            break
    else:
        return
    for inner, _ in inner_matrices([tuple(map(str, row)) for row in rows]):
        yield [list(map(int, row)) for row in inner.rows]


_READERS = {"queens": _queens, "knights": _knights, "tour": _tour}
