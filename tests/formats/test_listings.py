"""Lists as people write them down: moves, numbers and bullets in front, arrows between, three columns."""

from __future__ import annotations

from itertools import pairwise

import pytest

from problems import AmbiguousInput, Board, InputError
from problems.formats import Reading, read

FIVE = Board(5, 5)
TOUR = read("[[0,11,16,5,20],[17,4,19,10,15],[12,1,8,21,6],[3,18,23,14,9],[24,13,2,7,22]]", "tour").answer
WRONG = (TOUR[0], *TOUR[2:], TOUR[1])
QUEENS, WRONG_QUEENS = (0, 4, 7, 5, 2, 6, 1, 3), (0, 4, 7, 5, 2, 6, 3, 1)
KNIGHTS = read("0 0 0 0\n0 1 1 1\n0 1 0 0\n1 1 0 0", "knights").answer
PATHS = [(TOUR, True), (WRONG, False)]


def is_right(reading: Reading) -> bool:
    return not reading.violations and not reading.problem.violations(reading.answer)


def name(square: tuple[int, int], rows: int = 5) -> str:
    return "abcdefgh"[square[1]] + str(rows - square[0])


class TestMoves:
    @pytest.mark.parametrize(("path", "right"), PATHS)
    def test_moves_are_read_as_the_path(self, path: tuple[tuple[int, int], ...], right: bool) -> None:
        moves = [(name(a), name(b)) for a, b in pairwise(path)]
        texts = ["\n".join(f"{a}{arrow}{b}" for a, b in moves) for arrow in ("->", " -> ", " → ", " - ", "", " ")]
        texts += [" ".join(a + b for a, b in moves), "\n".join(f"N{a} N{b}" for a, b in moves)]
        texts += ["\n".join(f"{a} -> {b}" for a, b in pairwise(path))]
        texts += ["\n".join(f"{number}. {a} -> {b}" for number, (a, b) in enumerate(pairwise(path), 1))]
        for text in texts:
            reading = read(text, "tour", board=FIVE)
            assert (reading.answer, is_right(reading)) == (path, right), text
            assert "moves read as the path they make up" in reading.notes

    def test_a_break_is_named(self) -> None:
        for text in ("a1 -> b3\nb3 -> c1\nc2 -> a3\na3 -> b1", "(0,0) -> (1,2)\n(1,2) -> (2,0)\n(2,1) -> (0,2)"):
            with pytest.raises(InputError, match=r"move 3: expected moves that follow each other"):
                read(text, "tour")

    def test_a_move_back_to_the_start_is_no_square(self) -> None:
        text = "a1 -> b3\nb3 -> c1\nc1 -> a2\na2 -> a1"
        assert len(read(text, "tour", board=FIVE).answer) == 4

    def test_moves_are_no_placement(self) -> None:
        with pytest.raises(InputError, match="expected squares for knights, got moves"):
            read("a1 -> b3\nb3 -> c1\nc1 -> d3", "knights", board=FIVE)

    def test_squares_two_a_line_stay_squares(self) -> None:
        names = [name(square) for square in TOUR]
        text = "\n".join(" -> ".join(names[start : start + 2]) for start in range(0, 25, 2))
        assert read(text, "tour").answer == TOUR


@pytest.mark.parametrize(("path", "right"), PATHS)
def test_numbers_bullets_and_arrows(path: tuple[tuple[int, int], ...], right: bool) -> None:
    indices = [str(5 * row + col) for row, col in path]
    texts = [f"{mark}".join(map(str, path)) for mark in (" -> ", " → ", " ->\n")]
    texts += [" -> ".join(f"{row},{col}" for row, col in path), " -> ".join(indices)]
    texts += ["\n".join(f"{a} -> {b}" for a, b in pairwise(indices))]
    texts += [
        "\n".join(f"{number}{mark} {square}" for number, square in enumerate(path)) for mark in (".", ":", "")
    ]
    texts += ["\n".join(f"{mark} {square}" for square in path) for mark in "*-•"]
    texts += ["\n".join(f"* {name(square)}" for square in path)]
    for text in texts:
        reading = read(text, "tour", board=FIVE)
        assert (reading.answer, is_right(reading)) == (path, right), text


def test_an_arrow_between_a_step_and_its_square_is_refused() -> None:
    with pytest.raises(InputError):
        read("\n".join(f"{step} -> {5 * r + c}" for step, (r, c) in enumerate(TOUR)), "tour", board=FIVE)
    with pytest.raises(InputError):
        read("\n".join(f"{row} -> {col}" for row, col in enumerate(QUEENS)), "queens")


def test_a_minus_that_stands_for_empty_squares_is_no_bullet() -> None:
    assert read("- 1\n- 1\n- 1\n- 0", "knights", board=Board(4, 2)).answer == ((0, 1), (1, 1), (2, 1))


class TestThreeColumns:
    @pytest.mark.parametrize(("path", "right"), PATHS)
    @pytest.mark.parametrize("base", [0, 1])
    def test_tours(self, path: tuple[tuple[int, int], ...], right: bool, base: int) -> None:
        rows = [(step + base, row + base, col + base) for step, (row, col) in enumerate(path)]
        texts = [separator.join(map(str, row)) for separator in (" ", ",") for row in rows]
        texts = ["\n".join(texts[: len(rows)]), "\n".join(texts[len(rows) :]), str(rows)]
        texts += ["\n".join(f"{row} {col} {step}" for row, col, step in sorted((r, c, s) for s, r, c in rows))]
        for text in texts:
            for board in (FIVE, None):
                reading = read(text, "tour", board=board)
                assert (reading.answer, is_right(reading)) == (path, right), text
                assert any("of three columns" in note for note in reading.notes)

    @pytest.mark.parametrize(("cols", "right"), [(QUEENS, True), (WRONG_QUEENS, False)])
    def test_queens(self, cols: tuple[int, ...], right: bool) -> None:
        reading = read("\n".join(f"{n},{row},{col}" for n, (row, col) in enumerate(enumerate(cols))), "queens")
        assert (reading.answer, is_right(reading)) == (tuple(enumerate(cols)), right)

    def test_what_is_beside_the_squares_of_queens_is_no_column(self) -> None:
        for third in (lambda row, col: 0, lambda row, col: row + col):
            with pytest.raises(InputError, match="8 rows of 3 numbers"):
                read("\n".join(f"{row} {col} {third(row, col)}" for row, col in enumerate(QUEENS)), "queens")

    def test_knights(self) -> None:
        for placed, right in ((KNIGHTS, True), (KNIGHTS[:-1], False)):
            text = "\n".join(f"{n} {row} {col}" for n, (row, col) in enumerate(placed, 1))
            reading = read(text, "knights", board=Board(4, 4))
            assert (reading.answer, is_right(reading)) == (placed, right)

    def test_a_matrix_of_three_columns_stays_one(self) -> None:
        steps = "0 3 6 9\n11 8 1 4\n2 5 10 7"
        turned = "\n".join(
            " ".join(row) for row in zip(*(line.split() for line in steps.split("\n")), strict=True)
        )
        assert is_right(read(turned, "tour"))
        assert read("1 2 3\n2 3 4\n3 4 5\n4 5 6", "tour", board=Board(4, 3)).form.startswith("step matrix")


class TestColumnsOfQueens:
    @pytest.mark.parametrize(
        ("values", "kind"),
        [
            ("0,4,7,5,2,6,1,8", "off-board"),
            ("1,5,8,6,3,7,2,0", "off-board"),
            ("1,5,8,6,3,7,2,9", "off-board"),
            ("0,4,7,5,2,6,1,30", "off-board"),
            ("0,4,7,5,2,6,1", "wrong-number"),
        ],
    )
    def test_a_column_off_the_board_makes_no_indices(self, values: str, kind: str) -> None:
        reading = read(f"[{values}]", "queens", board=Board(8, 8))
        assert reading.form.startswith("permutation")
        assert kind in {violation.kind for violation in reading.problem.violations(reading.answer)}
        without = read(f"[{values}]", "queens")
        assert without.form.startswith("permutation")
        assert any("there is no column" in note for note in without.notes)

    @pytest.mark.parametrize("values", ["1,7,8,14", "2,4,11,13"])
    def test_indices_of_small_boards_stay_indices(self, values: str) -> None:
        reading = read(f"[{values}]", "queens")
        assert is_right(reading)
        assert reading.form == "row-major indices, 0-based"

    def test_the_option_that_decides_the_base(self) -> None:
        with pytest.raises(AmbiguousInput, match=r"--coordinates index0, or say .*--coordinates index1"):
            read("[1, 13, 24, 30, 35, 47, 50, 60]", "queens")


def test_an_axis_order_that_leaves_the_board_is_none() -> None:
    tour = read("0 3 6 9\n11 8 1 4\n2 5 10 7", "tour").answer
    wrong = (tour[0], tour[2], tour[1], *tour[3:])
    for path, right in ((tour, True), (wrong, False)):
        for base in (0, 1):
            down = " ".join(f"({row + base},{col + base})" for row, col in path)
            up = " ".join(f"({col + base},{2 - row + base})" for row, col in path)
            reading = read(down, "tour", board=Board(3, 4))
            assert (reading.answer, is_right(reading)) == (path, right)
            assert any("as x,y (--coordinates xy) some squares are off the board" in n for n in reading.notes)
            # Off the board in the usual order and right in the other one: that is for the user to say.
            if right:
                with pytest.raises(AmbiguousInput, match="say --coordinates xy"):
                    read(up, "tour", board=Board(3, 4))
            else:
                assert not is_right(read(up, "tour", board=Board(3, 4)))
