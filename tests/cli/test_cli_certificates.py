"""Certificates from the command line: written, checked, explained, refused when tampered with."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import provemate


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        (["knights", "8x8"], "14 is the fewest knights"),
        (["knights", "8x8", "--rule", "ordinary"], "12 is the fewest knights"),
        (["knights", "6x6", "--engine", "sat"], "8 is the fewest knights"),
        (["knights", "8x8", "--at-most", "13"], "13"),
        (["tour", "5x5", "--start", "0,1"], "tour"),
        (["tour", "3x8", "--closed"], "tour"),
        (["tour", "4x8", "--closed", "--engine", "counting"], "tour"),
    ],
)
def test_a_proof_is_written_and_checks(words: list[str], claim: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.zip"
    assert provemate("prove", *words, "--certificate", path, "--quiet").code == 0
    ran = provemate("check", path)
    assert ran.code == 0
    assert ran.out.startswith("PROVED: ")
    assert claim in ran.out
    record = provemate("check", path, "--json").json
    assert (record["valid"], record["fault"]) == (True, None)


def test_the_weights_are_drawn_for_a_person(tmp_path: Path) -> None:
    path = tmp_path / "proof.zip"
    explained = provemate("prove", "knights", "8x8", "--certificate", path, "--explain").out
    assert "weights" in explained
    assert "7 + 7 = 14" in explained
    assert "7 + 7 = 14" in provemate("check", path, "--explain").out


def test_the_92_queens_have_a_complete_list(tmp_path: Path) -> None:
    path = tmp_path / "list.zip"
    assert provemate("count", "queens", "8", "--certificate", path).code == 0
    assert "exactly 92" in provemate("check", path).out


def test_tampered_and_foreign_files_are_not_proofs(tmp_path: Path) -> None:
    path = tmp_path / "proof.zip"
    provemate("prove", "knights", "6x6", "--certificate", path, "--quiet")
    path.write_bytes(path.read_bytes()[:-30])
    ran = provemate("check", path)
    assert ran.code == 1
    assert ran.out.startswith("NOT PROVED: ")
    path.write_text("this is no zip")
    assert provemate("check", path).code == 1
    assert provemate("check", tmp_path / "missing.zip").code == 2


def test_explaining_needs_a_certificate() -> None:
    assert provemate("prove", "knights", "6x6", "--explain").code == 2
