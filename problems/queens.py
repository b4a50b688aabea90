"""Placing n queens so that none attacks another: the problem and the test of an answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from problems.board import Board, Placement, Square
from problems.coercion import squares, whole
from problems.errors import InputError, shown
from problems.violation import Violation, duplicates, off_board

MAX_QUEENS = 10_000_000
"""The largest n for which an answer is read and judged."""

_LINES: tuple[tuple[str, Callable[[Square], int]], ...] = (
    ("same-row", lambda square: square[0]),
    ("same-column", lambda square: square[1]),
    ("same-diagonal", lambda square: square[0] - square[1]),
    ("same-diagonal", lambda square: square[0] + square[1]),
)


@dataclass(frozen=True, slots=True)
class Queens:
    """Place `n` queens on an n x n board so that none attacks another, the `given` ones among them.

    `n` may be 0 (one way, the empty one). Raises `InputError` for n outside 0..MAX_QUEENS, and for given
    squares that are off the board or repeated. Given queens that attack each other make it infeasible.
    """

    n: int
    given: Placement = ()

    def __post_init__(self) -> None:
        n = whole(self.n)
        if n is None or not 0 <= n <= MAX_QUEENS:
            raise InputError(f"a number of queens from 0 to {MAX_QUEENS}", shown(self.n), where="n")
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "given", squares(self.given, "given queens"))
        for row, col in self.given:
            if not (0 <= row < self.n and 0 <= col < self.n):
                raise InputError(
                    f"given queens on the {self.n}x{self.n} board", shown((row, col)), where="given queens"
                )
        if len(set(self.given)) < len(self.given):
            raise InputError("different squares", "one given twice", where="given queens")

    @property
    def name(self) -> str:
        """The problem's name on the command line and in JSON."""
        return "queens"

    @property
    def board(self) -> Board:
        """The n x n board; `InputError` for n = 0, which has none."""
        return Board(self.n, self.n)

    @property
    def is_optimisation(self) -> bool:
        """Always False: a placement is right or wrong."""
        return False

    def objective(self, answer: Placement) -> None:
        """Return None: there is nothing to minimise."""

    def violations(self, answer: Placement) -> tuple[Violation, ...]:
        """Return everything that is wrong with the answer, in time linear in n and the answer's length.

        Queens that attack each other are reported a line at a time: one violation holds all queens that
        share a row, a column or a diagonal.
        """
        return tuple(self._violations(answer))

    def _violations(self, answer: Placement) -> Iterator[Violation]:
        if self.n:
            yield from off_board(answer, self.board)
        else:
            yield from (Violation("off-board", (square,), i) for i, square in enumerate(answer))
        yield from duplicates(answer)
        placed = dict.fromkeys(answer)  # keeps the order: a million squares in a set's order thrash the cache
        if len(answer) != self.n:
            yield Violation("wrong-number", tuple(answer))
        yield from shared_lines(placed)
        for square in self.given:
            if square not in placed:
                yield Violation("given-missing", (square,))


def shared_lines(queens: Iterable[Square]) -> Iterator[Violation]:
    """Yield a violation for each row, column and diagonal with more than one of the (different) queens."""
    squares = tuple(queens)
    for kind, line_of in _LINES:
        if len(set(map(line_of, squares))) == len(squares):
            continue
        lines: defaultdict[int, list[Square]] = defaultdict(list)
        for square in sorted(squares):
            lines[line_of(square)].append(square)
        for line in lines.values():
            if len(line) > 1:
                yield Violation(kind, tuple(line))
