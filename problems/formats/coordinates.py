"""How a list of squares is written: order, origin and base."""

from __future__ import annotations

from enum import StrEnum


class Coordinates(StrEnum):
    """How a list of squares is written.

    Without a digit, squares count from 0, or from 1 where only that fits the board; where both fit and only the
    count from 1 makes a right answer, the text is refused. The digit says which it is.
    """

    RC = "rc"
    """Pairs: row from the top, then column from the left."""
    RC0 = "rc0"
    RC1 = "rc1"
    XY = "xy"
    """Pairs: column from the left, then row from the *bottom*: the origin is bottom left."""
    XY0 = "xy0"
    XY1 = "xy1"
    INDEX = "index"
    """Row-major numbers: row x columns + column."""
    INDEX0 = "index0"
    INDEX1 = "index1"
    NAMES = "names"
    """Chess names such as a1: column letter, then row from the bottom, 1-based."""

    @property
    def order(self) -> Coordinates:
        """The order and the origin alone, without the base."""
        return Coordinates(self.value.rstrip("01"))

    @property
    def base(self) -> int | None:
        """What the first row, column or square is called, 0 or 1; None where that is left open."""
        return int(self.value[-1]) if self.value[-1].isdigit() else None

    def counted_from(self, base: int) -> Coordinates:
        """Return the same order with the base said."""
        return Coordinates(f"{self.order}{base}")
