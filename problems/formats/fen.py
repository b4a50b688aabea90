"""FEN: rows of a chess position from the top, digits for runs of empty squares.

Only the board field counts; what follows it (side to move and so on) is let through. On boards over nine squares
wide a run is written as a decimal number, so `10` is ten empty squares; a text in which that and single digits
both make a board is ambiguous.
"""

from __future__ import annotations

import re

from problems.board import Board, Square
from problems.errors import InputError, shown
from problems.formats.boards import PIECES
from problems.formats.candidates import Candidate, Question
from problems.formats.layout import torn
from problems.formats.numbers import agreed_board

_FEN = re.compile(r"([PNBRQKpnbrqk0-9]+(?:/[PNBRQKpnbrqk0-9]+)+)/?(?:\s+[wb-](?:\s+\S{1,9}){0,4})?\s*")
_ONE_ROW = re.compile(r"[QqNn0-9]+\s+[wb]\s+\S{1,9}\s+\S{1,9}(?:\s+\S{1,9}){0,2}\s*")
_PIECES = {name: symbols[:2] for name, symbols in PIECES.items()}
_WORDS = re.compile(r"[0-9]+|[A-Za-z]")
_MAX_LENGTH = 8_000_000
_MAX_RUN = 7


def is_fen(text: str) -> bool:
    """Whether the text has the shape of a FEN, with more than one row or with the fields after the board."""
    stripped = text.strip()
    return len(stripped) <= _MAX_LENGTH and bool(_FEN.fullmatch(stripped) or _ONE_ROW.fullmatch(stripped))


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the readings of a FEN; `InputError` for other pieces, torn rows or another board than was given."""
    if question.name == "tour":
        raise InputError("step numbers or a list of squares", "a FEN", where="answer")
    ranks = text.split()[0].strip("/").split("/")
    wanted = _PIECES[question.name]
    for number, rank in enumerate(ranks, 1):
        for symbol in rank:
            if symbol.isalpha() and symbol not in wanted:
                expected = f"only {wanted[0]} or {wanted[1]} and digits"
                raise InputError(expected, shown(symbol), where=f"FEN rank {number} from the top")
    found: list[Candidate] = []
    faults: list[InputError] = []
    for words in (_WORDS.findall, list):
        try:
            candidate = _position([words(rank) for rank in ranks], wanted, question)
        except InputError as error:
            faults.append(error)
        else:
            if all(candidate.board != other.board or candidate.squares != other.squares for other in found):
                found.append(candidate)
    if not found:
        raise faults[-1]
    return found


def _position(ranks: list[list[str]], wanted: str, question: Question) -> Candidate:
    squares: list[Square] = []
    widths: list[int] = []
    for row, words in enumerate(ranks):
        col = 0
        for word in words:
            if word in wanted:
                squares.append((row, col))
                col += 1
            elif len(word) > _MAX_RUN:
                raise InputError(f"runs of at most {_MAX_RUN} digits", shown(word), where=f"FEN rank {row + 1}")
            else:
                col += int(word)
        widths.append(col)
    try:
        width = torn(widths)
    except InputError as error:
        where = error.where.replace("row", "FEN rank") + " from the top"
        raise InputError(
            error.expected.replace("cells", "squares").replace("row", "rank"), error.got, where=where
        ) from None
    board = agreed_board(Board(len(ranks), width), question)
    return Candidate("FEN", tuple(squares), board, f"--board {board}")
