"""TSPLIB tour files: `TOUR_SECTION` with row-major indices from 1, closed by -1.

The format (G. Reinelt, TSPLIB 95) knows no boards: the size comes from `--board`, or from a text such as `8x8`
in the fields NAME or COMMENT, where our own files put it.
"""

from __future__ import annotations

import re

from problems.board import Board
from problems.errors import InputError, shown
from problems.formats.candidates import Candidate, Question, need_board, refuse_coordinates
from problems.formats.coordinates import Coordinates
from problems.formats.instances import parse_board
from problems.formats.source import require_countable

_SECTION = re.compile(r"^[ \t]{0,20}TOUR_SECTION[ \t]{0,20}:?[ \t]{0,20}$", re.MULTILINE | re.IGNORECASE)
_BOARD = re.compile(r"(?<![0-9A-Za-z])([0-9]{1,8}x[0-9]{1,8})(?![0-9A-Za-z])", re.IGNORECASE)
_NODE = re.compile(r"[0-9]{1,9}")


def is_tsplib(text: str) -> bool:
    """Whether the text has a TOUR_SECTION."""
    return _SECTION.search(text) is not None


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the reading of a tour file; `InputError` for sections of other things and for several tours."""
    if question.name != "tour":
        raise InputError(f"an answer for {question.name}", "a TSPLIB tour", where="answer")
    refuse_coordinates(question, "a TSPLIB tour", Coordinates.INDEX, base=1)
    section = _SECTION.search(text)
    assert section is not None
    fields = _fields(text[: section.start()])
    nodes = _nodes(text[section.end() :])
    dimension = fields.get("DIMENSION")
    board, notes = _board(fields, question)
    if dimension is not None and dimension != str(board.size):
        raise InputError(f"DIMENSION {board.size} for the board {board}", shown(dimension), where="TSPLIB header")
    squares = tuple(divmod(node - 1, board.cols) for node in nodes)
    return [Candidate("TSPLIB tour", squares, board, notes=notes)]


def _fields(header: str) -> dict[str, str]:
    lines = (line.split(":", 1) for line in header.split("\n") if ":" in line)
    return {name.strip().upper(): value.strip() for name, value in lines}


def _board(fields: dict[str, str], question: Question) -> tuple[Board, tuple[str, ...]]:
    if question.board is not None:
        return question.board, ()
    for name in ("COMMENT", "NAME"):
        match = _BOARD.search(fields.get(name, ""))
        if match is not None:
            board = parse_board(match[1], f"TSPLIB {name}")
            return board, (f"board {board} taken from the field {name}; --board says otherwise",)
    raise need_board("a TSPLIB tour")


def _nodes(section: str) -> list[int]:
    require_countable(section)
    words = section.split()
    ends = [place for place, word in enumerate(words[-3:], max(len(words) - 3, 0)) if word in ("-1", "EOF")]
    body = words[: ends[0]] if ends else words
    for word in body:
        if not _NODE.fullmatch(word):
            got = "another tour after -1" if word == "-1" else shown(word)
            raise InputError("one tour of node numbers from 1", got, where="TOUR_SECTION")
    return [int(word) for word in body]
