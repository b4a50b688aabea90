"""Queens in CP-SAT: a variable a square, one queen a row and a column, at most one a diagonal.

Only children import this module (see `exact.child`).
"""

from __future__ import annotations

from collections.abc import Callable

from ortools.sat.python import cp_model

from exact.child import Report
from exact.cpsat import engine
from exact.progress import Enumerated, Solved
from problems import Answer, Queens

Grid = list[list[cp_model.IntVar]]


def solve(problem: Queens, seed: int, report: Report) -> Solved:
    """Look for one placement. INFEASIBLE is one run's word: have it confirmed."""
    model, grid = build(problem)
    return engine.solve(model, _solver(seed), read=_reader(grid), report=report)


def enumerate_all(problem: Queens, seed: int, report: Report) -> Enumerated:
    """Find all placements, reported as `Found`."""
    model, grid = build(problem)
    return engine.enumerate_answers(model, _solver(seed), read=_reader(grid), report=report)


def build(problem: Queens) -> tuple[cp_model.CpModel, Grid]:
    """Return the model and its variables, row by row."""
    n, model = problem.n, cp_model.CpModel()
    grid = [[model.new_bool_var(f"q{row}_{col}") for col in range(n)] for row in range(n)]
    for line in range(n):
        model.add_exactly_one(grid[line])
        model.add_exactly_one([grid[row][line] for row in range(n)])
    for shift in range(1 - n, n):
        model.add_at_most_one([grid[row][row + shift] for row in range(n) if 0 <= row + shift < n])
        model.add_at_most_one([grid[row][n - 1 - row - shift] for row in range(n) if 0 <= row + shift < n])
    for row, col in problem.given:
        model.add(grid[row][col] == 1)
    return model, grid


def _solver(seed: int) -> cp_model.CpSolver:
    # The full linear relaxation only costs here: 31 s in place of 0.5 for the 724 placements of 10 queens.
    return engine.make_solver(seed, linearization=engine.Linearization.BASIC)


def _reader(grid: Grid) -> engine.Read:
    def read(value: Callable[[cp_model.IntVar], int]) -> Answer:
        return tuple((r, c) for r, line in enumerate(grid) for c, variable in enumerate(line) if value(variable))

    return read
