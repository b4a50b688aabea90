"""What is asked and whether an answer is right. No solver, no clock, no randomness."""

from problems.board import Answer, Board, Path, Placement, Square, Symmetry, colour
from problems.errors import AmbiguousInput, InputError, UnsupportedProblem, WrongAnswer
from problems.knights import KnightCover, Rule
from problems.queens import Queens
from problems.result import (
    ARGUMENT,
    PROBLEMS,
    Counters,
    Ending,
    Improvement,
    Limits,
    Problem,
    Result,
    Status,
    Watcher,
    checked,
)
from problems.tours import KnightTour
from problems.violation import Violation

__all__ = [
    "ARGUMENT", "PROBLEMS", "AmbiguousInput", "Answer", "Board", "Counters", "Ending", "Improvement", "InputError",
    "KnightCover", "KnightTour", "Limits", "Path", "Placement", "Problem", "Queens", "Result", "Rule", "Square",
    "Status", "Symmetry", "UnsupportedProblem", "Violation", "Watcher", "WrongAnswer", "checked", "colour",
]  # fmt: skip
