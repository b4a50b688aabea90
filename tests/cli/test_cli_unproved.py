"""Verdicts on boards that are too large for a proof: both bounds, and where the lower one comes from."""

from __future__ import annotations

from cli_process import provemate

from problems import Board


def test_a_cover_of_a_large_board_is_valid_and_unproved() -> None:
    board = Board(19, 30)
    every_square = " ".join(map(board.name, board.squares()))
    ran = provemate("verify", "knights", "19x30", "-", "--json", text=every_square)
    verdict = ran.json
    assert (ran.code, verdict["valid"], verdict["standing"]) == (0, True, "unproved")
    assert (verdict["objective"], verdict["bound"], verdict["gap"]) == (570, 72, 498)
    assert "counting" in verdict["bound_source"]
    text = provemate("verify", "knights", "19x30", "-", text=every_square).out
    assert "optimality not proved (at least 72 are needed)" in text


def test_too_few_knights_on_a_large_board_are_an_impossible_claim() -> None:
    ran = provemate("verify", "knights", "19x30", "-", "--json", text="a1 b1 c1")
    assert (ran.code, ran.json["standing"]) == (1, "impossible-claim")


def test_a_patient_verdict_proves_what_a_quick_one_leaves_open() -> None:
    record = provemate("prove", "knights", "16x17", "--json").json
    text = " ".join(f"{row},{col}" for row, col in record["answer"])
    words = ["verify", "knights", "16x17", "-", "--coordinates", "rc", "--json"]
    quick = provemate(*words, text=text).json
    assert (quick["standing"], quick["bound"]) == ("unproved", 34)
    patient = provemate(*words, "--time-limit", "300", text=text).json
    assert (patient["standing"], patient["bound"]) == ("optimal", record["objective"])


def test_a_completion_that_cannot_be_is_told_so() -> None:
    ran = provemate("verify", "queens", "-", "--given", "a1", text="a1 b2 c3 d4")
    assert ran.code == 1
    assert "No right answer exists for 4 queens with a1 given" in ran.out
