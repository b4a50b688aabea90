"""The referee's verdict on an answer: is it right, is it optimal, how far off is it?

Validity is decided by `problems` alone. The standing of a valid answer rests on a proven bound: a kept
certificate that is checked on the spot, a proof found here within `PROOF_SECONDS`, or a published value.
Which one it was is part of the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from compare import published
from compare.words import described, numbered
from problems import Answer, KnightCover, KnightTour, Limits, Problem, Queens, Rule, Status, Violation
from problems.tours import returns_to_start

PROOF_SECONDS = 1.5
"""How long, in seconds, a verdict may spend on proving a bound itself."""

_LARGEST_PROOF: dict[Rule, int] = {Rule.TOTAL: 256, Rule.ORDINARY: 144, Rule.INDEPENDENT: 100}
"""The most squares for which a proof within PROOF_SECONDS is worth a try (measured on one core)."""

_LARGEST_TOUR_PROOF = 100
"""The most squares for which an invalid tour is told whether a right one exists."""

_QUESTIONS: dict[Rule, str] = {
    Rule.TOTAL: "a total dominating set (every square attacked)",
    Rule.ORDINARY: "an ordinary dominating set (every square occupied or attacked)",
    Rule.INDEPENDENT: "an independent dominating set (occupied or attacked, no knight attacks another)",
}


class Standing(StrEnum):
    """Where an answer stands against what is proved; satisfaction problems that are solved have none."""

    OPTIMAL = "optimal"
    SUBOPTIMAL = "suboptimal"
    UNPROVED = "unproved"
    INVALID = "invalid"
    IMPOSSIBLE = "impossible-claim"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The referee's finding on one answer.

    `bound` is the best proven lower bound and `bound_source` where it comes from; `gap` is the distance from
    `objective` to `bound` (exact when `standing` is suboptimal, an upper limit when it is unproved).
    `closed` says for a tour whether one more move leads back. `remarks` are sentences for the reader.
    """

    problem: Problem
    answer: Answer
    valid: bool
    violations: tuple[Violation, ...]
    objective: int | None
    bound: int | None
    bound_source: str | None
    standing: Standing | None
    gap: int | None
    closed: bool | None
    remarks: tuple[str, ...]


def verify(problem: Problem, answer: Answer, *, found: tuple[Violation, ...] = (), seed: int = 0) -> Verdict:
    """Judge an answer: validity, objective, bound, standing, and the sibling question it may answer instead.

    `found` are faults that reading the answer already showed (a step number given twice, say); they count.
    """
    violations = found + problem.violations(answer)
    valid = not violations
    bounds = _bounds(problem, valid, seed)
    objective = problem.objective(answer)
    lower = bounds.lower
    if valid and (bounds.infeasible or (objective is not None and lower is not None and objective < lower)):
        raise RuntimeError(f"a valid answer contradicts the bound from {bounds.source}: please report this")
    standing = _standing(valid, objective, bounds)
    return Verdict(
        problem=problem,
        answer=answer,
        valid=valid,
        violations=violations,
        objective=objective,
        bound=lower,
        bound_source=bounds.source,
        standing=standing,
        gap=_gap(standing, objective, lower),
        closed=returns_to_start(answer) if isinstance(problem, KnightTour) else None,
        remarks=tuple(_remarks(problem, answer, valid, objective, bounds, seed)),
    )


def _standing(valid: bool, objective: int | None, bounds: Bounds) -> Standing | None:
    if not valid:
        below = objective is not None and bounds.lower is not None and objective < bounds.lower
        return Standing.IMPOSSIBLE if bounds.infeasible or below else Standing.INVALID
    if objective is None:
        return None
    if objective == bounds.lower:
        return Standing.OPTIMAL
    if bounds.upper is not None and bounds.upper < objective:
        return Standing.SUBOPTIMAL
    return Standing.UNPROVED


def _gap(standing: Standing | None, objective: int | None, lower: int | None) -> int | None:
    judged = (Standing.OPTIMAL, Standing.SUBOPTIMAL, Standing.UNPROVED)
    if standing not in judged or objective is None or lower is None:
        return None
    return objective - lower


def _bounds(problem: Problem, valid: bool, seed: int) -> Bounds:
    if isinstance(problem, KnightCover):
        return knight_bounds(problem, seed=seed)
    # A right answer proves by itself that there is one; only a wrong one raises the question.
    return Bounds() if valid else _existence(problem, seed)


def knight_bounds(problem: KnightCover, *, seed: int = 0) -> Bounds:
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
    if problem.board.size <= _LARGEST_PROOF[problem.rule]:
        own = _own_proof(question, seed)
    if own.lower is not None and own.lower == own.upper:
        return own
    if known is not None:
        return Bounds(known.minimum, known.minimum, source=f"{known.source} (published)")
    return own if own.lower is not None else _counted(question)


def _counted(problem: KnightCover) -> Bounds:
    """Return the bound of boards that are too large for a proof here."""
    from exact.cover import quick_bound

    return Bounds(quick_bound(problem), source="counting the squares that one knight covers")


def _own_proof(problem: KnightCover, seed: int) -> Bounds:
    import exact

    result = exact.solve(problem, limits=Limits(seconds=PROOF_SECONDS), seed=seed)
    source = result.bound_source or f"{result.method}, run for this verdict"
    return Bounds(result.bound, result.objective, result.status is Status.INFEASIBLE, source)


def _existence(problem: Queens | KnightTour, seed: int) -> Bounds:
    import exact

    if isinstance(problem, Queens):
        if problem.given or problem.n not in (2, 3):
            return Bounds()
    elif problem.board.size > _LARGEST_TOUR_PROOF:
        return _argued(problem)
    result = exact.solve(problem, limits=Limits(seconds=PROOF_SECONDS), seed=seed)
    if result.status is not Status.INFEASIBLE:
        return Bounds()
    return Bounds(infeasible=True, source=f"{result.method}, run for this verdict", explanation=result.explanation)


def _argued(problem: KnightTour) -> Bounds:
    """Return what counting arguments say about a tour of a board that is too large for a proof here."""
    from exact.tour_arguments import explanation, find_argument

    if (argument := find_argument(problem)) is None:
        return Bounds()
    return Bounds(infeasible=True, source="argument", explanation=explanation(problem, argument))


def impossible(problem: Problem, *, seed: int = 0) -> str | None:
    """Return why no answer can exist, as far as the exact side knows quickly, or None."""
    if isinstance(problem, KnightCover):
        bounds = knight_bounds(problem, seed=seed)
        if problem.at_most is None or bounds.infeasible or bounds.lower is None:
            return bounds.explanation if bounds.infeasible else None
        if problem.at_most < bounds.lower:
            return (
                f"{numbered(problem.at_most, 'knight')}, below the proven minimum {bounds.lower} ({bounds.source})"
            )
        return None
    bounds = _existence(problem, seed)
    return f"{described(problem)}: {bounds.explanation or bounds.source}" if bounds.infeasible else None


def _remarks(
    problem: Problem, answer: Answer, valid: bool, objective: int | None, bounds: Bounds, seed: int
) -> Iterator[str]:
    if bounds.infeasible:
        because = f": {bounds.explanation}" if bounds.explanation else ""
        yield f"No right answer exists for {described(problem)}{because}."
    elif objective is not None and bounds.lower is not None and objective < bounds.lower:
        yield (
            f"{objective} is below the proven minimum {bounds.lower} ({bounds.source}): "
            f"no placement of {numbered(objective, 'knight')} can be right."
        )
    if not valid:
        yield from _siblings(problem, answer, seed)


def _siblings(problem: Problem, answer: Answer, seed: int) -> Iterator[str]:
    """Say which other question of the family an answer that fails this one does answer."""
    if isinstance(problem, KnightCover):
        for rule in Rule:
            sibling = replace(problem, rule=rule)
            if rule is not problem.rule and not sibling.violations(answer):
                yield _sibling_sentence(sibling, answer, seed)
    elif isinstance(problem, KnightTour) and not KnightTour(problem.board).violations(answer):
        kind = "closed" if returns_to_start(answer) else "open"
        names = problem.board.name(answer[0]), problem.board.name(answer[-1])
        yield f"It does answer another question: it is a valid {kind} tour from {names[0]} to {names[1]}."


def _sibling_sentence(sibling: KnightCover, answer: Answer, seed: int) -> str:
    bounds = knight_bounds(sibling, seed=seed)
    objective = sibling.objective(answer)
    standing = _standing(True, objective, bounds)
    judged = {
        Standing.OPTIMAL: f"valid and optimal ({objective}; {bounds.source})",
        Standing.SUBOPTIMAL: f"valid, not optimal ({objective}; minimum {bounds.upper}, {bounds.source})",
    }.get(standing or Standing.UNPROVED, "valid, its optimality not proved here")
    return f"It does answer the other question: as {_QUESTIONS[sibling.rule]} it is {judged}."
