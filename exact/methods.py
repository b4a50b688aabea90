"""The table of exact methods: what there is, what each supports, and how it is called.

A method is a row. To add one: write its module, add its row, add its test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from exact import knights, queens, tours, weights
from problems import KnightCover, KnightTour, Limits, Problem, Queens, Result, UnsupportedProblem, Watcher


class Solve(Protocol):
    """Decide a problem: the minimum, or whether there is an answer."""

    def __call__(self, problem: Any, *, limits: Limits, seed: int, watch: Watcher | None = None) -> Result:
        """Return what was proved, with the best answer found."""


class Enumerate(Protocol):
    """Find all answers: their number, up to symmetry with `classes`, and the first `keep` in sorted order."""

    def __call__(self, problem: Any, *, limits: Limits, seed: int, keep: int, classes: bool) -> Result:
        """Return the count, complete or not, and the answers kept."""


@dataclass(frozen=True, slots=True)
class ExactMethod:
    """One exact method for one kind of problem.

    `supports` returns None, or the reason why a problem is out of its reach. `solve` or `enumerate` is None
    where the method has no such side.
    """

    name: str
    problem: type
    summary: str
    solve: Solve | None
    enumerate: Enumerate | None
    supports: Callable[[Problem], str | None]


METHODS: tuple[ExactMethod, ...] = (
    ExactMethod(
        "cpsat",
        KnightCover,
        "Google's CP-SAT, a variable a square, with the linear relaxation; INFEASIBLE confirmed by SAT",
        partial(knights.solve, engine="cpsat"),
        partial(knights.enumerate_all, engine="cpsat"),
        partial(knights.supports, "cpsat"),
    ),
    ExactMethod(
        "sat",
        KnightCover,
        "CaDiCaL through PySAT, counting knights in blocks of the board",
        partial(knights.solve, engine="sat"),
        partial(knights.enumerate_all, engine="sat"),
        partial(knights.supports, "sat"),
    ),
    ExactMethod(
        "weights",
        KnightCover,
        "a cover by another engine, its minimality by weights on squares, checked with integers",
        weights.solve,
        None,
        weights.supports,
    ),
    ExactMethod(
        "cpsat",
        Queens,
        "Google's CP-SAT, a variable a square; INFEASIBLE confirmed by SAT",
        partial(queens.solve, engine="cpsat"),
        partial(queens.enumerate_all, engine="cpsat"),
        partial(queens.supports, "cpsat"),
    ),
    ExactMethod(
        "sat",
        Queens,
        "CaDiCaL through PySAT, a variable a square",
        partial(queens.solve, engine="sat"),
        partial(queens.enumerate_all, engine="sat"),
        partial(queens.supports, "sat"),
    ),
    ExactMethod(
        "search",
        Queens,
        "own search: a formula for one placement, tightest line first for completions, bitmasks for counts",
        partial(queens.solve, engine="search"),
        partial(queens.enumerate_all, engine="search"),
        partial(queens.supports, "search"),
    ),
    ExactMethod(
        "cpsat",
        KnightTour,
        "Google's CP-SAT, the circuit constraint; INFEASIBLE confirmed by SAT",
        partial(tours.solve, engine="cpsat"),
        partial(tours.enumerate_all, engine="cpsat"),
        partial(tours.supports, "cpsat"),
    ),
    ExactMethod(
        "sat",
        KnightTour,
        "CaDiCaL through PySAT, degrees as clauses and cuts on demand",
        partial(tours.solve, engine="sat"),
        partial(tours.enumerate_all, engine="sat"),
        partial(tours.supports, "sat"),
    ),
    ExactMethod(
        "search",
        KnightTour,
        "own search: 2-factors merged by exchanges for large tours, frontiers for counts, exhaustion for lists",
        partial(tours.solve, engine="search"),
        partial(tours.enumerate_all, engine="search"),
        partial(tours.supports, "search"),
    ),
)
"""Every exact method, grouped by problem, in the order in which `provemate methods` lists them."""


def find(name: str, problem: Problem) -> ExactMethod:
    """Return the method of that name for the problem; `UnsupportedProblem` lists those there are."""
    rows = [row for row in METHODS if isinstance(problem, row.problem)]
    for row in rows:
        if row.name == name:
            if reason := row.supports(problem):
                raise UnsupportedProblem(f"a problem that {name} supports", reason, where="--engine")
            return row
    names = ", ".join(row.name for row in rows)
    raise UnsupportedProblem(f"an exact method for {problem.name} ({names})", repr(name), where="--engine")
