"""An outside program for the `speed` plan: the plain model of a newcomer, CP-SAT with its default parameters.

`python -m compare.study.plans.cpsat_as_it_comes knights|queens|tour ROWS COLS` prints row,col pairs once
CP-SAT has proved them best (knights, every square attacked) or found them. The board is not split, nothing is
tuned, all cores may be used: the yardstick for what the engines of `exact` are worth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from ortools.sat.python import cp_model

from problems import Board, Placement

Read = Callable[[cp_model.CpSolver], Placement]


def knights(board: Board) -> tuple[cp_model.CpModel, Read]:
    """Return the model: a variable a square, every square attacked, as few knights as possible."""
    model = cp_model.CpModel()
    knight = {square: model.new_bool_var(board.name(square)) for square in board.squares()}
    for square in board.squares():
        model.add_bool_or([knight[origin] for origin in board.knight_moves(square)])
    model.minimize(sum(knight.values()))
    return model, lambda solver: tuple(square for square, chosen in knight.items() if solver.value(chosen))


def queens(board: Board) -> tuple[cp_model.CpModel, Read]:
    """Return the model: the row of each column's queen, three `all_different`."""
    model, n = cp_model.CpModel(), board.cols
    rows = [model.new_int_var(0, n - 1, f"row{col}") for col in range(n)]
    model.add_all_different(rows)
    model.add_all_different([row + col for col, row in enumerate(rows)])
    model.add_all_different([row - col for col, row in enumerate(rows)])
    return model, lambda solver: tuple((solver.value(row), col) for col, row in enumerate(rows))


def tour(board: Board) -> tuple[cp_model.CpModel, Read]:
    """Return the model: one circuit through all squares and a dummy, where the tour begins and ends."""
    model, dummy = cp_model.CpModel(), board.size
    arcs = {
        (board.index(square), board.index(target)): model.new_bool_var("")
        for square in board.squares()
        for target in board.knight_moves(square)
    }
    arcs |= {(dummy, node): model.new_bool_var("") for node in range(dummy)}
    arcs |= {(node, dummy): model.new_bool_var("") for node in range(dummy)}
    model.add_circuit([(tail, head, literal) for (tail, head), literal in arcs.items()])

    def read(solver: cp_model.CpSolver) -> Placement:
        following = {tail: head for (tail, head), literal in arcs.items() if solver.value(literal)}
        path, node = [], following[dummy]
        while node != dummy:
            path.append(board.square_at(node))
            node = following[node]
        return tuple(path)

    return model, read


MODELS = {"knights": knights, "queens": queens, "tour": tour}


def main() -> int:
    """Solve what the command line asks for and write the answer; 1 if CP-SAT ends without one."""
    name, rows, cols = sys.argv[1:]
    model, read = MODELS[name](Board(int(rows), int(cols)))
    solver = cp_model.CpSolver()
    if solver.solve(model) != cp_model.OPTIMAL:
        return 1
    sys.stdout.write(f"{list(read(solver))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
