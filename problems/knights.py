"""Covering a board with attacking knights: the problem and the test of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from problems.board import Board, Placement, Square, require_board
from problems.coercion import choice, whole
from problems.errors import InputError, shown
from problems.violation import Violation, duplicates, off_board

MAX_SQUARES = 4_000_000
"""The largest board, in squares, for which a placement or a tour is read and judged."""


class Rule(StrEnum):
    """What it takes for a placement to cover the board."""

    TOTAL = "total"
    """Every square is attacked, occupied ones included: a total dominating set (OEIS A261752)."""
    ORDINARY = "ordinary"
    """Every square is occupied or attacked: a dominating set (OEIS A006075)."""
    INDEPENDENT = "independent"
    """As ordinary, and no knight attacks another: an independent dominating set (OEIS A342576)."""


@dataclass(frozen=True, slots=True)
class KnightCover:
    """Cover `board` with as few knights as possible, or with at most `at_most` of them.

    Without `at_most` it is an optimisation problem, with it a question of existence.
    The rule may be given by its name. Raises `InputError` for a board over MAX_SQUARES squares, a rule that is
    none and an `at_most` that is no whole number of 0 or more.
    """

    board: Board
    rule: Rule = Rule.TOTAL
    at_most: int | None = None

    def __post_init__(self) -> None:
        check_size(require_board(self.board))
        object.__setattr__(self, "rule", choice(Rule, self.rule, "--rule"))
        if self.at_most is not None:
            at_most = whole(self.at_most)
            if at_most is None or at_most < 0:
                raise InputError("a number of knights of 0 or more", shown(self.at_most), where="--at-most")
            object.__setattr__(self, "at_most", at_most)

    @property
    def name(self) -> str:
        """The problem's name on the command line and in JSON."""
        return "knights"

    @property
    def is_optimisation(self) -> bool:
        """Whether the fewest knights are asked for, not just a placement within a limit."""
        return self.at_most is None

    def objective(self, answer: Placement) -> int:
        """Return the number of different squares with a knight."""
        return len(set(answer))

    def attacked(self, answer: Placement) -> set[Square]:
        """Return the squares that the knights which stand on the board attack."""
        return {target for square in set(answer) if square in self.board for target in self.attacks(square)}

    def attacks(self, square: Square) -> tuple[Square, ...]:
        """Return the squares a knight on `square` attacks."""
        return self.board.knight_moves(square)

    def covers(self, square: Square) -> tuple[Square, ...]:
        """Return the squares that a knight on `square` covers under the rule."""
        attacked = self.attacks(square)
        return attacked if self.rule is Rule.TOTAL else (square, *attacked)

    def gaps(self, answer: Placement) -> tuple[Square, ...]:
        """Return the squares that are left uncovered under the rule, in row-major order."""
        covered = {target for square in set(answer) if square in self.board for target in self.covers(square)}
        return tuple(square for square in self.board.squares() if square not in covered)

    def violations(self, answer: Placement) -> tuple[Violation, ...]:
        """Return everything that is wrong with the answer, in time linear in the board."""
        return tuple(self._violations(answer))

    def _violations(self, answer: Placement) -> Iterator[Violation]:
        yield from off_board(answer, self.board)
        yield from duplicates(answer)
        if gaps := self.gaps(answer):
            yield Violation("unattacked" if self.rule is Rule.TOTAL else "uncovered", gaps)
        if self.rule is Rule.INDEPENDENT:
            yield from self._attacking(set(answer))
        if self.at_most is not None and self.objective(answer) > self.at_most:
            yield Violation("too-many", tuple(answer))

    def _attacking(self, knights: set[Square]) -> Iterator[Violation]:
        for square in sorted(knights):
            if square in self.board:
                for target in self.attacks(square):
                    if target > square and target in knights:
                        yield Violation("attacking", (square, target))

    def unreachable(self) -> tuple[Square, ...]:
        """Return the squares that no knight can cover, wherever it stands: one makes it infeasible."""
        # From 4x4 on, a full board has a move from every square; looking at all takes seconds on large ones.
        is_plain = not self.board.missing and min(self.board.rows, self.board.cols) >= 4
        if self.rule is not Rule.TOTAL or is_plain:
            return ()
        return tuple(square for square in self.board.squares() if not self.attacks(square))


def check_size(board: Board) -> None:
    """Raise `InputError` if the board has more than MAX_SQUARES squares."""
    if board.size > MAX_SQUARES:
        raise InputError(
            f"a board of at most {MAX_SQUARES} squares", f"{board} ({board.size} squares)", where="board size"
        )
