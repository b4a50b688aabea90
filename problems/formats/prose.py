"""What stands around an answer: words, labels and fences, the squares of a drawing named again, several answers.

Programs print a headline, the board, and how long it took; ours prints the names of the squares as well. Words are
left out with a note, but only such as hold nothing of an answer; named squares must agree with the drawing, and of
several answers none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from problems.errors import InputError, shown
from problems.formats import names
from problems.formats.candidates import Candidate, Question
from problems.formats.coordinates import Coordinates
from problems.formats.labels import counts_either_way
from problems.formats.words import (
    after_label,
    dictionary_values,
    is_dictionary,
    is_wordy,
    require_words,
    sizes,
)

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_ROW, _COLUMN = r"(?:row|rank|r)s?", r"(?:col|column|file|c)s?"
_ROW_FIRST = re.compile(rf"\W{{0,9}}{_ROW}\W{{1,9}}{_COLUMN}\W{{0,9}}", re.IGNORECASE)
_COLUMN_FIRST = re.compile(rf"\W{{0,9}}{_COLUMN}\W{{1,9}}{_ROW}\W{{0,9}}", re.IGNORECASE)
_X_FIRST = re.compile(r"\W{0,9}x\W{1,9}y\W{0,9}", re.IGNORECASE)
_OTHER_HEADING = re.compile(r"\W{0,9}\w{1,12}(?:\s?[,;|\t]\s?\w{1,12}){1,9}\W{0,9}")
_FENCE = re.compile(r"\s{0,9}```[\w+.#-]{0,30}\s*")
_COUNT = re.compile(
    r"\W{0,4}(?:total |number of )?(?:knights?|queens?)(?: placed| used)?\s?[:=]\s{0,9}([0-9]{1,8})\s*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?[0-9]+")
_MAX_LINES = 20

Reader = Callable[[str, Question], list[Candidate]]


@dataclass(frozen=True, slots=True)
class Words:
    """What the lines left out say: notes for the reader, and sizes and counts that the answer must have.

    `joined` says that squares after a label were put before or behind other ones.
    """

    notes: tuple[str, ...] = ()
    sizes: frozenset[tuple[int, int]] = frozenset()
    counts: frozenset[int] = frozenset()
    order: Coordinates | None = None
    joined: bool = False

    def around(self, found: list[Candidate]) -> list[Candidate]:
        """Return the candidates with the notes; `InputError` for one of another size or count than is said."""
        for candidate in found:
            if self.joined and len(set(candidate.squares)) < len(candidate.squares):
                hint = "take the label's line out, if it names a square again"
                raise InputError("each square once", "one named twice, after a label", where="answer", hint=hint)
            board = candidate.board
            for rows, cols in self.sizes if board is not None else ():
                if board is not None and (rows, cols) != (board.rows, board.cols):
                    raise _contradicted(f"a board of {rows}x{cols} as the words say", str(board))
            for count in self.counts - {len(candidate.squares)}:
                raise _contradicted(f"{count} squares as the words say", str(len(candidate.squares)))
        return [candidate.noting(*self.notes) for candidate in found]


def _contradicted(expected: str, got: str) -> InputError:
    return InputError(expected, got, where="answer", hint="take out the line of words that is not about it")


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


def unfenced(text: str) -> tuple[str, Words]:
    """Return what stands between two fences of three backticks, and what the words outside say.

    The lines keep their numbers. Raises `InputError` for other things than words outside, and for several blocks.
    """
    if "```" not in text:
        return text, Words()
    lines = text.split("\n")
    fences = [number for number, line in enumerate(lines) if _FENCE.fullmatch(line)]
    if not fences:
        return text, Words()
    if len(fences) != 2:
        many = f"{len(fences) // 2} fenced blocks" if len(fences) % 2 == 0 else "a fence that is not closed"
        raise InputError("one answer between two fences", many, where="answer", hint="give the answer alone")
    first, last = fences
    outside = [n for n, line in enumerate(lines) if line.strip() and not first <= n <= last]
    for number in outside:
        if not is_wordy(lines[number]):
            raise InputError(
                "nothing but words outside the fences",
                shown(lines[number].strip(), 40),
                where=f"line {number + 1}",
                hint="give the answer alone",
            )
        require_words(lines[number], number + 1)
    body = "\n".join(line if first < n < last else "" for n, line in enumerate(lines))
    if not body.strip():
        raise InputError("an answer between the fences", "none", where=f"line {first + 1}")
    words = _words(lines, outside)
    return body, replace(words, notes=("read what stands between the fences", *words.notes))


def _words(lines: list[str], taken: Iterable[int]) -> Words:
    numbers = sorted(set(taken))
    if not numbers:
        return Words()
    first = shown(lines[numbers[0]].strip(), 40)
    if len(numbers) == 1:
        note = f"line {numbers[0] + 1}, {first}, left out"
    else:
        note = f"{len(numbers)} lines of words, the first {first}, left out"
    return Words((note,), frozenset(size for number in numbers for size in sizes(lines[number])))


def without_prose(text: str) -> tuple[str, Words] | None:
    """Return the text without the words above and below the answer, and what they say; None without any.

    Labels in front of squares or numbers are words too. The lines keep their numbers. Raises `InputError` for a
    line of words any of which may belong to an answer.
    """
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    ends = [*_while_wordy(lines, filled[:_MAX_LINES]), *_while_wordy(lines, filled[: -_MAX_LINES - 1 : -1])]
    inner = [lines[number] for number in filled if number not in ends]
    counts = _counts(lines, ends, inner)
    labelled = ((number, after_label(lines[number])) for number in ends if number not in counts)
    bare = {number: rest for number, rest in labelled if rest is not None and _goes_with(rest, inner)}
    left = {number for number in ends if number not in bare}
    if len(left) == len(filled):
        return None
    joined = bool(bare) and len(filled) > len(left) + 1
    bare |= _without_backticks(lines, filled)
    first = next(number for number in filled if number not in left)
    order = _order(lines, sorted({*left, first}))
    left |= {first} if _is_heading(lines[first]) else set()
    _require_words(lines, [n for n in left if n not in counts and not _is_heading(lines[n])], filled, left)
    words = _words(lines, left)
    notes = [*words.notes, *(_label_note(lines[number], number) for number in sorted(bare))]
    body = "\n".join("" if n in left else bare.get(n, line) for n, line in enumerate(lines))
    if is_dictionary(body) and (values := dictionary_values(body)) is not None:
        body = values
        notes.append("the values of the dictionary read, in the order of its keys")
    if not notes:
        return None
    told = frozenset(counts.values())
    return body, replace(words, notes=tuple(notes), order=order, counts=told, joined=joined)


def _label_note(line: str, number: int) -> str:
    return f"line {number + 1}, {shown(line.strip(), 40)}, read without its label or marks"


def _require_words(lines: list[str], numbers: list[int], filled: list[int], left: set[int]) -> None:
    """Raise `InputError` for one of the lines that may hold a part of the answer in the lines not left out."""
    inner = [number for number in filled if number not in left]
    for number in sorted(numbers) if inner else ():
        neighbour = inner[0] if number < inner[0] else inner[-1]
        require_words(lines[number], number + 1, lines[neighbour])


def _while_wordy(lines: list[str], numbers: list[int]) -> list[int]:
    taken: list[int] = []
    for number in numbers:
        if not is_wordy(lines[number]):
            break
        taken.append(number)
    return taken


def _without_backticks(lines: list[str], filled: list[int]) -> dict[int, str]:
    marked = ((number, lines[number].strip()) for number in filled)
    return {
        n: line[1:-1]
        for n, line in marked
        if len(line) > 2 and line[0] == line[-1] == "`" and "`" not in line[1:-1]
    }


def _counts(lines: list[str], ends: list[int], inner: list[str]) -> dict[int, int]:
    """Return the lines such as `Knights: 14` beside lines of more than a number, and their numbers."""
    if not inner or any(_shape(line) == "0" for line in (inner[0], inner[-1])):
        return {}
    found = ((number, _COUNT.fullmatch(lines[number])) for number in ends)
    return {number: int(match[1]) for number, match in found if match}


def _goes_with(rest: str, inner: list[str]) -> bool:
    """Whether what follows a label may be a line of the answer: names, all there is, or of the others' shape.

    Numbers that count would be taken for the labels of a board.
    """
    if not inner or names.looks_like_names(rest):
        return True
    cells = rest.split()
    return _shape(rest) in map(_shape, (inner[0], inner[-1])) and (len(cells) < 2 or not counts_either_way(cells))


def _shape(line: str) -> str:
    return _NUMBER.sub("0", line.strip(" \t,;"))


def _is_heading(line: str) -> bool:
    return any(heading.fullmatch(line.strip()) for heading in (_ROW_FIRST, _COLUMN_FIRST, _X_FIRST))


def _order(lines: list[str], numbers: list[int]) -> Coordinates | None:
    """Return the order of pairs that a heading such as `row,col` names; `InputError` for one that is no order."""
    orders = set()
    for number in numbers:
        line = lines[number].strip()
        if _ROW_FIRST.fullmatch(line):
            orders.add(Coordinates.RC)
        elif _X_FIRST.fullmatch(line):
            orders.add(Coordinates.XY)
        elif _COLUMN_FIRST.fullmatch(line) or (_OTHER_HEADING.fullmatch(line) and is_wordy(line)):
            # Columns before rows are neither row,col nor x,y, where rows count from the bottom.
            got = f"a heading, {shown(line, 40)}, that asks for another order"
            raise InputError("pairs as row,col or x,y", got, where=f"line {number + 1}", hint="write square names")
    return orders.pop() if len(orders) == 1 else None


def in_order(order: Coordinates | None, question: Question, text: str, read: Reader) -> list[Candidate]:
    """Return the readings of pairs in the order that a heading names, unless another was asked for.

    Some programs call the row x: what is wrong as x,y but right as row,col is offered for `decide` to refuse.
    """
    if order is None:
        return read(text, question)
    asked = question.coordinates
    if asked is not None:
        if asked.order is not order:
            raise InputError(f"--coordinates {order} as the heading says", str(asked), where="answer")
        return read(text, question)
    found = [
        c.noting(f"pairs in the order of the heading, {order}")
        for c in read(text, replace(question, coordinates=order))
    ]
    if order is Coordinates.XY:
        others = read(text, replace(question, coordinates=Coordinates.RC))
        found += [replace(c, unusual=True) for c in others]
    return found


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
