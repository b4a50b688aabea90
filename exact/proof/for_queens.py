"""Making certificates about queens."""

from __future__ import annotations

from collections.abc import Sequence

from exact.child import Job
from exact.proof import encoder
from exact.proof.archive import Certificate
from exact.proof.claims import Claim, ClaimKind, ProofKind, dump, squares_json
from exact.proof.making import (
    AUTO,
    SAT,
    Budget,
    NotProved,
    certificate,
    existence,
    formula_files,
    models_job,
    refutation_job,
)
from exact.proof.reading import MAX_ANSWER, MAX_VALUES
from problems import Answer, Placement, Queens, Result, UnsupportedProblem

MOST_QUEENS = 30
"""The largest n for which a formula is refuted; the checker derives it again."""


ENGINES = (AUTO, SAT)


def check(problem: Queens, engine: str) -> None:
    """Raise `UnsupportedProblem` where no certificate can be made."""
    if engine not in ENGINES:
        raise UnsupportedProblem("the engine sat, which has proofs about queens", repr(engine), where="--engine")
    if problem.n > MAX_ANSWER:
        raise UnsupportedProblem(f"at most {MAX_ANSWER} queens for a certificate", str(problem.n))


def check_list(problem: Queens) -> None:
    """Raise `UnsupportedProblem` where no certificate of a complete list can be made."""
    if problem.n > MOST_QUEENS:
        raise UnsupportedProblem(f"at most {MOST_QUEENS} queens for a certificate of a list", str(problem.n))


def certify(problem: Queens, result: Result | None, engine: str, budget: Budget) -> Certificate:
    """Return a placement, or the refutation of the board's clauses. Raises as `exact.proof.certify` does."""
    if result is not None and result.answer is not None:
        return existence(problem, result.answer)
    if problem.n > MOST_QUEENS:
        return existence(problem, _placement(problem, budget))
    clauses = list(encoder.queens(problem))
    (found,) = budget.run([Job("exact.proof.refuting:decide", (tuple(clauses),))])
    if isinstance(found, tuple):
        return existence(problem, _squares(problem, found))
    files = formula_files("formula", clauses, list(encoder.queens_map(problem)), found)
    return certificate(problem, Claim(ClaimKind.NONE), ProofKind.DRAT, files)


def _squares(problem: Queens, variables: Sequence[int]) -> Placement:
    return tuple(divmod(variable - 1, problem.n) for variable in variables)


def _placement(problem: Queens, budget: Budget) -> Answer:
    """Return a placement of more queens than a formula is written for."""
    from exact.dispatch import solve

    result = solve(problem, limits=budget.left())
    if result.answer is None:
        raise NotProved(f"formulas for more than {MOST_QUEENS} queens are not written", result.ending)
    return result.answer


def certify_list(problem: Queens, budget: Budget) -> Certificate:
    """Return all placements with a proof that there is no other."""
    clauses = list(encoder.queens(problem))
    most = MAX_VALUES // (problem.n + 2)
    (found,) = budget.run([models_job(clauses, problem.n**2, most)])
    if found is None:
        raise NotProved(f"there are more than {most} answers, too many for a list that is checked")
    clauses += [tuple(-variable for variable in model) for model in found]
    (proof,) = budget.run([refutation_job(clauses)])
    answers = [_squares(problem, model) for model in found]
    files = formula_files("formula", clauses, list(encoder.queens_map(problem)), proof)
    files["list.json"] = dump({"answers": [squares_json(answer) for answer in answers]})
    return certificate(problem, Claim(ClaimKind.ALL, len(found)), ProofKind.LIST, files)
