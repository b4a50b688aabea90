"""`provemate check`: check a certificate, with no solver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from compare.cli import DONE, WRONG
from compare.cli import options as o
from compare.cli.output import emit, emit_json

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="a certificate of `prove` or `count`")]
ExplainOption = Annotated[bool, typer.Option("--explain", help="print the proof for a person")]


def check(
    file: FileArgument,
    *,
    explain: ExplainOption = False,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Check a certificate: derive its formulas anew, follow its proof, and say what that relied on."""
    from exact import proof

    report = proof.check(file)
    made = report.certificate
    if json:
        emit_json(
            {
                "valid": report.valid,
                "claim": report.claim,
                "problem": None if made is None else proof.problem_json(made.problem),
                "proof": None if made is None else made.proof.value,
                "fault": report.fault,
                "relied_on": report.relied_on,
                "checkers": list(report.checkers),
                "seconds": round(report.seconds, 6),
            }
        )
        return DONE if report.valid else WRONG
    if not report.valid:
        emit([f"NOT PROVED: {report.fault}"])
        return WRONG
    emit([f"PROVED: {report.claim}", *([] if quiet else [f"  {report.relied_on}"])])
    if explain and made is not None:
        emit(proof.explain(made).splitlines())
    return DONE
