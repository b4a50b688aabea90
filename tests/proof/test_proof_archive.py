"""Certificate files: written the same every time, read with distrust."""

from __future__ import annotations

import io
import json
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact import proof
from exact.proof import Claim, ClaimKind, Fault, ProofKind, archive
from problems import Board, InputError, KnightCover, KnightTour, Queens, Rule

QUEENS = archive.Certificate(
    Queens(4),
    Claim(ClaimKind.EXISTS),
    ProofKind.WITNESS,
    {"answer.json": b"[[0,1],[1,3],[2,0],[3,2]]"},
    "a test",
)


def zipped(contents, compression=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, data in contents:
            file.writestr(name, data)
    return buffer.getvalue()


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def fault(data):
    with pytest.raises(Fault) as caught:
        archive.from_bytes(data)
    return str(caught.value)


@pytest.mark.parametrize(
    "problem",
    [
        Queens(5, ((0, 1),)),
        KnightCover(Board(3, 4, frozenset({(1, 1)})), Rule.INDEPENDENT, at_most=7),
        KnightTour(Board(3, 4), start=(0, 0), end=(0, 2)),
        KnightTour(Board(6, 6), closed=True),
    ],
)
def test_problems_survive_the_manifest(problem, tmp_path):
    certificate = archive.Certificate(problem, Claim(ClaimKind.NONE), ProofKind.CUTS, {"cuts.json": b"{}"}, "x")
    proof.save(certificate, tmp_path / "c.zip")
    assert proof.load(tmp_path / "c.zip") == certificate


def test_the_same_certificate_gives_the_same_bytes():
    assert archive.to_bytes(QUEENS) == archive.to_bytes(archive.from_bytes(archive.to_bytes(QUEENS)))
    assert proof.check_certificate(archive.from_bytes(archive.to_bytes(QUEENS))).valid


def test_missing_file_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="certificate file"):
        proof.check(tmp_path / "none.zip")
    with pytest.raises(InputError):
        proof.check(tmp_path)
    with pytest.raises(InputError):
        proof.save(QUEENS, tmp_path / "no" / "such" / "directory")


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04", b"\x00" * 4000, archive.to_bytes(QUEENS)[:-30]])
def test_what_is_no_zip_is_refused(data, tmp_path):
    assert "no intact zip archive" in fault(data)
    (tmp_path / "c.zip").write_bytes(data)
    report = proof.check(tmp_path / "c.zip")
    assert (report.valid, report.claim) == (False, "")


@pytest.mark.parametrize("length", range(0, len(archive.to_bytes(QUEENS)), 37))
def test_truncated_files_are_refused(length):
    assert fault(archive.to_bytes(QUEENS)[:length])


@pytest.mark.parametrize(
    "name", ["../answer.json", "/etc/answer.json", "a/b.json", "..json", "ANSWER.json", "a\\b.json", "x.exe", ""]
)
def test_names_that_no_certificate_has_are_refused(name):
    contents = [*unzipped(archive.to_bytes(QUEENS)).items(), (name or "no-ending", b"")]
    assert "which no certificate has" in fault(zipped(contents))


def test_members_given_twice_are_refused():
    contents = list(unzipped(archive.to_bytes(QUEENS)).items())
    with pytest.warns(UserWarning, match="Duplicate name"):
        doubled = zipped([*contents, contents[-1]])
    assert "twice" in fault(doubled)


def test_too_many_members_are_refused():
    assert "more than" in fault(zipped([(f"x-{i}.json", b"") for i in range(archive.MAX_MEMBERS + 1)]))


def test_nothing_may_stand_around_the_archive():
    data = archive.to_bytes(QUEENS)
    assert archive.from_bytes(data) == QUEENS
    commented = bytearray(data + b"PROVED")
    struct.pack_into("<H", commented, len(data) - 2, 6)
    for spoilt in (b"junk" + data, data + b"junk", bytes(commented), b"PK\x03\x04" + data, data + data):
        assert "no intact zip archive" in fault(spoilt)


def test_the_directory_is_not_read_where_it_is_large():
    # 100,000 members take zipfile a hundred MiB before anyone can count them.
    data = bytearray(archive.to_bytes(QUEENS))
    struct.pack_into("<HH", data, len(data) - 14, 60_000, 60_000)
    assert "more than 1024" in fault(bytes(data))
    data = bytearray(archive.to_bytes(QUEENS))
    struct.pack_into("<L", data, len(data) - 10, 10**6)
    assert "a directory too large" in fault(bytes(data))


def test_saving_leaves_what_was_there_until_it_is_done(tmp_path, monkeypatch):
    path = tmp_path / "c.zip"
    path.write_bytes(b"before")
    path.chmod(0o640)

    def full(source, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(archive.os, "replace", full)
        with pytest.raises(InputError, match="No space left"):
            proof.save(QUEENS, path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    proof.save(QUEENS, path)
    assert proof.load(path) == QUEENS
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o640


def test_places_where_no_certificate_can_be_written(tmp_path):
    archive.check_place(tmp_path / "new.zip")
    for place in (tmp_path, tmp_path / "no" / "c.zip", "/dev/null"):
        with pytest.raises(InputError):
            archive.check_place(place)


def test_other_packing_methods_are_refused():
    assert "deflate" in fault(zipped(unzipped(archive.to_bytes(QUEENS)).items(), zipfile.ZIP_BZIP2))


def test_a_bomb_is_refused_by_its_declared_size(monkeypatch):
    monkeypatch.setattr(archive, "MAX_UNPACKED", 10**6)
    contents = [*unzipped(archive.to_bytes(QUEENS)).items(), ("bomb.json", b" " * 2 * 10**6)]
    data = zipped(contents)
    assert len(data) < 10_000
    assert "would unpack to" in fault(data)


def test_a_bomb_that_lies_about_its_size_is_refused():
    data = bytearray(zipped([("manifest.json", b" " * 5 * 10**6)]))
    size = struct.pack("<L", 5 * 10**6)
    while (at := data.find(size)) >= 0:
        data[at : at + 4] = struct.pack("<L", 100)
    assert fault(bytes(data))


def test_files_over_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILE", 100)
    assert "larger than" in fault(archive.to_bytes(QUEENS))


def edited(change):
    contents = unzipped(archive.to_bytes(QUEENS))
    manifest = json.loads(contents["manifest.json"])
    change(manifest)
    return zipped({**contents, "manifest.json": json.dumps(manifest)}.items())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(version=2), "not of the format"),
        (lambda m: m.update(version=True), "version"),
        (lambda m: m.update(format="zip"), "not of the format"),
        (lambda m: m.pop("claim"), "has the keys"),
        (lambda m: m.update(extra=1), "has the keys"),
        (lambda m: m.update(proof="trust me"), "proof is of the kind"),
        (lambda m: m["members"][0].update(sha256="0" * 64), "hash"),
        (lambda m: m["members"][0].update(bytes=1), "bytes"),
        # Before the size and the hash, wrong here, are looked at again.
        (lambda m: m["members"].append({**m["members"][0], "bytes": 1, "sha256": ""}), "twice"),
        (lambda m: m["members"][0].update(name="other.json"), "does not have"),
        (lambda m: m["members"].append(m["members"][0]), "twice"),
        (lambda m: m.update(members=[]), "does not list"),
        (lambda m: m.update(members={}), "array"),
        (lambda m: m["problem"].update(name="chess"), "name"),
        (lambda m: m["problem"].update(n=-1), "n is"),
        (lambda m: m["problem"].update(n="4"), "n is"),
        (lambda m: m["problem"].update(given=[[9, 9]]), "not on the 4x4 board"),
        (lambda m: m["problem"].update(n=10**8, given=[]), "states no problem"),
        (lambda m: m["claim"].update(kind="sure"), "claim"),
        (lambda m: m["claim"].update(value=3), "takes no value"),
        (lambda m: m["claim"].update(kind="all"), "value"),
        (lambda m: m.update(written_by=None), "written_by"),
    ],
)
def test_manifests_that_say_something_else_are_refused(change, message):
    assert message in fault(edited(change))


@pytest.mark.parametrize("text", [b"", b"[", b"\xff", b'{"a":1,"a":2}', b"NaN", b"[" * 100_000, b"1" * 10_000])
def test_manifests_that_are_no_json_are_refused(text):
    contents = {**unzipped(archive.to_bytes(QUEENS)), "manifest.json": text}
    assert fault(zipped(contents.items()))


@given(st.binary(max_size=300))
def test_random_bytes_never_raise_anything_else(data):
    assert fault(data)


@given(st.integers(0, len(archive.to_bytes(QUEENS)) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed_or_harmless(position, change):
    data = bytearray(archive.to_bytes(QUEENS))
    data[position] ^= change
    try:
        found = archive.from_bytes(bytes(data))
    except Fault:
        return
    assert found == QUEENS
