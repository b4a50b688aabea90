"""The engine `weights` for knight covers, as the table of methods sees it; `exact.weights.engine` does the work.

Apart, so that listing methods does not import certificates.
"""

from __future__ import annotations

from problems import KnightCover, Limits, Problem, Result, Watcher

NAME = "weights"

MAX_SQUARES = 900
"""The largest board: beyond, not even the linear relaxation of one case is quick."""


def supports(problem: Problem) -> str | None:
    """Return None, or why the engine does not support the problem."""
    if not isinstance(problem, KnightCover):
        return f"{problem.name}, weights bound knight covers only"
    if problem.board.size > MAX_SQUARES and not problem.unreachable():
        return f"{problem.board.size} squares, more than {MAX_SQUARES}"
    return None


def solve(problem: KnightCover, *, limits: Limits, seed: int, watch: Watcher | None = None) -> Result:
    """Decide the problem by a cover and a bound made of weights; see `exact.weights.engine.solve`."""
    from exact.weights import engine

    return engine.solve(problem, limits=limits, seed=seed, watch=watch)
