"""Boards as SVG: pieces drawn as shapes, tours as a numbered path, what is wrong marked.

The drawing follows the reader's colour scheme, light or dark, and marks faults by shape (a cross, a dashed line)
as well as by colour. It needs no font for the pieces, no script and no other file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from problems.board import Answer, Board, Square
from problems.errors import InputError
from problems.queens import Queens
from problems.result import Problem
from problems.tours import KnightTour
from problems.violation import KINDS, Violation

MAX_SIDE_DRAWN = 200
"""The longest side of a board that is drawn, in squares."""

_CELL = 40
_MARGIN = 24
_MAX_NUMBERED = 60
_GAPS = frozenset({"unattacked", "uncovered", "unvisited", "given-missing"})
_LINES = frozenset({"attacking", "same-row", "same-column", "same-diagonal", "illegal-step", "not-closed"})

_STYLE = """
.pm-board{--light:#f3ead7;--dark:#c9ad85;--ink:#1d1b18;--piece:#1d1b18;--rim:#fdfaf3;--path:#1f5fa8;--bad:#c4201d}
.pm-board .l{fill:var(--light)}.pm-board .d{fill:var(--dark)}
.pm-board .p{fill:var(--piece);stroke:var(--rim);stroke-width:1.2;stroke-linejoin:round}
.pm-board .g{fill:var(--bad);fill-opacity:.3}.pm-board .x{stroke:var(--bad);stroke-width:2.5;fill:none}
.pm-board .b{stroke:var(--bad);stroke-width:3;stroke-dasharray:6 4;fill:none}
.pm-board .t{stroke:var(--path);stroke-width:2.5;fill:none;stroke-linejoin:round;stroke-opacity:.75}
.pm-board .o{fill:var(--path)}.pm-board text{fill:var(--ink);font-family:sans-serif;text-anchor:middle}
.pm-board .c{fill:#7a7a7a;font-size:11px}
@media (prefers-color-scheme:dark){.pm-board{--light:#57534d;--dark:#37332e;--ink:#f1eee8;--piece:#f6f2ea;
--rim:#141210;--path:#7fb2f0;--bad:#ff7b72}}
""".strip()

_SHAPES = {
    "knights": (
        "M11 34h19c1-9-1-15-5-20-2-3-5-4-8-5l-2-4-2 4c-3 2-5 6-6 10l-3 5c0 2 2 4 4 3l6-3c1 1 3 1 4 0-1 4-7 5-7 10z"
    ),
    "queens": "M9 34h22l-1-4c1-2 2-4 2-6l3-12-7 8-2-13-6 12-6-12-2 13-7-8 3 12c0 2 1 4 2 6z",
}


def to_svg(problem: Problem, answer: Answer, violations: Iterable[Violation] = ()) -> str:
    """Return a standalone `<svg>` of the board with the answer and its violations.

    Uncovered and unvisited squares, and squares given twice, carry a cross; pieces that attack each other and
    steps that are no moves a dashed line. Steps are numbered on boards up to 60 squares wide and high.
    Raises `InputError` for boards over 200 squares wide or high, and for the board of no queens.
    """
    if isinstance(problem, Queens) and problem.n == 0:
        raise InputError("a board of at least one square to draw", "a board of no queens")
    board = problem.board
    if max(board.rows, board.cols) > MAX_SIDE_DRAWN:
        raise InputError(f"a board of at most {MAX_SIDE_DRAWN} squares a side to draw", str(board))
    found = tuple(violations)
    on_board = [square for square in answer if square in board]
    parts = [*_squares(board), *_coordinates(board), *_gaps(found, board)]
    if isinstance(problem, KnightTour):
        parts += _path(problem, answer)
    else:
        parts += _pieces(problem.name, on_board)
    parts += _bad_lines(found, board)
    return _document(board, _title(problem, answer, found), parts)


def _document(board: Board, title: str, parts: Sequence[str]) -> str:
    width, height = board.cols * _CELL + 2 * _MARGIN, board.rows * _CELL + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" class="pm-board" role="img" aria-label="{escape(title)}">'
    )
    return (
        "\n".join([head, f"<title>{escape(title)}</title>", f"<style>{_STYLE}</style>", *parts, "</svg>"]) + "\n"
    )


def _title(problem: Problem, answer: Answer, violations: Sequence[Violation]) -> str:
    board = problem.board
    kinds = list(dict.fromkeys(violation.kind for violation in violations))
    wrong = "; ".join(KINDS.get(kind, kind) for kind in kinds)
    what = {"knights": "knights", "queens": "queens", "tour": "steps of a knight"}[problem.name]
    return f"{len(answer)} {what} on a {board} board{f': {wrong}' if wrong else ''}"


def _corner(square: Square) -> tuple[int, int]:
    return _MARGIN + square[1] * _CELL, _MARGIN + square[0] * _CELL


def _centre(square: Square) -> tuple[int, int]:
    x, y = _corner(square)
    return x + _CELL // 2, y + _CELL // 2


def _squares(board: Board) -> list[str]:
    """One path a colour: a board of 60x60 would need 3,600 elements otherwise."""
    paths: list[list[str]] = [[], []]
    for row, col in board.squares():
        x, y = _corner((row, col))
        # As on a chess board, the bottom left square is dark.
        paths[(board.rows - 1 - row + col) % 2].append(f"M{x} {y}h{_CELL}v{_CELL}h-{_CELL}z")
    return [f'<path class="{name}" d="{"".join(path)}"/>' for name, path in zip("dl", paths, strict=True) if path]


def _coordinates(board: Board) -> list[str]:
    below = board.rows * _CELL + _MARGIN + 16
    texts = []
    for col in range(board.cols):
        name = board.name((board.rows - 1, col)).removesuffix("1")
        texts.append(f'<text class="c" x="{_centre((0, col))[0]}" y="{below}">{name}</text>')
    for row in range(board.rows):
        y = _centre((row, 0))[1] + 4
        texts.append(f'<text class="c" x="{_MARGIN // 2}" y="{y}">{board.rows - row}</text>')
    return texts


def _gaps(violations: Sequence[Violation], board: Board) -> list[str]:
    marks = []
    for violation in violations:
        if violation.kind in _GAPS or violation.kind in ("duplicate", "repeated-step"):
            marks += [_gap(square, KINDS[violation.kind]) for square in violation.squares if square in board]
    return marks


def _gap(square: Square, reason: str) -> str:
    x, y = _corner(square)
    size = _CELL - 8
    return (
        f'<g><title>{escape(reason)}</title><rect class="g" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>'
        f'<path class="x" d="M{x + 4} {y + 4}l{size} {size}m0 -{size}l-{size} {size}"/></g>'
    )


def _pieces(name: str, squares: Sequence[Square]) -> list[str]:
    shape = _SHAPES[name]
    places = sorted(set(squares))
    return [f'<path class="p" transform="translate{_corner(square)}" d="{shape}"/>' for square in places]


def _path(problem: KnightTour, answer: Answer) -> list[str]:
    steps = [(step, square) for step, square in enumerate(answer) if square in problem.board]
    if not steps:
        return []
    points = " ".join(f"{x},{y}" for x, y in (_centre(square) for _, square in steps))
    line = "polygon" if problem.closed else "polyline"
    parts = [f'<{line} class="t" points="{points}"/>']
    for square, radius in ((steps[0][1], 9), (steps[-1][1], 6)):
        x, y = _centre(square)
        parts.append(f'<circle class="o" cx="{x}" cy="{y}" r="{radius}"/>')
    if max(problem.board.rows, problem.board.cols) <= _MAX_NUMBERED:
        parts += [_number(step, square) for step, square in steps]
    return parts


def _number(step: int, square: Square) -> str:
    x, y = _corner(square)
    return f'<text x="{x + _CELL // 2}" y="{y + 13}" font-size="{12 if step < 1000 else 10}">{step}</text>'


def _bad_lines(violations: Sequence[Violation], board: Board) -> list[str]:
    lines = []
    for violation in violations:
        squares = [square for square in violation.squares if square in board]
        if violation.kind in _LINES and len(squares) > 1:
            points = " ".join(f"{x},{y}" for x, y in map(_centre, squares))
            reason = escape(KINDS[violation.kind])
            lines.append(f'<polyline class="b" points="{points}"><title>{reason}</title></polyline>')
    return lines
