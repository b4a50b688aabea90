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
