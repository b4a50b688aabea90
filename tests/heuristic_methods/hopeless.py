"""A problem for each heuristic that it works on for as long as it may, and the parameters with which it does."""

from __future__ import annotations

from typing import Any

from heuristic.knights_greedy_cover import GreedyParameters
from heuristic.methods import METHODS, HeuristicMethod
from heuristic.queens_hill_climbing import HillClimbingParameters
from heuristic.queens_steepest_ascent import SteepestAscentParameters
from heuristic.tours_warnsdorff import WarnsdorffParameters
from problems import Board, KnightCover, KnightTour, Problem, Queens

ROWS = METHODS
NAMES = [f"{row.problem.__name__}-{row.name}" for row in ROWS]

_PARAMETERS: dict[str, Any] = {
    "greedy-cover": GreedyParameters(repeats=10**9),
    "hill-climbing": HillClimbingParameters(climbs=10**9),
    "steepest-ascent": SteepestAscentParameters(climbs=10**9),
    "warnsdorff": WarnsdorffParameters("random", restarts=10**9),
}


def problem_for(row: HeuristicMethod) -> Problem:
    """Return a problem without an answer, except for the construction, which has an answer to everything."""
    if row.problem is KnightCover:
        return KnightCover(Board(8, 8), at_most=13)
    if row.problem is Queens:
        return Queens(3)
    # A start on the colour with fewer squares.
    return KnightTour(Board(20, 20)) if row.name == "divide-and-conquer" else KnightTour(Board(9, 9), start=(0, 1))


def parameters_for(row: HeuristicMethod) -> Any:
    """Return parameters with which the method does not give up by itself."""
    return _PARAMETERS.get(row.name)
