"""What is wrong with an answer, as data: a kind and the squares concerned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from problems.board import Square


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: its kind, the squares concerned, and where in the answer it happens.

    `position` is the 0-based place in the answer (for a path: the number of the step), where that says more
    than the squares do. `kind` is one of `KINDS`.
    """

    kind: str
    squares: tuple[Square, ...]
    position: int | None = None


KINDS: dict[str, str] = {
    "off-board": "the square is not on the board",
    "duplicate": "the square is given more than once",
    "unattacked": "no knight attacks the squares",
    "uncovered": "the squares are neither occupied nor attacked",
    "attacking": "the knights attack each other",
    "too-many": "more knights than allowed",
    "wrong-number": "not as many queens as the board has rows",
    "same-row": "queens share a row",
    "same-column": "queens share a column",
    "same-diagonal": "queens share a diagonal",
    "given-missing": "a given queen is missing",
    "illegal-step": "the step is no knight move",
    "unvisited": "the squares are never visited",
    "wrong-start": "the tour does not start where it should",
    "wrong-end": "the tour does not end where it should",
    "not-closed": "no knight move leads from the last square back to the first",
    "repeated-step": "the same step number stands on several squares",
    "missing-step": "a step number is missing",
}
"""Every kind of violation with the sentence that explains it."""


def off_board(answer: Iterable[Square], board: Container[Square]) -> Iterator[Violation]:
    """Yield a violation for each given square that is not on the board."""
    for position, square in enumerate(answer):
        if square not in board:
            yield Violation("off-board", (square,), position)


def duplicates(answer: Sequence[Square]) -> Iterator[Violation]:
    """Yield a violation for each square that is given more than once, in the order of first appearance."""
    if len(set(answer)) == len(answer):
        return
    for square, times in Counter(answer).items():
        if times > 1:
            yield Violation("duplicate", (square,))
