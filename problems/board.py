"""The board: its squares, their names, knight moves, symmetries and connected parts.

Squares are `(row, col)`, 0-based, row 0 at the top. Chess names count from the bottom left, so on an 8x8
board `a1` is `(7, 0)`. Row-major indices are for kernels and models; `index` and `square_at` translate.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from problems.coercion import squares, whole
from problems.errors import InputError, shown

Square = tuple[int, int]
"""A square, `(row, col)`, 0-based, row 0 at the top."""

Placement = tuple[Square, ...]
"""Squares as they were given, duplicates and all, in the order given."""

Path = tuple[Square, ...]
"""Squares in the order in which a piece visits them, repeats and all."""

Answer = tuple[Square, ...]
"""What was given for a problem: a placement or a path."""

MAX_SIDE = 10_000_000
"""The longest side a board may have, in squares."""

KNIGHT_STEPS: tuple[Square, ...] = (
    (-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1),
)  # fmt: skip
"""The eight knight moves as `(row, col)` steps, in the order of the squares they lead to."""

_NAME = re.compile(r"([A-Za-z]{1,6})([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the rectangle: an optional transposition, then optional reversals of rows and columns."""

    transpose: bool
    flip_rows: bool
    flip_cols: bool

    def apply(self, square: Square, rows: int, cols: int) -> Square:
        """Return the image of `square`; `rows` and `cols` are those of the board that maps to itself."""
        row, col = square if not self.transpose else (square[1], square[0])
        return (rows - 1 - row if self.flip_rows else row, cols - 1 - col if self.flip_cols else col)


@dataclass(frozen=True, slots=True)
class Board:
    """A board of `rows` x `cols` squares, less the `missing` ones.

    Sides of any integer type and missing squares in any collection are taken. Raises `InputError` for sides
    outside 1..MAX_SIDE and for missing squares that are off the board.
    """

    rows: int
    cols: int
    missing: frozenset[Square] = field(default=frozenset())

    def __post_init__(self) -> None:
        for side, name in (("rows", "rows"), ("cols", "columns")):
            value = whole(given := getattr(self, side))
            if value is None or not 1 <= value <= MAX_SIDE:
                raise InputError(
                    f"between 1 and {MAX_SIDE} {name}", shown(given), where="board size", hint="give e.g. 8x8"
                )
            object.__setattr__(self, side, value)
        if type(self.missing) is not frozenset or self.missing:
            object.__setattr__(self, "missing", frozenset(squares(self.missing, "missing squares")))
        for square in sorted(self.missing):
            if not (0 <= square[0] < self.rows and 0 <= square[1] < self.cols):
                raise InputError(f"missing squares on the {self}", shown(square), where="missing squares")

    def __str__(self) -> str:
        holes = f" without {len(self.missing)} squares" if self.missing else ""
        return f"{self.rows}x{self.cols}{holes}"

    def __contains__(self, square: object) -> bool:
        if not isinstance(square, tuple) or len(square) != 2:
            return False
        row, col = square
        return 0 <= row < self.rows and 0 <= col < self.cols and square not in self.missing

    @property
    def size(self) -> int:
        """The number of squares, missing ones not counted."""
        return self.rows * self.cols - len(self.missing)

    @property
    def is_square(self) -> bool:
        """Whether there are as many rows as columns."""
        return self.rows == self.cols

    def squares(self) -> Iterator[Square]:
        """Yield the squares row by row from the top, missing ones left out."""
        for row in range(self.rows):
            for col in range(self.cols):
                if (row, col) not in self.missing:
                    yield (row, col)

    def index(self, square: Square) -> int:
        """Return the row-major index of a square, 0-based; missing squares keep their index."""
        return square[0] * self.cols + square[1]

    def square_at(self, index: int) -> Square:
        """Return the square with this row-major index."""
        return divmod(index, self.cols)

    def knight_moves(self, square: Square) -> tuple[Square, ...]:
        """Return the squares a knight on `square` attacks, in row-major order."""
        row, col = square
        rows, cols, missing = self.rows, self.cols, self.missing
        return tuple(
            (r, c)
            for dr, dc in KNIGHT_STEPS
            if 0 <= (r := row + dr) < rows and 0 <= (c := col + dc) < cols and (r, c) not in missing
        )

    def components(self, removed: Collection[Square] = ()) -> tuple[tuple[Square, ...], ...]:
        """Return the parts into which knight moves join the squares but those removed, each sorted, in order."""
        unseen = set(self.squares()).difference(removed)
        found = []
        while unseen:
            part = [unseen.pop()]
            for square in part:  # which grows meanwhile
                near = [other for other in self.knight_moves(square) if other in unseen]
                unseen.difference_update(near)
                part += near
            found.append(tuple(sorted(part)))
        return tuple(sorted(found))

    def is_edge(self, square: Square) -> bool:
        """Whether the square lies on the outer row or column of the rectangle."""
        return square[0] in (0, self.rows - 1) or square[1] in (0, self.cols - 1)

    def name(self, square: Square) -> str:
        """Return the chess name: columns a, b, … z, aa, ab, …; rows counted from 1 at the bottom."""
        letters, number = "", square[1] + 1
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("a") + rest) + letters
        return f"{letters}{self.rows - square[0]}"

    def square_named(self, name: str) -> Square:
        """Return the square of a chess name, whether on the board or not; `InputError` if it is no name."""
        match = _NAME.fullmatch(name)
        if match is None:
            raise InputError("a square name such as a1", shown(name))
        return (self.rows - int(match[2]), column_number(match[1]))

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries that map the board onto itself, the identity first (8 at most)."""
        transposes = (False, True) if self.is_square else (False,)
        candidates = (Symmetry(t, r, c) for t in transposes for r in (False, True) for c in (False, True))
        return tuple(
            s
            for s in candidates
            if not self.missing or self.missing == {s.apply(q, self.rows, self.cols) for q in self.missing}
        )

    def images(self, squares: Sequence[Square]) -> Iterator[tuple[Square, ...]]:
        """Yield the image of `squares` under each symmetry of the board, in order, the identity first."""
        for symmetry in self.symmetries():
            yield tuple(symmetry.apply(square, self.rows, self.cols) for square in squares)

    def canonical(self, squares: Iterable[Square]) -> tuple[Square, ...]:
        """Return the least image of a set of squares under the board's symmetries, sorted row-major."""
        return min(tuple(sorted(image)) for image in self.images(tuple(squares)))


def require_board(board: object) -> Board:
    """Return the board; `InputError` for anything else, such as the text of a size."""
    if not isinstance(board, Board):
        raise InputError("a Board", shown(board), where="board", hint="say e.g. Board(8, 8)")
    return board


def column_number(letters: str) -> int:
    """Return the 0-based column of a chess column name (a = 0, z = 25, aa = 26); case does not matter."""
    number = 0
    for letter in letters.lower():
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def colour(square: Square) -> int:
    """Return 0 for squares of the colour of the top left corner, 1 for the others."""
    return (square[0] + square[1]) % 2
