"""One known answer a problem, written in every way that people write it, is read as that answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from problems import Board, InputError, KnightCover, KnightTour, Queens
from problems.board import Answer
from problems.formats import Coordinates, read, to_fen, to_indices, to_json, to_names, to_pairs, to_text, to_tsplib

BOARD = """
........
..NNNN..
........
.NN..NN.
........
.NNNNNN.
........
........"""
KNIGHTS: Answer = tuple(
    (row, col) for row, line in enumerate(BOARD.split()) for col, cell in enumerate(line) if cell == "N"
)
COLUMNS = (0, 4, 7, 5, 2, 6, 1, 3)
QUEENS: Answer = tuple(enumerate(COLUMNS))
STEPS = ((0, 3, 6, 9), (11, 8, 1, 4), (2, 5, 10, 7))
TOUR: Answer = tuple(
    square for _, square in sorted((step, (r, c)) for r, row in enumerate(STEPS) for c, step in enumerate(row))
)
COVER, EIGHT, THREE_BY_FOUR = KnightCover(Board(8, 8)), Queens(8), KnightTour(Board(3, 4))
Cell = Callable[[int], str]


def plain(empty: str) -> Cell:
    return lambda colour: empty


def chequered(light: str, dark: str) -> Cell:
    return lambda colour: (light, dark)[colour]


def rows_of(answer: Answer, piece: str, empty: Cell) -> list[list[str]]:
    return [[piece if (r, c) in answer else empty((r + c) % 2) for c in range(8)] for r in range(8)]


def drawn(answer: Answer, piece: str, empty: Cell, separator: str = "") -> str:
    return "\n".join(separator.join(row) for row in rows_of(answer, piece, empty))


def labelled(lines: str, head: str, labels: list[str], gap: str = " ", foot: bool = False) -> str:
    """Put labels before the lines, and a line of labels above or below them."""
    body = [f"{label}{gap}{line}" for label, line in zip(labels, lines.split("\n"), strict=True)]
    return "\n".join([*body, head] if foot else [head, *body])


def framed(answer: Answer, piece: str, empty: str) -> str:
    rule = "+" + "---+" * 8
    lines = ["|" + "|".join(f" {cell} " for cell in row) + "|" for row in rows_of(answer, piece, plain(empty))]
    return f"\n{rule}\n".join(["", *lines, ""]).strip()


UP, DOWN = [str(8 - i) for i in range(8)], [str(i) for i in range(8)]
SEPARATORS = ("", " ", "\t", ",", ", ", "|", " | ", ";")


def drawings(answer: Answer, pieces: str) -> Iterator[str]:
    """Every drawing of the answer on the 8x8 board."""
    first = pieces[0]
    for separator in SEPARATORS:
        yield drawn(answer, "1", plain("0"), separator)
        for piece in (*pieces, "*", "X", "1"):
            for empty in ".-_·":
                yield drawn(answer, piece, plain(empty), separator)
        for light, dark in (".#", "□■", "-.", "░█", "⬜⬛", "■□"):
            yield drawn(answer, first, chequered(light, dark), separator)
    for light, dark in (" #", "■ ", " ░", "░ "):
        text = drawn(answer, first, chequered(light, dark))
        yield text
        yield "\n".join(line.rstrip() for line in text.split("\n"))
        yield "\n".join(f"{label} {line}" for label, line in zip(UP, text.split("\n"), strict=True))
    yield drawn(answer, "■", plain("□"))
    rule = "+--------+\n"
    for empty in ".- ":
        body = "\n".join(f"|{line}|" for line in drawn(answer, first, plain(empty)).split("\n"))
        yield f"{rule}{body}\n{rule}"
        yield body
        yield framed(answer, first, empty)
        table = framed(answer, first, empty).split("\n")
        sides = [f"{'  ' if i % 2 == 0 else UP[i // 2] + ' '}{line}" for i, line in enumerate(table)]
        yield "\n".join([*sides, "    a   b   c   d   e   f   g   h"])
    boxes = str.maketrans({"|": "│", "-": "─", "+": "┼"})
    yield framed(answer, first, ".").translate(boxes)
    for separator, gap in (("", ""), ("", " "), (" ", " "), (" ", "| "), ("\t", "\t"), ("", " |")):
        for head, labels in (
            (separator.join("abcdefgh"), UP),
            (separator.join("ABCDEFGH"), UP),
            (separator.join("01234567"), DOWN),
            (separator.join("12345678"), [str(i + 1) for i in range(8)]),
            (separator.join("01234567"), DOWN[::-1]),
        ):
            lines = drawn(answer, first, plain("."), separator)
            yield labelled(lines, f"   {head}", labels, gap)
            yield labelled(lines, f"   {head}", labels, gap, foot=True)
            yield f"   {head}\n{lines}"
    both = [
        f"{line} {label}"
        for label, line in zip(UP, drawn(answer, first, plain("."), " ").split("\n"), strict=True)
    ]
    yield labelled("\n".join(both), "  a b c d e f g h", UP) + "\n  a b c d e f g h"
    bits = drawn(answer, "1", plain("0"), " ")
    yield labelled(bits, "  0 1 2 3 4 5 6 7", DOWN)
    yield labelled(bits, "  0 1 2 3 4 5 6 7", DOWN[::-1], foot=True)
    yield "\n".join(f"{label}\t{line}" for label, line in zip(DOWN, bits.split("\n"), strict=True))
    for size in ("8", "8 8", "8x8", "8 x 8", "n = 8", "8X8"):
        yield f"{size}\n{drawn(answer, first, plain('.'))}"
        yield f"{size}\n{drawn(answer, '1', plain('0'), ' ')}"
        yield f"{size}\n{drawn(answer, '1', plain('0'))}"
    dashes = drawn(answer, first, plain("-"))
    yield labelled(dashes, "    abcdefgh\n   " + "-" * 8, UP, " |") + "\n   " + "-" * 8


def matrices(rows: list[list[int]]) -> Iterator[str]:
    """Every way to write a matrix of whole numbers in brackets."""
    yield str(rows)
    yield json.dumps(rows, indent=1)
    yield str(tuple(map(tuple, rows)))
    yield str(rows).replace("[", "{").replace("]", "}")
    yield f"grid = {rows}"
    yield f"np.array({rows})"
    yield "array([[" + "],\n       [".join(", ".join(map(str, row)) for row in rows) + "]], dtype=int64)"
    yield "[[" + "]\n [".join(" ".join(map(str, row)) for row in rows) + "]]"
    yield "[[" + "]\n [".join("  ".join(f"{value}." for value in row) for row in rows) + "]]"
    for row_end in (";", "; ", ";\n", "\n"):
        yield "A = [" + row_end.join(" ".join(map(str, row)) for row in rows) + "];"
        yield "[" + row_end.join(" ".join(map(str, row)) for row in rows) + "]"
    yield "; ".join(" ".join(map(str, row)) for row in rows)


def strings(answer: Answer, piece: str) -> Iterator[str]:
    """Every way to write a drawing as a list of strings."""
    for empty in ". ":
        rows = ["".join(row) for row in rows_of(answer, piece, plain(empty))]
        yield str(rows)
        yield json.dumps(rows, indent=1)
        yield json.dumps([rows])
        yield str([list(row) for row in rows])


def pair_lists(answer: Answer) -> Iterator[str]:
    yield str(list(answer))
    yield json.dumps(answer)
    yield "{" + ", ".join(f"{{{r}, {c}}}" for r, c in answer) + "}"
    for form in ("%d,%d", "(%d,%d)", "(%d, %d)", "(%d, %d),"):
        yield " ".join(form % square for square in answer)
        yield "\n".join(form % square for square in answer)
    yield "; ".join(f"{square[0]},{square[1]}" for square in answer)
    yield "\n".join(f"{square[0]} {square[1]}" for square in answer)
    yield "\n".join(f"{square[0]}\t{square[1]}" for square in answer)


def name_lists(text: str) -> Iterator[str]:
    names = text.split()
    for separator in (" ", ",", ", ", "; ", "-", " -> ", " → ", "\n", "", "/", " | "):
        yield separator.join(names)
    yield text.upper()
    yield str(names)
    yield json.dumps(names)
    yield "{" + ",".join(names) + "}"
    yield "\n".join(f"{i}. {name}" for i, name in enumerate(names, 1))


def knight_texts() -> Iterator[str]:
    yield from drawings(KNIGHTS, "NnKk♘♞")
    yield from matrices([[int((r, c) in KNIGHTS) for c in range(8)] for r in range(8)])
    yield from strings(KNIGHTS, "N")
    fen = to_fen(COVER, KNIGHTS)
    yield from (fen, f"{fen} w - - 0 1", f"{fen.lower()} b - -", f'"{fen}"')
    yield json.dumps(to_json(COVER, KNIGHTS))
    pairs = to_pairs(COVER, KNIGHTS)
    for size in ("8", "8 8", "8x8"):
        yield f"{size}\n{pairs}"
        yield f"{size}\n" + pairs.replace(" ", "\n")
        yield f"{size}\n" + pairs.replace(" ", "\n").replace(",", " ")
        yield f"{size} {pairs}"


def queen_texts() -> Iterator[str]:
    yield from drawings(QUEENS, "Qq♕♛")
    yield from matrices([[int(c == col) for c in range(8)] for col in COLUMNS])
    yield from strings(QUEENS, "Q")
    yield drawn(QUEENS, "Q", plain(" "))
    yield "\n".join(line.rstrip() for line in drawn(QUEENS, "Q", plain(" ")).split("\n"))
    fen = to_fen(EIGHT, QUEENS)
    yield from (fen, f"{fen} w - - 0 1", f"{fen.lower()} b - -", f'"{fen}"')
    yield json.dumps(to_json(EIGHT, QUEENS))
    for base in (0, 1):
        columns = [col + base for col in COLUMNS]
        words = [str(col) for col in columns]
        for separator in (" ", ",", ", ", ";", "\n", "\t", ""):
            yield separator.join(words)
        yield from (str(columns), str(tuple(columns)), f"x = {columns}", f"np.array({columns})")
        yield "{ " + ", ".join(words) + " }"
        yield "[" + " ".join(words) + "]"
        yield "8\n" + " ".join(words)
        yield " ".join(words[:4]) + "\n" + " ".join(words[4:])
        squares = tuple((r + base, c + base) for r, c in QUEENS)
        yield from pair_lists(squares)
        yield from (f"8 {text}" for text in pair_lists(squares) if text[0].isdigit() and "\n" not in text)
        yield " ".join(f"{square[0]} {square[1]}" for square in squares)
        yield "8 " + " ".join(f"{square[0]} {square[1]}" for square in reversed(squares))
    yield to_indices(EIGHT, QUEENS)
    names = to_names(EIGHT, QUEENS)
    yield from name_lists(names)
    yield from (f"8 {names}", f"8x8\n{names}", " ".join(f"Q{name}" for name in names.split()))


def tour_texts() -> Iterator[str]:
    for base in (0, 1):
        rows = [[step + base for step in row] for row in STEPS]
        yield from matrices(rows)
        for separator in (" ", ",", ", ", "\t", ";", " | ", "  "):
            text = "\n".join(separator.join(map(str, row)) for row in rows)
            yield text
            yield f"3 4\n{text}"
            yield f"3x4\n{text}"
        cells = ["| " + " | ".join(f"{step:2}" for step in row) + " |" for row in rows]
        rule = "+" + "----+" * 4
        yield "\n".join(cells)
        yield f"\n{rule}\n".join(["", *cells, ""]).strip()
        aligned = [" ".join(f"{step:2}" for step in row) for row in rows]
        yield "\n".join(["    a  b  c  d", *(f"{3 - i}  {row}" for i, row in enumerate(aligned))])
        yield "\n".join(["   0  1  2  3", *(f"{i}  {row}" for i, row in enumerate(aligned))])
        yield "\n".join([*(f"{2 - i}  {row}" for i, row in enumerate(aligned)), "   0  1  2  3"])
        yield "\n".join(f"{3 - i} |{row}" for i, row in enumerate(aligned))
    yield from pair_lists(TOUR)
    yield from pair_lists(tuple((r + 1, c + 1) for r, c in TOUR))
    yield " ".join(f"{square[0]} {square[1]}" for square in TOUR)
    yield from name_lists(to_names(THREE_BY_FOUR, TOUR))
    yield " ".join(f"N{name}" for name in to_names(THREE_BY_FOUR, TOUR).split())
    yield to_tsplib(THREE_BY_FOUR, TOUR)
    yield json.dumps(to_json(THREE_BY_FOUR, TOUR))
    yield to_text(THREE_BY_FOUR, TOUR)


ALL = [
    *(("knights", COVER, KNIGHTS, text) for text in knight_texts()),
    *(("queens", EIGHT, QUEENS, text) for text in queen_texts()),
    *(("tour", THREE_BY_FOUR, TOUR, text) for text in tour_texts()),
]


def test_every_form_is_read() -> None:
    """One test for all: a thousand parameters would only slow the collection down."""
    wrong = []
    for name, problem, answer, text in ALL:
        for data in (text, f"\ufeff{text}\n\n".replace("\n", "\r\n").encode(), f"\n{text}  \n".encode("utf-16")):
            try:
                reading = read(data, name)
            except InputError as error:
                wrong.append((text, str(error)))
                continue
            if reading.problem != problem or set(reading.answer) != set(answer):
                wrong.append((text, reading.form))
    assert not wrong, f"{len(wrong)} of {len(ALL)}: {wrong[0][1]}\n{wrong[0][0]}"
    assert len(ALL) > 900


def test_lists_that_need_a_board() -> None:
    for problem, answer in ((COVER, KNIGHTS), (THREE_BY_FOUR, TOUR)):
        board = problem.board
        for coordinates, text in (
            (Coordinates.NAMES, to_names(problem, answer)),
            (Coordinates.RC, to_pairs(problem, answer)),
            (Coordinates.RC, to_pairs(problem, answer).replace(",", " ")),
            (Coordinates.XY, to_pairs(problem, answer, Coordinates.XY)),
            (Coordinates.INDEX, to_indices(problem, answer)),
            (Coordinates.INDEX, f"[{to_indices(problem, answer).replace(' ', ', ')}]"),
        ):
            assert read(text, problem.name, board=board, coordinates=coordinates).answer == answer
    wrapped = to_indices(THREE_BY_FOUR, TOUR).split()
    text = " ".join(wrapped[:5]) + "\n" + " ".join(wrapped[5:])
    assert read(text, "tour", board=Board(3, 4), coordinates=Coordinates.INDEX).answer == TOUR
    assert (
        read("14\n" + to_pairs(COVER, KNIGHTS).replace(" ", "\n"), "knights", board=Board(8, 8)).answer == KNIGHTS
    )


def test_orientation() -> None:
    """The top line is row 0; names and x,y count from the bottom left."""
    board = Board(2, 3)
    assert read("N..\n...", "knights").answer == ((0, 0),)
    assert read("a1", "knights", board=board).answer == ((1, 0),)
    assert read("2,1", "knights", board=board, coordinates=Coordinates.XY).answer == ((0, 2),)
    assert read("1,2", "knights", board=board, coordinates=Coordinates.RC).answer == ((1, 2),)
    assert read("5", "knights", board=board, coordinates=Coordinates.INDEX).answer == ((1, 2),)
    assert read("2 N..\n1 ...\n  abc", "knights").answer == ((0, 0),)


def test_partial_step_matrices() -> None:
    for text in ("0 . .\n. . 1", "0 -1 -1\n-1 -1 1", "[[0, -1, -1], [-1, -1, 1]]"):
        reading = read(text, "tour")
        assert (reading.answer, reading.violations) == (((0, 0), (1, 2)), ())
    ones = read("[[1, 0, 0], [0, 0, 2]]", "tour")
    assert (ones.answer, ones.violations) == (((0, 0), (1, 2)), ())
    assert "0 = not visited" in ones.form


def test_numbers_that_start_at_one_or_lack_a_zero() -> None:
    assert read("3 3 3 2", "queens").form == "permutation, 1-based"
    assert read("3 3 3 2", "queens").notes
    assert read("0 3 3 2", "queens").form == "permutation, 0-based"


def test_what_is_told_overrides_what_the_text_says() -> None:
    record = to_json(KnightCover(Board(3, 4), read("N", "knights", rule=None).problem.rule), ())
    text = json.dumps(record | {"rule": "ordinary"})
    assert read(text, "knights").problem.rule == "ordinary"
    told = read(text, "knights", rule=COVER.rule)
    assert told.problem.rule == "total"
    assert "ordinary" in told.notes[0]


def test_options_reach_the_problem() -> None:
    tour = read("[[0,3,6,9],[11,8,1,4],[2,5,10,7]]", "tour", closed=True, start="a3")
    assert tour.problem == KnightTour(Board(3, 4), start=(0, 0), closed=True)
    queens = read("2413", "queens", given=["b4", (1, 3)])
    assert queens.problem == Queens(4, ((0, 1), (1, 3)))
    assert read("N.", "knights", at_most=1).problem == KnightCover(Board(1, 2), at_most=1)
    with pytest.raises(InputError, match="--start"):
        read("[[0,3,6,9],[11,8,1,4],[2,5,10,7]]", "tour", start="z9")


def test_empty_answers() -> None:
    assert read("[]", "queens").problem == Queens(0)
    assert read("[]", "knights", board=Board(2, 2)).answer == ()
    assert read(". .\n. .", "knights").answer == ()
