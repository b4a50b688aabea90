"""Certificates from the command line: written, checked, explained, refused when tampered with."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import provemate

from compare.cli import UNDECIDED, run
from exact import proof
from exact.proof import NotProved
from problems import Limits


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
    assert provemate("check", path, "--quiet").out.count("\n") == 1
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


def test_the_problem_is_named_and_stated(tmp_path: Path) -> None:
    path = tmp_path / "proof.zip"
    provemate("prove", "queens", "6", "--given", "a1", "--certificate", path, "--quiet")
    assert "with queens on a1" in provemate("check", path).out
    record = provemate("check", path, "--json").json
    assert record["problem"] == {"name": "queens", "n": 6, "given": [[5, 0]]}
    assert record["proof"] == "drat"
    assert 'Problem: {"name":"queens","n":6,"given":[[5,0]]}' in provemate("check", path, "--explain").out
    path.write_text("no zip")
    assert provemate("check", path, "--json").json["problem"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["prove", "knights", "6x6", "--certificate", "no/such/folder/c.zip"], "a folder that exists"),
        (["prove", "knights", "6x6", "--certificate", "."], "regular file"),
        (["prove", "knights", "30x30", "--engine", "counting", "--certificate", "c.zip"], "weights or sat"),
        (["prove", "queens", "600000", "--certificate", "c.zip"], "at most 500000 queens"),
        (["prove", "tour", "1001x1001", "--closed", "--certificate", "c.zip"], "at most 500000 squares"),
        (["prove", "tour", "8x8", "--engine", "counting"], "--certificate with --engine counting"),
        (["count", "tour", "6x6", "--certificate", "c.zip"], "complete lists"),
        (["count", "knights", "30x30", "--certificate", "no/such/folder/c.zip"], "a folder that exists"),
        (["count", "queens", "31", "--certificate", "c.zip"], "at most 30 queens"),
    ],
)
def test_what_cannot_be_certified_is_said_before_the_search(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = provemate(*words)
    assert ran.code == 2
    assert said in ran.err
    assert not ran.out
    assert len(ran.err.splitlines()) == 1


def test_an_answer_is_its_own_proof_and_the_command_says_so(tmp_path: Path) -> None:
    path = tmp_path / "proof.zip"
    ran = provemate("prove", "tour", "5x6", "--closed", "--engine", "counting", "--certificate", path)
    assert ran.code == 0
    assert "certificate (witness)" in ran.out
    assert "not counting: an answer is its own proof" in ran.err
    assert "not" not in provemate("prove", "tour", "5x6", "--closed", "--certificate", path).err


def test_one_time_limit_covers_the_search_and_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[float | None] = []

    def certify(*_: object, limits: Limits, **__: object) -> None:
        given.append(limits.seconds)
        raise NotProved("as asked")

    monkeypatch.setattr(proof, "certify", certify, raising=False)
    monkeypatch.setattr(proof, "certify_list", certify, raising=False)
    place = str(tmp_path / "c.zip")
    for words in (["prove", "tour", "5x5", "--closed"], ["count", "queens", "5"]):
        assert run([*words, "--time-limit", "60", "--certificate", place, "--quiet"]) == UNDECIDED
        assert "no certificate: as asked" in capsys.readouterr().err
    assert all(seconds is not None and 0 < seconds < 60 for seconds in given)
    assert len(given) == 2
