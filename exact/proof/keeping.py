"""Making the certificates that are kept with the program; for maintainers, see docs/certificates.md."""

from __future__ import annotations

from pathlib import Path

from exact.proof.archive import Certificate
from exact.proof.checker import check_certificate
from exact.proof.for_knights import by_weights, smallest_cover
from exact.proof.growing import Effort
from exact.proof.kept import file_name, to_json
from exact.proof.making import Budget, NotProved
from problems import KnightCover, Limits

PATIENT = Effort(growing=None, improving=12_000, polishing=2.0)
"""For certificates that are made once and read often: minutes a board."""


def keep(problem: KnightCover, directory: str | Path, effort: Effort = PATIENT) -> Certificate:
    """Make the certificate of the problem's minimum by weights, check it, and write it as kept ones are."""
    budget = Budget(Limits())
    made = by_weights(problem, smallest_cover(problem, None, budget, 0), effort, budget)
    if made is None:
        raise NotProved("the weights took more than the effort allows")
    report = check_certificate(made)
    if not report.valid:
        raise RuntimeError(f"the certificate does not check: {report.fault}")
    Path(directory).joinpath(file_name(problem)).write_bytes(to_json(made))
    return made
