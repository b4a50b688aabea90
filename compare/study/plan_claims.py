"""A plan's claims: reading them, and what is wrong with them in view of the entries."""

from __future__ import annotations

from collections.abc import Sequence

from compare.study.plan import Claim, ClaimKind, Entry, Task
from compare.study.plan_faults import Table
from problems.errors import shown


def read_claim(table: Table, tasks: Sequence[Task]) -> Claim | None:
    """Return the claim, None if it is faulty; the faults are noted."""
    what = table.choice("what", [kind.value for kind in ClaimKind])
    # A rate may be none at all, and is 1 at most.
    value = table.share("value") if what == ClaimKind.SUCCESS_RATE.value else table.number("value")
    runs, values = table.integer("runs"), table.figures("values")
    task, against, source = table.line("task"), table.line("against"), table.line("source")
    table.finish()
    for key in ("what", "value"):
        if key not in table:
            table.fault(f"a claim without {key}")
    if task is None and len(tasks) == 1:
        task = tasks[0].name
    if task is None or all(task != known.name for known in tasks):
        table.fault(f"a claim needs the name of its task, got {shown(task)}", "task")
    if what == ClaimKind.EFFORT_RATIO.value and against is None:
        table.fault("a ratio needs against = the label of the other entry")
    if what is None or value is None or task is None:
        return None
    return Claim(ClaimKind(what), value, task, runs, values, against, source or "")


def note_unplayed(table: Table, claims: Sequence[Claim | None], entry: Entry) -> None:
    """Note a fault for every claim on a task that its entry does not play: no run would ever tell."""
    for place, claim in enumerate(claims):
        if claim is not None and claim.task not in entry.tasks:
            text = f"a claim on {shown(claim.task)}, which {shown(entry.label)} does not play"
            table.notes.add(text, *table.path, "claims", place, "task")


def against_fault(claim: Claim, entries: Sequence[Entry | None]) -> str | None:
    """Return what is wrong with the other entry of a claimed ratio, None if nothing is."""
    if claim.against is None or None in entries:
        return None
    rivals = [entry for entry in entries if entry is not None and entry.label == claim.against]
    if not rivals:
        return f"a ratio against an unknown entry {shown(claim.against)}"
    if all(claim.task not in rival.tasks for rival in rivals):
        return f"a ratio against {shown(claim.against)}, which does not play {shown(claim.task)}"
    return None
