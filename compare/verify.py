"""The referee's verdict on an answer: is it right, is it optimal, how far off is it?

Validity is decided by `problems` alone. The standing of a valid answer rests on a proven bound (see
`compare.bounds`); where that comes from is part of the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from compare.bounds import QUICK, Bounds, Effort, existence, knight_bounds
from compare.words import described, numbered
from problems import Answer, KnightCover, KnightTour, Problem, Rule, Violation
from problems.coercion import squares
from problems.tours import repeats_start, returns_to_start

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


def verify(
    problem: Problem, answer: Answer, *, found: tuple[Violation, ...] = (), effort: Effort = QUICK
) -> Verdict:
    """Judge an answer: validity, objective, bound, standing, and the sibling question it may answer instead.

    `found` are faults that reading the answer already showed (a step number given twice, say); they count.
    `effort` bounds the search for a proof. Squares given as lists are taken; `InputError` for other things.
    """
    if type(answer) is not tuple or (answer and type(answer[0]) is not tuple):
        answer = squares(answer, "answer")
    violations = found + problem.violations(answer)
    valid = not violations
    bounds = _bounds(problem, valid, effort)
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
        remarks=tuple(_remarks(problem, answer, valid, objective, bounds, effort)),
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


def _bounds(problem: Problem, valid: bool, effort: Effort) -> Bounds:
    if isinstance(problem, KnightCover):
        return knight_bounds(problem, effort)
    # A right answer proves by itself that there is one; only a wrong one raises the question.
    return Bounds() if valid else existence(problem, effort)


def _remarks(
    problem: Problem, answer: Answer, valid: bool, objective: int | None, bounds: Bounds, effort: Effort
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
        yield from _siblings(problem, answer, effort)


def _siblings(problem: Problem, answer: Answer, effort: Effort) -> Iterator[str]:
    """Say which other question of the family an answer that fails this one does answer."""
    if isinstance(problem, KnightCover):
        for rule in Rule:
            sibling = replace(problem, rule=rule)
            if rule is not problem.rule and not sibling.violations(answer):
                yield _sibling_sentence(sibling, answer, effort)
    elif isinstance(problem, KnightTour) and not KnightTour(problem.board).violations(answer):
        kind = "closed" if returns_to_start(answer) else "open"
        names = problem.board.name(answer[0]), problem.board.name(answer[-1])
        yield f"It does answer another question: it is a valid {kind} tour from {names[0]} to {names[1]}."
    elif isinstance(problem, KnightTour) and repeats_start(answer) and not problem.violations(answer[:-1]):
        yield "Without the last entry, which repeats the first, it is a valid closed tour."


def _sibling_sentence(sibling: KnightCover, answer: Answer, effort: Effort) -> str:
    bounds = knight_bounds(sibling, effort)
    objective = sibling.objective(answer)
    standing = _standing(True, objective, bounds)
    judged = {
        Standing.OPTIMAL: f"valid and optimal ({objective}; {bounds.source})",
        Standing.SUBOPTIMAL: f"valid, not optimal ({objective}; minimum {bounds.upper}, {bounds.source})",
    }.get(standing or Standing.UNPROVED, "valid, its optimality not proved here")
    return f"It does answer the other question: as {_QUESTIONS[sibling.rule]} it is {judged}."
