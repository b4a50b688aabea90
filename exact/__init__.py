"""Answers that come with a proof: CP-SAT, SAT and our own exact search.

The names below are loaded when they are first used: checking a certificate needs none of them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exact.dispatch import AUTO, ENGINES, Question, choose, enumerate_all, solve
    from exact.methods import METHODS, ExactMethod, find

__all__ = [
    "AUTO", "ENGINES", "METHODS", "ExactMethod", "Question", "choose", "enumerate_all", "find", "solve",
]  # fmt: skip

_METHODS = frozenset({"METHODS", "ExactMethod", "find"})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("exact.methods" if name in _METHODS else "exact.dispatch"), name)
