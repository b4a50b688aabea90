"""Models in standard forms, for people who have another solver. Imports no solver.

A formula (DIMACS) decides a question; linear models (OPB, MPS, LP) minimise as well. Every model is complete:
its solutions are the problem's answers. Variables are named after squares, in the names or in comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from exact.export import formulas, linear, text
from problems import KnightCover, KnightTour, Problem, Queens, UnsupportedProblem


class Form(StrEnum):
    """The form of a model: DIMACS CNF, OPB (pseudo-Boolean), MPS (free form) or LP (CPLEX's)."""

    CNF = "cnf"
    OPB = "opb"
    MPS = "mps"
    LP = "lp"


MAX_SQUARES = 10_000
"""The largest board, in squares, whose cover or queens are written, and whose tours are as MPS or LP."""

MAX_POSITIONS = 400
"""The largest board, in squares, whose tours are written as CNF or OPB: the models grow with the square of it."""


def export(problem: Problem, form: Form) -> Iterator[str]:
    """Yield the lines of the problem's model in a form, without line ends.

    Raises `UnsupportedProblem` for a minimum as a formula (give `at_most`) and for boards that are too large.
    """
    _check(problem, form)
    if form is Form.CNF:
        return text.dimacs(*_formula(problem))
    model = _linear(problem, form)
    if model.constraints and not model.variables:  # no form can say that 0 is 1 without a variable
        model = replace(model, variables=(linear.Variable("unused"),))
    match form:
        case Form.OPB:
            return text.opb(model)
        case Form.MPS:
            return text.mps(model)
        case Form.LP:
            return text.lp(model)


def _formula(problem: Problem) -> formulas.Exported:
    match problem:
        case KnightCover():
            return formulas.knights(problem)
        case Queens():
            return formulas.queens(problem)
        case KnightTour():
            return formulas.tour(problem)


def _linear(problem: Problem, form: Form) -> linear.Model:
    match problem:
        case KnightCover():
            return linear.knights(problem)
        case Queens():
            return linear.queens(problem)
        case KnightTour():
            return linear.tour_by_positions(problem) if form is Form.OPB else linear.tour_by_order(problem)


def _check(problem: Problem, form: Form) -> None:
    size = problem.n**2 if isinstance(problem, Queens) else problem.board.size
    by_positions = isinstance(problem, KnightTour) and form in (Form.CNF, Form.OPB)
    most = MAX_POSITIONS if by_positions else MAX_SQUARES
    if size > most:
        hint = "take mps or lp" if by_positions and size <= MAX_SQUARES else ""
        raise UnsupportedProblem(
            f"a board of at most {most} squares for a {form} model", f"{size} squares", where="export", hint=hint
        )
    if form is Form.CNF and isinstance(problem, KnightCover) and problem.at_most is None:
        raise UnsupportedProblem(
            "a limit on the knights, since a formula cannot minimise",
            "none",
            where="--at-most",
            hint="give --at-most K, or take opb, mps or lp",
        )
