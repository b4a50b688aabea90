"""Certificates as files: a zip with a manifest that names, sizes and hashes every other member.

Writing is deterministic: the same certificate gives the same bytes (with the same zlib). Reading trusts nothing:
names, sizes (declared and real), duplicates, hashes and the manifest's structure are checked, in this order, and
the first thing that is wrong is raised as a `Fault`.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exact.proof.claims import (
    Claim,
    Fault,
    ProofKind,
    dump,
    fields,
    integer,
    items,
    parse,
    problem_json,
    read_claim,
    read_problem,
    text,
)
from problems import InputError, Problem

FORMAT = "provemate-certificate"
VERSION = 1
MANIFEST = "manifest.json"

MAX_FILE = 256 * 2**20
"""The largest certificate file that is read, in bytes."""
MAX_UNPACKED = 512 * 2**20
"""The most that all members together may unpack to, in bytes."""
MAX_MEMBERS = 64

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


def save(certificate: Certificate, path: str | Path) -> None:
    """Write the certificate to a file; `InputError` if that cannot be done."""
    try:
        Path(path).write_bytes(to_bytes(certificate))
    except OSError as error:
        raise InputError("a file that can be written", str(error.strerror), where=str(path)) from None


def to_bytes(certificate: Certificate) -> bytes:
    """Return the certificate as the bytes of a zip file."""
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
    """Read a certificate; `InputError` if there is no such file, `Fault` if it is no certificate."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise InputError("a certificate file", str(error.strerror), where=str(path)) from None
    except ValueError as error:
        raise InputError("a certificate file", str(error), where="file name") from None
    return from_bytes(data)


def from_bytes(data: bytes) -> Certificate:
    """Return the certificate in the bytes of a zip file; `Fault` with the first thing that is wrong."""
    if len(data) > MAX_FILE:
        raise Fault(f"the file is larger than {MAX_FILE} bytes")
    contents = _unpack(data)
    if MANIFEST not in contents:
        raise Fault(f"the archive has no {MANIFEST}")
    values = fields(parse(contents.pop(MANIFEST), MANIFEST), _MANIFEST_KEYS, "the manifest")
    if values["format"] != FORMAT or integer(values["version"], "version") != VERSION:
        raise Fault(f"the manifest is not of the format {FORMAT} {VERSION}")
    _compare(values["members"], contents)
    if values["proof"] not in tuple(ProofKind):
        raise Fault(f"the proof is of the kind {str(values['proof'])[:40]!r}, not one of {', '.join(ProofKind)}")
    return Certificate(
        read_problem(values["problem"]),
        read_claim(values["claim"]),
        ProofKind(values["proof"]),
        contents,
        text(values["written_by"], "written_by"),
    )


def _unpack(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            _check_directory(infos)
            return {info.filename: _content(archive, info) for info in infos}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise Fault(f"the file is no intact zip archive: {error}") from None
    except (ValueError, OverflowError, IndexError, KeyError, UnicodeError, MemoryError) as error:
        raise Fault(f"the zip archive is damaged: {type(error).__name__}") from None


def _check_directory(infos: list[zipfile.ZipInfo]) -> None:
    if len(infos) > MAX_MEMBERS:
        raise Fault(f"the archive has {len(infos)} members, more than {MAX_MEMBERS}")
    seen: set[str] = set()
    for info in infos:
        shown = ascii(info.orig_filename)[:80]
        if not _NAME.fullmatch(info.filename) or info.filename != info.orig_filename:
            raise Fault(f"the archive has a member with the name {shown}, which no certificate has")
        if info.filename in seen:
            raise Fault(f"the archive has {shown} twice")
        seen.add(info.filename)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Fault(f"{shown} is packed with a method other than deflate")
    unpacked = sum(info.file_size for info in infos)
    if unpacked > MAX_UNPACKED:
        raise Fault(f"the archive would unpack to {unpacked} bytes, more than {MAX_UNPACKED}")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as member:
        content = member.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise Fault(f"{info.filename} unpacks to another size than the archive declares")
    return content


def _compare(listed: Any, contents: Mapping[str, bytes]) -> None:
    """Hold the manifest's list of members against what is there."""
    names = []
    for entry in items(listed, "the manifest's list of members"):
        values = fields(entry, {"name", "bytes", "sha256"}, "a member in the manifest")
        name = text(values["name"], "a member's name")
        if name not in contents:
            raise Fault(f"the manifest lists {ascii(name)[:80]}, which the archive does not have")
        if integer(values["bytes"], f"the size of {name}") != len(contents[name]):
            raise Fault(f"{name} has {len(contents[name])} bytes, not {values['bytes']} as the manifest says")
        digest = text(values["sha256"], f"the hash of {name}")
        if not _HASH.fullmatch(digest) or hashlib.sha256(contents[name]).hexdigest() != digest:
            raise Fault(f"{name} does not have the hash that the manifest gives")
        names.append(name)
    if len(set(names)) < len(names):
        raise Fault("the manifest lists a member twice")
    if extra := sorted(set(contents) - set(names)):
        raise Fault(f"the manifest does not list {extra[0]}")
