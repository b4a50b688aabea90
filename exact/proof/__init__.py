"""Proofs that anyone can check: certificates, made on the proving side, checked without any solver.

`certify` and `certify_list` make certificates, `save` writes them; `load` and `check` read them, `explain` prints
the proof for a person. Making is imported when it is first used, so that checking imports no solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exact.proof.archive import Certificate, load, save
from exact.proof.checker import CheckReport, answer_of, check, check_certificate
from exact.proof.claims import Claim, ClaimKind, Fault, ProofKind, sentence
from exact.proof.explaining import explain

if TYPE_CHECKING:
    from exact.proof.certifying import NotProved, certify, certify_list

__all__ = [
    "Certificate", "CheckReport", "Claim", "ClaimKind", "Fault", "NotProved", "ProofKind", "answer_of", "certify",
    "certify_list", "check", "check_certificate", "explain", "load", "save", "sentence",
]  # fmt: skip

_MAKING = frozenset({"NotProved", "certify", "certify_list"})


def __getattr__(name: str) -> Any:
    if name in _MAKING:
        from exact.proof import certifying as making

        return getattr(making, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
