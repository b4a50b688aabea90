"""Proofs that anyone can check: certificates, made on the proving side, checked without any solver.

`certify` and `certify_list` make certificates, `save` writes them; `load` and `check` read them, `explain` prints
the proof for a person. Names are imported when they are first used: checking imports nothing of the making.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exact.proof.archive import Certificate, check_place, load, save
    from exact.proof.certifying import certify, certify_bound, certify_list, check_engine, check_list
    from exact.proof.checker import CheckReport, answer_of, check, check_certificate
    from exact.proof.claims import Claim, ClaimKind, ProofKind, problem_json, sentence
    from exact.proof.explaining import explain
    from exact.proof.linear import lower_bound
    from exact.proof.making import Budget, NotProved
    from exact.proof.reading import Fault

__all__ = [
    "Budget", "Certificate", "CheckReport", "Claim", "ClaimKind", "Fault", "NotProved", "ProofKind", "answer_of",
    "certify", "certify_bound", "certify_list", "check", "check_certificate", "check_engine", "check_list",
    "check_place", "explain", "load", "lower_bound", "problem_json", "save", "sentence",
]  # fmt: skip

_HOMES = {
    "archive": ("Certificate", "check_place", "load", "save"),
    "certifying": ("certify", "certify_bound", "certify_list", "check_engine", "check_list"),
    "checker": ("CheckReport", "answer_of", "check", "check_certificate"),
    "claims": ("Claim", "ClaimKind", "ProofKind", "problem_json", "sentence"),
    "explaining": ("explain",),
    "linear": ("lower_bound",),
    "making": ("Budget", "NotProved"),
    "reading": ("Fault",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"exact.proof.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
