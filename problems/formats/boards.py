"""Drawn boards: which symbols are pieces, which are empty squares, and which are neither.

Letters and chess symbols of the problem's piece are pieces. Without one, a single mark (`*`, `X`, `1`, a filled
square) beside known empty symbols is. Everything else must be known to be empty: a drawing that needs a guess is
refused, with its symbols named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from problems.board import Board, Square, colour
from problems.errors import AmbiguousInput, InputError, shown
from problems.formats.candidates import Candidate, Question, label_order, mirrored, turned_by_labels
from problems.formats.grid import BLANK, CHEQUERS, Grid, parse_grid
from problems.formats.labels import counts
from problems.formats.lists import marked_cells
from problems.formats.numbers import agreed_board
from problems.formats.steps import UNVISITED, path_from_steps
from problems.knights import check_size

PIECES = {"knights": "NnKk♘♞", "queens": "Qq♕♛"}
"""The symbols of each problem's piece, the one that is written first, then its other letter in FEN."""

EMPTY = frozenset(".-_·∙⋅•0" + BLANK)
"""Symbols of an empty square."""

MARKS = frozenset("*Xx1@oO●■█⬛◼#")
"""Symbols that are pieces when a drawing has one of them beside empty squares, and no letter of a piece."""

HOLE = "~"
"""The symbol of a square that the board has not."""

_NO_STEP = frozenset("._-·*xX?") | {BLANK, "-1"}
_MIXED = re.compile(r"[0-9][^\s0-9|,;]|[^\s0-9|,;\-][0-9]")
_MAX_NAMED = 6
_MANY_LETTERS = 4


def candidates(text: str, question: Question) -> list[Candidate]:
    """Return the reading of a drawn board or of a labelled matrix; `InputError` if it is torn or unclear."""
    found: list[Candidate] = []
    mixed = _MIXED.search(text) if question.name == "tour" else None
    if mixed is not None:
        raise InputError("step numbers or a list of squares", shown(text.strip().split("\n")[0]), where="answer")

    def accepts(grid: Grid) -> None:
        found[:] = _read(grid, question)

    grid = parse_grid(text, _blanks(question), accepts)
    if question.fixes_squares:
        found += turned_by_labels(found, _label_order(grid, text), question)
        if _heads_count_down(grid, text):
            found += mirrored(found)
    if question.coordinates is not None:
        note = f"--coordinates {question.coordinates} has no say about a {found[0].form}"
        return [candidate.noting(note) for candidate in found]
    return found


def _heads_count_down(grid: Grid, text: str) -> bool:
    """Whether a line of labels above or below the rows counts the columns from the right."""
    rows = set(grid.lines)
    beside = [line for number, line in enumerate(text.split("\n"), 1) if number not in rows]
    for line in beside:
        cells = line.replace("|", " ").split()
        cells = list(cells[0]) if len(cells) == 1 else cells
        if len(cells) == len(grid.rows[0]) > 1 and counts(cells[::-1]) and not counts(cells):
            return True
    return False


def _label_order(grid: Grid, text: str) -> int:
    """Return how the labels beside the rows count, as `label_order` does."""
    lines = text.split("\n")
    labels = [re.match(r"\s*\|?\s*([0-9]{1,7})\s*[\s|]", lines[number - 1]) for number in grid.lines]
    numbers = [int(label[1]) for label in labels if label]
    cells = [re.findall(r"[^\s|]+", lines[number - 1]) for number in grid.lines]
    if len(numbers) < len(labels) or len(numbers) < 2 or any(len(c) == len(grid.rows[0]) for c in cells):
        return 0
    return label_order(numbers)


def _read(grid: Grid, question: Question) -> list[Candidate]:
    if question.name != "queens":
        check_size(grid.board)
    numbers = _numbers(grid, question)
    if question.name == "tour":
        if numbers is None:
            symbols = _named(cell for row in grid.rows for cell in row if not _is_number(cell))
            raise InputError("step numbers or a list of squares", f"a drawing with {symbols}", where="answer")
        board = agreed_board(grid.board, question)
        if all(number == UNVISITED for row in numbers for number in row):
            raise InputError("step numbers or a list of squares", "a drawing without numbers", where="answer")
        return [path_from_steps(numbers, "step matrix" if board.size > 1 else "step matrix of one square")]
    if numbers is not None and set().union(*numbers) <= {0, 1}:
        bits = [bit for row in numbers for bit in row]
        return [marked_cells(bits, agreed_board(grid.board, question), "0/1 matrix")]
    return _placements(grid, question)


def _numbers(grid: Grid, question: Question) -> list[list[int]] | None:
    blanks = _blanks(question)
    if not all(cell in blanks or _is_number(cell) for row in grid.rows for cell in row):
        return None
    return [[UNVISITED if cell in blanks else int(cell) for cell in row] for row in grid.rows]


def _blanks(question: Question) -> frozenset[str]:
    return _NO_STEP if question.name == "tour" else frozenset()


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.removeprefix("-").isdigit()


def _placements(grid: Grid, question: Question) -> list[Candidate]:
    """Return the readings of a drawing; `~` may be a square that the board has not, or the dark background."""
    places = _places(grid, {HOLE})
    if not places:
        return [_placement(grid, question, frozenset())]
    if not _is_background_of_a_colour(grid, places, question):
        return [_placement(grid, question, frozenset(places))]
    found: list[Candidate] = []
    fault: InputError | None = None
    for holes in (frozenset(places), frozenset[Square]()):
        try:
            found.append(_placement(grid, question, holes))
        except InputError as error:
            fault = fault or error
    if fault is not None and not found:
        raise fault
    return found


def _is_background_of_a_colour(grid: Grid, places: list[Square], question: Question) -> bool:
    """Whether the places are all squares of one colour but those with a piece, and may be its background."""
    if len(grid.rows) * len(grid.rows[0]) < 3 or len({colour(place) for place in places}) > 1:
        return False
    others = {
        cell
        for r, row in enumerate(grid.rows)
        for c, cell in enumerate(row)
        if colour((r, c)) == colour(places[0]) and cell != HOLE
    }
    return not others & (EMPTY | CHEQUERS) or others <= set(PIECES[question.name]) | MARKS


def _placement(grid: Grid, question: Question, holes: frozenset[Square]) -> Candidate:
    symbols = {cell for row in grid.rows for cell in row}
    pieces = _pieces(grid, symbols - {HOLE} if holes else symbols, question)
    board = agreed_board(Board(len(grid.rows), len(grid.rows[0]), holes), question)
    guessed = pieces - set(PIECES[question.name]) - {"1", "*"}
    notes = tuple(f"{symbol!r} taken for the pieces, beside empty squares" for symbol in guessed)
    if not holes:
        hint = "draw empty squares as . alone" if HOLE in symbols else ""
        return Candidate("drawn board", tuple(_places(grid, pieces)), board, hint, notes=notes)
    count = f"{len(holes)} square{'s' if len(holes) > 1 else ''}"
    notes += (f"{HOLE!r} taken for {count} that the board has not",)
    hint = "draw all other squares alike"
    form = f"drawn board without {count}"
    return Candidate(form, tuple(_places(grid, pieces)), board, hint, notes=notes)


def _places(grid: Grid, wanted: set[str] | frozenset[str]) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(grid.rows) for c, cell in enumerate(row) if cell in wanted]


def _pieces(grid: Grid, symbols: set[str], question: Question) -> set[str]:
    """Return the symbols of pieces; `InputError` when a symbol is neither that nor known to be empty."""
    own = set(PIECES[question.name])
    pieces, others = symbols & own, symbols - own
    if pieces:
        unknown = {s for s in others if not _is_background(grid, s, others)}
        if unknown:
            raise _unknown(unknown, question)
        return pieces
    if others <= EMPTY:
        return set()
    if len(others) == 2 and all(s in EMPTY | CHEQUERS and _sticks_to_a_colour(grid, s) for s in others):
        if others & MARKS and grid.board.size > 1:
            raise AmbiguousInput(
                "a drawing with pieces",
                f"{_named(others)} in turns: an empty chequered board, or pieces on one colour",
                where="answer",
                hint=f"draw the pieces as {PIECES[question.name][0]}",
            )
        return set()
    marks = others - EMPTY - set("□⬜▢◻▫◽")
    if len(marks) == 1 and marks <= MARKS and len(others) > 1 and not ("0" in others and marks & {"o", "O"}):
        return marks
    raise _unknown(marks or others, question)


def _is_background(grid: Grid, symbol: str, others: set[str]) -> bool:
    if symbol in EMPTY:
        return True
    return symbol in CHEQUERS and (others == {symbol} or _sticks_to_a_colour(grid, symbol))


def _sticks_to_a_colour(grid: Grid, symbol: str) -> bool:
    return len({colour(square) for square in _places(grid, {symbol})}) < 2


def _unknown(symbols: set[str], question: Question) -> InputError:
    own = PIECES[question.name]
    found = _named(symbols)
    if sum(symbol.isalpha() for symbol in symbols) >= _MANY_LETTERS:
        return InputError(f"an answer for {question.name}", f"a text with {found}", where="answer")
    return InputError(
        f"pieces drawn as {own[0]} (or {' '.join(own[1:])}; or one of * X 1) and empty squares as . - _ or 0",
        f"{found} of unknown meaning",
        where="answer",
    )


def _named(symbols: Iterable[str]) -> str:
    """Return the symbols in one phrase, a few of them if they are many."""
    different = sorted(set(symbols))
    names = ", ".join(repr(symbol) for symbol in different[:_MAX_NAMED])
    return f"the symbols {names}{' and others' if len(different) > _MAX_NAMED else ''}"
