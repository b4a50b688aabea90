"""Knight covers by CP-SAT: a Boolean a site, a clause a target, the number of knights minimised.

Only children import this module (see `exact.child`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ortools.sat.python import cp_model

from exact.child import Report
from exact.cover import CoverPart
from exact.cpsat import engine
from exact.progress import Bound, Enumerated, Incumbent, Solved, about, spending
from problems import Answer, Board, Counters, Status

_FIRST_EFFORT = 0.5
"""CP-SAT's units of work, about a second each, that a part may take in the first round."""


def minimise(part: CoverPart, board: Board, start: tuple[int, ...], seed: int, report: Report) -> Solved:
    """Find the fewest knights that cover the part; report every better cover and bound.

    `start` holds the sites of a cover, which the solver gets as a hint.
    """
    return _minimise(part, start, engine.make_solver(seed), report)


def minimise_together(
    parts: tuple[tuple[CoverPart, tuple[int, ...]], ...], board: Board, seed: int, report: Report
) -> tuple[Solved, ...]:
    """Do what `minimise` does for several parts, each with its start, in turn; report as `OfPart`.

    Rounds double in effort, and a part begins anew in each, from its best cover. See `exact.sat.knights`.
    """
    starts = [start for _, start in parts]
    spent = [Counters()] * len(parts)
    solved: dict[int, Solved] = {}
    effort = _FIRST_EFFORT
    while len(solved) < len(parts):
        for index, (part, _) in enumerate(parts):
            if index in solved:
                continue
            solver = engine.make_solver(seed, effort=effort)
            found = _minimise(part, starts[index], solver, spending(spent[index], about(index, report)))
            spent[index] += found.counters
            if found.status is Status.OPTIMAL:
                solved[index] = replace(found, counters=spent[index])
            elif found.answer is not None:
                starts[index] = tuple(map(part.sites.index, found.answer))
        effort *= 2
    return tuple(solved[index] for index in range(len(parts)))


def _minimise(part: CoverPart, start: tuple[int, ...], solver: cp_model.CpSolver, report: Report) -> Solved:
    model, knights = build(part)
    model.minimize(sum(knights))
    for site in start:
        model.add_hint(knights[site], True)
    return engine.solve(model, solver, read=_reader(part, knights), report=report)


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
