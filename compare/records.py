"""Verdicts as JSON records, with the keys that `problems.formats` gives every record."""

from __future__ import annotations

from typing import Any

from compare.verify import Verdict
from problems.formats import Reading, to_json


def verdict_record(verdict: Verdict, reading: Reading | None = None) -> dict[str, Any]:
    """Return the record of a verdict: the common keys, `remarks`, and how the text was read.

    `form` and `notes` are those of the reading; None and empty where no text was read.
    """
    return to_json(verdict.problem, verdict.answer, verdict.violations) | {
        "objective": verdict.objective,
        "bound": verdict.bound,
        "bound_source": verdict.bound_source,
        "standing": None if verdict.standing is None else verdict.standing.value,
        "gap": verdict.gap,
        "closed": verdict.closed,
        "remarks": list(verdict.remarks),
        "form": None if reading is None else reading.form,
        "notes": [] if reading is None else list(reading.notes),
    }
