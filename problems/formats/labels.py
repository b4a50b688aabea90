"""Labels of a drawing: numbers or letters that count, beside the rows and above or below the columns.

Among symbols, whatever counts is a label. Among numbers it takes more: a line of labels is one or two cells
shorter than the others, which have labels too; without such a line, the first or last column and line are labels
only if what remains is a 0/1 matrix or holds every step once, and the whole is neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from problems.board import column_number

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
"""A cell that is a number; a number with leading zeros is no single cell."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a drawing: its number in the text (1-based), its text, its cells."""

    number: int
    text: str
    cells: tuple[str, ...] = ()

    def holding(self, cells: tuple[str, ...]) -> Line:
        """Return this line with other cells."""
        return Line(self.number, self.text, cells)


def counts(cells: Sequence[str]) -> bool:
    """Whether the cells are labels: numbers from 0 or 1 (their last digits suffice), or letters from a."""
    if len(cells) == 1 and cells[0].isdigit() and len(cells[0]) > 1:
        cells = tuple(cells[0])
    if not cells:
        return False
    if cells[0] in ("a", "A"):
        return all(_is_letter(cell, place) for place, cell in enumerate(cells))
    if cells[0] not in ("0", "1") or not all(INTEGER.fullmatch(cell) for cell in cells):
        return False
    first = int(cells[0])
    return all(int(cell) in (first + place, (first + place) % 10) for place, cell in enumerate(cells))


def _is_letter(cell: str, place: int) -> bool:
    if not (cell.isascii() and cell.isalpha() and len(cell) <= 4):
        return False
    return column_number(cell) == place or (len(cell) == 1 and column_number(cell) == place % 26)


def counts_either_way(cells: Sequence[str]) -> bool:
    """Whether the cells are labels in their order or in the other one."""
    return counts(cells) or counts(cells[::-1])


def without_labels(lines: list[Line], blanks: frozenset[str]) -> list[Line]:
    """Return the lines without labels; `blanks` are symbols that stand among numbers for a missing one."""
    lines, width = _without_head(
        lines, lambda line: not {"a", "A"}.isdisjoint((line.cells[0][:1], line.cells[-1][-1:]))
    )
    numeric = all(cell in blanks or INTEGER.fullmatch(cell) for line in lines for cell in line.cells)
    if not numeric:
        lines, more = _without_head(lines, lambda line: True)
        width = width or more
    elif width is None:
        lines, width = _without_short_head(lines)
    if width is not None:
        return _cut_to(width, lines)
    if len(lines) < 2:
        return lines
    if numeric:
        return _unlabelled_numbers(lines)
    for edge in (0, -1):
        column = tuple(line.cells[edge] for line in lines if len(line.cells) > 1)
        if len(column) == len(lines) and counts_either_way(column):
            lines = [_without_edge(line, edge) for line in lines]
    return lines


def _unlabelled_numbers(lines: list[Line]) -> list[Line]:
    """Return numbers without a first or last row or column that counts, where the rest is whole without it."""
    if _is_whole((), lines):
        return lines
    for rest, labels in inner_matrices([line.cells for line in lines]):
        kept = [line.holding(tuple(cells)) for line, cells in zip(lines[rest.first :], rest.rows, strict=False)]
        if _is_whole(labels, kept):
            return kept
    return lines


@dataclass(frozen=True, slots=True)
class Inner:
    """What is left of a matrix without labels: its rows, and which row of the matrix is the first of them."""

    rows: Sequence[Sequence[str]]
    first: int


def inner_matrices(rows: Sequence[Sequence[str]]) -> Iterator[tuple[Inner, tuple[str, ...]]]:
    """Yield what is left without a counting first or last column, row, or both, and the labels taken off."""
    if len(rows) < 2 or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return
    columns = [edge for edge in (0, -1) if counts_either_way([row[edge] for row in rows])]
    heads = [edge for edge in (0, -1) if counts_either_way(rows[edge])]
    # A corner stands in both: a column of labels may begin or end with anything where a line of labels does.
    for column, head in (
        [(c, None) for c in columns] + [(None, h) for h in heads] + list(product((0, -1), (0, -1)))
    ):
        inner = list(rows) if head is None else list(rows[1:] if head == 0 else rows[:-1])
        labels: list[str] = [] if head is None else list(rows[head])
        if column is not None:
            beside = [row[column] for row in inner]
            if not counts_either_way(beside):
                continue
            labels += beside
            inner = [row[1:] if column == 0 else row[:-1] for row in inner]
        if column is not None and head is not None:
            line = rows[head][1:] if column == 0 else rows[head][:-1]
            if not counts_either_way(line):
                continue
        yield Inner(inner, 1 if head == 0 else 0), tuple(labels)


def _without_head(lines: list[Line], may_be: Callable[[Line], bool]) -> tuple[list[Line], int | None]:
    """Take the first and last line off if they are labels, and return the number of columns they name."""
    width = None
    for edge, inner in ((0, 1), (-1, -2)):
        if len(lines) < 2 or not lines[edge].cells or not may_be(lines[edge]):
            continue
        cells = lines[edge].cells
        cells = tuple(cells[0]) if len(cells) == 1 else cells
        if counts_either_way(cells) and (len(cells) > 1 or len(lines[inner].cells) > 1):
            width = len(cells)
            lines = lines[1:] if edge == 0 else lines[:-1]
    return lines, width


def _without_short_head(lines: list[Line]) -> tuple[list[Line], int | None]:
    for head, others in ((lines[0], lines[1:]), (lines[-1], lines[:-1])):
        width = len(head.cells)
        lengths = {len(line.cells) for line in others}
        if counts_either_way(head.cells) and lengths in ({width + 1}, {width + 2}):
            return others, width
    return lines, None


def _cut_to(width: int, lines: list[Line]) -> list[Line]:
    """Return the lines without the labels at their ends that leave `width` cells, where they have such ends."""
    lengths = {len(line.cells) for line in lines}
    if lengths == {width + 2}:
        return [line.holding(line.cells[1:-1]) for line in lines]
    if lengths != {width + 1}:
        return lines
    right = tuple(line.cells[-1] for line in lines)
    left = tuple(line.cells[0] for line in lines)
    edge = -1 if counts_either_way(right) and not counts_either_way(left) else 0
    return [_without_edge(line, edge) for line in lines]


def _without_edge(line: Line, edge: int) -> Line:
    return line.holding(line.cells[1:] if edge == 0 else line.cells[:-1])


def _is_whole(labels: tuple[str, ...], rest: list[Line]) -> bool:
    """Whether numbers are a 0/1 matrix (and the labels are not) or hold every step once."""
    cells = [cell for line in rest for cell in line.cells]
    if set(cells) <= {"0", "1"}:
        return not set(labels) <= {"0", "1"}
    if not all(cell.isdigit() and cell.isascii() for cell in cells):
        return False
    numbers = sorted(map(int, cells))
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
