"""Making certificates: the simplest kind of proof that works. Whatever is made here is checked before it leaves.

The proofs are found, and checked, in child processes; limits bound the whole call.
"""

from __future__ import annotations

from exact.child import Job, Report
from exact.proof import archive, for_knights, for_queens, for_tours
from exact.proof.archive import Certificate
from exact.proof.checker import relied_on
from exact.proof.clausal import Work
from exact.proof.making import AUTO, ENGINES, Budget, NotProved
from exact.proof.reading import Fault, TooLarge
from problems import KnightCover, KnightTour, Limits, Problem, Queens, Result, UnsupportedProblem

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
    "auto" (the simplest kind of proof that works), "weights" (knights), "sat" (DRAT) or "counting" (tours). Where
    there is an answer to a question of existence, the answer is the certificate, whatever the engine.
    Raises `NotProved` when a limit is reached or the engine finds no proof, and at once, as `check_engine` does,
    `UnsupportedProblem` where there are no certificates of this kind and size.
    """
    check_engine(problem, engine)
    budget = Budget(limits)
    if isinstance(problem, KnightCover):
        made = for_knights.certify(problem, result, engine, budget, seed)
    elif isinstance(problem, Queens):
        made = for_queens.certify(problem, result, engine, budget)
    else:
        made = for_tours.certify(problem, result, engine, budget)
    return _checked(made, budget)


def check_engine(problem: Problem, engine: str) -> None:
    """Raise `UnsupportedProblem` if `certify` can make no certificate with the engine; ask before a search."""
    if engine not in ENGINES:
        raise UnsupportedProblem(f"an engine with checkable proofs ({', '.join(ENGINES)})", repr(engine))
    if isinstance(problem, KnightCover):
        for_knights.check(problem, engine)
    elif isinstance(problem, Queens):
        for_queens.check(problem, engine)
    else:
        for_tours.check(problem, engine)


def certify_bound(problem: KnightCover, *, limits: Limits = NO_LIMITS) -> Certificate:
    """Return a certificate of a lower bound on the knights, by one weighting for each part of the board.

    It claims `at-least` (or `none` where the bound is above the problem's limit) and takes seconds even where the
    minimum is out of reach. Raises `NotProved` when a limit is reached, and `UnsupportedProblem` for boards that
    are too large.
    """
    budget = Budget(limits)
    return _checked(for_knights.certify_bound(problem, budget), budget)


def certify_list(problem: Problem, *, limits: Limits = NO_LIMITS, seed: int = 0) -> Certificate:
    """Return a certificate that lists all answers (all smallest covers of a board) and proves there are no others.

    Raises `NotProved` when a limit is reached or there are too many, and at once, as `check_list` does,
    `UnsupportedProblem` for tours and boards that are too large.
    """
    check_list(problem)
    budget = Budget(limits)
    if isinstance(problem, KnightCover):
        made = for_knights.certify_list(problem, budget, seed)
    else:
        assert isinstance(problem, Queens)
        made = for_queens.certify_list(problem, budget)
    return _checked(made, budget)


def check_list(problem: Problem) -> None:
    """Raise `UnsupportedProblem` if `certify_list` can make no certificate; ask before a search."""
    if isinstance(problem, KnightTour):
        raise UnsupportedProblem("knights or queens, whose complete lists have certificates", problem.name)
    if isinstance(problem, KnightCover):
        for_knights.check_list(problem)
    else:
        for_queens.check_list(problem)


def _checked(made: Certificate, budget: Budget) -> Certificate:
    """Return the certificate if its file checks (by the fast checker alone); a bug here is not to reach anyone."""
    (fault,) = budget.run([Job("exact.proof.certifying:fault_of", (archive.to_bytes(made),))])
    if isinstance(fault, TooLarge):
        raise NotProved(f"the certificate would be larger than those that are read: {fault}")
    if fault is not None:
        raise RuntimeError(f"a certificate that was just made does not check: {fault}")
    return made


def fault_of(data: bytes, report: Report) -> Fault | None:
    """Return what is wrong with a certificate's file, None for nothing; a job for a child, reports nothing."""
    try:
        relied_on(archive.from_bytes(data), Work(slow_seconds=0.0))
    except Fault as fault:
        return fault
    return None


__all__ = ["NotProved", "certify", "certify_bound", "certify_list", "check_engine", "check_list"]
