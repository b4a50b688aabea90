"""Drawn boards as rows of cells: frames, bars, labels and separators are taken off here.

A cell is one character or a whole number. Cells stand side by side or between blanks, tabs, commas, semicolons or
bars. Labels are numbers or letters that count, at either end of the rows and in the first or last line, whichever
way they count. What the cells mean is not this module's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from problems.board import Board
from problems.errors import InputError
from problems.formats.labels import INTEGER, Line, counts, counts_either_way, without_labels
from problems.formats.layout import torn
from problems.formats.source import require_few_numbers
from problems.knights import MAX_SQUARES

BLANK = " "
"""The cell of an empty place between two bars or of a chequered background."""

CHEQUERS = frozenset("#░▒▓█■□▪▫◻◼◽◾⬛⬜▢:=~%/")
"""Symbols that are background when they stand on squares of one colour only."""

MAX_LENGTH = 32_000_000
"""The most characters that a drawing may have: eight for each of four million squares."""

MAX_LINES = 100_000
"""The most lines that a drawing may have."""

_MAX_CELLS = MAX_SQUARES + 4 * MAX_LINES
_BOX = str.maketrans(
    dict.fromkeys("│┃║┆┇┊┋╎╏▏▕¦", "|")
    | dict.fromkeys("─━═┄┅┈┉╌╍", "-")
    | dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯┏┓┗┛┣┫┳┻╋", "+")
)
_SIZE_LINE = re.compile(
    r"\s*(?:n\s{0,9}[=:]\s{0,9})?([0-9]{1,9})(?:(?:\s{0,9}[xX*,]\s{0,9}|\s{1,9})([0-9]{1,9}))?\s*", re.IGNORECASE
)
_PACKED = re.compile(r"(?<![^\s|])[01]{2,}(?![^\s|])")
_RULE = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|){2,}(?:\s*:?-{2,}:?\s*)?")
_LABEL = re.compile(r"\s*(?:[0-9]{1,4}|[A-Za-z])(?=\s)")


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a drawing, all rows of the same length, and the line numbers of the rows."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    @property
    def board(self) -> Board:
        """The rectangle of the cells."""
        return Board(len(self.rows), len(self.rows[0]))


def parse_grid(text: str, blanks: frozenset[str], accepts: Callable[[Grid], object]) -> Grid:
    """Return the cells of a drawing; `InputError` for torn rows or a leading size that the drawing has not.

    `blanks` are symbols that may stand among numbers for a missing one.
    `accepts` is called with each way to divide the lines into cells and raises `InputError` for one that makes no
    sense; the first that makes sense is returned, or else the error of the most usual way is raised.
    """
    require_drawable(text)
    if text.count("\n") > MAX_LINES:
        raise InputError(f"a drawing of at most {MAX_LINES} lines", str(text.count("\n")), where="answer")
    _require_few_cells(text)
    lines = [Line(number, line) for number, line in enumerate(text.translate(_BOX).split("\n"), 1) if line.strip()]
    lines = _without_frames(_without_table_head(lines))
    if not lines:
        raise InputError("a drawn board", "a frame without rows", where="answer")
    size = _leading_size(lines)
    try:
        return _divided(lines if size is None else lines[1:], size, blanks, accepts)
    except InputError as error:
        if size is None:
            raise
        try:
            # What looks like a size may be the first row.
            return _divided(lines, None, blanks, accepts)
        except InputError:
            raise error from None


def require_drawable(text: str) -> None:
    """Raise `InputError` for a text that is too long for a drawing."""
    if len(text) > MAX_LENGTH:
        raise InputError(f"a drawing of at most {MAX_LENGTH} characters", str(len(text)), where="answer")


def _require_few_cells(text: str) -> None:
    """Raise `InputError` for too many cells, before memory is spent on them."""
    if len(text) <= _MAX_CELLS:
        return
    bare = text.translate(_SEPARATORS)
    require_few_numbers(bare, _MAX_CELLS)
    if not any(digit in bare for digit in "0123456789"):
        # Without numbers every symbol is a cell.
        cells = len(bare) - sum(map(bare.count, " \t\n"))
        if cells > _MAX_CELLS:
            raise InputError(f"a drawing of at most {MAX_SQUARES} squares", str(cells), where="answer")


def _divided(
    lines: list[Line], size: tuple[int, int] | None, blanks: frozenset[str], accepts: Callable[[Grid], object]
) -> Grid:
    """Return the first division into cells that is accepted; else raise the error of the most usual one."""
    fault = InputError("a drawn board", "lines of another kind", where="answer")
    for divide in (_chequered_blanks, _table, _tokens, _framed_blanks, _indented):
        try:
            grid = divide(lines, blanks)
            if grid is not None:
                _check_size(grid, size)
                accepts(grid)
                return grid
        except InputError as error:
            if divide is _tokens:
                fault = error
    raise fault


def _without_table_head(lines: list[Line]) -> list[Line]:
    """Return the lines of a Markdown table without its head, where that is blank or counts, and its labels.

    A head of other cells is a row of the board: a table cannot do without one.
    """
    rules = [place for place, line in enumerate(lines) if _RULE.fullmatch(line.text.strip())]
    if rules != [1] or len(lines) < 3 or "|" not in lines[0].text:
        return lines
    head = _between_bars(lines[0].text)
    names = [cell for cell in head if cell]
    bodies = [(line, _between_bars(line.text)) for line in lines[2:]]
    if (names and not counts_either_way(names)) or any(len(cells) != len(head) for _, cells in bodies):
        return lines
    if head[0] or not names or not counts_either_way([cells[0] for _, cells in bodies]):
        return lines[2:]
    return [Line(line.number, f"|{' | '.join(cells[1:])}|") for line, cells in bodies]


def _between_bars(text: str) -> list[str]:
    return [cell.strip() for cell in text.strip().removeprefix("|").removesuffix("|").split("|")]


def _without_frames(lines: list[Line]) -> list[Line]:
    """Return the lines without those that only frame others: `+---+`, `|---|---|`, and rules of dashes."""
    kept = [line for line in lines if not _is_frame(line.text)]
    rules = {i for i, line in enumerate(kept) if set(line.text.strip()) <= set("-=_ ")}
    others = [line.text for i, line in enumerate(kept) if i not in rules]
    bodies = [text for text in others if not counts(_split(text))]
    if not rules or not bodies:
        return kept
    if all("|" in text for text in bodies):
        return [line for i, line in enumerate(kept) if i not in rules]
    edge = {
        i for i in rules if i in (0, len(kept) - 1) and not any(kept[i].text.strip()[0] in text for text in bodies)
    }
    return [line for i, line in enumerate(kept) if i not in edge]


def _is_frame(text: str) -> bool:
    symbols = set(text.strip())
    return symbols <= set("+-=_| ") and ("+" in symbols or _RULE.fullmatch(text.strip()) is not None)


def _leading_size(lines: list[Line]) -> tuple[int, int] | None:
    match = _SIZE_LINE.fullmatch(lines[0].text) if len(lines) > 1 else None
    if match is None or counts(tuple(lines[0].text.split())):
        return None
    return int(match[1]), int(match[2] or match[1])


def _check_size(grid: Grid, size: tuple[int, int] | None) -> None:
    rows, cols = len(grid.rows), len(grid.rows[0])
    if size is not None and size != (rows, cols):
        raise InputError(
            f"{size[0]} rows of {size[1]} cells as the first line says", f"{rows}x{cols}", where="answer"
        )


def _tokens(lines: list[Line], blanks: frozenset[str]) -> Grid:
    """Cells between separators, or side by side where there are none."""
    packed = {match[0] for line in lines for match in _PACKED.finditer(line.text)}
    widths = {len(token) for token in packed}
    if len(widths) == 1 and any(token[0] == "0" for token in packed):
        # Rows of 0 and 1 side by side, some of which look like a number.
        lines = [Line(line.number, _PACKED.sub(lambda match: " ".join(match[0]), line.text)) for line in lines]
    return _rectangle([line.holding(_split(line.text)) for line in lines], blanks)


def _split(text: str) -> tuple[str, ...]:
    tokens = text.translate(_SEPARATORS).split()
    if len(tokens) > 1 and counts(tokens):
        return tuple(tokens)
    cells: list[str] = []
    for token in tokens:
        if len(token) == 1 or INTEGER.fullmatch(token):
            cells.append(token)
        else:
            cells.extend(token)
    return tuple(cells)


_SEPARATORS = str.maketrans("|,;'\"[](){}", "           ")


def _table(lines: list[Line], blanks: frozenset[str]) -> Grid | None:
    """Cells between bars, some of them blank."""
    barred = [line.text.strip().split("|") for line in lines if "|" in line.text]
    if not barred or len({len(parts) for parts in barred}) > 1 or len(barred[0]) < 4:
        return None
    if not any(not part.strip() for parts in barred for part in parts[1:-1]):
        return None
    found = []
    for line in lines:
        if "|" not in line.text:
            found.append(line.holding(_split(line.text)))
            continue
        parts = [part.strip() for part in line.text.strip().split("|")]
        if any(len(part) > 1 and not INTEGER.fullmatch(part) for part in parts):
            return None
        found.append(line.holding(tuple(part or BLANK for part in parts)))
    for edge in (0, -1):
        if all("|" not in line.text or line.cells[edge] == BLANK for line in found):
            found = [
                line if "|" not in line.text else line.holding(line.cells[1:] if edge == 0 else line.cells[:-1])
                for line in found
            ]
    return _rectangle(found, blanks)


def _rectangle(lines: list[Line], blanks: frozenset[str]) -> Grid:
    """Return the grid without labels; `InputError` for a torn row."""
    lines = without_labels(lines, blanks)
    torn([len(line.cells) for line in lines], [line.number for line in lines])
    if not lines[0].cells:
        raise InputError("a drawn board", "bars only", where="answer")
    return Grid(tuple(line.cells for line in lines), tuple(line.number for line in lines))


def _chequered_blanks(lines: list[Line], blanks: frozenset[str]) -> Grid | None:
    """Cells side by side on a chequered background, one colour of which is blank."""
    if not any(symbol in CHEQUERS for line in lines for symbol in line.text):
        return None
    bodies = [line for line in lines if not counts(tuple(line.text.replace("|", " ").split()))]
    if len(bodies) < 2:
        return None
    margin = min(len(line.text) - len(line.text.lstrip()) for line in bodies)
    labels = [_LABEL.match(line.text) for line in bodies]
    starts = [margin]
    if all(labels):
        end = max(label.end() for label in labels if label)
        starts = [end + 1, end + 2, end]
    if all(line.text.count("|") == 2 for line in bodies):
        return _chequered(bodies, [line.text.split("|")[1] for line in bodies])
    for start in starts:
        grid = _chequered(bodies, [line.text[start:] for line in bodies])
        if grid is not None:
            return grid
    return None


def _chequered(lines: list[Line], texts: list[str]) -> Grid | None:
    # One of two neighbouring rows ends in a symbol, so blanks beyond the longest row are no squares.
    width = max(len(text.rstrip()) for text in texts)
    rows = [text.rstrip().ljust(width) for text in texts]
    colours: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for place, symbol in enumerate(row):
            colours.setdefault(symbol, set()).add((number + place) % 2)
    blank = colours.get(BLANK, set())
    if width < 2 or len(blank) != 1 or not all(colours[s] != blank for s in colours if s in CHEQUERS):
        return None
    if any(len(colours[s]) > 1 for s in colours if s in CHEQUERS):
        return None
    return Grid(tuple(map(tuple, rows)), tuple(line.number for line in lines))


def _framed_blanks(lines: list[Line], blanks: frozenset[str]) -> Grid | None:
    """Cells side by side between two bars, blank where nothing stands."""
    bodies = [line for line in lines if "|" in line.text]
    parts = [line.text.split("|") for line in bodies]
    if not bodies or any(len(part) != 3 for part in parts):
        return None
    texts = [part[1] for part in parts]
    if len(set(map(len, texts))) != 1 or not texts[0]:
        return None
    return _blank_grid(bodies, texts)


def _indented(lines: list[Line], blanks: frozenset[str]) -> Grid | None:
    """One piece in each of n lines, as far to the right as blanks put it."""
    if any(len(line.text.split()) != 1 or len(line.text.strip()) != 1 for line in lines) or len(lines) < 2:
        return None
    if len({len(line.text.rstrip()) for line in lines}) == 1:
        return None
    width = max(len(line.text.rstrip()) for line in lines)
    texts = [line.text.rstrip().ljust(max(width, len(lines))) for line in lines]
    return _blank_grid(lines, texts)


def _blank_grid(lines: list[Line], texts: list[str]) -> Grid:
    rows, width = len(texts), len(texts[0])
    used = {place for text in texts for place, symbol in enumerate(text) if symbol != BLANK}
    for first, spread in ((1, 2 * rows + 1), (0, 2 * rows - 1)):
        # A blank between each two squares, as in `| Q     |`.
        if width == spread != rows and used and all(place % 2 == first for place in used):
            texts = [text[first::2] for text in texts]
            break
    return Grid(tuple(map(tuple, texts)), tuple(line.number for line in lines))
