"""Queens as clauses: a variable a square, a queen in each row and column, no two on a line.

`encode` needs no solver; the rest is for children (see `exact.child`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from exact.child import Report
from exact.progress import Enumerated, Solved
from exact.sat.formula import Formula
from problems import Answer, Board, Queens, Status

_PAIRWISE_UP_TO = 60
"""Largest board on which no two queens share a line pair by pair: fastest, but cubic in n."""


def solve(problem: Queens, seed: int, report: Report) -> Solved:
    """Look for one placement. The solver has no randomness: the seed has no effect."""
    from exact.sat.engine import Session

    formula = encode(problem)
    squares = range(1, problem.n**2 + 1)
    with Session(formula.clauses) as session:
        if not session.solve():
            return Solved(Status.INFEASIBLE, counters=session.counters())
        answer = _reader(problem)(frozenset(session.chosen(squares)))
        return Solved(Status.FEASIBLE, answer=answer, counters=session.counters())


def enumerate_all(problem: Queens, seed: int, report: Report) -> Enumerated:
    """Find all placements, reported as `Found`. The seed has no effect."""
    from exact.sat.engine import Session, enumerate_answers

    formula = encode(problem)
    with Session(formula.clauses) as session:
        return enumerate_answers(
            session,
            range(1, problem.n**2 + 1),
            read=_reader(problem),
            report=report,
            block=_block,
        )


def encode(problem: Queens) -> Formula:
    """Return the formula; the variable of square (row, col) is row * n + col + 1, auxiliaries come after."""
    n, formula = problem.n, Formula()
    grid = [[formula.variable((row, col)) for col in range(n)] for row in range(n)]
    at_most_one = _at_most_one(formula, n)
    for line in range(n):
        for squares in (grid[line], [grid[row][line] for row in range(n)]):
            formula.at_least_one(squares)
            at_most_one(squares)
    for shift in range(1 - n, n):
        at_most_one([grid[row][row + shift] for row in range(n) if 0 <= row + shift < n])
        at_most_one([grid[row][n - 1 - row - shift] for row in range(n) if 0 <= row + shift < n])
    for row, col in problem.given:
        formula.add(grid[row][col])
    return formula


def _at_most_one(formula: Formula, n: int) -> Callable[[Sequence[int]], None]:
    if n > _PAIRWISE_UP_TO:
        return formula.at_most_one

    def pairwise(literals: Sequence[int]) -> None:
        for one, other in combinations(literals, 2):
            formula.add(-one, -other)

    return pairwise


def _reader(problem: Queens) -> Callable[[frozenset[int]], Answer]:
    if not problem.n:
        return lambda chosen: ()
    board = Board(problem.n, problem.n)
    return lambda chosen: tuple(board.square_at(variable - 1) for variable in sorted(chosen))


def _block(chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Return the clause of n literals that excludes this placement: no other one has all its queens."""
    return tuple(-variable for variable in chosen)
