"""Lists of squares as people write them down: with numbers or bullets in front, with arrows between, as moves.

`0 -> 7 -> 12`, `1. (0, 0)`, `* (1, 2)` and rows of `step row col` are lists of numbers with something around them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from problems.formats.coordinates import Coordinates
from problems.formats.layout import Layout
from problems.formats.moves import are_moves, path_of_moves

_MAX_LENGTH = 10**7
_FEWEST_ROWS = 4
_BULLET = re.compile(r"[ \t]*[-*+•][ \t]+(?=[(\[{0-9])")
_NUMBER = re.compile(r"[ \t]*([0-9]{1,7})[.):]?[ \t]+(?=[(\[{])")
_ARROW = re.compile(r"-{1,3}>|=>|→")
_SQUARE = re.compile(r"[(\[{]?\s{0,9}(-?[0-9]{1,9})(?:[\s,]\s{0,9}(-?[0-9]{1,9}))?\s{0,9}[)\]}]?\s{0,9},?")


@dataclass(frozen=True, slots=True)
class Listing:
    """The text of a list without what stood around the squares, and what that has told."""

    text: str
    notes: tuple[str, ...] = ()
    coordinates: Coordinates | None = None
    """Single numbers with arrows between them are indices: neither pairs nor steps."""


def plain_list(text: str, problem_name: str) -> Listing:
    """Return the text without bullets, line numbers and (tours) arrows around the squares.

    Other texts are returned as they are: an arrow may also stand between a row and its column.
    Raises `InputError` for moves that do not follow each other.
    """
    if len(text) > _MAX_LENGTH:
        return Listing(text)
    text, notes = _without_numbers(_without_bullets(text))
    path = _path(text) if problem_name == "tour" and _ARROW.search(text) else None
    if path is None:
        return Listing(text, notes)
    squares, more = path
    return Listing("\n".join(squares), notes + more, None if "," in squares[0] else Coordinates.INDEX)


def _without_bullets(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or any(_BULLET.match(line) is None for line in lines):
        return text
    bare = [_BULLET.sub("", line, count=1) for line in lines]
    if all(line.strip() in ("0", "1") for line in bare):
        return text  # a board of two columns
    return "\n".join(bare) if all(_SQUARE.fullmatch(line.strip()) for line in bare) else text


def _without_numbers(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text without the numbers in front of squares in brackets, where all have one and they count."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = [_NUMBER.match(line) for line in lines]
    numbers = [int(match[1]) for match in found if match]
    if len(numbers) < max(2, len(lines)) or not _count(numbers):
        return text, ()
    bare = [_NUMBER.sub("", line, count=1) for line in lines]
    return "\n".join(bare), (f"the numbers {numbers[0]} to {numbers[-1]} in front of the squares left out",)


def _count(numbers: list[int]) -> bool:
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _path(text: str) -> tuple[list[str], tuple[str, ...]] | None:
    """Return the squares between arrows, and notes; None where something else stands between them."""
    lines = [line for line in text.split("\n") if line.strip()]
    parts = [[part.strip() for part in _ARROW.split(line) if part.strip()] for line in lines]
    found = [_SQUARE.fullmatch(part) for row in parts for part in row]
    squares = [",".join(filter(None, match.groups())) for match in found if match]
    if len(squares) < len(found) or len({"," in square for square in squares}) != 1:
        return None
    if len(lines) < 2 or any(len(row) != 2 for row in parts) or len(_ARROW.findall(text)) != len(lines):
        return squares, ()
    moves = list(zip(squares[0::2], squares[1::2], strict=True))
    if are_moves(moves, str):
        return path_of_moves(moves, str)
    # `0 -> 7` in each line may be a step and its square.
    return (squares, ()) if "," in squares[0] else None


def numbered_pairs(layout: Layout) -> tuple[list[int], str] | None:
    """Return the pairs of rows such as `step row col` (or `row col step`), by their numbers, and a note.

    None for other rows. No step matrix of a path has a column with all of the first numbers.
    """
    if layout.width != 3 or layout.height < _FEWEST_ROWS:
        return None
    for place, name in ((0, "first"), (2, "third")):
        numbers = layout.flat[place::3]
        if min(numbers) in (0, 1) and sorted(numbers) == list(range(min(numbers), min(numbers) + layout.height)):
            rows = sorted(layout.rows, key=lambda row: row[place])
            note = f"the {name} of three columns, {min(numbers)} to {max(numbers)}, taken to number the squares"
            return [value for row in rows for value in (row[1:] if place == 0 else row[:2])], note
    return None
