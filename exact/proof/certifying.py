"""Making certificates: the simplest kind of proof that works. Whatever is made here is checked before it leaves.

The proofs are found in child processes; limits bound the whole call.
"""

from __future__ import annotations

from exact.proof import for_knights, for_queens, for_tours
from exact.proof.archive import Certificate
from exact.proof.checker import check_certificate
from exact.proof.making import AUTO, ENGINES, Budget, NotProved
from problems import KnightCover, Limits, Problem, Queens, Result, UnsupportedProblem

NO_LIMITS = Limits()


def certify(
    problem: Problem,
    result: Result | None = None,
    *,
    engine: str = AUTO,
    limits: Limits = NO_LIMITS,
    seed: int = 0,
) -> Certificate:
    """Return a certificate that decides the problem: the minimum, an answer, or that there is none.

    `result` may hold an answer to start from; a wrong or smaller claim in it is never taken over. `engine` is
    "auto" (the simplest kind of proof that works), "weights" (knights), "sat" (DRAT) or "counting" (tours).
    Raises `NotProved` when a limit is reached or the engine finds no proof, and `UnsupportedProblem` for an
    engine that has no proofs of such problems.
    """
    if engine not in ENGINES:
        raise UnsupportedProblem(f"an engine with checkable proofs ({', '.join(ENGINES)})", repr(engine))
    budget = Budget(limits)
    if isinstance(problem, KnightCover):
        made = for_knights.certify(problem, result, engine, budget, seed)
    elif isinstance(problem, Queens):
        made = for_queens.certify(problem, result, engine, budget)
    else:
        made = for_tours.certify(problem, result, engine, budget)
    return _checked(made)


def certify_bound(problem: KnightCover, *, limits: Limits = NO_LIMITS) -> Certificate:
    """Return a certificate of a lower bound on the knights, by one weighting for each part of the board.

    It claims `at-least` (or `none` where the bound is above the problem's limit) and takes a moment even where the
    minimum is out of reach. Raises `NotProved` when a limit is reached.
    """
    return _checked(for_knights.certify_bound(problem, Budget(limits)))


def certify_list(problem: Problem, *, limits: Limits = NO_LIMITS, seed: int = 0) -> Certificate:
    """Return a certificate that lists all answers (all smallest covers of a board) and proves there are no others.

    Raises `NotProved` when a limit is reached, and `UnsupportedProblem` for tours.
    """
    budget = Budget(limits)
    if isinstance(problem, KnightCover):
        return _checked(for_knights.certify_list(problem, budget, seed))
    if isinstance(problem, Queens):
        return _checked(for_queens.certify_list(problem, budget))
    raise UnsupportedProblem("knights or queens, whose complete lists have certificates", problem.name)


def _checked(made: Certificate) -> Certificate:
    """Return the certificate if it checks (by the fast checker alone); a bug here is not to reach anyone."""
    report = check_certificate(made, slow_seconds=0.0)
    if not report.valid:
        raise RuntimeError(f"a certificate that was just made does not check: {report.fault}")
    return made


__all__ = ["NotProved", "certify", "certify_bound", "certify_list"]
