"""The problems as formulas for other people's SAT solvers: (formula, comments that say what variables mean)."""

from __future__ import annotations

from collections.abc import Iterator

from exact.sat.cover import encode_whole
from exact.sat.formula import Formula
from exact.sat.queens import encode as encode_queens
from problems import Board, KnightCover, KnightTour, Problem, Queens, Square

Exported = tuple[Formula, Iterator[str]]
"""A formula and its comments, one a line."""


def knights(problem: KnightCover) -> Exported:
    """Return the covers with `at_most` knights (not None); variable i + 1 is the i-th square, row by row."""
    assert problem.at_most is not None
    return encode_whole(problem, problem.at_most).formula, _meanings(problem.board, "knight", title(problem))


def queens(problem: Queens) -> Exported:
    """Return the placements of n queens; the variable of (row, col) is row * n + col + 1."""
    if not problem.n:
        return encode_queens(problem), iter((title(problem),))
    return encode_queens(problem), _meanings(problem.board, "queen", title(problem))


def tour(problem: KnightTour) -> Exported:
    """Return the tours, by positions: variable i * n + p + 1 says that the i-th of n squares is visited p-th.

    Squares are taken in row-major order, positions count from 0. A closed tour starts at `start`, or at the first
    square: where a cycle starts is no restriction.
    """
    board, formula = problem.board, Formula()
    squares = tuple(board.squares())
    n = len(squares)
    at = {(square, position): formula.variable((square, position)) for square in squares for position in range(n)}
    for square in squares:
        formula.exactly_one([at[square, position] for position in range(n)])
    for position in range(n):
        formula.exactly_one([at[square, position] for square in squares])
    for position in range(n if problem.closed else n - 1):
        for square in squares:
            following = [at[move, (position + 1) % n] for move in board.knight_moves(square)]
            formula.add(-at[square, position], *following)
    for square, position in fixed_positions(problem):
        formula.add(at[square, position])
    if is_too_small(problem):
        formula.add()
    return formula, _visits(problem, squares)


def is_too_small(problem: KnightTour) -> bool:
    """Whether a closed tour is asked for of so few squares that the way back would be the way there."""
    return problem.closed and problem.board.size <= 2


def fixed_positions(problem: KnightTour) -> tuple[tuple[Square, int], ...]:
    """Return the squares whose place in the tour is known, with their positions."""
    first = problem.start
    if first is None and problem.closed:
        first = next(problem.board.squares(), None)
    known = [] if first is None else [(first, 0)]
    if problem.end is not None:
        known.append((problem.end, problem.board.size - 1))
    return tuple(known)


def title(problem: Problem) -> str:
    """Return the problem in words, on one line."""
    match problem:
        case KnightCover(board, rule, at_most):
            limit = "as few as possible" if at_most is None else f"at most {at_most}"
            return f"knights {board}, rule {rule}, {limit}"
        case Queens(n, given):
            names = [problem.board.name(square) for square in given]
            return f"queens {n}{', given ' if names else ''}{' '.join(names)}"
        case KnightTour(board, start, end, closed):
            ends = [f", {word} {board.name(q)}" for word, q in (("from", start), ("to", end)) if q is not None]
            return f"{'closed' if closed else 'open'} tour {board}{''.join(ends)}"


def _meanings(board: Board, piece: str, head: str) -> Iterator[str]:
    yield head
    yield "variables that are not listed are auxiliary"
    for number, square in enumerate(board.squares(), 1):
        yield f"{number} {piece} {board.name(square)} row {square[0]} col {square[1]}"


def _visits(problem: KnightTour, squares: tuple[Square, ...]) -> Iterator[str]:
    yield title(problem)
    yield "variables that are not listed are auxiliary"
    for index, square in enumerate(squares):
        for position in range(len(squares)):
            yield f"{index * len(squares) + position + 1} step {position} on {problem.board.name(square)}"
