"""CP-SAT as this project runs it: one place for parameters, statuses, callbacks and enumeration.

Only children import this module (see `exact.child`); their parents kill them at a limit. One worker, always:
with two, CP-SAT's bound on knight covers hardly moves (12x12: 1 after 120 s, against 0.05 s for the proof
with one worker and `linearization_level=2`), and its enumeration loses solutions and still says OPTIMAL.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum

from ortools.sat.python import cp_model

from exact.child import Report
from exact.progress import Batches, Bound, Enumerated, Incumbent, Solved
from problems import Answer, Counters, Status

Read = Callable[[Callable[[cp_model.IntVar], int]], Answer]
"""How to read an answer off a solution: called with the function that gives a variable's value."""

_BOUND_TOLERANCE = 1e-6


class Linearization(Enum):
    """CP-SAT's `linearization_level`: how much of the model goes into the linear relaxation."""

    NONE = 0
    BASIC = 1
    FULL = 2


def make_solver(
    seed: int,
    *,
    linearization: Linearization = Linearization.FULL,
    seconds: float | None = None,
    effort: float | None = None,
) -> cp_model.CpSolver:
    """Return a silent solver with one worker; None: until it is killed.

    `seconds` bounds a single call, `effort` too, in CP-SAT's own count of its work, in which a call with the
    same seed always ends at the same place.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = linearization.value
    solver.parameters.random_seed = seed % 2**31
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    if effort is not None:
        solver.parameters.max_deterministic_time = effort
    return solver


def solve(model: cp_model.CpModel, solver: cp_model.CpSolver, *, read: Read, report: Report) -> Solved:
    """Minimise, or satisfy if the model has no objective; report every `Incumbent` and `Bound` on the way.

    INFEASIBLE is the word of one CP-SAT run: the caller has it confirmed by another engine before it counts.
    Raises `RuntimeError` for an invalid model or a status that is not known here.
    """
    optimising = model.has_objective()
    incumbents = _Incumbents(read, report, optimising)
    if optimising:
        solver.best_bound_callback = lambda value: report(Bound(_rounded_up(value)))
    status = _status(model, solver.solve(model, incumbents))
    if status is Status.OPTIMAL and not optimising:
        status = Status.FEASIBLE
    has_answer = status in (Status.OPTIMAL, Status.FEASIBLE)
    return Solved(
        status,
        answer=read(solver.value) if has_answer else None,
        objective=round(solver.objective_value) if has_answer and optimising else None,
        bound=_rounded_up(solver.best_objective_bound) if has_answer and optimising else None,
        counters=counters(solver),
    )


def enumerate_answers(
    model: cp_model.CpModel, solver: cp_model.CpSolver, *, read: Read, report: Report
) -> Enumerated:
    """Find all solutions of a model without objective; report their answers in batches, as `Found`.

    Solutions that differ only in variables that `read` does not look at give one answer. Complete when the
    solver says OPTIMAL, or INFEASIBLE when there is none (the word of one run, see `solve`).
    """
    if model.has_objective():
        raise ValueError("an enumeration takes a model without objective")
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    collector = _Collector(read, report)
    status = _status(model, solver.solve(model, collector))
    collector.batches.flush()
    exhausted = status is Status.OPTIMAL or (status is Status.INFEASIBLE and not collector.batches.count)
    return Enumerated(collector.batches.count, exhausted, counters(solver))


def counters(solver: cp_model.CpSolver) -> Counters:
    """Return the solver's own counts of the last call."""
    return Counters(conflicts=solver.num_conflicts, branches=solver.num_branches, solver_calls=1)


class _Incumbents(cp_model.CpSolverSolutionCallback):
    """Report each solution as an `Incumbent`."""

    def __init__(self, read: Read, report: Report, optimising: bool) -> None:
        super().__init__()
        self._read = read
        self._report = report
        self._optimising = optimising

    def on_solution_callback(self) -> None:
        """Report the solution."""
        objective = round(self.objective_value) if self._optimising else None
        spent = Counters(conflicts=self.num_conflicts, branches=self.num_branches, solver_calls=1)
        self._report(Incumbent(self._read(self.value), objective, spent))


class _Collector(cp_model.CpSolverSolutionCallback):
    """Report each new answer of an enumeration."""

    def __init__(self, read: Read, report: Report) -> None:
        super().__init__()
        self.batches = Batches(report)
        self._read = read
        self._seen: set[Answer] = set()

    def on_solution_callback(self) -> None:
        """Take in the solution's answer unless it is known."""
        answer = self._read(self.value)
        if answer not in self._seen:
            self._seen.add(answer)
            self.batches.add(answer)


_STATUSES = {
    cp_model.OPTIMAL: Status.OPTIMAL,
    cp_model.FEASIBLE: Status.FEASIBLE,
    cp_model.INFEASIBLE: Status.INFEASIBLE,
    cp_model.UNKNOWN: Status.UNKNOWN,
}


def _status(model: cp_model.CpModel, status: cp_model.CpSolverStatus) -> Status:
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError(f"CP-SAT refuses the model: {model.validate()}")
    if status not in _STATUSES:
        raise RuntimeError(f"CP-SAT returned a status that is not known here: {status!r}")
    return _STATUSES[status]


def _rounded_up(bound: float) -> int:
    """Return the least integer objective that a bound in floating point allows."""
    return math.ceil(bound - _BOUND_TOLERANCE)
