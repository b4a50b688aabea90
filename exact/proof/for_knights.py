"""Making certificates about knights that cover a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exact import knights
from exact.cover import CoverPart, PartClass, classes
from exact.proof import clausal, encoder
from exact.proof import weights as weightings
from exact.proof.archive import MAX_MEMBERS, Certificate
from exact.proof.claims import Claim, ClaimKind, ProofKind, dump, squares_json
from exact.proof.clausal import ListedPart, RefutedPart, file_name, listed_json, refuted_json
from exact.proof.growing import PROMPT, THOROUGH, Effort, Grown, growth_job, outcomes, proved_part, weighting_job
from exact.proof.kept import kept_certificate
from exact.proof.making import (
    AUTO,
    SAT,
    WEIGHTS,
    Budget,
    NotProved,
    answer_file,
    certificate,
    existence,
    formula_files,
    models_job,
    refutation_job,
)
from exact.proof.reading import MAX_ANSWER, MAX_VALUES
from exact.proof.weights import Part, parts_json
from problems import KnightCover, Placement, Result, Status, UnsupportedProblem

ENGINES = (AUTO, WEIGHTS, SAT)

_NAMED = 24
"""How many of the squares that nothing attacks a certificate names; one is enough."""


def check(problem: KnightCover, engine: str) -> None:
    """Raise `UnsupportedProblem` where no certificate can be made."""
    if engine not in ENGINES:
        raise UnsupportedProblem("weights or sat, which have proofs about knights", repr(engine), where="--engine")
    if problem.unreachable():
        return
    most = weightings.MAX_SQUARES if problem.at_most is None else MAX_ANSWER
    if problem.board.size > most:
        wanted = f"a board of at most {most} squares for a certificate about knights"
        raise UnsupportedProblem(wanted, f"{problem.board.size} squares")


def check_list(problem: KnightCover) -> None:
    """Raise `UnsupportedProblem` where no certificate of a complete list can be made."""
    if problem.at_most is not None:
        raise UnsupportedProblem("no limit on the knights: the list is one of the smallest covers", "--at-most")
    if problem.board.size > clausal.MAX_SQUARES and not problem.unreachable():
        wanted = f"a board of at most {clausal.MAX_SQUARES} squares for a certificate of a list"
        raise UnsupportedProblem(wanted, f"{problem.board.size} squares")


def certify(problem: KnightCover, result: Result | None, engine: str, budget: Budget, seed: int) -> Certificate:
    """Return a cover with a bound, a cover, or a bound above the limit. Raises as `exact.proof.certify` does."""
    if unreachable := problem.unreachable():
        return _unreachable(problem, unreachable)
    if problem.at_most is not None and result is not None and result.answer is not None:
        return existence(problem, result.answer)
    if engine == AUTO and (kept := kept_certificate(replace(problem, at_most=None))) is not None:
        return _of_kept(problem, kept)
    cover = smallest_cover(problem, result, budget, seed)
    # A board without squares has no parts, so there is no formula to refute.
    if (engine != SAT or not problem.board.size) and problem.board.size <= weightings.MAX_SQUARES:
        effort = THOROUGH if engine == WEIGHTS else PROMPT
        if (weighed := by_weights(problem, cover, effort, budget)) is not None:
            return weighed
    return _by_refutation(problem, cover, budget)


def _unreachable(problem: KnightCover, squares: Placement) -> Certificate:
    files = {"unreachable.json": dump(squares_json(squares[:_NAMED]))}
    return certificate(problem, Claim(ClaimKind.NONE), ProofKind.UNREACHABLE, files)


def _of_kept(problem: KnightCover, kept: Certificate) -> Certificate:
    """Return the kept certificate of the minimum as one of the problem, which may set a limit."""
    assert kept.claim.value is not None
    if problem.at_most is None:
        return kept
    files = dict(kept.members)
    if problem.at_most >= kept.claim.value:
        return Certificate(
            problem,
            Claim(ClaimKind.EXISTS),
            ProofKind.WITNESS,
            {"answer.json": files["answer.json"]},
            kept.written_by,
        )
    del files["answer.json"]
    return Certificate(problem, Claim(ClaimKind.NONE), kept.proof, files, kept.written_by)


def smallest_cover(problem: KnightCover, result: Result | None, budget: Budget, seed: int) -> Placement:
    """Return a cover with no proof that it is smallest: the result's, if it claims so, else one found here."""
    if result is not None and result.status is Status.OPTIMAL and result.answer is not None:
        return tuple(sorted(set(result.answer)))
    found = knights.solve(
        replace(problem, at_most=None), engine=knights.preferred_engine(problem), limits=budget.left(), seed=seed
    )
    if found.answer is None:
        raise NotProved("no cover was found within the limits", found.ending)
    return found.answer


def share(cls: PartClass, problem: KnightCover, cover: Placement) -> Placement:
    """Return the fewest knights that the cover spends on a part of the class, carried to the representative."""
    board = problem.board
    shares = []
    for symmetry in cls.symmetries:
        image_of = {site: symmetry.apply(site, board.rows, board.cols) for site in cls.part.sites}
        shares.append(tuple(site for site, image in image_of.items() if image in set(cover)))
    return min(shares, key=len)


def assembled(parts: Sequence[tuple[PartClass, Placement]], problem: KnightCover) -> Placement:
    """Return the cover of the board that a cover of each class gives."""
    board = problem.board
    return tuple(
        sorted(
            symmetry.apply(knight, board.rows, board.cols)
            for cls, placement in parts
            for symmetry in cls.symmetries
            for knight in placement
        )
    )


# Weights


def certify_bound(problem: KnightCover, budget: Budget) -> Certificate:
    """Return a lower bound from one weighting a part: quick, and without a cover. Raises as `certify` does."""
    if unreachable := problem.unreachable():
        return _unreachable(problem, unreachable)
    if problem.board.size > weightings.MAX_SQUARES:
        wanted = f"a board of at most {weightings.MAX_SQUARES} squares for weights"
        raise UnsupportedProblem(wanted, f"{problem.board.size} squares")
    parts = classes(problem)
    found = budget.run([weighting_job(cls.part) for cls in parts])
    proved = [
        Part(cls.part.targets, cls.symmetries, bound, leaf)
        for cls, (bound, leaf) in zip(parts, found, strict=True)
    ]
    total = sum(part.bound * len(part.images) for part in proved)
    over = problem.at_most is not None and total > problem.at_most
    claim = Claim(ClaimKind.NONE) if over else Claim(ClaimKind.AT_LEAST, total)
    return certificate(problem, claim, ProofKind.WEIGHTS, {"bound.json": dump(parts_json(proved))})


def by_weights(problem: KnightCover, cover: Placement, effort: Effort, budget: Budget) -> Certificate | None:
    """Return a certificate by weights, or None if they take more than the effort."""
    covers = [(cls, share(cls, problem, cover)) for cls in classes(problem)]
    parts: list[Part | None] = [None] * len(covers)
    while None in parts:
        waiting = [index for index, part in enumerate(parts) if part is None]
        jobs = [
            growth_job(covers[index][0].part, problem.board, len(covers[index][1]), effort) for index in waiting
        ]
        for index, outcome in zip(waiting, outcomes(jobs, budget.run), strict=True):
            cls, placement = covers[index]
            if outcome is None:
                return None
            if isinstance(outcome, Grown):
                parts[index] = proved_part(cls, len(placement), outcome)
            else:
                covers[index] = (cls, outcome)
    proved = [part for part in parts if part is not None]
    bound = sum(part.bound * len(part.images) for part in proved)
    return _bounded(
        problem, assembled(covers, problem), bound, ProofKind.WEIGHTS, {"bound.json": dump(parts_json(proved))}
    )


def _bounded(
    problem: KnightCover, cover: Placement, bound: int, proof: ProofKind, files: dict[str, bytes]
) -> Certificate:
    """Return what a cover and a bound that meet prove about the problem."""
    assert bound == len(cover)
    if problem.at_most is None:
        return certificate(problem, Claim(ClaimKind.MINIMUM, bound), proof, {**files, **answer_file(cover)})
    if bound <= problem.at_most:
        return existence(problem, cover)
    return certificate(problem, Claim(ClaimKind.NONE), proof, files)


# Refuted formulas


def _by_refutation(problem: KnightCover, cover: Placement, budget: Budget) -> Certificate:
    """Return a certificate by DRAT proofs; the cover must be smallest."""
    if problem.board.size > clausal.MAX_SQUARES:
        raise NotProved(f"formulas for boards of more than {clausal.MAX_SQUARES} squares are not written")
    covers = [(cls, share(cls, problem, cover)) for cls in classes(problem)]
    _check_number(len(covers))
    formulas = [list(encoder.knights(problem, cls.part.targets, len(placement) - 1)) for cls, placement in covers]
    proofs = budget.run([refutation_job(clauses) for clauses in formulas])
    if None in proofs:
        raise NotProved("the cover that was found is not the smallest")
    files: dict[str, bytes] = {}
    for number, ((cls, _), clauses, proof) in enumerate(zip(covers, formulas, proofs, strict=True), 1):
        files |= formula_files(file_name(number), clauses, _variables(problem, cls.part), proof)
    parts = [RefutedPart(cls.part.targets, cls.symmetries, len(placement) - 1) for cls, placement in covers]
    files["parts.json"] = dump(refuted_json(parts))
    bound = sum((part.at_most + 1) * len(part.images) for part in parts)
    return _bounded(problem, assembled(covers, problem), bound, ProofKind.DRAT, files)


def _check_number(parts: int) -> None:
    """Raise `NotProved` for more parts than a file has room for, with two members each."""
    most = (MAX_MEMBERS - 3) // 2
    if parts > most:
        raise NotProved(f"the board falls into {parts} different parts, more than {most}")


def _variables(problem: KnightCover, part: CoverPart) -> list[str]:
    return list(encoder.knights_map(problem, part.targets))


# Complete lists


def certify_list(problem: KnightCover, budget: Budget, seed: int) -> Certificate:
    """Return all smallest covers, part by part, with proofs that there are no others."""
    if unreachable := problem.unreachable():
        return _unreachable(problem, unreachable)
    cover = smallest_cover(problem, None, budget, seed)
    covers = [(cls, len(share(cls, problem, cover))) for cls in classes(problem)]
    _check_number(len(covers))
    most = MAX_VALUES // (len(cover) + 2)
    formulas = [list(encoder.knights(problem, cls.part.targets, size)) for cls, size in covers]
    listed = budget.run(
        [
            models_job(clauses, len(cls.part.sites), most)
            for (cls, _), clauses in zip(covers, formulas, strict=True)
        ]
    )
    if None in listed:
        raise NotProved(f"a part has more than {most} smallest covers, too many for a list that is checked")
    for clauses, found in zip(formulas, listed, strict=True):
        clauses.extend(tuple(-variable for variable in model) for model in found)
    proofs = budget.run([refutation_job(clauses) for clauses in formulas])
    parts: list[ListedPart] = []
    files: dict[str, bytes] = {}
    total = 1
    for number, ((cls, _), found) in enumerate(zip(covers, listed, strict=True), 1):
        placements = tuple(cls.part.placement(variable - 1 for variable in model) for model in found)
        parts.append(ListedPart(cls.part.targets, cls.symmetries, placements))
        files |= formula_files(
            file_name(number), formulas[number - 1], _variables(problem, cls.part), proofs[number - 1]
        )
        total *= len(placements) ** len(cls.symmetries)
    files["parts.json"] = dump(listed_json(parts))
    return certificate(problem, Claim(ClaimKind.ALL, total), ProofKind.LIST, files)
