"""Bad input of any kind ends in an `InputError` of one line, never in another exception, and soon."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from problems import AmbiguousInput, Board, InputError
from problems.formats import MAX_BYTES, Coordinates, parse_board, parse_instance, parse_square, read, read_path
from problems.formats.records import to_json
from problems.knights import KnightCover

CASES = json.loads((Path(__file__).parents[1] / "data" / "answers.json").read_text())
TEXTS = [case["text"] for case in CASES] + [
    "+---+---+\n| N |   |\n+---+---+\n|   | N |\n+---+---+",
    "8x8\n1,2 3,4",
    "NAME : x\nCOMMENT : 3x4\nTYPE : TOUR\nDIMENSION : 12\nTOUR_SECTION\n1\n7\n-1\nEOF",
    '[".Q..", "...Q", "Q...", "..Q."]',
    "np.array([[0, 1], [1, 0]])",
    " ■ ■\n■ ■N\n ■ ■",
    "  a b\n2 . N\n1 . .",
    json.dumps(to_json(KnightCover(Board(2, 3)), ((0, 1),))),
]
PROBLEMS = ("knights", "queens", "tour")
BOARDS = (None, Board(3, 4), Board(8, 8), Board(1, 1))


def fault_of(parse: Callable[[], object]) -> str:
    """Return the message of the `InputError` that the call raises, an empty one if it raises none."""
    try:
        parse()
    except InputError as error:
        return str(error)
    return ""


def is_short_line(message: str) -> bool:
    return "\n" not in message and len(message) < 400


def read_somehow(data: bytes | str) -> None:
    """Read a text for every problem; only an `InputError` of one line may come out."""
    for problem in PROBLEMS:
        for board in BOARDS if problem != "queens" else (None, Board(8, 8)):
            for coordinates in (None, *Coordinates) if board == Board(3, 4) or problem == "queens" else (None,):
                assert is_short_line(fault_of(lambda: judge(data, problem, board, coordinates)))  # noqa: B023


def judge(data: bytes | str, problem: str, board: Board | None, coordinates: Coordinates | None) -> None:
    reading = read(data, problem, board=board, coordinates=coordinates)
    assert reading.problem.name == problem
    assert all(type(row) is int and type(col) is int for row, col in reading.answer)
    reading.problem.violations(reading.answer[:1000])


SYMBOLS = "0123456789 \n\t,;|.-_+#*NnQqKXxo[](){}\"':/=■□♘ab" + "\r\ufeff\u00a0\x00\x1b٣é"


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A known text with some pieces cut out, doubled, swapped, or replaced by other symbols."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        piece = draw(st.text(SYMBOLS, max_size=6) | st.just(text[start:end] * 2) | st.just(text[:20]))
        text = text[:start] + piece + text[end:]
    return text


@settings(max_examples=300, deadline=None)
@given(mutated())
def test_mutated_texts(text: str) -> None:
    read_somehow(text)


@settings(max_examples=150, deadline=None)
@given(st.text(SYMBOLS, max_size=60))
@example("٣ ١")
@example("\x1b[31m")
@example("{}")
@example('{"answer": 1e400}')
@example("[" * 5000)
@example('{"a":' * 5000)
@example('{"board": "8x8", "answer": [[' + "9" * 5000 + ", 0]]}")
@example("8" * 5000)
@example("a" + "1" * 5000)
@example("Q" * 40 + "/" + "9" * 5000)
@example("TOUR_SECTION\n" + "7" * 5000)
def test_any_text(text: str) -> None:
    read_somehow(text)


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    read_somehow(data)


@settings(max_examples=80, deadline=None)
@given(st.text("0123456789xX*, ()abz-.", max_size=14))
def test_any_size_and_square(text: str) -> None:
    for parse in (
        lambda: parse_board(text),
        lambda: parse_instance(text, "queens"),
        lambda: parse_square(text, Board(8, 8)),
    ):
        assert is_short_line(fault_of(parse))


LONG = 100_000


@pytest.mark.parametrize(
    "text",
    [
        "a" * LONG, "a1" * LONG, "\n" * LONG + "x", "x" + " " * LONG + "x", "(" * LONG, ")" * LONG, "," * LONG,
        "'" * LONG, '"' + "'" * LONG, "." * LONG, ". " * LONG, "1" * LONG, "1/" * LONG, "{" * LONG, "-" * LONG,
        "|" * LONG, "|\n" * LONG, "■" * LONG, "+\n" * LONG, "1.0 " * LONG, "1," + " " * LONG + "1",
        "a =" + " " * LONG + "[1", "[1]]," + " " * LONG + "[[1]]", "TOUR_SECTION" + " " * LONG + "x",
        "1 2\n" + "3\n" * LONG, " " * LONG + "8 x" + " " * LONG + "8", "-- " * LONG + "|", "8x8 " * LONG,
    ],
    ids=lambda text: repr(text[:6]) + str(len(text)),
)  # fmt: skip
def test_long_texts_are_read_or_refused_in_linear_time(text: str) -> None:
    # A quadratic pattern would take hours on these.
    for problem in PROBLEMS:
        assert is_short_line(fault_of(lambda: read(text, problem)))  # noqa: B023


@pytest.mark.parametrize(
    ("problem", "text", "expected"),
    [
        ("knights", "........\n..NNNN..\n.......\n", "line 3: expected 8 cells .* got 7"),
        ("knights", ". . .\n. .\n. . N", "line 2: expected 3 cells .* got 2"),
        ("knights", "0 0 1\n0 1\n1 1 1", "line 2: expected 3 cells .* got 2"),
        ("tour", "0 1 2\n3 4\n5 6 7", "line 2: expected 3 cells .* got 2"),
        ("tour", "[[0, 1, 2], [3, 4]]", "row 2: expected 3 cells .* got 2"),
        ("queens", "[[1, 2], [3, 4, 5]]", "row 2: expected 2 cells .* got 3"),
        ("knights", "N7/8/7/8/8/8/8/8", "FEN rank 3 from the top: expected 8 squares .* got 7"),
        ("knights", "8 8\n" + "........\n" * 7, "expected 8 rows of 8 cells as the first line says, got 7x8"),
        ("queens", "..Q.\nQ...\n...Q", "as many rows as columns for queens, got 3x4"),
        ("queens", "Q7/8/8", "as many rows as columns for queens, got 3x8"),
        ("knights", "", "an empty text"),
        ("knights", " \n\t", "blanks only"),
        ("knights", b"\x89PNG\r\n\x1a\n\x00\x00", "binary data"),
        ("knights", b"\xff\xd8\xff\xe0JFIF", "binary data"),
        ("knights", "oXo\n...\n...", "'X', 'o'"),
        ("knights", "K7/8/8/8/8/8/8/8", "only N or n and digits, got 'K'"),
        ("knights", "hello world", "an answer for knights"),
        ("tour", "hello", "step numbers or a list of squares"),
        ("tour", "Q7/8/8/8/8/8/8/8", "a FEN"),
        ("tour", ".N.\n...", "step numbers or a list of squares"),
        ("tour", ". .\n. .", "without numbers"),
        ("queens", "1 2 99999999999999", "at most 9 digits"),
        ("queens", "[1, 2, , 3]", "a number between two separators"),
        ("queens", "[1, 2, 3", "a closing ']'"),
        ("queens", "1, 2, 3]", "an opening bracket"),
        ("queens", "(1, 2]", "brackets in pairs|closing"),
        ("queens", "[[[[1]]]]", "3 deep"),
        ("queens", "[[2, 4, 1, 3], [3, 1, 4, 2]]", "one list of columns"),
        ("queens", "[[(0,1),(1,3)],[(2,0),(3,2)]]", "one answer, got a list of several"),
        ("queens", '[[".Q","Q."],["Q.",".Q"]]', "one answer, got a list of several"),
        ("tour", "TOUR_SECTION\n1\n-1\n2\n-1", "another tour|RxC"),
        ("knights", '{"problem": "queens", "board": "8x8", "answer": []}', "for knights, got one for queens"),
        ("knights", '{"board": "8x8", "answer": null, "status": "UNKNOWN"}', "UNKNOWN"),
        ("knights", '{"board": "8x8", "answer": [[1, 2, 3]]}', r"squares as \[row, col\]"),
        ("knights", '{"board": "8x8", "answer": [[1, true]]}', r"squares as \[row, col\]"),
        ("knights", '{"board"', "JSON"),
        ("knights", "8x8", "only a board size"),
        ("knights", "0x0", "only a board size"),
        ("chess", "N", "knights, queens or tour"),
    ],
)
def test_message_says_what_is_wrong(problem: str, text: str | bytes, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        read(text, problem)


def test_board_that_was_given_must_be_the_one_drawn() -> None:
    with pytest.raises(InputError, match="a board of 8x8, got one of 2x2"):
        read("N.\n.N", "knights", board=Board(8, 8))
    with pytest.raises(InputError, match="a step matrix of 4x3"):
        read("[[0,3,6,9],[11,8,1,4],[2,5,10,7]]", "tour", board=Board(4, 3))
    with pytest.raises(InputError, match="square board"):
        read("1 2 3", "queens", board=Board(3, 4))


def test_square_off_the_board_is_a_violation_not_an_error() -> None:
    for text in ("a1 i9", "7,0 0,8"):
        reading = read(text, "knights", board=Board(8, 8))
        assert "off-board" in [v.kind for v in reading.problem.violations(reading.answer)]


@pytest.mark.parametrize(
    "text", ["0x0", "-1x8", "8x-8", "0", "99999999999x2", "axb", "8x8x8", "", "3.5", "8 x", "٣x٣"]
)
def test_bad_sizes(text: str) -> None:
    with pytest.raises(InputError):
        parse_instance(text, "knights")


def test_sizes() -> None:
    assert parse_instance("8x8", "knights") == parse_instance(" 8 ", "tour") == Board(8, 8)
    assert parse_instance("3X10", "tour") == parse_board("3 × 10") == Board(3, 10)
    assert parse_instance("8", "queens") == parse_instance("8x8", "queens") == 8
    assert parse_instance("0", "queens") == 0
    for text in ("8x9", "0x0", "-3"):
        with pytest.raises(InputError):
            parse_instance(text, "queens")


def test_squares() -> None:
    board = Board(6, 7)
    for text in ("a1", "A1", "5,0", "(5, 0)", "[5,0]", "5 0", " a1 "):
        assert parse_square(text, board) == (5, 0)
    for text in ("h1", "a7", "6,0", "-1,0", "a", "1", "", "1,2,3", "a0"):
        with pytest.raises(InputError, match="--start"):
            parse_square(text, board, "--start")


def test_files(tmp_path: Path) -> None:
    good = tmp_path / "answer.txt"
    good.write_text("2 4 1 3")
    assert read_path(good, "queens").answer == ((0, 1), (1, 3), (2, 0), (3, 2))
    assert read_path("-", "queens", stream=io.BytesIO(b"2 4 1 3")).form == "permutation, 1-based"
    with pytest.raises(InputError, match="a directory"):
        read_path(tmp_path, "queens")
    with pytest.raises(InputError, match="no such file"):
        read_path(tmp_path / "missing.txt", "queens")
    with pytest.raises(InputError):
        read_path("nul\0byte", "queens")
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        os.truncate(file.fileno(), 100 * 1024 * 1024)
    with pytest.raises(InputError, match=str(MAX_BYTES)):
        read_path(huge, "queens")


class Endless(io.RawIOBase):
    """A stream that never ends."""

    def read(self, size: int = -1) -> bytes:
        return b"0" * size


def test_endless_stream_is_refused() -> None:
    with pytest.raises(InputError, match=str(MAX_BYTES)):
        read_path("-", "queens", stream=Endless())


@pytest.mark.parametrize(
    ("problem", "text", "board", "options"),
    [
        ("knights", "1,0 2,0 3,0 0,2 1,2 2,2", Board(3, 4), ["--coordinates rc", "--coordinates xy"]),
        ("knights", "1 2 3 4", Board(8, 8), ["--coordinates rc", "--coordinates index"]),
        ("tour", "0 7 4 13 16 5 2 9 18 11 8 1 10 17 14 3 6 15 12 19", Board(4, 5), ["--coordinates index"]),
        ("tour", "0 7 4 13 16\n5 2 9 18 11\n8 1 10 17 14\n3 6 15 12 19", None, ["--coordinates index"]),
        ("tour", "0 7 4 13 16 5 2 9 18 11 8 1 10 17 14 3 6 15 12 19", None, ["--board"]),
        ("tour", "TOUR_SECTION\n1\n2\n-1\n", None, ["--board"]),
        ("knights", "1,2 3,4", None, ["--board"]),
        ("knights", "a1 b2", None, ["--board"]),
        ("knights", "3\n0 1\n1 2\n2 0", None, ["--board"]),
        ("queens", "8 0 4 7 5 2 6 1 3", None, ["--board 9x9", "--board 8x8"]),
    ],
)
def test_readings_that_differ_in_verdict_name_the_option(
    problem: str, text: str, board: Board | None, options: list[str]
) -> None:
    with pytest.raises(AmbiguousInput) as caught:
        read(text, problem, board=board)
    for option in options:
        assert option in str(caught.value)


def test_readings_that_agree_leave_a_note() -> None:
    reading = read("[(0, 1), (1, 3), (2, 0), (3, 2)]", "queens")
    assert any("--coordinates xy" in note for note in reading.notes)
    assert read("[(0, 1), (1, 3), (2, 0), (3, 2)]", "queens", coordinates=Coordinates.RC).notes == ()


def test_a_fixed_square_makes_pairs_ambiguous() -> None:
    """Turned round, a tour is still a tour, but it starts elsewhere."""
    tour = "0,0 1,2 2,0 0,1 1,3 2,1 0,2 1,0 2,2 0,3 1,1 2,3"
    assert read(tour, "tour").problem.board == Board(3, 4)
    with pytest.raises(AmbiguousInput, match="--coordinates"):
        read(tour, "tour", start=(0, 0))


@pytest.mark.parametrize(
    ("problem", "text", "expected"),
    [
        ("tour", "1 2 3\n4 5 6\n7 8 9", "at most 4 squares"),
        ("tour", "1 2 3\n4 5 6\n7 8 x", "at most 4 squares"),
        ("knights", "0 1 0\n1 0 0\n0 0 1", "at most 4 squares"),
        ("knights", "010\n100\n001", "at most 4 squares"),
        ("knights", "N..\n...\n..N", "at most 4 squares"),
        ("knights", "'" * 100, "at most 4 strings"),
        ("tour", "1 " * 50, "at most 10 numbers"),
        ("knights", ". N " * 9 + "\n" + "N . " * 9, "at most 5 numbers"),
        ("knights", "N" * 30 + "\n" + "." * 30, "at most 4 squares, got 60"),
    ],
)
def test_sizes_are_looked_at_before_paths_and_placements_are_built(
    problem: str, text: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def built(*arguments: object) -> None:
        raise AssertionError("built")

    monkeypatch.setattr("problems.knights.MAX_SQUARES", 4)
    for module in ("numbers", "grid", "reading"):
        monkeypatch.setattr(f"problems.formats.{module}.MAX_SQUARES", 4)
    monkeypatch.setattr("problems.formats.grid._MAX_CELLS", 5)
    for place in ("numbers.path_from_steps", "boards.path_from_steps", "lists.marked_cells", "boards._placement"):
        monkeypatch.setattr(f"problems.formats.{place}", built)
    if len(text) <= 17:
        monkeypatch.setattr("problems.formats.grid._MAX_CELLS", 50)
    with pytest.raises(InputError, match=expected):
        read(text, problem)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            ". N\n\x1b[31mN\x1b[0m .",
            "line 2: expected plain text, got a terminal's escape sequence; print it without",
        ),
        ("a1 \x07b2", "line 1: expected plain text, got the control character"),
        ("a1\x0cb2", "control character"),
        ("a1 \x9bb2", "control character"),
    ],
)
def test_control_characters_are_refused(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        read(text, "knights", board=Board(2, 2))


def test_the_end_of_a_dos_file_is_none_of_its_text() -> None:
    assert read(b"2 4 1 3\r\n\x1a", "queens").answer == ((0, 1), (1, 3), (2, 0), (3, 2))


def test_a_pipe_of_the_shell_is_read() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"2 4 1 3\n")
    os.close(writer)
    assert read_path(f"/dev/fd/{reader}", "queens").answer == ((0, 1), (1, 3), (2, 0), (3, 2))
    os.close(reader)
