"""What is proved about a problem, as far as a moment's work shows: bounds, infeasibility, and who says so.

In this order: a kept certificate, checked on the spot; a proof found here; a published value; counting alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compare import published
from compare.words import described, numbered
from problems import KnightCover, KnightTour, Limits, Problem, Queens, Rule, Status

PROOF_SECONDS = 1.5
"""How long, in seconds, a verdict spends on a proof of its own unless it is told."""

_LARGEST_PROOF: dict[Rule, int] = {Rule.TOTAL: 256, Rule.ORDINARY: 144, Rule.INDEPENDENT: 100}
"""The most squares for which a proof within PROOF_SECONDS is worth a try (measured on one core)."""

_LARGEST_TOUR_PROOF = 100
"""The most squares for which an invalid tour is told whether a right one exists."""

_LARGEST_COMPLETION = 30
"""The most rows for which a wrong completion of given queens is told whether a right one exists."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long, in seconds, a proof of one's own may take, and the seed of its search."""

    seconds: float = PROOF_SECONDS
    seed: int = 0

    @property
    def is_patient(self) -> bool:
        """Whether boards are tried that are not known to be quick."""
        return self.seconds > PROOF_SECONDS


QUICK = Effort()
"""What nobody has to ask for."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proved about a problem: `lower` <= minimum, an answer of `upper` exists, or there is none at all.

    `source` says who proved it. Unknown bounds are None.
    """

    lower: int | None = None
    upper: int | None = None
    infeasible: bool = False
    source: str | None = None
    explanation: str | None = None


def knight_bounds(problem: KnightCover, effort: Effort = QUICK) -> Bounds:
    """Return what is proved about the minimum: kept certificate, own proof, published value, own bound."""
    question = replace(problem, at_most=None)
    if unreachable := question.unreachable():
        name = problem.board.name(unreachable[0])
        return Bounds(infeasible=True, source="no knight attacks " + name, explanation=f"nothing attacks {name}")
    from exact.proof import kept

    if (certificate := kept.minimum(question)) is not None:
        return Bounds(certificate.value, certificate.value, source=certificate.source)
    known = published.minimum(question)
    own = Bounds()
    if effort.is_patient or problem.board.size <= _LARGEST_PROOF[problem.rule]:
        own = _own_proof(question, effort)
    if own.lower is not None and own.lower == own.upper:
        return own
    if known is not None:
        return Bounds(known.minimum, known.minimum, source=f"{known.source} (published)")
    return own if own.lower is not None else _counted(question)


def _counted(problem: KnightCover) -> Bounds:
    """Return the bound of boards that are too large for a proof here."""
    from exact.cover import quick_bound

    return Bounds(quick_bound(problem), source="counting the squares that one knight covers")


def _own_proof(problem: KnightCover, effort: Effort) -> Bounds:
    import exact

    result = exact.solve(problem, limits=Limits(seconds=effort.seconds), seed=effort.seed)
    source = result.bound_source or f"{result.method}, run for this verdict"
    return Bounds(result.bound, result.objective, result.status is Status.INFEASIBLE, source)


def existence(problem: Queens | KnightTour, effort: Effort = QUICK) -> Bounds:
    """Return `infeasible` where it is proved that there is no answer, else bounds that say nothing."""
    import exact

    if isinstance(problem, Queens):
        is_quick = problem.n <= _LARGEST_COMPLETION or effort.is_patient
        if problem.n not in (2, 3) and not (problem.given and is_quick):
            return Bounds()
    elif problem.board.size > _LARGEST_TOUR_PROOF and not effort.is_patient:
        return _argued(problem)
    result = exact.solve(problem, limits=Limits(seconds=effort.seconds), seed=effort.seed)
    if result.status is not Status.INFEASIBLE:
        return Bounds()
    return Bounds(infeasible=True, source=f"{result.method}, run for this verdict", explanation=result.explanation)


def _argued(problem: KnightTour) -> Bounds:
    """Return what counting arguments say about a tour of a board that is too large for a proof here."""
    from exact.tour_arguments import explanation, find_argument

    if (argument := find_argument(problem)) is None:
        return Bounds()
    return Bounds(infeasible=True, source="argument", explanation=explanation(problem, argument))


def impossible(problem: Problem, effort: Effort = QUICK) -> str | None:
    """Return why no answer can exist, as far as the exact side knows quickly, or None."""
    if isinstance(problem, KnightCover):
        bounds = knight_bounds(problem, effort)
        if problem.at_most is None or bounds.infeasible or bounds.lower is None:
            return bounds.explanation if bounds.infeasible else None
        if problem.at_most < bounds.lower:
            return (
                f"{numbered(problem.at_most, 'knight')}, below the proven minimum {bounds.lower} ({bounds.source})"
            )
        return None
    bounds = existence(problem, effort)
    return f"{described(problem)}: {bounds.explanation or bounds.source}" if bounds.infeasible else None
