"""`provemate methods`: the table of methods and what each supports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from compare.cli import DONE
from compare.cli import options as o
from compare.cli.output import emit, emit_json
from problems import KnightCover, KnightTour, Problem, Queens

_CLASSES: dict[o.ProblemName, type] = {
    o.ProblemName.KNIGHTS: KnightCover,
    o.ProblemName.QUEENS: Queens,
    o.ProblemName.TOUR: KnightTour,
}


def methods(
    problem: Annotated[
        o.ProblemName | None, typer.Argument(metavar="[PROBLEM]", help="only this problem's")
    ] = None,
    instance: Annotated[
        str | None, typer.Argument(metavar="[INSTANCE]", help="say which support this one")
    ] = None,
    *,
    rule: o.RuleOption = None,
    at_most: o.AtMostOption = None,
    closed: o.ClosedOption = False,
    start: o.StartOption = None,
    end: o.EndOption = None,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """List the methods, exact and heuristic, with editions, units of work and what they support."""
    task = None
    if problem is not None and instance is not None:
        task = o.build_problem(problem, instance, rule=rule, at_most=at_most, closed=closed, start=start, end=end)
    rows = [row for row in table(task) if problem is None or row["problem"] == problem.value]
    if json:
        emit_json(rows)
    else:
        emit([f"{row['problem']} {row['side']} {row['method']}" for row in rows] if quiet else _lines(rows))
    return DONE


def table(task: Problem | None = None) -> list[dict[str, Any]]:
    """Return a row a method; with a task, `supported` is True or the reason why not."""
    import exact.methods
    import heuristic.methods

    rows: list[dict[str, Any]] = []
    for side, entries in (("exact", exact.methods.METHODS), ("heuristic", heuristic.methods.METHODS)):
        for entry in entries:
            name = next(name for name, kind in _CLASSES.items() if kind is entry.problem)
            applies = task is not None and isinstance(task, entry.problem)
            rows.append(
                {
                    "problem": name.value,
                    "side": side,
                    "method": entry.name,
                    "editions": list(getattr(entry, "editions", ())),
                    "effort": getattr(entry, "effort", None),
                    "summary": entry.summary,
                    "supported": (entry.supports(task) or True) if applies and task is not None else None,
                }
            )
    return sorted(rows, key=lambda row: list(_CLASSES).index(o.ProblemName(row["problem"])))


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    width = max((len(row["method"]) for row in rows), default=0)
    previous = None
    for row in rows:
        if row["problem"] != previous:
            previous = row["problem"]
            yield previous
        editions = f" [{', '.join(row['editions'])}]" if row["editions"] else ""
        effort = f" (counts {row['effort']})" if row["effort"] else ""
        yield f"  {row['side']:9} {row['method']:{width}}  {row['summary']}{editions}{effort}"
        if isinstance(row["supported"], str):
            yield f"  {'':9} {'':{width}}  not for this one: {row['supported']}"
