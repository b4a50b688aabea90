"""Writing certificates from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compare.cli.output import emit

if TYPE_CHECKING:
    from exact.proof import Certificate

CertificateOption = Annotated[Path | None, typer.Option(metavar="FILE", help="write a checkable certificate here")]


def certified(make: Callable[[], Certificate]) -> Certificate | None:
    """Return the certificate that `make` makes; None, with a line on standard error, when a limit is reached."""
    from exact.proof import NotProved

    try:
        return make()
    except NotProved as reason:
        sys.stderr.write(f"provemate: no certificate: {reason}\n")
        return None


def write(certificate: Certificate, path: Path, *, explain: bool, silent: bool) -> None:
    """Write the file and say what it proves; with `explain`, print the proof for a person."""
    from exact import proof

    proof.save(certificate, path)
    if not silent:
        emit([f"certificate ({certificate.proof.value}) written to {path}"])
        if explain:
            emit(proof.explain(certificate).splitlines())


def note_kind(certificate: Certificate, engine: str) -> None:
    """Say on standard error where an answer, or a square out of reach, is the proof whatever `--engine` says."""
    reason = {
        "witness": "an answer is its own proof",
        "unreachable": "a square that nothing attacks is the proof",
    }.get(certificate.proof.value)
    if reason is not None and engine != "auto":
        sys.stderr.write(
            f"provemate: the certificate is of the kind {certificate.proof}, not {engine}: {reason}\n"
        )
