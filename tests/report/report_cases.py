"""Studies made by hand for the tests of reports: a plan's text, and rows with only what matters written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compare.report.data import StudyData
from compare.study.machine import Machine
from compare.study.plan import Plan
from compare.study.plan_reading import parse_plan
from compare.study.players import Programs
from compare.study.rows import RunEnding, RunRow
from compare.study.store import Optimum
from problems import Status

SIX = ((1, 1), (1, 2), (1, 3), (2, 1), (3, 0), (3, 1))
"""Six knights that attack all of the 4x4 board: as few as can."""

MACHINE = Machine("host", "Linux", "cpu", 2, 1000, "CPython 3.11", {"numpy": "2"}, 0.1)

HEAD = """
title = "By hand"
seed = 1
runs = 5
budget = { seconds = 100, evaluations = 1000 }
"""


def plan_of(tasks: str, entries: str) -> Plan:
    """Return the plan of these tasks and entries; its programs need not be there, nor its optimum be right."""
    return parse_plan(f"{HEAD}tasks = [{tasks}]\nentries = [{entries}]\n", programs=Programs.MAY_BE_MISSING)


def row(plan: Plan, entry: str, run: int, task: str = "", **facts: Any) -> RunRow:
    """Return a row of a run that reached its target with the answer SIX, except for the facts given."""
    usual: dict[str, Any] = {
        "status": Status.FEASIBLE,
        "ending": RunEnding.FINISHED,
        "seconds": 1.0 + run,
        "solved": True,
        "valid": True,
        "objective": 6,
        "answer": SIX,
        "answer_digest": "six",
        "cpu_seconds": 1.0,
        "load": 0.5,
    }
    return RunRow(
        task=task or plan.tasks[0].name, entry=entry, run=run, seed=100 + run, host="host", **{**usual, **facts}
    )


def unsolved(ending: RunEnding, **facts: Any) -> dict[str, Any]:
    """Return the facts of a run without an answer."""
    nothing = {"valid": None, "objective": None, "answer": None, "answer_digest": None}
    return {"ending": ending, "status": Status.UNKNOWN, "solved": False, **nothing, **facts}


def study(plan: Plan, *rows: RunRow, optima: Mapping[str, Optimum] | None = None, **facts: Any) -> StudyData:
    """Return the study with these rows."""
    return StudyData(plan, rows, facts.pop("machines", (MACHINE,)), optima or {}, **facts)
