"""Texts that read in two ways: refused with the option that decides, or read with a note; no silent guess."""

from __future__ import annotations

from itertools import pairwise

import pytest

from problems import AmbiguousInput, Board, InputError, KnightCover, Queens, Rule
from problems.formats import Coordinates, Reading, read, to_indices, to_names, to_pairs

FOURTEEN = read("........\n..NNNN..\n........\n.NN..NN.\n........\n.NNNNNN.\n........\n........", "knights").answer
EIGHT, FOUR = Board(8, 8), Board(4, 4)
COVER = KnightCover(EIGHT)
SIX = "0 0 0 0\n0 1 1 1\n0 1 0 0\n1 1 0 0"
SIX_SQUARES = ((1, 1), (1, 2), (1, 3), (2, 1), (3, 0), (3, 1))
TOUR = "0 3 6 9\n11 8 1 4\n2 5 10 7"


def is_right(reading: Reading) -> bool:
    return not reading.violations and not reading.problem.violations(reading.answer)


class TestBases:
    """Knights seldom stand on the rim, so pairs from 1 fit the board when they are taken to count from 0."""

    def test_a_right_answer_from_1_is_refused_and_the_option_decides(self) -> None:
        for order in (Coordinates.RC, Coordinates.XY):
            text = to_pairs(COVER, FOURTEEN, order.counted_from(1))
            for told in (None, order):
                with pytest.raises(AmbiguousInput, match=r"--coordinates (rc0.*rc1|xy0.*xy1)"):
                    read(text, "knights", board=EIGHT, coordinates=told)
            from_1 = read(text, "knights", board=EIGHT, coordinates=order.counted_from(1))
            assert from_1.answer == FOURTEEN
            from_0 = read(text, "knights", board=EIGHT, coordinates=order.counted_from(0))
            assert not is_right(from_0)

    def test_a_right_answer_from_0_stands_with_a_note(self) -> None:
        reading = read(to_pairs(COVER, FOURTEEN), "knights", board=EIGHT)
        assert reading.answer == FOURTEEN
        assert any("--coordinates rc1" in note for note in reading.notes)

    def test_indices_that_were_asked_for(self) -> None:
        text = to_indices(COVER, FOURTEEN, 1)
        with pytest.raises(AmbiguousInput, match="index0, or say --coordinates index1"):
            read(text, "knights", board=EIGHT, coordinates=Coordinates.INDEX)
        told = read(text, "knights", board=EIGHT, coordinates=Coordinates.INDEX1)
        assert told.answer == FOURTEEN
        assert read(to_indices(COVER, FOURTEEN), "knights", board=EIGHT, coordinates="index").answer == FOURTEEN  # type: ignore[arg-type]

    def test_forms_with_a_base_of_their_own(self) -> None:
        with pytest.raises(InputError, match="counted from 1, got JSON"):
            read('{"board": "8x8", "answer": []}', "knights", coordinates=Coordinates.RC1)
        with pytest.raises(InputError, match="counted from 0, got a TSPLIB"):
            read("TOUR_SECTION\n1\n-1\n", "tour", board=Board(1, 1), coordinates=Coordinates.INDEX0)

    def test_a_base_that_was_said_is_not_overridden(self) -> None:
        assert read("1,1 2,2", "knights", board=Board(2, 2), coordinates=Coordinates.RC0).answer == (
            (1, 1),
            (2, 2),
        )
        assert read("0,0", "knights", board=Board(2, 2), coordinates=Coordinates.XY1).answer == ((2, -1),)


class TestLabels:
    """Numbers around a matrix of numbers are labels where only the inner matrix is whole."""

    @pytest.mark.parametrize(
        "text",
        [
            "1 0 0 0 0\n2 0 1 1 1\n3 0 1 0 0\n4 1 1 0 0",
            "0 0 0 0 3\n0 1 1 1 2\n0 1 0 0 1\n1 1 0 0 0",
            f"0 1 2 3\n{SIX}",
            f"{SIX}\n4 3 2 1",
            "  0 1 2 3\n0 0 0 0 0\n1 0 1 1 1\n2 0 1 0 0\n3 1 1 0 0",
            "0 1 2 3 4\n1 0 0 0 0\n2 0 1 1 1\n3 0 1 0 0\n4 1 1 0 0",
        ],
    )
    def test_a_true_board_does_not_make_a_labelled_matrix_wrong(self, text: str) -> None:
        for board in (FOUR, None):
            reading = read(text, "knights", board=board)
            assert (reading.problem.board, reading.answer) == (FOUR, SIX_SQUARES)
            assert reading.form == "0/1 matrix"

    @pytest.mark.parametrize(
        "text",
        [
            "0 0 3 6 9\n1 11 8 1 4\n2 2 5 10 7",
            "3 0 3 6 9\n2 11 8 1 4\n1 2 5 10 7",
            f"1 2 3 4\n{TOUR}",
            f"{TOUR}\n0 1 2 3",
            "0 1 2 3 4\n1 0 3 6 9\n2 11 8 1 4\n3 2 5 10 7",
            "| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n| 0 | 3 | 6 | 9 |\n| 11 | 8 | 1 | 4 |\n| 2 | 5 | 10 | 7 |",
            "|   | 1 | 2 | 3 | 4 |\n|---|---|---|---|---|\n"
            "| 1 | 0 | 3 | 6 | 9 |\n| 2 | 11 | 8 | 1 | 4 |\n| 3 | 2 | 5 | 10 | 7 |",
        ],
    )
    def test_labels_of_a_tour(self, text: str) -> None:
        for board in (Board(3, 4), None):
            reading = read(text, "tour", board=board)
            assert reading.problem.board == Board(3, 4)
            assert is_right(reading)

    def test_a_faulty_matrix_of_the_given_board_is_judged_as_it_is(self) -> None:
        reading = read("0 0 3 6 9\n1 11 8 1 4\n2 2 5 10 7", "tour", board=Board(3, 5))
        assert reading.problem.board == Board(3, 5)
        assert not is_right(reading)

    def test_the_first_row_of_a_table_is_a_row_where_it_does_not_count(self) -> None:
        assert read("| 0 | 3 | 6 | 9 |\n|---|---|---|---|\n| 11 | 8 | 1 | 4 |\n| 2 | 5 | 10 | 7 |", "tour").answer
        table = "|   | a | b | c | d |\n|---|---|---|---|---|\n"
        rows = "| 4 |   | Q |   |   |\n| 3 |   |   |   | Q |\n| 2 | Q |   |   |   |\n| 1 |   |   | Q |   |"
        assert read(table + rows, "queens").answer == ((0, 1), (1, 3), (2, 0), (3, 2))

    def test_labels_that_count_down(self) -> None:
        for labels in ("d c b a", "4 3 2 1", "3 2 1 0", "dcba"):
            assert read(f"{labels}\n. N . .\n. . . .", "knights").answer == ((0, 1),)
            assert read(f". N . .\n. . . .\n{labels}", "knights").answer == ((0, 1),)

    def test_pairs_are_no_labelled_column(self) -> None:
        with pytest.raises(InputError, match="--board"):
            read("0 0\n1 0\n2 0\n3 0", "knights")
        assert read("0 0\n1 0\n2 0\n3 0", "knights", board=FOUR, coordinates=Coordinates.RC).answer[3] == (3, 0)

    def test_labels_that_count_the_other_way_than_given_squares(self) -> None:
        down = "1 . . Q .\n2 Q . . .\n3 . . . Q\n4 . Q . ."
        for square in ("a3", "a2"):
            with pytest.raises(AmbiguousInput, match="turn the board"):
                read(down, "queens", given=(square,))
        assert is_right(read(down, "queens", given=((1, 0),)))
        up = "4 . . Q .\n3 Q . . .\n2 . . . Q\n1 . Q . ."
        assert is_right(read(up, "queens", given=("a3",)))
        with pytest.raises(AmbiguousInput, match="turn the board"):
            read(up, "queens", given=("1,0",))
        head = "  d c b a\n"
        assert is_right(read(head + up, "queens"))
        with pytest.raises(AmbiguousInput, match="first column is on the left"):
            read(head + up, "queens", given=("a3",))
        with pytest.raises(AmbiguousInput, match="first column is on the left"):
            read(f"{TOUR}\n4 3 2 1", "tour", start="d3")
        steps = "1  0 3 6 9\n2  11 8 1 4\n3  2 5 10 7"
        with pytest.raises(AmbiguousInput, match="turn the board"):
            read(steps, "tour", start="a3")


class TestDrawings:
    """What stands in the squares, and what stands around a board."""

    def test_a_dark_background_of_tildes_is_no_set_of_holes(self) -> None:
        # Seven knights on dark squares attack all light ones: without the other dark squares a cover.
        half = [square for square in FOURTEEN if sum(square) % 2]
        rows = [["~" if (r + c) % 2 else "." for c in range(8)] for r in range(8)]
        for row, col in half:
            rows[row][col] = "N"
        text = "\n".join("".join(row) for row in rows)
        with pytest.raises(
            AmbiguousInput, match=r"right as .* without 25 squares .* but wrong as drawn board on 8x8"
        ):
            read(text, "knights", rule=Rule.ORDINARY)
        total = read(text, "knights")
        assert any("drawn board (" in note for note in total.notes), "both are wrong, and it says so"

    def test_holes_are_noted(self) -> None:
        reading = read("N.~\n..N", "knights")
        assert reading.problem.board == Board(2, 3, frozenset({(0, 2)}))
        assert reading.notes == ("'~' taken for 1 square that the board has not",)

    def test_several_boards_are_not_one(self) -> None:
        for problem, board in (
            ("queens", ". Q . .\n. . . Q\nQ . . .\n. . Q ."),
            ("knights", SIX),
            ("tour", TOUR),
            ("queens", "2 4 1 3\n2 4 1 3"),
        ):
            for gap in ("\n\n", "\n \t\n", "\n\n\n"):
                with pytest.raises(InputError, match="one answer, got 2 blocks"):
                    read(board + gap + board, problem)
        assert read("4x4\n\n" + SIX, "knights").answer == SIX_SQUARES
        assert read(SIX.replace("\n", "\n\n"), "knights").answer == SIX_SQUARES

    def test_words_around_a_board_are_left_out_with_a_note(self) -> None:
        board = ". Q . .\n. . . Q\nQ . . .\n. . Q ."
        reading = read(f"Found after 3 seconds:\n\n{board}\n\nno conflicts left\n", "queens")
        assert is_right(reading)
        assert any("2 lines of words" in note and "Found after" in note for note in reading.notes)
        with pytest.raises(InputError, match="line 3: expected 4 cells"):
            read("Found:\n. Q . .\n. . .\nQ . . .\n. . Q .", "queens")

    def test_a_heading_of_pairs(self) -> None:
        pairs = "0,1\n1,3\n2,0\n3,2"
        reading = read(f"row,col\n{pairs}", "queens")
        assert reading.form == "row,col pairs, 0-based"
        assert any("'row,col', left out" in note for note in reading.notes)
        for heading in ("col,row", "Column Row", "file, rank"):
            with pytest.raises(InputError, match="line 1: expected pairs as row,col or x,y, got a heading"):
                read(f"{heading}\n{pairs}", "queens")

    def test_squares_named_below_a_board_must_be_those_of_the_board(self) -> None:
        board = ". Q . .\n. . . Q\nQ . . .\n. . Q ."
        assert is_right(read(f"4 queens: FEASIBLE\n{board}\n  b4 d3 a2 c1\n  method search; 0.00 s", "queens"))
        with pytest.raises(InputError, match="names of other squares"):
            read(f"4 queens: FEASIBLE\n{board}\n  a4 d3 a2 c1\n  method search; 0.00 s", "queens")

    @pytest.mark.parametrize(
        "text",
        [
            "array([['.', 'Q', '.', '.'],\n       ['.', '.', '.', 'Q'],\n       ['Q', '.', '.', '.'],\n"
            "       ['.', '.', 'Q', '.']], dtype='<U1')",
            "[[False  True False False]\n [False False False  True]\n [ True False False False]\n"
            " [False False  True False]]",
            "np.array([[False, True, False, False], [False, False, False, True], [True, False, False, False],"
            " [False, False, True, False]])",
            "N=4\n2 4 1 3",
            "n = 4\n. Q . .\n. . . Q\nQ . . .\n. . Q .",
        ],
    )
    def test_prints_of_programs(self, text: str) -> None:
        assert read(text, "queens").answer == ((0, 1), (1, 3), (2, 0), (3, 2))

    def test_json_of_others_lacks_the_answer(self) -> None:
        with pytest.raises(InputError, match="under the key 'answer', got the keys 'solution'"):
            read('{"solution": [1, 3, 0, 2]}', "queens")


NAMES = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"
INDICES = "0 6 8 1 7 9 2 4 10 3 5 11"


class TestLeadingNumbers:
    """A number in front is a size, a number of squares, or a square: the board decides, or the text is refused."""

    def test_a_number_of_names(self) -> None:
        text = "14\n" + to_names(COVER, FOURTEEN)
        with pytest.raises(AmbiguousInput, match="--board"):
            read(text, "knights")
        reading = read(text, "knights", board=EIGHT)
        assert reading.answer == FOURTEEN
        assert any("number of squares, 14" in note for note in reading.notes)
        tour = read("12\n" + NAMES, "tour")
        assert tour.problem.board == Board(3, 4)
        assert is_right(tour)

    def test_a_number_of_indices(self) -> None:
        for separator in (" ", "\n"):
            text = INDICES.replace(" ", separator)
            with pytest.raises(AmbiguousInput, match="--board"):
                read(f"12\n{text}", "tour")
            for told in (None, Coordinates.INDEX):
                if separator == " " and told is None:
                    continue  # a step matrix in one row as well
                reading = read(f"12\n{text}", "tour", board=Board(3, 4), coordinates=told)
                assert is_right(reading)
                assert any("number of squares, 12" in note for note in reading.notes)

    def test_a_size_in_front_of_pairs_from_the_bottom_or_from_1(self) -> None:
        three = Board(3, 4)
        answer = ((0, 0), (0, 1), (0, 2), (0, 3), (2, 1), (2, 2))
        for told in (Coordinates.XY0, Coordinates.XY1, None):
            pairs = (
                to_pairs(KnightCover(three), answer, told or Coordinates.XY).replace(" ", "\n").replace(",", " ")
            )
            with pytest.raises(AmbiguousInput, match=r"take out the first line|--coordinates"):
                read(f"3 4\n{pairs}", "knights", board=three, coordinates=told)
            if told is not None:
                assert is_right(read(pairs, "knights", board=three, coordinates=told))
        inside = to_pairs(KnightCover(three), answer, Coordinates.RC1).replace(" ", "\n").replace(",", " ")
        assert is_right(read(f"3 4\n{inside}", "knights", board=three, coordinates=Coordinates.RC1))

    def test_n_and_the_indices_of_n_queens(self) -> None:
        for text in ("5\n2\n9\n11\n18\n20", "5 2 9 11 18 20"):
            with pytest.raises(AmbiguousInput, match="--board 5x5"):
                read(text, "queens")
            assert is_right(read(text, "queens", board=Board(5, 5)))

    def test_a_side_in_front_of_indices(self) -> None:
        for text in ("4\n6\n7\n10\n11\n16", "4 6 7 10 11 16"):
            with pytest.raises(AmbiguousInput, match="leave out the first number, 4"):
                read(text, "knights", board=FOUR)
            told = read(text, "knights", board=FOUR, coordinates=Coordinates.INDEX)
            assert len(told.answer) == 6
            assert any("first number, 4" in note for note in told.notes)
        with pytest.raises(AmbiguousInput, match="leave out the first number, 6"):
            read("6 5 6 7 9 12 13", "knights", board=FOUR, coordinates=Coordinates.INDEX)
        assert is_right(read("5 6 7 9 12 13", "knights", board=FOUR, coordinates=Coordinates.INDEX))


class TestNames:
    """Letters of pieces and moves are not parts of columns."""

    def test_a_letter_of_a_piece_on_some_names(self) -> None:
        for text in ("Qa8 e7 h6 f5 c4 g3 b2 d1", "a8 Qe7 h6 Qf5 c4 g3 b2 Qd1"):
            reading = read(text, "queens")
            assert reading.problem == Queens(8)
            assert is_right(reading)
        for text in ("Qa8 Re7", "Ba8 e7"):
            with pytest.raises(InputError, match="square names such as a1"):
                read(text, "queens")

    def test_moves_are_the_path_they_make_up(self) -> None:
        names = NAMES.split()
        for form in ("N%s-%s", "%s-%s", "N%s-N%s", "%s->%s", "%s-%s,"):
            moves = [form % pair for pair in pairwise(names)]
            for text in (" ".join(moves), "\n".join(f"{i}. {move}" for i, move in enumerate(moves, 1))):
                reading = read(text, "tour")
                assert reading.problem.board == Board(3, 4)
                assert is_right(reading)
        with pytest.raises(InputError, match="moves that follow each other, got c2 and then c1"):
            read("Na3-c2 Nc1-a1", "tour")
        with pytest.raises(InputError, match="squares for knights, got moves"):
            read("Na3-c2 Nc2-a1", "knights", board=EIGHT)

    def test_capitals_alone_may_be_columns(self) -> None:
        with pytest.raises(AmbiguousInput, match="--board 4x4"):
            read("QA3 QB1 QC4 QD2", "queens")
        assert is_right(read("QA3 QB1 QC4 QD2", "queens", board=FOUR))


class TestPermutations:
    """Columns of queens, row by row from the top."""

    @pytest.mark.parametrize("text", ["15863724\n16837425\n", "04752613\n05726314", "2413 3142", "1 -2"])
    def test_numbers_that_are_no_columns(self, text: str) -> None:
        with pytest.raises(InputError, match="expected columns of 2 queens"):
            read(text, "queens")

    def test_a_given_square_tells_rows_from_columns(self) -> None:
        text = "1 5 8 6 3 7 2 4"
        for square in ("a1", "c8"):
            with pytest.raises(AmbiguousInput, match="write square names"):
                read(text, "queens", given=(square,))
        right = read(text, "queens", given=("a8",))
        assert is_right(right)
        assert any("column by column" in note for note in right.notes)
        assert not is_right(read(text, "queens", given=("h8", "h7")))
