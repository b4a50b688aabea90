"""Weightings that are easier to check by hand: the smallest unit, then the fewest squares with a weight.

An integer programme for CP-SAT, in the child process that has grown the tree. A better weighting is checked like
any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ortools.sat.python import cp_model

LARGEST_UNIT = 12
"""Units above are not tried: rounding finds those."""


def polished(
    weights: Mapping[int, int],
    unit: int,
    reach: Sequence[Sequence[int]],
    worth: int,
    effort: float,
) -> tuple[int, dict[int, int]]:
    """Return a unit and weights of targets (indices) that prove as much, simpler where `effort` is enough.

    No row of `reach` may have more weight than the unit; all weights together must be more than `worth` units.
    `effort` is CP-SAT's deterministic time, about seconds, for each of the steps.
    """
    for smaller in range(1, min(unit, LARGEST_UNIT + 1)):
        found = _solve(reach, smaller, worth, effort, {})
        if found is not None:
            unit, weights = smaller, found
            break
    fewer = _solve(reach, unit, worth, effort, weights)
    return unit, dict(weights if fewer is None else fewer)


def _solve(
    reach: Sequence[Sequence[int]], unit: int, worth: int, effort: float, start: Mapping[int, int]
) -> dict[int, int] | None:
    """Return weights with this unit, or None. With weights to start from, fewer of them are looked for."""
    model = cp_model.CpModel()
    targets = sorted({target for row in reach for target in row} | set(start))
    variables = {target: model.new_int_var(0, unit, "") for target in targets}
    for row in reach:
        model.add(sum(variables[target] for target in row) <= unit)
    model.add(sum(variables.values()) >= worth * unit + 1)
    if start:
        used = {target: model.new_bool_var("") for target in targets}
        for target, variable in variables.items():
            model.add(variable <= unit * used[target])
            model.add_hint(variable, start.get(target, 0))
        model.minimize(sum(used.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = effort
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return {target: value for target, variable in variables.items() if (value := solver.value(variable))}
