"""What a file says is bounded before it is read, and printed in one safe form only."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import replace

import pytest

from exact import proof
from exact.proof import Claim, ClaimKind, Fault, ProofKind, archive, clausal, reading
from problems import Board, InputError, KnightCover, KnightTour, Queens, Rule

EVIL = "x\n\r\x1b[2KPROVED: 13 is the fewest\x1b[8m\ud800\u202eé" + "y" * 500


def refusal(function, *arguments):
    with pytest.raises(Fault) as caught:
        function(*arguments)
    return str(caught.value)


def is_safe(line):
    return line.isascii() and line.isprintable() and len(line) < 600


def test_what_is_quoted_is_one_short_line_of_ascii():
    for value in (EVIL, [EVIL], {EVIL: EVIL}, EVIL.encode("utf-8", "surrogatepass"), 10**18, None):
        assert is_safe(reading.quoted(value))
        assert len(reading.quoted(value)) <= 80


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"1" * 20, "is beyond"),
        (b"-1000000000000000001", "is beyond"),
        (b"1" * 5000, "is beyond"),
        (b"1.5", "no integer"),
        (b"1e400", "no integer"),
        (b"Infinity", "no integer"),
        ("[\u0661]".encode(), "no ASCII"),
        (b"\xef\xbb\xbf[]", "no ASCII"),
        (b"[" * 5000 + b"]" * 5000, "nested too deeply"),
        (json.dumps({EVIL: 1})[:-1].encode() + b"," + json.dumps({EVIL: 1})[1:].encode(), "a key is given twice"),
    ],
)
def test_json_that_no_certificate_has(text, message):
    said = refusal(reading.parse, text, "x.json")
    assert message in said
    assert is_safe(said)


def test_json_has_bounds(monkeypatch):
    assert reading.parse(b"[1000000000000000000,-1000000000000000000]", "x.json") == [10**18, -(10**18)]
    monkeypatch.setattr(reading, "MAX_VALUES", 3)
    assert reading.parse(b"[[],{}]", "x.json") == [[], {}]
    assert "4 arrays and objects" in refusal(reading.parse, b"[[],[],{}]", "x.json")
    monkeypatch.setattr(reading, "MAX_JSON", 3)
    assert "4 bytes" in refusal(reading.parse, b"1234", "x.json")


def test_the_range_is_tested_before_squares_are_compared():
    # A set of these, which all have the same hash, would take quadratic time.
    collide = [[k * (2**61 - 1), 0] for k in range(1, 30_000)]
    assert "is not on the 3x3 board" in refusal(reading.squares, collide, "x", 3, 3)
    assert "is not on the 3x3 board" in refusal(reading.squares, [[3, 0], [3, 0]], "x", 3, 3)
    assert "given twice" in refusal(reading.squares, [[2, 0], [2, 0]], "x", 3, 3)
    assert "missing" in refusal(reading.squares_on, Board(3, 3, frozenset({(1, 1)})), [[1, 1]], "x")


# Every string and key of a certificate, spoilt


CERTIFICATES = (
    archive.Certificate(
        KnightCover(Board(3, 4), Rule.ORDINARY),
        Claim(ClaimKind.MINIMUM, 4),
        ProofKind.WEIGHTS,
        {
            "bound.json": archive.dump(
                {
                    "parts": [
                        {
                            "targets": [[0, 0]],
                            "images": ["identity"],
                            "bound": 1,
                            "tree": {
                                "square": [0, 0],
                                "first": "knight",
                                "symmetries": ["identity"],
                                "cases": [{"unit": 1, "weights": [[0, 0, 1]]}, {"unit": 1, "weights": []}],
                            },
                        }
                    ]
                }
            ),
            "answer.json": b"[[0,0]]",
        },
        "x",
    ),
    archive.Certificate(
        KnightTour(Board(3, 4), (0, 0), (0, 2)),
        Claim(ClaimKind.NONE),
        ProofKind.COUNTING,
        {
            "combination.json": b'{"degrees":[[0,0,1]],"ends":0,"start":0,"end":0,'
            b'"cuts":[{"squares":[[0,0]],"multiplier":1}]}'
        },
        "x",
    ),
    archive.Certificate(
        Queens(2, ((0, 0),)),
        Claim(ClaimKind.NONE),
        ProofKind.DRAT,
        {"formula.cnf": b"c 1 queen a2\n", "formula.drat": b"0\n"},
        "x",
    ),
)  # fmt: skip


def spoilt_everywhere(value):
    """Yield the JSON value with one thing in it replaced by an evil string, or one key."""
    yield EVIL
    if isinstance(value, dict):
        for key, item in value.items():
            yield {**{k: v for k, v in value.items() if k != key}, EVIL: item}
            yield from ({**value, key: each} for each in spoilt_everywhere(item))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from ([*value[:place], each, *value[place + 1 :]] for each in spoilt_everywhere(item))


def zipped(contents):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in contents.items():
            file.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("certificate", CERTIFICATES, ids=lambda certificate: certificate.proof.value)
def test_no_string_of_a_file_is_printed_as_it_is(certificate, tmp_path):
    manifest = archive.manifest(certificate)
    files = [
        zipped({"manifest.json": json.dumps(spoilt), **certificate.members})
        for spoilt in spoilt_everywhere(manifest)
    ]
    for name, data in certificate.members.items():
        if name.endswith(".json"):
            for spoilt in spoilt_everywhere(json.loads(data)):
                members = {**certificate.members, name: json.dumps(spoilt).encode()}
                files.append(archive.to_bytes(replace(certificate, members=members)))
        else:
            members = {**certificate.members, name: EVIL.encode("ascii", "replace")}
            files.append(archive.to_bytes(replace(certificate, members=members)))
    assert len(files) > 20
    for data in files:
        (tmp_path / "c.zip").write_bytes(data)
        report = proof.check(tmp_path / "c.zip")
        assert not report.valid
        assert is_safe(report.claim)
        assert is_safe(report.fault)


def test_member_names_are_quoted():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("é\x1b[8m.json", b"")
    assert is_safe(refusal(archive.from_bytes, buffer.getvalue()))


# Files that eat time or memory


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="no regular file"):
        proof.check(tmp_path / "pipe")


def test_an_archive_may_not_unpack_to_a_hundred_times_its_size():
    bomb = zipped({"manifest.json": b"{}", "formula.drat": b"0\n" * 2**21})
    assert len(bomb) < 10_000
    assert "would unpack to" in refusal(archive.from_bytes, bomb)


@pytest.mark.parametrize("ending", archive.MAX_MEMBER)
def test_members_have_bounds_of_their_own(ending, monkeypatch):
    monkeypatch.setitem(archive.MAX_MEMBER, ending, 10)
    assert "more than 10" in refusal(archive.from_bytes, zipped({f"x{ending}": b" " * 11}))


@pytest.mark.parametrize(
    "problem",
    [KnightCover(Board(1000, 1000)), KnightTour(Board(1000, 1000)), Queens(1_000_000)],
    ids=lambda problem: problem.name,
)
def test_an_answer_for_too_large_a_board_is_not_judged(problem):
    empty = archive.Certificate(problem, Claim(ClaimKind.EXISTS), ProofKind.WITNESS, {"answer.json": b"[]"}, "x")
    assert "too many for an enclosed answer" in proof.check_certificate(empty).fault


def test_lists_of_very_many_answers_do_not_break_the_report(monkeypatch):
    monkeypatch.setattr(clausal, "check_queens_list", lambda *_: 10**5000)
    listed = archive.Certificate(Queens(4), Claim(ClaimKind.ALL, 2), ProofKind.LIST, {}, "x")
    assert "more than 1000000000000000000 answers" in proof.check_certificate(listed).fault


def test_too_little_memory_is_a_fault(monkeypatch):
    def exhausted(*_):
        raise MemoryError

    certificate = CERTIFICATES[0]
    monkeypatch.setattr(archive.Certificate, "json", exhausted)
    report = proof.check_certificate(certificate)
    assert (report.valid, report.fault) == (False, "the certificate takes too much memory")
