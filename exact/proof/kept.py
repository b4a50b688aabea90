"""Certificates that are kept with the program, for boards that are asked about often: checked whenever used.

They are JSON files in `exact/proof/kept_data`, a manifest and the proof's own files each; no solver is needed to
check them, and it takes milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from exact.proof.archive import Certificate, manifest
from exact.proof.claims import ClaimKind, ProofKind, dump, read_claim, read_problem
from exact.proof.reading import Fault, fields, parse, quoted, text
from exact.proof.weights import Weighting, read_parts, walk
from problems import KnightCover

_KEYS = {"problem", "claim", "proof", "written_by", "files"}


@dataclass(frozen=True, slots=True)
class Minimum:
    """A minimum that a kept certificate proves, and the certificate in a phrase."""

    value: int
    source: str


def minimum(problem: KnightCover) -> Minimum | None:
    """Return the minimum that a kept certificate, checked here, proves; None where none is kept."""
    certificate = kept_certificate(problem)
    if certificate is None or certificate.claim.value is None:
        return None
    parts = read_parts(problem.board, certificate.json("bound.json"))
    leaves = sum(isinstance(node, Weighting) for part in parts for _, node, _ in walk(problem, part))
    boards = "one weighting" if leaves == 1 else f"{leaves} weightings"
    return Minimum(certificate.claim.value, f"kept certificate of {boards}, checked")


@lru_cache(maxsize=64)
def kept_certificate(problem: KnightCover) -> Certificate | None:
    """Return the kept certificate of the problem's minimum, checked, or None where none is kept."""
    from exact.proof.checker import check_certificate

    resource = files("exact.proof").joinpath("kept_data", file_name(problem))
    if problem.at_most is not None or problem.board.missing or not resource.is_file():
        return None
    certificate = from_json(resource.read_bytes())
    report = check_certificate(certificate)
    if not report.valid or certificate.problem != problem or certificate.claim.kind is not ClaimKind.MINIMUM:
        raise RuntimeError(f"the kept certificate {file_name(problem)} does not check: {report.fault}")
    return certificate


def file_name(problem: KnightCover) -> str:
    """Return the name of the file that keeps the problem's certificate."""
    return f"knights-{problem.rule.value}-{problem.board.rows}x{problem.board.cols}.json"


def to_json(certificate: Certificate) -> bytes:
    """Return the certificate as one JSON text, for keeping."""
    stated = manifest(certificate)
    contents = {name: parse(data, name) for name, data in sorted(certificate.members.items())}
    return dump({**{key: stated[key] for key in sorted(_KEYS - {"files"})}, "files": contents}) + b"\n"


def from_json(data: bytes) -> Certificate:
    """Return the certificate in a JSON text; `Fault` if it is none. It is not checked."""
    values = fields(parse(data, "the kept certificate"), _KEYS, "a kept certificate")
    contents: dict[str, Any] = fields(values["files"], None, "files")
    if values["proof"] not in tuple(ProofKind):
        raise Fault(f"the proof is of no known kind: {quoted(values['proof'])}")
    return Certificate(
        read_problem(values["problem"]),
        read_claim(values["claim"]),
        ProofKind(values["proof"]),
        {name: dump(value) for name, value in contents.items()},
        text(values["written_by"], "written_by"),
    )
