"""The problems as linear models over integers, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from exact.cover import whole
from exact.export.formulas import fixed_positions, is_too_small, title
from problems import KnightCover, KnightTour, Queens, Square

Terms = tuple[tuple[int, int], ...]
"""A sum of (coefficient, index of a variable)."""


class Relation(StrEnum):
    """How a sum compares with its right-hand side."""

    AT_LEAST = ">="
    EQUAL = "="
    AT_MOST = "<="


@dataclass(frozen=True, slots=True)
class Variable:
    """An integer variable with its bounds, 0 and 1 if it is a decision."""

    name: str
    low: int = 0
    high: int = 1


@dataclass(frozen=True, slots=True)
class Constraint:
    """A sum that is held against a number; the sum may be empty."""

    terms: Terms
    relation: Relation
    right: int


@dataclass(frozen=True, slots=True)
class Model:
    """Variables, constraints and what to minimise (None: any solution will do)."""

    title: str
    variables: tuple[Variable, ...]
    constraints: tuple[Constraint, ...]
    objective: Terms | None = None


def knights(problem: KnightCover) -> Model:
    """Return the covers of a board: to be minimised, or with at most `at_most` knights."""
    part, board = whole(problem), problem.board
    every = _sum(range(len(part.sites)))
    constraints = [Constraint(_sum(cover), Relation.AT_LEAST, 1) for cover in part.covers]
    constraints += [Constraint(_sum(pair), Relation.AT_MOST, 1) for pair in part.conflicts]
    if problem.at_most is not None:
        constraints.append(Constraint(every, Relation.AT_MOST, problem.at_most))
    variables = tuple(Variable(f"knight_{board.name(site)}") for site in part.sites)
    return Model(title(problem), variables, tuple(constraints), every if problem.is_optimisation else None)


def queens(problem: Queens) -> Model:
    """Return the placements of n queens: one a row and a column, at most one a diagonal."""
    n = problem.n
    lines = [(Relation.EQUAL, [(line, col) for col in range(n)]) for line in range(n)]
    lines += [(Relation.EQUAL, [(row, line) for row in range(n)]) for line in range(n)]
    for shift in range(1 - n, n):
        rows = [row for row in range(n) if 0 <= row + shift < n]
        lines.append((Relation.AT_MOST, [(row, row + shift) for row in rows]))
        lines.append((Relation.AT_MOST, [(row, n - 1 - row - shift) for row in rows]))
    constraints = [
        Constraint(_sum(row * n + col for row, col in squares), relation, 1)
        for relation, squares in lines
        if relation is Relation.EQUAL or len(squares) > 1
    ]
    constraints += [Constraint(_sum([row * n + col]), Relation.EQUAL, 1) for row, col in problem.given]
    names = [problem.board.name(square) for square in problem.board.squares()] if n else []
    return Model(title(problem), tuple(Variable(f"queen_{name}") for name in names), tuple(constraints))


def tour_by_order(problem: KnightTour) -> Model:
    """Return the tours by directed moves and an order of the squares that moves must follow.

    C. E. Miller, A. W. Tucker, R. A. Zemlin, Integer programming formulation of traveling salesman problems,
    JACM 1960. The order starts at the root: `start` or the first square of a closed tour; for an open tour, a
    place off the board from which it is entered and to which it is left.
    """
    board, squares = problem.board, tuple(problem.board.squares())
    names: dict[Square | None, str] = {None: "off", **{square: board.name(square) for square in squares}}
    nodes: list[Square | None] = [*squares] if problem.closed else [None, *squares]
    if not nodes:
        return Model(title(problem), (), ())
    root = (problem.start or squares[0]) if problem.closed else None
    moves: list[tuple[Square | None, Square | None]] = [
        (s, move) for s in squares for move in board.knight_moves(s)
    ]
    if not problem.closed:
        moves += [(None, s) for s in squares if problem.start in (None, s)]
        moves += [(s, None) for s in squares if problem.end in (None, s)]
    place = {node: len(moves) + i for i, node in enumerate(node for node in nodes if node != root)}
    leaving: dict[Square | None, list[int]] = {node: [] for node in nodes}
    entering: dict[Square | None, list[int]] = {node: [] for node in nodes}
    constraints = []
    for number, (origin, target) in enumerate(moves):
        leaving[origin].append(number)
        entering[target].append(number)
        if root not in (origin, target):
            # A move that is made leads to a later place; one that is not says nothing.
            terms = ((1, place[origin]), (-1, place[target]), (len(nodes), number))
            constraints.append(Constraint(terms, Relation.AT_MOST, len(nodes) - 1))
    degrees = [Constraint(_sum(some[node]), Relation.EQUAL, 1) for some in (leaving, entering) for node in nodes]
    variables = [Variable(f"move_{names[origin]}_{names[target]}") for origin, target in moves]
    variables += [Variable(f"place_{names[node]}", 1, len(nodes) - 1) for node in place]
    return Model(title(problem), tuple(variables), (*degrees, *constraints, *_impossible(problem)))


def tour_by_positions(problem: KnightTour) -> Model:
    """Return the tours by decisions alone: which square is visited at which position."""
    board, squares = problem.board, tuple(problem.board.squares())
    n, number = len(squares), {square: index for index, square in enumerate(squares)}

    def at(square: Square, position: int) -> int:
        return number[square] * n + position % n

    every = range(n)
    constraints = [Constraint(_sum(at(square, p) for p in every), Relation.EQUAL, 1) for square in squares]
    constraints += [Constraint(_sum(at(square, p) for square in squares), Relation.EQUAL, 1) for p in every]
    for position in range(n if problem.closed else n - 1):
        for square in squares:
            following = _sum(at(move, position + 1) for move in board.knight_moves(square))
            constraints.append(Constraint(((-1, at(square, position)), *following), Relation.AT_LEAST, 0))
    constraints += [Constraint(_sum([at(*fixed)]), Relation.EQUAL, 1) for fixed in fixed_positions(problem)]
    constraints += _impossible(problem)
    variables = tuple(Variable(f"step_{p}_on_{board.name(square)}") for square in squares for p in every)
    return Model(title(problem), variables, tuple(constraints))


def _impossible(problem: KnightTour) -> list[Constraint]:
    return [Constraint((), Relation.AT_LEAST, 1)] if is_too_small(problem) else []


def _sum(indices: Iterable[int]) -> Terms:
    return tuple((1, index) for index in indices)
