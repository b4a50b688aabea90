"""`provemate verify` as a process: every pasted answer gets its verdict, bad input one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_process import provemate

CASES = json.loads((Path(__file__).parents[1] / "data" / "answers.json").read_text())
TWELVE = next(case for case in CASES if case["id"] == "knights-12-as-total")["text"]


def arguments(case: dict[str, Any]) -> list[str]:
    options = [f"--{key}={case[key]}" for key in ("rule", "board", "coordinates") if key in case]
    return ["verify", case["problem"], "-", *options]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_pasted_answer_gets_its_verdict(case: dict[str, Any]) -> None:
    expect = case["expect"]
    ran = provemate(*arguments(case), "--json", text=case["text"])
    if expect.get("error"):
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        return
    record = ran.json
    assert ran.code == (0 if expect["valid"] else 1)
    for key in ("valid", "objective", "rule", "standing", "closed"):
        if key in expect:
            assert record[key] == expect[key], key
    if "gap" in expect:
        assert record["gap"] == expect["gap"]
    found = {kind: [v["squares"] for v in record["violations"] if v["kind"] == kind] for kind in _kinds(record)}
    if "unattacked" in expect:
        assert found["unattacked"] == [expect["unattacked"]]
    if "uncovered_count" in expect:
        assert len(found["uncovered"][0]) == expect["uncovered_count"]
    if "attacked" in expect:
        assert 64 - len(found["unattacked"][0]) == expect["attacked"]
    if "duplicates" in expect:
        assert len(found["duplicate"]) == expect["duplicates"]
    if "illegal_steps" in expect:
        steps = [v["position"] for v in record["violations"] if v["kind"] == "illegal-step"]
        assert steps == expect["illegal_steps"]
    if "attacking_pairs" in expect:
        assert found["same-diagonal"] == expect["attacking_pairs"]


def _kinds(record: dict[str, Any]) -> set[str]:
    return {violation["kind"] for violation in record["violations"]}


def test_twelve_knights_are_told_that_they_answer_the_other_question() -> None:
    ran = provemate("verify", "knights", "-", text=TWELVE)
    assert ran.code == 1
    assert "12 is below the proven minimum 14" in ran.out
    assert "as an ordinary dominating set" in ran.out
    assert "valid and optimal" in ran.out
    assert "b7(1,1)" not in ran.out, "attacked squares are not named"
    assert "c7(1,2)" in ran.out


def test_eight_knights_are_told_that_no_placement_of_eight_can_be_right() -> None:
    case = next(case for case in CASES if case["id"] == "knights-claim-12-board-8")
    ran = provemate(*arguments(case), text=case["text"])
    assert ran.code == 1
    assert "no placement of 8 knights can be right" in ran.out
    assert "proven minimum 12" in ran.out


def test_a_partial_tour_of_a_board_without_tours_is_told_so() -> None:
    case = next(case for case in CASES if case["id"] == "tour-partial")
    ran = provemate(*arguments(case), text=case["text"])
    assert "No right answer exists" in ran.out
    assert provemate(*arguments(case), "--json", text=case["text"]).json["standing"] == "impossible-claim"


def test_an_open_tour_offered_as_closed_is_told_what_it_is() -> None:
    case = next(case for case in CASES if case["id"] == "tour-6x6-open-1-based")
    ran = provemate("verify", "tour", "-", "--closed", text=case["text"])
    assert ran.code == 1
    assert "not-closed" in ran.out
    assert "valid open tour" in ran.out


def test_a_board_beyond_our_proofs_quotes_the_published_value(tmp_path: Path) -> None:
    # Every square of a 20x20 board but the rim's: far from the least, but right.
    rows = ["".join("N" if 0 < r < 19 and 0 < c < 19 else "." for c in range(20)) for r in range(20)]
    path = tmp_path / "board.txt"
    path.write_text("\n".join(rows))
    record = provemate("verify", "knights", path, "--json").json
    assert (record["standing"], record["bound"], record["gap"]) == ("suboptimal", 70, 324 - 70)
    assert "A261752" in record["bound_source"]


def test_json_of_a_result_is_an_answer(tmp_path: Path) -> None:
    solved = provemate("solve", "queens", "8", "--json", "--seed", "1")
    assert solved.code == 0
    assert provemate("verify", "queens", "-", text=solved.out).code == 0


BAD = {
    "empty": ("queens", b""),
    "blank": ("tour", b" \n\t\n"),
    "binary": ("knights", bytes(range(256))),
    "zeros": ("knights", b"\0" * 1000),
    "torn": ("knights", b"....\n....\n...\n...."),
    "words": ("tour", b"this is no tour"),
    "unknown symbols": ("knights", b"oXo\n...\n..."),
    "half a list": ("queens", b"[1, 5, 8"),
    "broken JSON": ("knights", b'{"problem": "knights", '),
    "other problem": ("knights", b'{"problem": "queens", "board": "8x8", "answer": []}'),
    "giant number": ("queens", b"9" * 100_000),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(name: str) -> None:
    problem, text = BAD[name]
    ran = provemate("verify", problem, "-", text=text)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("provemate: ")
    assert ran.err.count("\n") == 1
    assert "expected" in ran.err
    assert len(ran.err) < 400


@pytest.mark.parametrize(
    "words",
    [
        ["verify", "knights", "/nowhere/board.txt"],
        ["verify", "knights", "."],
        ["verify", "knights"],
        ["verify", "knights", "-", "--board", "0x0"],
        ["verify", "knights", "-", "--board", "-3x4"],
        ["verify", "knights", "-", "--rule", "toroidal"],
        ["verify", "knights", "-", "--start", "a1"],
        ["verify", "tour", "-", "--coordinates", "polar"],
        ["verify", "knights", "8x8", "8x8", "-"],
        ["verify", "knights", "4x4", "-", "--board", "4x4"],
        ["verify", "knights", "4x4", "-", "--board", "9x9"],
        ["verify", "chess", "-"],
    ],
)
def test_bad_usage_gets_one_line(words: list[str]) -> None:
    ran = provemate(*words, text="....\n....\n....\n....")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_a_file_of_100_megabytes_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as stream:
        stream.truncate(100 * 2**20)
    ran = provemate("verify", "tour", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_an_ambiguous_text_names_the_option_that_decides() -> None:
    # As x,y pairs from the bottom left these six cover the 3x4 board, as row,column pairs they do not.
    text = "1,0 2,0 3,0 0,2 1,2 2,2"
    ran = provemate("verify", "knights", "-", "--board", "3x4", text=text)
    assert ran.code == 2
    assert "--coordinates" in ran.err
    assert provemate("verify", "knights", "-", "--board", "3x4", "--coordinates", "xy", text=text).code == 0


CLOSED = next(case for case in CASES if case["id"] == "tour-6x6-closed")["text"]


def test_a_closed_tour_that_repeats_its_start_is_told_what_it_is_without() -> None:
    repeated = CLOSED + "\nA1"
    for options in ([], ["--closed"]):
        ran = provemate("verify", "tour", "-", "--board", "6x6", *options, text=repeated)
        assert ran.code == 1
        assert "Without the last entry, which repeats the first, it is a valid closed tour." in ran.out
        assert "duplicate" in ran.out
        assert "not-closed" not in ran.out
    assert provemate("verify", "tour", "-", "--board", "6x6", "--closed", text=CLOSED).code == 0


def test_json_says_how_the_text_was_read() -> None:
    record = provemate(
        "verify", "knights", "4x4", "-", "--json", "--coordinates", "index", text="5 6 7 9 12 13"
    ).json
    assert record["form"] == "row-major indices, 0-based"
    assert any("--coordinates" in note for note in record["notes"])


def test_our_own_prints_are_read_back() -> None:
    for problem, instance in (("queens", "8"), ("knights", "6x6"), ("tour", "5x5")):
        solved = provemate("solve", problem, instance, "--seed", "1")
        assert solved.code == 0
        verified = provemate("verify", problem, "-", text=solved.out)
        assert verified.code == 0, verified.err
        assert "left out" in verified.out
