"""Knight's tours: the problem and the test of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from problems import coercion
from problems.board import Board, Path, Square, require_board
from problems.errors import InputError, shown
from problems.knights import check_size
from problems.violation import Violation, duplicates, off_board


@dataclass(frozen=True, slots=True)
class KnightTour:
    """Visit every square of `board` once by knight moves.

    `start` and `end` fix the first and last square; `closed` asks for one more move back to the start.
    A single square is an open tour of itself and has no closed one, since no move leads back; nor have two
    squares, where the way back is the way there.
    Raises `InputError` for squares off the board, a closed tour with an end, and oversized boards.
    """

    board: Board
    start: Square | None = None
    end: Square | None = None
    closed: bool = False

    def __post_init__(self) -> None:
        check_size(require_board(self.board))
        object.__setattr__(self, "closed", coercion.truth(self.closed, "--closed"))
        for name, option in (("start", "--start"), ("end", "--end")):
            given = getattr(self, name)
            square = None if given is None else coercion.square(given, option)
            object.__setattr__(self, name, square)
            if square is not None and square not in self.board:
                raise InputError(f"a square on the {self.board} board", shown(square), where=option)
        if self.closed and self.end is not None:
            raise InputError(
                "no end for a closed tour",
                self.board.name(self.end),
                where="--end",
                hint="drop --end or --closed",
            )

    @property
    def name(self) -> str:
        """The problem's name on the command line and in JSON."""
        return "tour"

    @property
    def is_optimisation(self) -> bool:
        """Always False: a tour is right or wrong."""
        return False

    def objective(self, answer: Path) -> None:
        """Return None: there is nothing to minimise."""

    def violations(self, answer: Path) -> tuple[Violation, ...]:
        """Return everything that is wrong with the answer, in time linear in the board and the answer."""
        return tuple(self._violations(answer))

    def _violations(self, answer: Path) -> Iterator[Violation]:
        strays = tuple(off_board(answer, self.board))
        yield from strays
        yield from duplicates(answer)
        for step in range(len(answer) - 1):
            if not is_knight_move(answer[step], answer[step + 1]):
                yield Violation("illegal-step", (answer[step], answer[step + 1]), step)
        visited = set(answer)
        # As many different squares as the board has, all of them on it: none can be missing (fast on 1000x1000).
        if strays or len(visited) != self.board.size:
            unvisited = tuple(square for square in self.board.squares() if square not in visited)
            if unvisited:
                yield Violation("unvisited", unvisited)
        yield from self._wrong_ends(answer)

    def _wrong_ends(self, answer: Path) -> Iterator[Violation]:
        if not answer:
            return
        # A closed tour is a cycle, so any square of it may be written first.
        if self.start is not None and not self.closed and answer[0] != self.start:
            yield Violation("wrong-start", (answer[0], self.start), 0)
        if self.end is not None and answer[-1] != self.end:
            yield Violation("wrong-end", (answer[-1], self.end), len(answer) - 1)
        if self.closed and not returns_to_start(answer) and not repeats_start(answer):
            yield Violation("not-closed", (answer[-1], answer[0]), len(answer) - 1)


def is_knight_move(origin: Square, target: Square) -> bool:
    """Whether a knight gets from `origin` to `target` in one move."""
    return abs((origin[0] - target[0]) * (origin[1] - target[1])) == 2


def returns_to_start(answer: Path) -> bool:
    """Whether one more knight move, not one taken before, leads from the last square back to the first."""
    return len(answer) > 2 and is_knight_move(answer[-1], answer[0])


def repeats_start(answer: Path) -> bool:
    """Whether the last entry is the first once more, and what stands before it returns to the start by itself."""
    return len(answer) > 3 and answer[0] == answer[-1] and is_knight_move(answer[-2], answer[0])
