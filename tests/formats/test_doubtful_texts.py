"""Texts that read in two ways: refused with the option that decides, or read with a note; never guessed in silence."""

from __future__ import annotations

import pytest

from problems import AmbiguousInput, Board, InputError, KnightCover
from problems.formats import Coordinates, Reading, read, to_indices, to_pairs

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
                with pytest.raises(AmbiguousInput, match="--coordinates rc0, or say --coordinates rc1|xy0.*xy1"):
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
