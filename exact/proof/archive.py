"""Certificates as files: a zip with a manifest that names, sizes and hashes every other member.

Writing is deterministic: the same certificate gives the same bytes (with the same zlib). Reading trusts nothing:
the archive's ends, names, sizes (declared and real), duplicates, hashes and the manifest's structure are checked,
in this order, and the first thing that is wrong is raised as a `Fault`.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exact.proof.claims import Claim, ProofKind, dump, problem_json, read_claim, read_problem
from exact.proof.reading import MAX_JSON, Fault, TooLarge, fields, integer, items, parse, quoted, text
from problems import InputError, Problem

FORMAT = "provemate-certificate"
VERSION = 1
MANIFEST = "manifest.json"

MAX_FILE = 64 * 2**20
"""The largest certificate file that is read, in bytes."""
MAX_UNPACKED = 192 * 2**20
"""The most that all members together may unpack to, in bytes."""
MAX_MEMBER = {".json": MAX_JSON, ".cnf": 32 * 2**20, ".drat": 128 * 2**20}
"""The largest member by the ending of its name, unpacked, in bytes."""
MAX_MEMBERS = 1_024
MAX_RATIO = 100
"""How many times its own size, and a MiB, an archive may unpack to; formulas and proofs come to some 5 to 15."""

_MIB = 2**20
_DIRECTORY_ENTRY = 46 + 41 + 5 + 60
"""The most bytes that a member takes in the archive's directory: a name, and what archivers add to it."""
_END = struct.Struct("<4s4H2LH")
_END_MARK, _FIRST_MARK, _LARGE_MARK = b"PK\5\6", b"PK\3\4", b"PK\6\7"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}\.(json|cnf|drat)")
_HASH = re.compile(r"[0-9a-f]{64}")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MANIFEST_KEYS = {"format", "version", "problem", "claim", "proof", "members", "written_by"}


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim about a problem with its proof: the kind of proof and the files it consists of, by name.

    Nothing in it is trusted; `exact.proof.check_certificate` says whether it proves its claim.
    """

    problem: Problem
    claim: Claim
    proof: ProofKind
    members: Mapping[str, bytes]
    written_by: str

    def member(self, name: str) -> bytes:
        """Return the contents of a file; `Fault` if it is not there."""
        if name not in self.members:
            raise Fault(f"the certificate has no {name}")
        return self.members[name]

    def json(self, name: str) -> Any:
        """Return the value of a JSON file; `Fault` if it is missing or no JSON."""
        return parse(self.member(name), name)


def check_place(path: str | Path) -> None:
    """Raise `InputError` unless a certificate can be written there: a new or a regular file in a folder."""
    place = Path(path)
    if place.exists() and not place.is_file():
        raise InputError("a certificate's file name", "no regular file", where=str(path))
    if not place.parent.is_dir():
        raise InputError("a file in a folder that exists", f"no folder {place.parent}", where=str(path))
    if not os.access(place.parent, os.W_OK):
        raise InputError("a folder that can be written to", f"{place.parent}", where=str(path))


def save(certificate: Certificate, path: str | Path) -> None:
    """Write the certificate to a file, whole or not at all; `InputError` if that cannot be done."""
    check_place(path)
    place, data = Path(path), to_bytes(certificate)
    try:
        # In the same folder, so that the last step is one: what was there before is kept until then.
        handle, name = tempfile.mkstemp(prefix=f".{place.name[:40]}.", dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, _mode_for(place))
            os.replace(name, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise InputError("a file that can be written", str(error.strerror), where=str(path)) from None


def _mode_for(place: Path) -> int:
    """Return the permissions that writing to the file would leave."""
    if place.exists():
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def to_bytes(certificate: Certificate) -> bytes:
    """Return the certificate as the bytes of a zip file, the same bytes for the same certificate."""
    buffer = io.BytesIO()
    contents = {MANIFEST: dump(manifest(certificate)), **dict(sorted(certificate.members.items()))}
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in contents.items():
            info = zipfile.ZipInfo(name, date_time=_EPOCH)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data, compress_type=zipfile.ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()


def manifest(certificate: Certificate) -> dict[str, Any]:
    """Return the manifest as JSON data."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "problem": problem_json(certificate.problem),
        "claim": {"kind": certificate.claim.kind.value, "value": certificate.claim.value},
        "proof": certificate.proof.value,
        "members": [
            {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in sorted(certificate.members.items())
        ],
        "written_by": certificate.written_by,
    }


def load(path: str | Path) -> Certificate:
    """Read a certificate; `InputError` if there is no such regular file, `Fault` if it is no certificate."""
    try:
        # Never waits for somebody to write to a pipe.
        with open(
            os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError("a certificate file", "no regular file", where=str(path))
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise InputError("a certificate file", str(error.strerror), where=str(path)) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("a certificate file", str(error), where="file name") from None
    return from_bytes(data)


def from_bytes(data: bytes) -> Certificate:
    """Return the certificate in the bytes of a zip file; `Fault` with the first thing that is wrong."""
    if len(data) > MAX_FILE:
        raise TooLarge(f"the file is larger than {MAX_FILE} bytes")
    contents = _unpack(data)
    if MANIFEST not in contents:
        raise Fault(f"the archive has no {MANIFEST}")
    values = fields(parse(contents.pop(MANIFEST), MANIFEST), _MANIFEST_KEYS, "the manifest")
    if values["format"] != FORMAT or integer(values["version"], "version") != VERSION:
        raise Fault(f"the manifest is not of the format {FORMAT} {VERSION}")
    _compare(values["members"], contents)
    if values["proof"] not in tuple(ProofKind):
        raise Fault(f"the proof is of the kind {quoted(values['proof'])}, not one of {', '.join(ProofKind)}")
    return Certificate(
        read_problem(values["problem"]),
        read_claim(values["claim"]),
        ProofKind(values["proof"]),
        contents,
        text(values["written_by"], "written_by"),
    )


def _unpack(data: bytes) -> dict[str, bytes]:
    _check_ends(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            _check_directory(infos, len(data))
            return {info.filename: _content(archive, info) for info in infos}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise Fault(f"the file is no intact zip archive: {quoted(str(error))}") from None
    except (ValueError, OverflowError, IndexError, KeyError, UnicodeError, MemoryError) as error:
        raise Fault(f"the zip archive is damaged: {type(error).__name__}") from None


def _check_ends(data: bytes) -> None:
    """Nothing stands before the first member or after the directory, which is small: it is read as a whole."""
    end = len(data) - _END.size
    if end < 0 or data[end : end + 4] != _END_MARK:
        raise Fault("the file is no intact zip archive: it does not end with its directory")
    _, disk, first_disk, here, entries, size, offset, comment = _END.unpack_from(data, end)
    if entries > MAX_MEMBERS or size > MAX_MEMBERS * _DIRECTORY_ENTRY:
        raise TooLarge(f"the archive has {entries} members, more than {MAX_MEMBERS}, or a directory too large")
    is_plain = not (disk or first_disk or comment) and here == entries and data[end - 20 : end - 16] != _LARGE_MARK
    if not is_plain or offset + size != end or not data.startswith(_FIRST_MARK):
        raise Fault("the file is no intact zip archive: it has a comment, more parts, or other contents around it")


def _check_directory(infos: list[zipfile.ZipInfo], packed: int) -> None:
    if len(infos) > MAX_MEMBERS:
        raise TooLarge(f"the archive has {len(infos)} members, more than {MAX_MEMBERS}")
    seen: set[str] = set()
    for info in infos:
        shown = quoted(info.orig_filename)
        if not _NAME.fullmatch(info.filename) or info.filename != info.orig_filename:
            raise Fault(f"the archive has a member with the name {shown}, which no certificate has")
        if info.filename in seen:
            raise Fault(f"the archive has {shown} twice")
        seen.add(info.filename)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Fault(f"{shown} is packed with a method other than deflate")
        if info.file_size > (most := MAX_MEMBER[Path(info.filename).suffix]):
            raise TooLarge(f"{shown} would unpack to {info.file_size} bytes, more than {most}")
    unpacked = sum(info.file_size for info in infos)
    if unpacked > (most := min(MAX_UNPACKED, _MIB + MAX_RATIO * packed)):
        raise TooLarge(f"the archive would unpack to {unpacked} bytes, more than {most}")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as member:
        content = member.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise Fault(f"{info.filename} unpacks to another size than the archive declares")
    return content


def _compare(listed: Any, contents: Mapping[str, bytes]) -> None:
    """Hold the manifest's list of members against what is there."""
    names: set[str] = set()
    for entry in items(listed, "the manifest's list of members"):
        values = fields(entry, {"name", "bytes", "sha256"}, "a member in the manifest")
        name = text(values["name"], "a member's name")
        if name not in contents:
            raise Fault(f"the manifest lists {quoted(name)}, which the archive does not have")
        if name in names:  # before it is hashed: a list may be long
            raise Fault(f"the manifest lists {name} twice")
        names.add(name)
        if integer(values["bytes"], f"the size of {name}") != len(contents[name]):
            raise Fault(f"{name} has {len(contents[name])} bytes, not {values['bytes']} as the manifest says")
        digest = text(values["sha256"], f"the hash of {name}")
        if not _HASH.fullmatch(digest) or hashlib.sha256(contents[name]).hexdigest() != digest:
            raise Fault(f"{name} does not have the hash that the manifest gives")
    if extra := sorted(set(contents) - names):
        raise Fault(f"the manifest does not list {extra[0]}")
