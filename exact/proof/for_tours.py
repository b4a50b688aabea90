"""Making certificates about knight's tours."""

from __future__ import annotations

from exact.child import Job
from exact.proof import encoder
from exact.proof.archive import Certificate
from exact.proof.arguments import find_combination
from exact.proof.claims import Claim, ClaimKind, Fault, ProofKind, dump
from exact.proof.clausal import MAX_SQUARES, cuts_json
from exact.proof.counting import combination_json
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
from problems import KnightTour, Result, UnsupportedProblem


def certify(problem: KnightTour, result: Result | None, engine: str, budget: Budget) -> Certificate:
    """Return a tour, a counting argument, or refuted degrees and cuts. Raises as `exact.proof.certify` does."""
    if engine not in (AUTO, COUNTING, SAT):
        raise UnsupportedProblem("counting or sat, which have proofs about tours", repr(engine), where="--engine")
    if result is not None and result.answer is not None:
        return existence(problem, result.answer)
    if engine != SAT and (combination := find_combination(problem)) is not None:
        files = {"combination.json": dump(combination_json(combination))}
        return certificate(problem, Claim(ClaimKind.NONE), ProofKind.COUNTING, files)
    if engine == COUNTING:
        raise NotProved("no counting argument was found")
    return _by_cuts(problem, budget)


def _by_cuts(problem: KnightTour, budget: Budget) -> Certificate:
    """Return a tour, or the refutation of degrees and cuts."""
    try:
        encoder.check_tour_size(problem)
    except Fault as fault:
        raise NotProved(str(fault)) from None
    if problem.board.size > MAX_SQUARES:
        raise NotProved(f"formulas for boards of more than {MAX_SQUARES} squares are not written")
    (found,) = budget.run([Job("exact.proof.refuting:tour_or_cuts", (problem,))])
    if isinstance(found, tuple):
        return existence(problem, found)
    clauses = list(encoder.tour(problem, found))
    (proof,) = budget.run([refutation_job(clauses)])
    files = formula_files("formula", clauses, list(encoder.tour_map(problem)), proof)
    files["cuts.json"] = dump(cuts_json(found))
    return certificate(problem, Claim(ClaimKind.NONE), ProofKind.CUTS, files)
