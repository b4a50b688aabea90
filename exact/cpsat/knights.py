"""Knight covers by CP-SAT: a Boolean a site, a clause a target, the number of knights minimised.

Only children import this module (see `exact.child`).
"""

from __future__ import annotations

from collections.abc import Callable

from ortools.sat.python import cp_model

from exact.child import Report
from exact.cover import CoverPart
from exact.cpsat import engine
from exact.progress import Bound, Enumerated, Incumbent, Solved
from problems import Answer, Board, Status


def minimise(part: CoverPart, board: Board, start: tuple[int, ...], seed: int, report: Report) -> Solved:
    """Find the fewest knights that cover the part; report every better cover and bound.

    `start` holds the sites of a cover, which the solver gets as a hint.
    """
    model, knights = build(part)
    model.minimize(sum(knights))
    for site in start:
        model.add_hint(knights[site], True)
    return engine.solve(model, engine.make_solver(seed), read=_reader(part, knights), report=report)


def enumerate_all(part: CoverPart, board: Board, start: tuple[int, ...], seed: int, report: Report) -> Enumerated:
    """Find all covers of the part with the fewest knights, reported as `Found` after the minimum is proved."""
    least = minimise(part, board, start, seed, report)
    if least.status is not Status.OPTIMAL or least.objective is None:
        raise RuntimeError(f"CP-SAT stopped at {least.status.value} without being told to")
    report(Incumbent(least.answer or (), least.objective, least.counters))
    report(Bound(least.objective, least.counters))
    model, knights = build(part)
    model.add(sum(knights) == least.objective)
    found = engine.enumerate_answers(model, engine.make_solver(seed), read=_reader(part, knights), report=report)
    return Enumerated(found.count, found.complete, least.counters + found.counters)


def build(part: CoverPart) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Return the model of the covers, without an objective, and the variables of the sites."""
    model = cp_model.CpModel()
    knights = [model.new_bool_var(f"knight_{row}_{col}") for row, col in part.sites]
    for cover in part.covers:
        model.add_bool_or([knights[site] for site in cover])
    for one, other in part.conflicts:
        model.add_bool_or([~knights[one], ~knights[other]])
    return model, knights


def _reader(part: CoverPart, knights: list[cp_model.IntVar]) -> engine.Read:
    def read(value: Callable[[cp_model.IntVar], int]) -> Answer:
        return part.placement(site for site, variable in enumerate(knights) if value(variable))

    return read
