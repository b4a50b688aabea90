"""Knight covers by SAT: incumbents from symmetrical covers, then "at most k" refuted for k upwards.

Only children import this module (see `exact.child`). Calls get a budget of conflicts that doubles every round,
so that both sides of the gap move while there is one, and the same problem always takes the same course:
the solver has no randomness, a seed has no effect.
"""

from __future__ import annotations

from dataclasses import dataclass

from exact.child import Report
from exact.cover import CoverPart, counting_bound
from exact.cover_symmetry import Orbits, quotients
from exact.progress import Bound, Enumerated, Incumbent, Solved, about
from exact.sat.cover import encode
from exact.sat.engine import Session, enumerate_answers
from problems import Board, Counters, Status

_FIRST_BUDGET = 2_000
"""Conflicts that a call may take in the first round."""


def minimise(part: CoverPart, board: Board, start: tuple[int, ...], seed: int, report: Report) -> Solved:
    """Find the fewest knights that cover the part; report every better cover and bound.

    `start` holds the sites of a cover to begin with.
    """
    search = _Search(part, board, start, report)
    search.close_gap()
    return search.solved()


def minimise_together(
    parts: tuple[tuple[CoverPart, tuple[int, ...]], ...], board: Board, seed: int, report: Report
) -> tuple[Solved, ...]:
    """Do what `minimise` does for several parts, each with its start, in turn; report as `OfPart`.

    Whoever asks about the sum stops listening once that is decided. Since the parts' rounds alternate here,
    and not in processes of their own, every call reports the same in the same order.
    """
    searches = [_Search(part, board, start, about(index, report)) for index, (part, start) in enumerate(parts)]
    budget = _FIRST_BUDGET
    while any(search.is_open for search in searches):
        for search in searches:
            search.narrow_gap(budget)
        budget *= 2
    return tuple(search.solved() for search in searches)


def enumerate_all(part: CoverPart, board: Board, start: tuple[int, ...], seed: int, report: Report) -> Enumerated:
    """Find all covers of the part with the fewest knights, reported as `Found` after the minimum is proved."""
    search = _Search(part, board, start, report)
    search.close_gap()
    model = search.full
    model.allow(len(search.best))
    site_of = {variable: site for site, variable in enumerate(model.knights)}
    found = enumerate_answers(
        model.session,
        model.knights,
        read=lambda chosen: part.placement(site_of[variable] for variable in chosen),
        report=report,
        # All covers left have equally many knights, so no other one contains this one.
        block=lambda chosen: tuple(-variable for variable in chosen),
    )
    return Enumerated(found.count, found.complete, search.counters())


@dataclass(frozen=True, slots=True)
class _Model:
    """A formula in a solver: the covers of a part, all or only those made of whole orbits."""

    session: Session
    knights: tuple[int, ...]
    outputs: tuple[int, ...]

    @classmethod
    def of(cls, part: CoverPart, most: int, orbits: Orbits | None = None) -> _Model:
        encoded = encode(part, most, orbits)
        return cls(Session(encoded.formula.clauses), encoded.knights, encoded.outputs)

    def at_most(self, number: int, budget: int) -> bool | None:
        """Return whether so many knights can do, None when the budget of conflicts ends first."""
        return self.session.solve_within(budget, self._allowing(number))

    def forbid(self, number: int) -> None:
        """Record that more than `number` knights are needed."""
        if number < len(self.outputs):
            self.session.add((self.outputs[number],))

    def allow(self, number: int) -> None:
        """Demand at most `number` knights from now on."""
        for literal in self._allowing(number):
            self.session.add((literal,))

    def cover(self) -> tuple[int, ...]:
        """Return the sites of the last model's knights."""
        true = set(self.session.chosen(self.knights))
        return tuple(site for site, variable in enumerate(self.knights) if variable in true)

    def _allowing(self, number: int) -> tuple[int, ...]:
        return (-self.outputs[number],) if number < len(self.outputs) else ()


class _Search:
    """The best cover and the best bound on one part, and the solvers that bring them together."""

    def __init__(self, part: CoverPart, board: Board, start: tuple[int, ...], report: Report) -> None:
        self._part = part
        self._report = report
        self.bound = counting_bound(part)
        self.best = start
        self._spent = Counters()
        self._quotients = [_Model.of(part, len(self.best), orbits) for orbits in quotients(part, board)]
        self._full: _Model | None = None

    @property
    def full(self) -> _Model:
        """The model of all covers, made at first use: the better the incumbent, the smaller its counter."""
        if self._full is None:
            self._full = _Model.of(self._part, len(self.best) + 1)
        return self._full

    def counters(self) -> Counters:
        """Return the work of all solvers, those that are closed included."""
        models = [*self._quotients, *([] if self._full is None else [self._full])]
        return sum((model.session.counters() for model in models), self._spent)

    @property
    def is_open(self) -> bool:
        """Whether there is a gap between the best cover and the best bound."""
        return self.bound < len(self.best)

    def close_gap(self) -> None:
        """Improve cover and bound in turn until they meet."""
        budget = _FIRST_BUDGET
        while self.is_open:
            self.narrow_gap(budget)
            budget *= 2

    def narrow_gap(self, budget: int) -> None:
        """Spend one round, a budget of conflicts a call, on the cover and on the bound; nothing when they meet."""
        for model in tuple(self._quotients):
            self._improve(model, budget)
        self._raise_bound(budget)
        if self.is_open and not self._improve(self.full, budget):
            self._prove(len(self.best))

    def solved(self) -> Solved:
        """Return the best cover as proved to have the fewest knights."""
        return Solved(Status.OPTIMAL, self._part.placement(self.best), len(self.best), self.bound, self.counters())

    def _improve(self, model: _Model, budget: int) -> bool:
        """Look for better covers in a model while the budget lasts; False when it holds none."""
        while self.is_open:
            answer = model.at_most(len(self.best) - 1, budget)
            if answer is None:
                return True
            if not answer:
                self._retire(model)
                return False
            self._take(model.cover())
        return True

    def _retire(self, model: _Model) -> None:
        """Close a quotient's solver; the full model is needed to the end."""
        if model is not self._full:
            self._quotients.remove(model)
            self._spent += model.session.counters()
            model.session.close()

    def _raise_bound(self, budget: int) -> None:
        """Refute numbers from the bound upwards while the budget lasts, or find a cover with the bound."""
        while self.is_open:
            answer = self.full.at_most(self.bound, budget)
            if answer is None:
                return
            if answer:
                self._take(self.full.cover())
            else:
                self.full.forbid(self.bound)
                self._prove(self.bound + 1)

    def _take(self, cover: tuple[int, ...]) -> None:
        self.best = cover
        self._report(Incumbent(self._part.placement(cover), len(cover), self.counters()))

    def _prove(self, bound: int) -> None:
        self.bound = bound
        self._report(Bound(bound, self.counters()))
