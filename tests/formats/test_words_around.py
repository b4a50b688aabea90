"""Words, labels and fences around an answer: no part of it is lost, no second answer is passed over."""

from __future__ import annotations

import re

import pytest

from problems import Board, InputError
from problems.formats import Coordinates, Reading, read

COVER = (
    ". . . . . . . .\n. . N . N . . .\n. . N . N . N .\n. . N . . . N .\n"
    ". . N . . . N .\n. . N . N . N .\n. . N . N . . .\n. . . . . . . ."
)
BITS = COVER.replace("N", "1").replace(".", "0")
COLUMNS = [0, 4, 7, 5, 2, 6, 1, 3]
LIST = str(COLUMNS)
QUEENS = "\n".join(" ".join("Q" if place == col else "." for place in range(8)) for col in COLUMNS)
TOUR = re.findall(r"\w+", "a5 c4 e5 d3 e1 c2 a1 b3 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c1 e2 d4 b5 c3 b1 a3")
STEPS = [(5 - int(name[1]), "abcde".index(name[0])) for name in TOUR]
EIGHT = re.findall(r"\w+", "a8 e7 h6 f5 c4 g3 b2 d1")
SQUARES = [list(square) for square in enumerate(COLUMNS)]
BOARD = Board(8, 8)


def is_right(reading: Reading) -> bool:
    return not reading.violations and not reading.problem.violations(reading.answer)


def with_remark(text: str, line: int, remark: str) -> str:
    lines = text.split("\n")
    lines[line] += remark
    return "\n".join(lines)


REFUSED = {
    "first row": ("knights", with_remark(COVER, 0, "  <- top row"), "line 1"),
    "last row": ("knights", with_remark(COVER, -1, "  <- bottom row"), "line 8"),
    "first row of bits": ("knights", with_remark(BITS, 0, "  (top)"), "line 1"),
    "row with pieces": ("knights", with_remark(COVER.partition("\n")[2], 0, "  (top row)"), "line 1"),
    "packed row": ("knights", with_remark(COVER.replace(" ", ""), 0, "  top"), "line 1"),
    "row of one column": ("knights", "N top\n.\n.", "line 1"),
    "row of the matrix": ("queens", "0  first\n" + "\n".join(map(str, COLUMNS[1:])), "line 1"),
    "start in words": ("tour", "The tour starts at a5\n" + " ".join(TOUR[1:]), "line 1"),
    "end in words": ("tour", "\n".join(map(str, STEPS[:-1])) + "\nEnd (4, 0)", "line 25"),
    "row and column in words": ("tour", "\n".join(map(str, STEPS[:-1])) + "\nfinally row 4, column 0", "line 25"),
    "last queen in words": ("queens", "\n".join(EIGHT[:-1]) + "\nand " + EIGHT[-1], "line 8"),
    "another knight in words": ("knights", COVER + "\nand another knight at e2", "line 9"),
    "extra knight": ("knights", "Extra knight: a1\n" + COVER, "line 1"),
    "other names below": ("knights", COVER + "\nKnights on: a1 b2 c3", "names of other squares"),
    "another list above": ("queens", "Solution: [0,4,7,5,2,6,3,1]\n" + QUEENS, "answer"),
    "the list before": ("queens", "Initial: [0,1,2,3,4,5,6,7]\n" + LIST, "line 1"),
    "another size": ("knights", "Board size 10x10\n" + COVER, "a board of 10x10 as the words say, got 8x8"),
    "another number": ("knights", "Knights: 13\n" + COVER, "13 squares as the words say, got 14"),
    "a row of digits and words": ("knights", COVER + "\nlast . . . . . . . .", "line 9"),
    "packed row and a mark": ("knights", with_remark(COVER.replace(" ", ""), 0, " # start"), "line 1"),
    "packed row after a sign": ("knights", "Start=" + COVER.replace(" ", ""), "line 1"),
    "row between marks": ("knights", "## row " + COVER.replace(" ", "").replace(".", "-"), "line 1"),
    "pair with a comma": ("queens", "Cost: " + "\n".join(f"{r},{c}" for r, c in enumerate(COLUMNS)), "line 1"),
    "pair that is counted": (
        "queens",
        "\n".join(f"{r},{c}" for r, c in enumerate(COLUMNS)) + " solution",
        "line 8",
    ),
    "one number and a unit": ("queens", "0 steps\n" + "\n".join(map(str, COLUMNS[1:])), "line 1"),
    "columns above a board": ("queens", f"Answer: 0 1 2 3 4 5 6 7\n{QUEENS}", "line 1"),
    "columns below a matrix": ("knights", f"{BITS}\nAnswer: 0 1 2 3 4 5 6 7", "line 9"),
    "a number above names": ("queens", "Positions: 5\n" + "\n".join(EIGHT), "line 1"),
    "another number of pairs": ("queens", "Queens: 3\n" + "\n".join(f"{r} {c}" for r, c in SQUARES), "3 squares"),
    "brackets of another kind": (
        "queens",
        "Final: `[1,2]`\n" + "\n".join(f"({r},{c})" for r, c in SQUARES),
        "line 1",
    ),
    "symbols turned round": ("knights", "0 = knight, 1 = empty\n" + BITS, "line 1"),
    "start named twice": ("tour", "Start: a5\n" + "\n".join(TOUR), "named twice"),
    "two fenced blocks": ("queens", f"```\n{QUEENS}\n```\nor\n```\n{LIST}\n```", "2 fenced blocks"),
    "an open fence": ("queens", f"```\n{QUEENS}", "not closed"),
    "an empty fence": ("queens", f"Here:\n```\n```\n{QUEENS}", "outside|words|between"),
    "an answer outside": ("queens", f"{LIST}\n```\n{QUEENS}\n```", "line 1"),
    "a square outside": ("queens", f"```\n{QUEENS}\n```\nand a queen on a1", "line 11"),
    "keys that leave one out": ("queens", "{0: 1, 1: 3, 3: 0, 4: 2}", "answer"),
    "a heading of three": (
        "tour",
        "step,row,col\n" + "\n".join(f"{i},{r},{c}" for i, (r, c) in enumerate(STEPS)),
        "line 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_line_of_words_that_may_hold_a_part_of_the_answer_is_refused(name: str) -> None:
    problem, text, match = REFUSED[name]
    with pytest.raises(InputError, match=match):
        read(text, problem)
    if problem == "knights":
        with pytest.raises(InputError):
            read(text, problem, board=BOARD)


RIGHT = {
    "words": ("queens", f"Here is a solution to the 8-queens problem:\n\n{QUEENS}\n\nEach queen is safe."),
    "decorated headline": ("queens", f"--- Solution ---\n{QUEENS.replace('.', '-')}\n-- the end --"),
    "headline": ("queens", f"### Final answer\n\n{LIST}"),
    "conflicts": ("queens", f"Conflicts: 0\n{LIST}\nTime: 0.53 s, seed 7, after 17 steps"),
    "number of attacks": ("queens", f"{LIST}\nNumber of attacks: 0"),
    "size": ("knights", f"A cover of the 8x8 board:\n{COVER}\n14 knights placed"),
    "count": ("knights", f"Knights: 14\n{COVER}"),
    "count of names": ("queens", "Queens: 8\n" + "\n".join(EIGHT)),
    "sentences with numbers": ("knights", f"Total knights: 14\nIt took 3.2 ms.\n{COVER}\nAll 64 squares! Cost 0."),
    "legend": ("queens", f"{QUEENS}\n\nQ = queen, . = empty"),
    "fence": ("queens", f"```\n{QUEENS}\n```"),
    "fence of a language": ("queens", f"The columns by row:\n```python\n{LIST}\n```\nNo queen attacks another."),
    "fence with JSON": ("queens", f'```json\n{{"problem": "queens", "board": "8x8", "answer": {SQUARES}}}\n```'),
    "label": ("queens", f"Solution: {LIST}"),
    "label of a row": ("queens", "Final state: " + " ".join(map(str, COLUMNS))),
    "first of several lines": ("queens", "Queens in columns: " + "\n".join(map(str, COLUMNS))),
    "path": ("tour", f"Path: {STEPS}"),
    "names": ("tour", f"**Path:** {', '.join(TOUR)}"),
    "start": ("tour", "Start: " + "\n".join(TOUR)),
    "start as a pair": ("tour", "Start: " + "\n".join(map(str, STEPS))),
    "end": ("tour", "\n".join(TOUR[:-1]) + f"\nEnd: {TOUR[-1]}"),
    "first queen": ("queens", "First queen: " + "\n".join(EIGHT)),
    "backticks": ("queens", f"`{LIST}`"),
    "label and backticks": ("queens", f"Solution: `{LIST}`"),
    "dictionary": ("queens", str(dict(enumerate(COLUMNS)))),
    "dictionary from 1": ("queens", f"Queens: {dict(enumerate((c + 1 for c in COLUMNS), 1))}"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_words_labels_and_fences_are_left_out_with_a_note(name: str) -> None:
    problem, text = RIGHT[name]
    reading = read(text, problem)
    assert is_right(reading)
    assert len(reading.answer) == {"queens": 8, "knights": 14, "tour": 25}[problem]
    assert any("left out" in n or "without its label" in n or "fences" in n or "keys" in n for n in reading.notes)


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_around_a_wrong_answer_makes_it_no_right_one(name: str) -> None:
    problem, text = RIGHT[name]
    wrong = text.replace("4, 7, 5", "7, 4, 5").replace("4 7 5", "7 4 5").replace("\n4\n7\n", "\n7\n4\n")
    wrong = wrong.replace(" . . . . Q . . .\n", " . . . Q . . . .\n").replace("e7\n", "c7\n")
    wrong = wrong.replace(". . . . Q . . .\n", ". . . Q . . . .\n").replace("(1, 2), ", "(1, 4), ")
    wrong = wrong.replace("- - - - Q - - -", "- - - Q - - - -").replace("\nc4\n", "\nb4\n").replace(" c4,", " b4,")
    wrong = wrong.replace("\n(1, 2)\n", "\n(1, 3)\n")
    wrong = wrong.replace("[1, 4]", "[1, 5]").replace("1: 4", "1: 5").replace("2: 5", "2: 6")
    wrong = wrong.replace(". . N . N . . .", ". . . . . . . .") if problem == "knights" else wrong
    assert wrong != text
    try:
        reading = read(wrong, problem)
    except InputError:
        return
    assert not is_right(reading)


def test_a_heading_says_the_order_of_pairs() -> None:
    cover = [(0, 1), (0, 2), (0, 3), (2, 0), (2, 1), (2, 2)]
    board = Board(3, 4)
    plain = "\n".join(f"{row},{col}" for row, col in cover)
    turned = "\n".join(f"{col},{2 - row}" for row, col in cover)
    for heading in ("row,col", "(row, col)", "Row Column", "rank, file"):
        reading = read(f"{heading}\n{plain}", "knights", board=board)
        assert set(reading.answer) == set(cover)
        assert any("order of the heading, rc" in note for note in reading.notes)
    for heading in ("x,y", "(x, y)", "x y"):
        reading = read(f"{heading}\n{turned}", "knights", board=board)
        assert set(reading.answer) == set(cover)
        assert any("order of the heading, xy" in note for note in reading.notes)
    with pytest.raises(InputError, match="--coordinates rc as the heading says, got"):
        read(f"row,col\n{plain}", "knights", board=board, coordinates=Coordinates.XY)
    square = [(row, col) for row, col in enumerate(COLUMNS)]
    assert is_right(read("x,y\n" + "\n".join(f"{r},{c}" for r, c in square), "queens"))


def test_x_may_be_the_row_of_a_program() -> None:
    cover = "\n".join(f"{row},{col}" for row, col in [(0, 1), (0, 2), (0, 3), (2, 0), (2, 1), (2, 2)])
    with pytest.raises(InputError, match=r"wrong as x,y pairs.* but right as row,col pairs"):
        read(f"x,y\n{cover}", "knights", board=Board(3, 4))
