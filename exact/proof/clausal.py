"""Checking the proofs that rest on a refuted formula: lower bounds, non-existence, complete lists.

The formula in the file must be, clause by clause, the one that `exact.proof.encoder` derives from the problem;
only then is its refutation (`exact.proof.drat`) worth anything. `Work` collects which checkers ran.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from exact.proof import drat, encoder
from exact.proof.archive import Certificate
from exact.proof.claims import squares_json
from exact.proof.counting import check_cuts
from exact.proof.encoder import Clause
from exact.proof.reading import Fault, TooLarge, fields, integer, items, squares_on
from exact.proof.weights import check_parts, frame_json, read_frame, read_list
from problems import Board, KnightCover, KnightTour, Placement, Queens, Rule, Square, Symmetry

MAX_SQUARES = 10_000
"""The largest board, in squares, for which a formula is derived."""


@dataclass(slots=True)
class Work:
    """The time left for the slow checker, and which checkers followed each refutation to its end."""

    slow_seconds: float = drat.SLOW_CHECKER_SECONDS
    ran: list[tuple[str, ...]] = field(default_factory=list)

    def refute(
        self, certificate: Certificate, derived: Iterable[Clause], variables: Iterable[str], name: str
    ) -> None:
        """Check that `name`.cnf has the derived clauses and variable map, and that `name`.drat refutes it."""
        formula = drat.read_formula(certificate.member(f"{name}.cnf"), derived, variables, f"{name}.cnf")
        began = time.monotonic()
        proof = certificate.member(f"{name}.drat")
        self.ran.append(drat.check_refutation(formula, proof, f"{name}.drat", self.slow_seconds))
        self.slow_seconds = max(0.0, self.slow_seconds - (time.monotonic() - began))

    @property
    def checkers(self) -> tuple[str, ...]:
        """The checkers that followed every refutation to its end."""
        return tuple(name for name in (drat.FAST, drat.SLOW) if self.ran and all(name in ran for ran in self.ran))


def check_size(board: Board) -> None:
    """Raise `TooLarge` for a board too large to derive a formula from."""
    if board.size > MAX_SQUARES:
        raise TooLarge(f"the board has more than {MAX_SQUARES} squares, too many for a formula")


def file_name(number: int) -> str:
    """Return the name, without its ending, of the formula and the proof of a part (1-based)."""
    return f"part-{number}"


# Lower bounds on knights


@dataclass(frozen=True, slots=True)
class RefutedPart:
    """Targets that `at_most` knights cannot cover, and the symmetries that carry them to parts like them."""

    targets: tuple[Square, ...]
    images: tuple[Symmetry, ...]
    at_most: int


def refuted_json(parts: Sequence[RefutedPart]) -> dict[str, Any]:
    """Return the parts as the JSON data of `parts.json`."""
    return {"parts": [{**frame_json(part), "at_most": part.at_most} for part in parts]}


def check_refuted_parts(problem: KnightCover, certificate: Certificate, work: Work) -> int:
    """Return the lower bound on the knights that refuted formulas prove, a part and its images each."""
    check_size(problem.board)
    parts = []
    for number, item in enumerate(read_list(problem.board, certificate.json("parts.json"), "parts.json"), 1):
        where = f"part {number}"
        values = fields(item, {"targets", "images", "at_most"}, where)
        parts.append(RefutedPart(*read_frame(problem.board, values, where), integer(values["at_most"], where)))
    check_parts(problem, parts)
    for number, part in enumerate(parts, 1):
        derived = encoder.knights(problem, part.targets, part.at_most)
        work.refute(certificate, derived, encoder.knights_map(problem, part.targets), file_name(number))
    return sum((part.at_most + 1) * len(part.images) for part in parts)


# Non-existence


def check_no_queens(problem: Queens, certificate: Certificate, work: Work) -> None:
    """Check the refutation of the clauses of the board and the given queens."""
    _check_queens_size(problem)
    work.refute(certificate, encoder.queens(problem), encoder.queens_map(problem), "formula")


def _check_queens_size(problem: Queens) -> None:
    if problem.n:
        check_size(problem.board)


def cuts_json(cuts: Sequence[Sequence[Square]]) -> dict[str, Any]:
    """Return sets of squares, each with the cut that is its boundary, as the JSON data of `cuts.json`."""
    return {"cuts": [squares_json(cut) for cut in cuts]}


def check_no_tour(problem: KnightTour, certificate: Certificate, work: Work) -> int:
    """Check the refutation of the degrees and the cuts, every cut being one; return the number of cuts."""
    check_size(problem.board)
    encoder.check_tour_size(problem)
    data = items(fields(certificate.json("cuts.json"), {"cuts"}, "cuts.json")["cuts"], "cuts")
    cuts = [squares_on(problem.board, cut, f"cut {number}") for number, cut in enumerate(data, 1)]
    check_cuts(problem, cuts)
    work.refute(certificate, encoder.tour(problem, cuts), encoder.tour_map(problem), "formula")
    return len(cuts)


# Complete lists


@dataclass(frozen=True, slots=True)
class ListedPart:
    """Targets, the symmetries that carry them to parts like them, and all placements of fewest knights on them."""

    targets: tuple[Square, ...]
    images: tuple[Symmetry, ...]
    placements: tuple[Placement, ...]


def listed_json(parts: Sequence[ListedPart]) -> dict[str, Any]:
    """Return the parts as the JSON data of `parts.json`."""
    return {
        "parts": [{**frame_json(part), "placements": [squares_json(p) for p in part.placements]} for part in parts]
    }


def check_queens_list(problem: Queens, certificate: Certificate, work: Work) -> int:
    """Return the number of placements, which are right, different, and all there are."""
    _check_queens_size(problem)
    data = items(fields(certificate.json("list.json"), {"answers"}, "list.json")["answers"], "answers")
    found = _different(Board(max(problem.n, 1), max(problem.n, 1)), data, "answers")
    for number, placement in enumerate(found, 1):
        if problem.violations(placement):
            raise Fault(f"answer {number} of the list is wrong: {problem.violations(placement)[0].kind}")
    numbers = {square: encoder.queen_number(problem, square) for placement in found for square in placement}
    derived = chain(encoder.queens(problem), (_excluding(placement, numbers) for placement in found))
    work.refute(certificate, derived, encoder.queens_map(problem), "formula")
    return len(found)


def _different(board: Board, data: list[Any], where: str) -> tuple[Placement, ...]:
    """Return the placements of a JSON array; `Fault` unless each is sorted and they are all different."""
    found = tuple(squares_on(board, item, where) for item in data)
    if any(tuple(sorted(placement)) != placement for placement in found) or len(set(found)) < len(found):
        raise Fault(f"{where}: an answer is not sorted, or listed twice")
    return found


def _excluding(placement: Placement, numbers: dict[Square, int]) -> Clause:
    """Return the clause that forbids a placement and everything that contains it."""
    return tuple(-numbers[square] for square in placement)


def check_knights_list(problem: KnightCover, certificate: Certificate, work: Work) -> int:
    """Return the number of placements of fewest knights: the product over the parts, whose lists are complete.

    The parts must make up the board, so that every placement is one of each part. In each part all placements
    listed have the same number k of knights, and no other placement has k or fewer.
    """
    check_size(problem.board)
    if problem.at_most is not None:
        raise Fault("a list of knight covers is one of all smallest covers; the problem must not set a limit")
    parts = _read_listed(problem, certificate.json("parts.json"))
    check_parts(problem, parts)
    if sum(len(part.targets) * len(part.images) for part in parts) != problem.board.size:
        raise Fault("the parts do not make up the board")
    total = 1
    for number, part in enumerate(parts, 1):
        _check_listed(problem, part, f"part {number}")
        numbers = {site: i for i, site in enumerate(encoder.sites(problem, part.targets), 1)}
        derived = chain(
            encoder.knights(problem, part.targets, len(part.placements[0])),
            (_excluding(placement, numbers) for placement in part.placements),
        )
        work.refute(certificate, derived, encoder.knights_map(problem, part.targets), file_name(number))
        total *= len(part.placements) ** len(part.images)
    return total


def _read_listed(problem: KnightCover, data: Any) -> tuple[ListedPart, ...]:
    parts = []
    for number, item in enumerate(read_list(problem.board, data, "parts.json"), 1):
        where = f"part {number}"
        values = fields(item, {"targets", "images", "placements"}, where)
        placements = _different(problem.board, items(values["placements"], where), where)
        parts.append(ListedPart(*read_frame(problem.board, values, where), placements))
    return tuple(parts)


def _check_listed(problem: KnightCover, part: ListedPart, where: str) -> None:
    allowed = set(encoder.sites(problem, part.targets))
    if not part.placements:
        raise Fault(f"{where}: no placement is listed")
    for placement in part.placements:
        knights = set(placement)
        if len(placement) != len(part.placements[0]):
            raise Fault(f"{where}: the placements do not all have the same number of knights")
        if not knights <= allowed:
            raise Fault(f"{where}: a knight covers no square of the part")
        if not {covered for knight in placement for covered in problem.covers(knight)}.issuperset(part.targets):
            raise Fault(f"{where}: a placement leaves a square uncovered")
        if problem.rule is Rule.INDEPENDENT and any(not knights.isdisjoint(problem.attacks(k)) for k in knights):
            raise Fault(f"{where}: knights of a placement attack each other")
