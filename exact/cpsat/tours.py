"""Knight's tours by CP-SAT: the circuit constraint. Only children import this module.

An arc for each direction of each edge of `exact.tour_model`, the dummy vertex of open tours included; of the two
directions of a tour one is excluded, so enumerations find each tour once.
"""

from __future__ import annotations

from collections.abc import Callable

from ortools.sat.python import cp_model

from exact.child import Report
from exact.cpsat import engine
from exact.progress import Enumerated, Solved
from exact.tour_model import TourModel, tour_model
from problems import KnightTour, Path, Status

LINEARIZATION = engine.Linearization.NONE
"""Nothing is minimised: with a linear relaxation 30x30 takes 2 (BASIC) to 25 times (FULL) as long."""

Arcs = dict[tuple[int, int], cp_model.IntVar]


def solve(problem: KnightTour, seed: int, report: Report) -> Solved:
    """Find a tour or find that there is none: the word of one run. Boards of three squares and more."""
    graph = tour_model(problem)
    arcs = _arcs(graph)
    if _lacks_arcs(graph, arcs):
        return Solved(Status.INFEASIBLE)
    model, variables = _build(graph, arcs)
    solver = engine.make_solver(seed, linearization=LINEARIZATION)
    return engine.solve(model, solver, read=_reader(graph, variables), report=report)


def enumerate_all(problem: KnightTour, seed: int, report: Report) -> Enumerated:
    """Find all tours, as paths in canonical form, and report them in batches. Boards of three squares and more."""
    graph = tour_model(problem)
    arcs = _arcs(graph)
    if _lacks_arcs(graph, arcs):
        return Enumerated(0, True)
    model, variables = _build(graph, arcs)
    solver = engine.make_solver(seed, linearization=LINEARIZATION)
    return engine.enumerate_answers(model, solver, read=_reader(graph, variables), report=report)


def _arcs(graph: TourModel) -> list[tuple[int, int]]:
    """Return the arcs that a tour in the chosen direction may use, sorted."""
    dummy = len(graph.squares)
    arcs = [(u, v) for u, v in graph.edges if v != dummy] + [(v, u) for u, v in graph.edges if v != dummy]
    if graph.ends:
        first, last = graph.ends[0].candidates, graph.ends[-1].candidates
        if graph.problem.start is None and graph.problem.end is not None:
            first, last = last, first
        arcs += [(dummy, v) for v in first] + [(v, dummy) for v in last]
    return sorted(arcs)


def _lacks_arcs(graph: TourModel, arcs: list[tuple[int, int]]) -> bool:
    """Whether some vertex cannot be entered or left: the circuit constraint would leave it out."""
    everything = set(range(graph.order))
    return {u for u, _ in arcs} != everything or {v for _, v in arcs} != everything


def _build(graph: TourModel, arcs: list[tuple[int, int]]) -> tuple[cp_model.CpModel, Arcs]:
    model = cp_model.CpModel()
    variables: Arcs = {(u, v): model.new_bool_var(f"{u}_{v}") for u, v in arcs}
    model.add_circuit([(u, v, variable) for (u, v), variable in variables.items()])
    pivot = _pivot(graph)
    if pivot is not None:
        following = sum(v * variable for (u, v), variable in variables.items() if u == pivot)
        previous = sum(u * variable for (u, v), variable in variables.items() if v == pivot)
        model.add(following < previous)
    return model, variables


def _pivot(graph: TourModel) -> int | None:
    """Return the vertex whose successor is to be less than its predecessor, None where ends fix the direction."""
    if not graph.ends:
        start = graph.problem.start
        return 0 if start is None else graph.squares.index(start)
    return len(graph.squares) if len(graph.ends) == 1 else None


def _reader(graph: TourModel, variables: Arcs) -> Callable[[Callable[[cp_model.IntVar], int]], Path]:
    dummy = len(graph.squares)
    problem = graph.problem
    free = not problem.closed and problem.start is None and problem.end is None
    pivot = _pivot(graph)

    def read(value: Callable[[cp_model.IntVar], int]) -> Path:
        following = {u: v for (u, v), variable in variables.items() if value(variable)}
        path = [following[dummy] if graph.ends else 0 if pivot is None else pivot]
        while len(path) < dummy:
            path.append(following[path[-1]])
        if free and path[0] > path[-1]:
            path.reverse()
        return tuple(graph.squares[v] for v in path)

    return read
