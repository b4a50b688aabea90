"""Verdicts as JSON records, with the keys that `problems.formats` gives every record."""

from __future__ import annotations

from typing import Any

from compare.verify import Verdict
from problems.formats import to_json


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """Return the record of a verdict: the common keys and `remarks`."""
    return to_json(verdict.problem, verdict.answer, verdict.violations) | {
        "objective": verdict.objective,
        "bound": verdict.bound,
        "bound_source": verdict.bound_source,
        "standing": None if verdict.standing is None else verdict.standing.value,
        "gap": verdict.gap,
        "closed": verdict.closed,
        "remarks": list(verdict.remarks),
    }
