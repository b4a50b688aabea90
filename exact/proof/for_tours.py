"""Making certificates about knight's tours."""

from __future__ import annotations

from exact.child import Job
from exact.proof import clausal, counting, encoder
from exact.proof.archive import Certificate
from exact.proof.claims import Claim, ClaimKind, ProofKind, dump
from exact.proof.making import (
    AUTO,
    COUNTING,
    SAT,
    Budget,
    NotProved,
    certificate,
    existence,
    formula_files,
    refutation_job,
)
from exact.proof.reading import MAX_ANSWER
from problems import KnightTour, Result, UnsupportedProblem

ENGINES = (AUTO, COUNTING, SAT)


def check(problem: KnightTour, engine: str) -> None:
    """Raise `UnsupportedProblem` where no certificate can be made."""
    if engine not in ENGINES:
        raise UnsupportedProblem("counting or sat, which have proofs about tours", repr(engine), where="--engine")
    if problem.board.size > MAX_ANSWER:
        wanted = f"a board of at most {MAX_ANSWER} squares for a certificate about tours"
        raise UnsupportedProblem(wanted, f"{problem.board.size} squares")


def certify(problem: KnightTour, result: Result | None, engine: str, budget: Budget) -> Certificate:
    """Return a tour, a counting argument, or refuted degrees and cuts. Raises as `exact.proof.certify` does."""
    if result is not None and result.answer is not None:
        return existence(problem, result.answer)
    if problem.board.size == 0 or (problem.board.size == 1 and not problem.closed):
        return existence(problem, tuple(problem.board.squares()))
    if engine != SAT and problem.board.size <= counting.MAX_SQUARES:
        (combination,) = budget.run([Job("exact.proof.arguments:combination", (problem,))])
        if combination is not None:
            files = {"combination.json": dump(counting.combination_json(combination))}
            return certificate(problem, Claim(ClaimKind.NONE), ProofKind.COUNTING, files)
    if engine == COUNTING:
        few = f" on a board of more than {counting.MAX_SQUARES} squares, for which none is written"
        raise NotProved(f"no counting argument was found{few * (problem.board.size > counting.MAX_SQUARES)}")
    return _by_cuts(problem, budget)


def _by_cuts(problem: KnightTour, budget: Budget) -> Certificate:
    """Return a tour, or the refutation of degrees and cuts."""
    if problem.board.size > clausal.MAX_SQUARES:
        raise NotProved(f"formulas for boards of more than {clausal.MAX_SQUARES} squares are not written")
    (found,) = budget.run([Job("exact.proof.refuting:tour_or_cuts", (problem,))])
    if isinstance(found, tuple):
        return existence(problem, found)
    clauses = list(encoder.tour(problem, found))
    (proof,) = budget.run([refutation_job(clauses)])
    files = formula_files("formula", clauses, list(encoder.tour_map(problem)), proof)
    files["cuts.json"] = dump(clausal.cuts_json(found))
    return certificate(problem, Claim(ClaimKind.NONE), ProofKind.CUTS, files)
