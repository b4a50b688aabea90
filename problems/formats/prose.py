"""What stands around an answer: words above and below it, the squares of a drawing named again, several answers.

Programs print a headline, the board, and how long it took; ours prints the names of the squares as well. Words are
left out with a note, named squares must agree with the drawing, and of several answers none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from problems.errors import InputError, shown
from problems.formats import names
from problems.formats.candidates import Candidate, Question
from problems.formats.labels import counts

_WORD = re.compile(r"[^\W\d_]{3,40}")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_COLUMN_FIRST = re.compile(r"\W{0,9}(?:col|file)[a-z]{0,9}\W{1,9}(?:row|rank)[a-z]{0,9}\W{0,9}", re.IGNORECASE)
_MAX_LINES = 20
_FEWEST_LETTERS = 3

Reader = Callable[[str, Question], list[Candidate]]


def require_one_block(text: str) -> None:
    """Raise `InputError` for blocks of lines with empty lines between them: two boards are no larger board."""
    if "[" in text or "{" in text or _BLANK_LINE.search(text.strip()) is None:
        return
    blocks = [block for block in _BLANK_LINE.split(text.strip()) if "\n" in block.strip()]
    if len(blocks) > 1:
        raise InputError(
            "one answer",
            f"{len(blocks)} blocks of lines with empty lines between them",
            where="answer",
            hint="give one of them, or take out the empty lines",
        )


def without_prose(text: str) -> tuple[str, str] | None:
    """Return the text with the lines of words above and below the answer blank, and a note; None without any.

    The other lines keep their numbers.
    """
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    taken: list[int] = []
    for numbers in (filled[:_MAX_LINES], filled[: -_MAX_LINES - 1 : -1]):
        for number in numbers:
            if not _is_prose(lines[number]):
                break
            taken.append(number)
    if not taken or len(set(taken)) == len(filled):
        return None
    for number in taken:
        if _COLUMN_FIRST.fullmatch(lines[number].strip()):
            # Columns before rows are neither row,col nor x,y, where rows count from the bottom.
            got = f"a heading, {shown(lines[number].strip(), 40)}, that asks for another order"
            raise InputError("pairs as row,col or x,y", got, where=f"line {number + 1}", hint="write square names")
        lines[number] = ""
    count = len(set(taken))
    first = shown(text.split("\n")[min(taken)].strip(), 40)
    words = f"line {min(taken) + 1}, {first}," if count == 1 else f"{count} lines of words, the first {first},"
    return "\n".join(lines), f"{words} left out"


def _is_prose(line: str) -> bool:
    """Whether a line holds a word: letters that are neither pieces in a row nor labels."""
    return any(
        len(set(word[0].lower())) >= _FEWEST_LETTERS and not counts(tuple(word[0]))
        for word in _WORD.finditer(line[:1000])
    )


def drawing_with_names(text: str, question: Question, read: Reader) -> list[Candidate] | None:
    """Return the readings of a drawing whose squares are named in the line below it; None for other texts.

    Raises `InputError` if the names are those of another answer.
    """
    drawing, _, last = text.rstrip().rpartition("\n")
    if not drawing.strip() or not names.looks_like_names(last) or names.looks_like_names(drawing):
        return None
    found = read(drawing, question)
    for candidate in found:
        named = names.candidates(last, _on_board(question, candidate))[0].squares
        same = named == candidate.squares if question.name == "tour" else set(named) == set(candidate.squares)
        if not same:
            raise InputError("one answer", "a board, and below it the names of other squares", where="answer")
    return [candidate.noting("the squares named below the board are those of the board") for candidate in found]


def _on_board(question: Question, candidate: Candidate) -> Question:
    return Question(question.name, board=candidate.board)
