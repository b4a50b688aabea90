"""Knight's tours by SAT: degrees as clauses, cuts on demand. Only children import this module.

The formula (`exact.tour_model`) is satisfied by 2-factors. As long as one of several cycles comes out, each
component gets a cut, and the solver goes on from there. Run times are heavy-tailed, so an attempt has a budget
of conflicts; the next one, of twice as many, takes the cuts along and renumbers the variables.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from exact.child import Report
from exact.progress import Batches, Enumerated
from exact.sat.engine import Session
from exact.tour_model import Clause, TourModel, cut_clauses, cycles, degree_clauses, path_of, sides, tour_model
from exact.tour_progress import Decided
from problems import Counters, KnightTour, Status

FIRST_BUDGET = 2_000
"""Conflicts of the first attempt."""


def decide(problem: KnightTour, seed: int, report: Report) -> Decided:
    """Find a tour, or refute degrees and cuts; ends only with one of both. Boards of two squares and more.

    `seed` 0 keeps the variables in their order, which is best on full boards; other ones shuffle them.
    """
    model = tour_model(problem)
    clauses = list(degree_clauses(model))
    cuts: list[tuple[int, ...]] = []
    counters = Counters()
    attempt = 0
    while True:
        search = _Search(model, clauses, cuts, _numbering(model, clauses, seed + attempt))
        status, cycle = search.run(FIRST_BUDGET << attempt)
        counters += search.close()
        if status is not Status.UNKNOWN:
            path = path_of(model, cycle) if cycle else None
            named = tuple(tuple(model.squares[v] for v in side) for side in cuts)
            return Decided(status, path, named, counters + Counters(cuts=len(cuts)))
        attempt += 1


def enumerate_all(problem: KnightTour, seed: int, report: Report) -> Enumerated:
    """Find all tours, as paths in canonical form, and report them in batches. Boards of two squares and more."""
    model = tour_model(problem)
    clauses = list(degree_clauses(model))
    cuts: list[tuple[int, ...]] = []
    search = _Search(model, clauses, cuts, _numbering(model, clauses, seed))
    batches = Batches(report)
    while (chosen := search.next_tour()) is not None:
        batches.add(path_of(model, cycles(model, chosen)[0]))
        search.block(chosen)
    batches.flush()
    return Enumerated(batches.count, True, search.close() + Counters(cuts=len(cuts)))


class _Search:
    """A solver session on the formula, under a numbering of the variables, and the cuts that it adds to."""

    def __init__(
        self, model: TourModel, clauses: Sequence[Clause], cuts: list[tuple[int, ...]], numbering: Sequence[int]
    ) -> None:
        self.model = model
        self.cuts = cuts
        self.numbering = numbering
        self.edge_of = {numbering[index + 1]: index for index in range(len(model.edges))}
        self.session = Session()
        for clause in clauses:
            self._add(clause)
        for clause in cut_clauses(model, cuts):
            self._add(clause)

    def run(self, conflicts: int) -> tuple[Status, list[int] | None]:
        """Search within a budget of conflicts: FEASIBLE with the cycle, INFEASIBLE, or UNKNOWN."""
        while True:
            left = conflicts - (self.session.counters().conflicts or 0)
            satisfiable = self.session.solve_within(left) if left > 0 else None
            if satisfiable is None:
                return Status.UNKNOWN, None
            if not satisfiable:
                return Status.INFEASIBLE, None
            components = cycles(self.model, self._chosen())
            if len(components) == 1:
                return Status.FEASIBLE, components[0]
            self._cut(components)

    def next_tour(self) -> list[int] | None:
        """Return the edges of a tour that is not blocked, None when there is none."""
        while self.session.solve():
            chosen = self._chosen()
            components = cycles(self.model, chosen)
            if len(components) == 1:
                return chosen
            self._cut(components)
        return None

    def block(self, chosen: Sequence[int]) -> None:
        """Exclude a tour: every other one lacks one of its edges, since all have equally many."""
        self._add(tuple(-(index + 1) for index in chosen))

    def close(self) -> Counters:
        """Free the solver and return its counters."""
        counters = self.session.counters()
        self.session.close()
        return counters

    def _chosen(self) -> list[int]:
        return sorted(self.edge_of[variable] for variable in self.session.chosen(self.edge_of))

    def _cut(self, components: Sequence[Sequence[int]]) -> None:
        new = sides(self.model, components)
        self.cuts.extend(new)
        for clause in cut_clauses(self.model, new):
            self._add(clause)

    def _add(self, clause: Clause) -> None:
        numbering = self.numbering
        self.session.add(numbering[literal] if literal > 0 else -numbering[-literal] for literal in clause)


def _numbering(model: TourModel, clauses: Sequence[Clause], seed: int) -> list[int]:
    """Return the variable that stands for each variable of the formula (entry 0 is unused).

    The numbers still follow the board, by rows or columns, as the solver's first choices do; the order of the
    moves from a square is shuffled. A fully random order is a hundred times slower on large boards.
    """
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    numbering = list(range(max(top, len(model.edges)) + 1))
    if seed == 0:
        return numbering
    generator = random.Random(seed)
    transposed = generator.random() < 0.5
    rank: dict[tuple[int, int], float] = {}

    def place(index: int) -> tuple[tuple[int, int], float]:
        u, v = model.edges[index]
        origin = model.squares[u]
        if v == len(model.squares):
            step = (0, 0)
        else:
            step = (model.squares[v][0] - origin[0], model.squares[v][1] - origin[1])
        if step not in rank:
            rank[step] = generator.random()
        return (origin[::-1] if transposed else origin), rank[step]

    for number, index in enumerate(sorted(range(len(model.edges)), key=place), start=1):
        numbering[index + 1] = number
    return numbering
