"""Exported models, read back by other programs: the same answers as brute force, in every form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from ortools.linear_solver.python import model_builder
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

from exact.export import MAX_POSITIONS, Form, export
from problems import Board, KnightCover, KnightTour, Problem, Queens, Rule, Square, UnsupportedProblem

Answers = set[frozenset[Any]]


def moves_to(one: Square, other: Square) -> bool:
    return {abs(one[0] - other[0]), abs(one[1] - other[1])} == {1, 2}


def covers(problem: KnightCover) -> Answers:
    squares = tuple(problem.board.squares())
    sizes = range(len(squares) + 1)
    every = (set(knights) for size in sizes for knights in combinations(squares, size))
    return {frozenset(knights) for knights in every if not problem.violations(tuple(knights))}


def queens(problem: Queens) -> Answers:
    boards = (set(enumerate(columns)) for columns in permutations(range(problem.n)))
    return {frozenset(squares) for squares in boards if not problem.violations(tuple(squares))}


def tours(problem: KnightTour) -> Answers:
    """Return the tours as sets of (step, square); a closed one begins at its start or at the first square."""
    board, found = problem.board, set()
    first = problem.start or (next(board.squares()) if problem.closed else None)
    paths = [(square,) for square in board.squares() if first in (None, square)]
    while paths:
        path = paths.pop()
        if len(path) == board.size and not problem.violations(path):
            found.add(frozenset(enumerate(path)))
        paths += [(*path, move) for move in board.knight_moves(path[-1]) if move not in path]
    return found


HOLE = Board(3, 4, frozenset({(1, 1)}))
TINY: list[tuple[Problem, Callable[[Any], Answers]]] = [
    (KnightCover(Board(3, 4), at_most=6), covers),
    (KnightCover(Board(3, 4), at_most=5), covers),
    (KnightCover(Board(3, 4), Rule.ORDINARY, at_most=4), covers),
    (KnightCover(HOLE, Rule.INDEPENDENT, at_most=5), covers),
    (KnightCover(Board(3, 3), at_most=9), covers),
    (Queens(0), queens),
    (Queens(1), queens),
    (Queens(3), queens),
    (Queens(5, given=((0, 1),)), queens),
    (Queens(6), queens),
    (KnightTour(Board(1, 1)), tours),
    (KnightTour(Board(1, 1), closed=True), tours),
    (KnightTour(Board(3, 4)), tours),
    (KnightTour(Board(3, 4), start=(0, 0), end=(0, 1)), tours),
    (KnightTour(Board(3, 3, frozenset({(1, 1)})), closed=True), tours),
    (KnightTour(Board(3, 3, frozenset({(1, 1)})), closed=True, start=(2, 1)), tours),
    (KnightTour(Board(3, 3)), tours),
    (KnightTour(Board(2, 3, frozenset({(0, 1), (1, 1), (0, 0), (1, 2)})), closed=True), tours),
]
each_tiny = pytest.mark.parametrize(("problem", "truth"), TINY)


def meaning(problem: Problem, name: str) -> Any:
    """Return what a variable stands for, from its name or comment."""
    board = Board(problem.n, problem.n) if isinstance(problem, Queens) else problem.board
    words = name.replace("_", " ").split()
    if words[0] == "step":
        return int(words[1]), board.square_named(words[3])
    return board.square_named(words[1])


@each_tiny
def test_dimacs(problem: Problem, truth: Callable[[Any], Answers]) -> None:
    lines = list(export(problem, Form.CNF))
    formula = CNF(from_string="\n".join(lines))
    header = next(line for line in lines if line.startswith("p cnf")).split()
    assert int(header[3]) == len(formula.clauses) == len(lines) - lines.index(" ".join(header)) - 1
    assert int(header[2]) >= formula.nv
    listed = (line.split(" ", 2) for line in lines if line.startswith("c ") and line.split()[1].isdigit())
    variables = {int(number): meaning(problem, name) for _, number, name in listed}
    assert formula.nv == 0 or variables
    assert set(enumerate_models(formula, variables)) == truth(problem)


def enumerate_models(formula: CNF, variables: dict[int, Any]) -> Iterator[frozenset[Any]]:
    with Solver("cadical195") as solver:
        for clause in formula.clauses:
            solver.add_clause(clause)
        while solver.solve():
            model = set(solver.get_model())
            yield frozenset(what for number, what in variables.items() if number in model)
            solver.add_clause([-number if number in model else number for number in variables])


@each_tiny
def test_opb(problem: Problem, truth: Callable[[Any], Answers]) -> None:
    lines = list(export(problem, Form.OPB))
    sizes = lines[0].split()
    assert sizes[:2] == ["*", "#variable="]
    names = dict(line.split()[1:3] for line in lines[2:] if line.startswith("*"))
    assert int(sizes[2]) == len(names)
    model = cp_model.CpModel()
    variables = {number: model.new_bool_var(name) for number, name in names.items()}
    constraints = [line.split() for line in lines if not line.startswith(("*", "min:"))]
    assert int(sizes[4]) == len(constraints)
    for *terms, relation, right, end in constraints:
        assert end == ";"
        pairs = zip(terms[::2], terms[1::2], strict=True)
        total = sum(int(coefficient) * variables.get(number, 0) for coefficient, number in pairs)
        model.add(total >= int(right) if relation == ">=" else total == int(right))
        assert relation in (">=", "=")
    meanings = {variables[number]: meaning(problem, name) for number, name in names.items() if name != "unused"}
    assert set(solutions(model, meanings)) == truth(problem)


class Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, meanings: dict[Any, Any]) -> None:
        super().__init__()
        self.meanings = meanings
        self.found: list[frozenset[Any]] = []

    def on_solution_callback(self) -> None:
        self.found.append(frozenset(what for x, what in self.meanings.items() if self.value(x)))


def solutions(model: cp_model.CpModel, meanings: dict[Any, Any]) -> list[frozenset[Any]]:
    solver, collector = cp_model.CpSolver(), Collector(meanings)
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    assert solver.solve(model, collector) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return collector.found


def solve_mps(lines: Iterator[str], _: Path) -> tuple[bool, float]:
    model = model_builder.Model()
    assert model.import_from_mps_string("\n".join(lines) + "\n")
    solver = model_builder.Solver("sat")
    solver.set_solver_specific_parameters("num_workers:1,linearization_level:2")
    status = solver.solve(model)
    assert status.name in ("OPTIMAL", "INFEASIBLE")
    feasible = status.name == "OPTIMAL"
    return feasible, solver.objective_value if feasible else 0.0


def solve_lp(lines: Iterator[str], folder: Path) -> tuple[bool, float]:
    # OR-Tools reads another LP form; SciPy brings HiGHS along, which reads CPLEX's.
    core = pytest.importorskip("scipy.optimize._highspy._core")
    path = folder / "model.lp"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    highs = core._Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == core.HighsStatus.kOk
    highs.run()
    status = highs.modelStatusToString(highs.getModelStatus())
    assert status in ("Optimal", "Infeasible", "Empty")
    return status != "Infeasible", highs.getObjectiveValue()


LINEAR = [(Form.MPS, solve_mps), (Form.LP, solve_lp)]
each_linear = pytest.mark.parametrize(("form", "solve"), LINEAR)


@each_linear
@each_tiny
def test_mps_and_lp_are_feasible_where_there_is_an_answer(
    form: Form, solve: Any, problem: Problem, truth: Callable[[Any], Answers], tmp_path: Path
) -> None:
    if form is Form.MPS and isinstance(problem, Queens) and problem.n == 0:
        return  # OR-Tools takes no empty model
    assert solve(export(problem, form), tmp_path)[0] == bool(truth(problem))


@each_linear
@pytest.mark.parametrize(
    ("problem", "value"),
    [
        (KnightCover(Board(8, 8)), 14),
        (KnightCover(Board(8, 8), Rule.ORDINARY), 12),
        (KnightCover(Board(7, 7), Rule.INDEPENDENT), 13),
        (KnightCover(Board(3, 3)), None),
        (KnightCover(Board(8, 8), at_most=13), None),
    ],
)
def test_mps_and_lp_minimise(
    form: Form, solve: Any, problem: KnightCover, value: int | None, tmp_path: Path
) -> None:
    feasible, objective = solve(export(problem, form), tmp_path)
    assert feasible == (value is not None)
    assert value is None or round(objective) == value


@each_linear
def test_mps_and_lp_tell_tours_from_rings(form: Form, solve: Any, tmp_path: Path) -> None:
    # Two rings of eight squares satisfy the degrees; only the order of the squares rules them out.
    gap = {(row, col) for row in range(3) for col in (3, 4)}
    rings = KnightTour(Board(3, 8, frozenset({(1, 1), (1, 6), *gap})), closed=True)
    assert not solve(export(rings, form), tmp_path)[0]


def test_opb_minimises_only_where_a_minimum_is_asked_for() -> None:
    assert any(line.startswith("min:") for line in export(KnightCover(Board(3, 4)), Form.OPB))
    assert not any(line.startswith("min:") for line in export(KnightCover(Board(3, 4), at_most=6), Form.OPB))


@pytest.mark.parametrize("form", list(Form))
def test_lines_are_ascii_and_short(form: Form) -> None:
    for problem in (KnightCover(Board(9, 9), at_most=18), Queens(9), KnightTour(Board(4, 5))):
        for line in export(problem, form):
            assert line.isascii()
            assert "\n" not in line
            if form is Form.LP:
                assert len(line) <= 255


def test_a_formula_cannot_minimise() -> None:
    with pytest.raises(UnsupportedProblem, match="--at-most"):
        export(KnightCover(Board(8, 8)), Form.CNF)


@pytest.mark.parametrize("form", list(Form))
def test_large_boards_are_refused(form: Form) -> None:
    for problem in (KnightCover(Board(101, 100), at_most=1), Queens(101), KnightTour(Board(101, 100))):
        with pytest.raises(UnsupportedProblem, match="squares"):
            export(problem, form)
    positions = KnightTour(Board(1, MAX_POSITIONS + 1))
    if form in (Form.CNF, Form.OPB):
        with pytest.raises(UnsupportedProblem, match="take mps or lp"):
            export(positions, form)
    else:
        assert next(export(positions, form))
