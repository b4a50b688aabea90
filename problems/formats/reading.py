"""From a text to the problem and the answer in it, whatever form people paste.

`read` asks each form in turn whether the text has its shape, from the most telling to the least: our own JSON,
TSPLIB, FEN, square names, numbers, drawings. The form returns the plausible readings and `decide` chooses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from problems.board import Board, Square
from problems.errors import AmbiguousInput, InputError, shown
from problems.formats import boards, fen, names, numbers, records, tsplib
from problems.formats.candidates import Candidate, Question, Reading, decide, refuse_coordinates
from problems.formats.coordinates import Coordinates
from problems.formats.grid import require_drawable
from problems.formats.instances import parse_board
from problems.formats.layout import plain_numbers, without_wrapping
from problems.formats.listings import plain_list
from problems.formats.prose import Words, drawing_with_names, in_order, require_one_block, unfenced, without_prose
from problems.formats.source import clean_text, read_bytes
from problems.knights import MAX_SQUARES, Rule

_SIZE = re.compile(r"\s*([1-9][0-9]{0,8})[ \t]{0,9}[xX*][ \t]{0,9}([1-9][0-9]{0,8})[ \t]{0,9}[\s:;,]")
_ONLY_SIZE = re.compile(r"-?[0-9]{1,40}[ \t]{0,9}[xX*][ \t]{0,9}-?[0-9]{1,40}")
_N_IN_FRONT = re.compile(r"^\s*[nN]\s{0,9}[=:]\s{0,9}([0-9]{1,8})[ \t]{0,9}[\n,;:]")
_TRUTH = re.compile(r"\b(?:True|False)\b")
_PACKED = re.compile(r"(?<![0-9])0[0-9]")
_BLANK = re.compile(r"\s")
_LONGEST_ROW = 1000
_SMALL = 10**6
_STRING = re.compile(r"'([^'\n]*)'|\"([^\"\n]*)\"")
_LIST_OF_STRINGS = re.compile(r"[\s,;()\[\]{}]*")
_INNERMOST = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")


def read(
    data: bytes | str,
    problem_name: str,
    *,
    board: Board | None = None,
    rule: Rule | None = None,
    at_most: int | None = None,
    coordinates: Coordinates | None = None,
    closed: bool | None = None,
    start: Square | str | None = None,
    end: Square | str | None = None,
    given: Sequence[Square | str] = (),
) -> Reading:
    """Return the problem and the answer that a text holds, in any form.

    `problem_name` is `knights`, `queens` or `tour`. The keywords say what the text may leave open; None leaves
    it to the text (our own JSON knows its rule) and then to the defaults (rule total, open tour). Squares may be
    given as texts for `parse_square`. A placement is read as drawn: the top line is row 0. Labels that count the
    other way matter where squares are given: then the text is refused unless both ways have one verdict.

    Raises `InputError` for a text in no known form, and `AmbiguousInput` (an `InputError`) for one that reads in
    two ways with different verdicts. Time and memory are linear in the text.
    """
    question = Question(problem_name, board, rule, at_most, closed, start, end, given, coordinates)
    text, words = unfenced(clean_text(data))
    if records.is_record(text):
        refuse_coordinates(question, "JSON", Coordinates.RC, base=0)
        question, candidate = records.read_record(text, question)
        return decide(question, words.around([candidate]))
    return decide(question, words.around(_candidates(text, question)))


def read_path(
    path: str | os.PathLike[str],
    problem_name: str,
    *,
    stream: BinaryIO | None = None,
    board: Board | None = None,
    rule: Rule | None = None,
    at_most: int | None = None,
    coordinates: Coordinates | None = None,
    closed: bool | None = None,
    start: Square | str | None = None,
    end: Square | str | None = None,
    given: Sequence[Square | str] = (),
) -> Reading:
    """Return what `read` makes of a file, or of `stream` (by default standard input) when the path is `-`.

    Raises `InputError` as `read` does, and for a file that is missing, no file, unreadable or over 64 MiB.
    """
    return read(
        read_bytes(path, stream),
        problem_name,
        board=board,
        rule=rule,
        at_most=at_most,
        coordinates=coordinates,
        closed=closed,
        start=start,
        end=end,
        given=given,
    )


def _candidates(text: str, question: Question) -> list[Candidate]:
    if _ONLY_SIZE.fullmatch(text.strip()):
        raise InputError("an answer", f"only a board size, {shown(text.strip())}", where="answer")
    text = _N_IN_FRONT.sub(r"\1\n", text, count=1)
    match = _SIZE.match(text)
    if match is None:
        return _with_or_without_words(text, question)
    size = parse_board(f"{match[1]}x{match[2]}", "size in front")
    if question.board is not None and (question.board.rows, question.board.cols) != (size.rows, size.cols):
        raise InputError(f"a board of {question.board}", str(size), where="size in front")
    sized = replace(question, board=question.board or size)
    return [
        c.noting(f"size {size} as the text says in front")
        for c in _with_or_without_words(text[match.end() :], sized)
    ]


def _with_or_without_words(text: str, question: Question) -> list[Candidate]:
    """Return the readings of a text; where it has none as it is, those without the words around the answer."""
    if tsplib.is_tsplib(text):
        return tsplib.candidates(text, question)
    try:
        return _of_any_form(text, question)
    except AmbiguousInput:
        raise
    except InputError as error:
        left = without_prose(text) if len(text) <= _SMALL else None
        body, words = (text, Words()) if left is None else left
        try:
            found = drawing_with_names(body, question, _of_any_form)
            if found is None:
                if left is None:
                    raise error
                found = in_order(words.order, question, body, _of_any_form)
        except AmbiguousInput:
            raise
        except InputError as other:
            raise other from None
        return words.around(found)


def _of_any_form(text: str, question: Question) -> list[Candidate]:
    unquoted = text.strip().strip("\"'")
    if fen.is_fen(unquoted):
        refuse_coordinates(question, "a FEN")
        return fen.candidates(unquoted, question)
    if names.looks_like_names(text):
        if question.name != "tour":
            require_one_block(text)
        return names.candidates(text, question)
    require_one_block(text)
    if "'" in text or '"' in text:
        require_drawable(text)
        _require_few_quotes(text)
        text = _without_quotes(text)
    if "True" in text or "False" in text:
        text = _with_bits(text)
    listing = plain_list(text, question.name)
    plain = plain_numbers(listing.text)
    if plain is not None:
        told = replace(question, coordinates=question.coordinates or listing.coordinates)
        return [candidate.noting(*listing.notes) for candidate in _of_numbers(plain, listing.text, told)]
    if len(text) > _LONGEST_ROW and _BLANK.search(text) is None:
        raise InputError(
            "an answer", f"{len(text)} characters without a blank: {shown(text[:20])}", where="answer"
        )
    return boards.candidates(text, question)


def _of_numbers(plain: str, text: str, question: Question) -> list[Candidate]:
    try:
        return numbers.candidates(plain, question)
    except InputError as error:
        if not _may_have_labels(plain, question, error):
            raise
        try:
            found = boards.candidates(text, question)
        except InputError:
            raise error from None
        return found


def _may_have_labels(plain: str, question: Question, error: InputError) -> bool:
    """Whether refused numbers may be a matrix with labels or packed cells, which drawings can have."""
    if "\n" not in plain or any(bracket in plain for bracket in "[({"):
        return False
    if all(len(line.split()) <= 2 for line in plain.split("\n")) and not _PACKED.search(plain):
        return False
    if question.name == "tour" and isinstance(error, AmbiguousInput):
        return False
    return len(plain) <= _SMALL or _has_label_line(plain)


def _has_label_line(text: str) -> bool:
    """Whether the first or the last line has one number less than its neighbour."""
    ends = (text[:_SMALL].split("\n")[:2], text[-_SMALL:].split("\n")[:-3:-1])
    return any(len(end) == 2 and len(end[0].split()) + 1 == len(end[1].split()) for end in ends)


def _require_few_quotes(text: str) -> None:
    if text.count("'") + text.count('"') > 2 * MAX_SQUARES:
        raise InputError(f"a drawing of at most {MAX_SQUARES} strings", "more", where="answer")


def _with_bits(text: str) -> str:
    """Return a matrix of truth values as one of 0 and 1, any other text unchanged."""
    bits = _TRUTH.sub(lambda match: str(int(match[0] == "True")), text)
    beside = plain_numbers(_TRUTH.sub(" ", text))
    return bits if beside is not None and not any(c.isdigit() for c in beside) else text


def _without_quotes(text: str) -> str:
    """Return a list of strings as a drawing: each string a row, or each innermost list of single characters."""
    text = without_wrapping(text)
    strings = [a or b for a, b in _STRING.findall(text)]
    if not strings or not _LIST_OF_STRINGS.fullmatch(_STRING.sub("", text)):
        return text
    if max(map(len, strings)) > 1:
        if len(_INNERMOST.findall(_STRING.sub("", text))) > 1:
            raise InputError("one answer", "a list of several", where="answer")
        return "\n".join(f"|{string}|" for string in strings)
    rows = _INNERMOST.findall(text) or [text]
    cells = [[a or b or "." for a, b in _STRING.findall(row)] for row in rows]
    return "\n".join(" ".join("." if cell == " " else cell for cell in row) for row in cells)
