"""What runs in child processes to make DRAT proofs: refute a formula, list its models, find the cuts a tour needs.

PySAT's Glucose 4 first, whose proofs of small formulas are the shortest, then CaDiCaL 1.9.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Cadical195, Glucose4

from exact.child import Report
from exact.proof import encoder
from exact.proof.encoder import Clause
from problems import Answer, KnightTour, Square

_CONFLICTS_OF_GLUCOSE = 20_000

EMPTY_CLAUSE = "0"


def refute(clauses: Sequence[Clause], report: Report) -> bytes | None:
    """Return a DRAT proof, as text, that the clauses cannot hold together, or None if they can."""
    lines = _refuted_by_glucose(clauses)
    if lines is None:
        lines = _refuted_by_cadical(clauses)
    if lines is None:
        return None
    # What follows the empty clause proves nothing; a formula refuted by propagation alone has an empty proof.
    end = lines.index(EMPTY_CLAUSE) if EMPTY_CLAUSE in lines else len(lines)
    return "".join(f"{line}\n" for line in (*lines[:end], EMPTY_CLAUSE)).encode("ascii")


def decide(clauses: Sequence[Clause], report: Report) -> bytes | tuple[int, ...]:
    """Return a model, as the variables that are true in it, or a proof that there is none; see `refute`."""
    with Cadical195(bootstrap_with=clauses) as solver:
        if solver.solve():
            return tuple(literal for literal in (solver.get_model() or ()) if literal > 0)
    proof = refute(clauses, report)
    if proof is None:
        raise RuntimeError("two SAT solvers disagree")
    return proof


def _refuted_by_glucose(clauses: Sequence[Clause]) -> list[str] | None:
    """Return the lines of a proof, or None where the clauses hold together or it takes too long."""
    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        solver.conf_budget(_CONFLICTS_OF_GLUCOSE)
        return list(solver.get_proof() or []) if solver.solve_limited() is False else None


def _refuted_by_cadical(clauses: Sequence[Clause]) -> list[str] | None:
    with Cadical195(bootstrap_with=clauses, with_proof=True) as solver:
        return list(solver.get_proof() or []) if solver.solve() is False else None


def models(clauses: Sequence[Clause], variables: int, most: int, report: Report) -> list[tuple[int, ...]] | None:
    """Return the sets of variables 1 to `variables` that are true in some model, sorted; None over `most`.

    A model is excluded together with all that contain it, so no model's set may contain another's. Reports the
    number found so far.
    """
    found: list[tuple[int, ...]] = []
    with Cadical195(bootstrap_with=clauses) as solver:
        while solver.solve():
            if len(found) == most:
                return None
            true = tuple(literal for literal in (solver.get_model() or ())[:variables] if literal > 0)
            found.append(true)
            solver.add_clause([-variable for variable in true])
            report(len(found))
    return sorted(found)


def tour_or_cuts(problem: KnightTour, report: Report) -> Answer | list[tuple[Square, ...]]:
    """Return a tour, or sets of squares whose cuts, with the degrees, cannot all be satisfied.

    Solve for degrees, cut off every cycle that misses a square, again. The cuts returned are those that the
    solver used in the end. Reports the number of cuts.
    """
    cuts: list[tuple[Square, ...]] = []
    numbered = encoder.edges(problem.board)
    ends = encoder.possible_ends(problem)
    degrees = list(encoder.tour(problem, ()))
    top = len(numbered) + len(ends)
    with Glucose4(bootstrap_with=degrees) as solver:
        while solver.solve(assumptions=[top + number for number in range(1, len(cuts) + 1)]):
            true = {literal for literal in solver.get_model() if 0 < literal <= top}
            moves = [edge for number, edge in enumerate(numbered, 1) if number in true]
            tips = [square for number, square in enumerate(ends, len(numbered) + 1) if number in true]
            pieces = _pieces(problem, moves, tips)
            if len(pieces) == 1:
                return pieces[0]
            for piece in _to_leave(problem, pieces, tips):
                cuts.append(piece)
                solver.add_clause([*encoder.boundary(problem, piece), -top - len(cuts)])
            report(len(cuts))
        used = solver.get_core() or []
    return [cuts[literal - top - 1] for literal in sorted(used)]


def _pieces(
    problem: KnightTour, moves: Iterable[tuple[Square, Square]], tips: Sequence[Square]
) -> list[tuple[Square, ...]]:
    """Return the paths and cycles that moves with degree two form, each in order, an open tour's path first."""
    following: dict[Square, list[Square]] = {square: [] for square in problem.board.squares()}
    for square, other in moves:
        following[square].append(other)
        following[other].append(square)
    first = [square for square in tips if problem.start in (None, square) and square != problem.end][:1]
    pieces: list[tuple[Square, ...]] = []
    seen: set[Square] = set()
    for origin in (*first, *following):
        if origin in seen:
            continue
        piece, here = [origin], origin
        seen.add(origin)
        while onward := [square for square in following[here] if square not in seen]:
            here = onward[0]
            seen.add(here)
            piece.append(here)
        pieces.append(tuple(piece))
    return pieces


def _to_leave(
    problem: KnightTour, pieces: list[tuple[Square, ...]], tips: Sequence[Square]
) -> list[tuple[Square, ...]]:
    """Return the pieces whose cuts are to be added; that of an open tour's path is cut off by the others."""
    cut = pieces if problem.closed else pieces[1:]
    # Two cycles have the same boundary.
    return [tuple(sorted(piece)) for piece in (cut[:1] if problem.closed and len(cut) == 2 else cut)]
