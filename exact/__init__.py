"""Answers that come with a proof: CP-SAT, SAT and our own exact search."""

from exact.dispatch import AUTO, ENGINES, Question, choose, enumerate_all, solve
from exact.methods import METHODS, ExactMethod, find

__all__ = [
    "AUTO", "ENGINES", "METHODS", "ExactMethod", "Question", "choose", "enumerate_all", "find", "solve",
]  # fmt: skip
