"""Checking certificates: what `provemate check` does. Imports no solver for finding answers.

Everything is derived anew from the problem in the manifest; the files only say where to look. The first thing
that is wrong ends the check.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from exact.proof import archive, clausal, drat
from exact.proof.archive import Certificate
from exact.proof.claims import Claim, ClaimKind, ProofKind, sentence
from exact.proof.clausal import Work
from exact.proof.counting import check_combination, read_combination
from exact.proof.reading import MAX_ANSWER, MAX_INTEGER, Fault, TooLarge, items, squares_on
from exact.proof.weights import check_bound, read_parts
from problems import Answer, KnightCover, KnightTour, Queens


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What came of checking a certificate.

    `claim` is the claim in one sentence ("" where the file does not even state one); `fault` the first thing
    that is wrong, None if the claim is proved. `relied_on` says in one sentence what the check rests on, and
    `checkers` names the programs that followed the refutations. `seconds` is wall-clock time. `certificate` is
    what was checked, None where the file is none.
    """

    valid: bool
    claim: str
    fault: str | None
    relied_on: str
    checkers: tuple[str, ...]
    seconds: float
    certificate: Certificate | None = None


_Broken = (Fault, RecursionError, MemoryError)


def check(path: str | Path, *, slow_seconds: float = drat.SLOW_CHECKER_SECONDS) -> CheckReport:
    """Read and check a certificate; `InputError` if there is no such file.

    `slow_seconds` is the time that the slow, second checker of DRAT proofs may take.
    """
    began = time.monotonic()
    try:
        certificate = archive.load(path)
    except _Broken as error:
        return CheckReport(False, "", _first_fault(error), "", (), time.monotonic() - began)
    report = check_certificate(certificate, slow_seconds=slow_seconds)
    return replace(report, seconds=time.monotonic() - began)


def check_certificate(certificate: Certificate, *, slow_seconds: float = drat.SLOW_CHECKER_SECONDS) -> CheckReport:
    """Check a certificate that was read or made; see `check`."""
    began = time.monotonic()
    work = Work(slow_seconds)
    claim = sentence(certificate.problem, certificate.claim)
    try:
        basis = relied_on(certificate, work)
    except _Broken as error:
        return CheckReport(False, claim, _first_fault(error), "", (), time.monotonic() - began, certificate)
    return CheckReport(True, claim, None, basis, work.checkers, time.monotonic() - began, certificate)


def relied_on(certificate: Certificate, work: Work) -> str:
    """Return what the proof rests on, in a sentence; `Fault` where it proves nothing. `work` is added to."""
    files = _Opened(certificate.members)
    basis = _CHECKS[certificate.proof](replace(certificate, members=files), work)
    # What was not looked at must not be carried.
    if strangers := sorted(set(files) - files.names):
        raise Fault(f"the certificate has {strangers[0]}, which is no part of a proof of its kind")
    return basis


def _first_fault(error: Fault | RecursionError | MemoryError) -> str:
    if isinstance(error, Fault):
        return str(error)
    return (
        f"the certificate {'takes too much memory' if isinstance(error, MemoryError) else 'is nested too deeply'}"
    )


def answer_of(certificate: Certificate) -> Answer | None:
    """Return the enclosed answer, different squares of the board, or None; `Fault` if it is no answer.

    Whether it is right by the problem's rules is not checked.
    """
    if "answer.json" not in certificate.members:
        return None
    return _enclosed(certificate)


def _enclosed(certificate: Certificate) -> Answer:
    problem, data = certificate.problem, certificate.json("answer.json")
    if isinstance(problem, Queens):
        if problem.n > MAX_ANSWER:
            raise TooLarge(f"there are more than {MAX_ANSWER} queens, too many for an enclosed answer")
        if not problem.n:
            if items(data, "answer.json"):
                raise Fault("answer.json names squares of a board that has none")
            return ()
    elif problem.board.size > MAX_ANSWER:
        raise TooLarge(f"the board has more than {MAX_ANSWER} squares, too many for an enclosed answer")
    return squares_on(problem.board, data, "answer.json")


def _check_answer(certificate: Certificate, value: int | None) -> None:
    """Check that the enclosed answer is right, and its objective the value if there is one."""
    answer = _enclosed(certificate)
    problem = certificate.problem
    if found := problem.violations(answer):
        raise Fault(f"the enclosed answer is wrong: {found[0].kind}")
    if value is not None and problem.objective(answer) != value:
        raise Fault(f"the enclosed answer has {problem.objective(answer)} knights, not {value}")


def _check_lower(certificate: Certificate, bound: int) -> None:
    """Check that a proved lower bound gives the claim, with the enclosed answer where one is needed."""
    problem, claim = certificate.problem, certificate.claim
    assert isinstance(problem, KnightCover)
    if claim.kind is ClaimKind.NONE:
        if problem.at_most is None or problem.at_most >= bound:
            raise Fault(f"a lower bound of {bound} knights does not show that there is no answer")
        return
    if claim.kind not in (ClaimKind.MINIMUM, ClaimKind.AT_LEAST):
        raise Fault(f"a lower bound on the knights cannot prove the claim {claim.kind.value!r}")
    if bound != claim.value:
        raise Fault(f"the parts prove a lower bound of {bound}, the claim is {claim.value}")
    if claim.kind is ClaimKind.MINIMUM:
        if problem.at_most is not None:
            raise Fault("a minimum is claimed of a problem that only asks for existence")
        _check_answer(certificate, claim.value)


def _knights(certificate: Certificate) -> KnightCover:
    if not isinstance(certificate.problem, KnightCover):
        raise Fault(f"a proof of the kind {certificate.proof.value!r} is one about knights covering a board")
    return certificate.problem


def _witness(certificate: Certificate, work: Work) -> str:
    if certificate.claim.kind is not ClaimKind.EXISTS:
        raise Fault(f"an answer alone does not prove the claim {certificate.claim.kind.value!r}")
    _check_answer(certificate, None)
    return "the rules of the problem, tested on the enclosed answer"


def _unreachable(certificate: Certificate, work: Work) -> str:
    problem = _knights(certificate)
    if certificate.claim.kind is not ClaimKind.NONE:
        raise Fault(f"a square that nothing attacks does not prove the claim {certificate.claim.kind.value!r}")
    found = squares_on(problem.board, certificate.json("unreachable.json"), "unreachable.json")
    if not found or any(problem.covers(item) for item in found):
        raise Fault("unreachable.json does not name squares of the board that no knight covers")
    return f"the moves of a knight: none leads to {problem.board.name(found[0])}"


def _weights(certificate: Certificate, work: Work) -> str:
    problem = _knights(certificate)
    parts = read_parts(problem.board, certificate.json("bound.json"))
    _check_lower(certificate, check_bound(problem, parts))
    return "sums of whole numbers on the board: no solver, no formula, no encoding of 'at most k'"


def _counting(certificate: Certificate, work: Work) -> str:
    problem = certificate.problem
    if not isinstance(problem, KnightTour):
        raise Fault("a counting argument is one about knight's tours")
    _check_none(certificate)
    check_combination(problem, read_combination(problem.board, certificate.json("combination.json")))
    return "sums of whole numbers: a combination of a tour's degrees (and of cuts) that contradicts itself"


def _drat(certificate: Certificate, work: Work) -> str:
    if isinstance(certificate.problem, KnightCover):
        bound = clausal.check_refuted_parts(certificate.problem, certificate, work)
        _check_lower(certificate, bound)
    elif isinstance(certificate.problem, Queens):
        _check_none(certificate)
        clausal.check_no_queens(certificate.problem, certificate, work)
    else:
        raise Fault("a refuted formula for a tour needs cuts: the proof must be of the kind 'cuts+drat'")
    return f"the short encoder that derived the formula from the problem again, and {_followed(work)}"


def _cuts(certificate: Certificate, work: Work) -> str:
    if not isinstance(certificate.problem, KnightTour):
        raise Fault("a proof with cuts is one about knight's tours")
    _check_none(certificate)
    number = clausal.check_no_tour(certificate.problem, certificate, work)
    return (
        f"the short encoder that derived the formula from the problem and {number} cuts again, each the boundary "
        f"of a set of squares that a tour must leave, and {_followed(work)}"
    )


def _list(certificate: Certificate, work: Work) -> str:
    problem, claim = certificate.problem, certificate.claim
    if claim.kind is not ClaimKind.ALL:
        raise Fault(f"a complete list does not prove the claim {claim.kind.value!r}")
    if isinstance(problem, KnightTour):
        raise Fault("there are no complete lists of tours")
    count = (
        clausal.check_queens_list(problem, certificate, work)
        if isinstance(problem, Queens)
        else clausal.check_knights_list(problem, certificate, work)
    )
    if count != claim.value:
        # A product of many parts may have more digits than can be printed.
        number = str(count) if count <= MAX_INTEGER else f"more than {MAX_INTEGER}"
        raise Fault(f"the lists give {number} answers, the claim is {claim.value}")
    return (
        "the rules of the problem, tested on every answer listed, the short encoder that derived the formula "
        f"'another answer' again, and {_followed(work)}"
    )


def _check_none(certificate: Certificate) -> None:
    if certificate.claim != Claim(ClaimKind.NONE):
        raise Fault(
            f"a proof of the kind {certificate.proof.value!r} shows that there is no answer, "
            f"the claim is {certificate.claim.kind.value!r}"
        )


def _followed(work: Work) -> str:
    if not work.ran:
        return "no proof at all: a board without squares has no parts"
    names = " and ".join(work.checkers)
    alone = "" if drat.SLOW in work.checkers else f" ({drat.SLOW} would have taken too long)"
    return f"{names}, which followed every step of the DRAT proofs{alone}"


class _Opened(dict[str, bytes]):
    """Files that remember which of them were opened."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> bytes:
        self.names.add(name)
        return super().__getitem__(name)


_CHECKS: dict[ProofKind, Callable[[Certificate, Work], str]] = {
    ProofKind.WITNESS: _witness,
    ProofKind.UNREACHABLE: _unreachable,
    ProofKind.WEIGHTS: _weights,
    ProofKind.COUNTING: _counting,
    ProofKind.DRAT: _drat,
    ProofKind.CUTS: _cuts,
    ProofKind.LIST: _list,
}
