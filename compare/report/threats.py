"""What threatens the validity of a study, worked out from its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compare.report.data import StudyData, effort_sample
from compare.report.optima import alarms, optimum_of
from compare.study.plan import Budget, Program
from compare.study.rows import RunEnding, RunRow
from compare.study.targets import PLAN_SOURCE
from problems import Status

_FEW_RUNS = 20
"""With fewer runs a success rate of one half has an interval wider than 40 percentage points."""

_MORE_THAN_A_CORE = 1.3
"""A run that got more CPU time than this multiple of its wall-clock time ran on several cores."""

_IDLE_SHARE = 0.8
"""A run that got less CPU time than this share of its wall-clock time was waiting for something."""


def threats(data: StudyData) -> tuple[str, ...]:
    """Return a sentence for every threat to validity that the data show."""
    return tuple(
        sentence
        for find in (
            alarms,
            _unfinished,
            _budgets,
            _mixed,
            _few_runs,
            _busy,
            _waiting,
            _threads,
            _hosts,
            _versions,
            _optima,
            _impossible,
            _failures,
            _redone,
            _counters,
            _over_budget,
            _deterministic,
        )
        for sentence in find(data)
    )


def _unfinished(data: StudyData) -> Iterator[str]:
    missing = data.plan.size() - len(data.rows)
    if missing:
        yield f"The study is not finished: {missing} of {data.plan.size()} runs have not been made."


def _budgets(data: StudyData) -> Iterator[str]:
    for task in data.plan.tasks:
        entries = [entry for entry in data.plan.entries if task.name in entry.tasks]
        if len({entry.budget for entry in entries}) > 1:
            listed = "; ".join(f"{entry.label}: {_budget(entry.budget)}" for entry in entries)
            yield f"On {task.name} the budgets are not equal ({listed})."


def _mixed(data: StudyData) -> Iterator[str]:
    mixed = [
        task.name
        for task in data.plan.tasks
        if len({type(entry.player) for entry in data.plan.entries if task.name in entry.tasks}) > 1
    ]
    if mixed:
        yield (
            f"Engines, heuristics or outside programs meet on {', '.join(mixed)}: between them work counters do "
            "not compare, only seconds do. An outside program's seconds include its start and last until its "
            "first answer that reaches the target; an engine's last until the target, and its proof has others."
        )


def _budget(budget: Budget) -> str:
    parts = {"s": budget.seconds, "evaluations": budget.evaluations, "MiB": budget.memory}
    return ", ".join(f"{value:g} {unit}" for unit, value in parts.items() if value is not None) or "none"


def _few_runs(data: StudyData) -> Iterator[str]:
    few: dict[str, list[str]] = {}
    for task, entry in data.plan.pairs():
        if entry.runs < _FEW_RUNS:
            few.setdefault(f"{entry.label} ({entry.runs})", []).append(task.name)
    if few:
        listed = "; ".join(f"{entry} on {', '.join(tasks)}" for entry, tasks in few.items())
        yield f"Fewer than {_FEW_RUNS} runs make wide intervals: {listed}."


def _busy(data: StudyData) -> Iterator[str]:
    cores = {machine.host: machine.cores for machine in data.machines}
    busy = [row for row in data.rows if row.load is not None and row.load > cores.get(row.host, 1) + 1]
    if len(busy) * 10 > len(data.rows):
        yield (
            f"The machine was busy: during {len(busy)} of {len(data.rows)} runs more processes wanted to run than "
            "there are cores, so wall-clock times are too long."
        )


def _waiting(data: StudyData) -> Iterator[str]:
    # Programs may sleep, for all that is known here; our own methods never wait by themselves.
    ours = {entry.label for entry in data.plan.entries if not isinstance(entry.player, Program)}
    timed = [row for row in data.rows if row.entry in ours and row.cpu_seconds is not None and row.seconds > 0.5]
    waiting = [row for row in timed if (row.cpu_seconds or 0) < _IDLE_SHARE * row.seconds]
    if timed and len(waiting) * 4 > len(timed):
        yield (
            f"{len(waiting)} of {len(timed)} runs of our own methods over half a second got less than "
            f"{_IDLE_SHARE:.0%} of a core: compare CPU seconds, not wall-clock seconds."
        )


def _threads(data: StudyData) -> Iterator[str]:
    wide = {
        row.entry
        for row in data.rows
        if row.cpu_seconds is not None and row.seconds > 0.5 and row.cpu_seconds > _MORE_THAN_A_CORE * row.seconds
    }
    if wide:
        named = ", ".join(entry.label for entry in data.plan.entries if entry.label in wide)
        yield f"{named} used more than one core at a time: its wall-clock seconds do not compare with the others'."


def _hosts(data: StudyData) -> Iterator[str]:
    hosts = Counter(row.host for row in data.rows)
    if len(hosts) > 1:
        yield f"{len(hosts)} machines took part: seconds do not compare between them, work counters do."


def _versions(data: StudyData) -> Iterator[str]:
    found: dict[str, set[str]] = {}
    for machine in data.machines:
        for name, version in {"Python": machine.python, **machine.versions}.items():
            found.setdefault(name, set()).add(version)
    mixed = [f"{name} {' and '.join(sorted(versions))}" for name, versions in found.items() if len(versions) > 1]
    if mixed:
        yield f"The runs were made with different versions ({'; '.join(mixed)}): differences may be theirs."


def _optima(data: StudyData) -> Iterator[str]:
    for task in data.plan.tasks:
        optimum = optimum_of(data, task)
        if optimum is None:
            if task.problem.is_optimisation and data.of_task(task):
                yield f"The optimum on {task.name} is not proved: nothing is said of gaps there."
        elif optimum.source == PLAN_SOURCE:
            yield f"The optimum {optimum.value} on {task.name} is what the plan states: nothing here proves it."
        elif "OEIS" in optimum.source:
            yield f"The optimum {optimum.value} on {task.name} is quoted ({optimum.source}), not proved here."


def _impossible(data: StudyData) -> Iterator[str]:
    for task in data.plan.tasks:
        proofs = [row for row in data.of_task(task) if row.status is Status.INFEASIBLE]
        if proofs:
            yield (
                f"The target of {task.name} ({task.target}) cannot be reached, as {proofs[0].entry} proves: nobody"
                " succeeds there, and expected times that say 'at least' are endless."
            )


def _failures(data: StudyData) -> Iterator[str]:
    for entry in data.plan.entries:
        endings = Counter(row.ending for row in data.rows if row.entry == entry.label and row.failed)
        if endings:
            listed = ", ".join(f"{number} {ending.value}" for ending, number in endings.items())
            wrong = " Its wrong answers count as failures." if RunEnding.WRONG_ANSWER in endings else ""
            yield f"{entry.label} failed in {sum(endings.values())} runs ({listed}).{wrong}"


def _redone(data: StudyData) -> Iterator[str]:
    if data.redone:
        yield (
            f"{data.redone} failed runs were dropped on demand, to be made again: if it was the method that "
            "failed and not the machine, its rates are too good."
        )


def _counters(data: StudyData) -> Iterator[str]:
    for task, entry in data.plan.pairs():
        rows = data.pair(task, entry)
        without = [row for row in rows if row.effort is None]
        if len(without) < len(rows) and effort_sample(task, entry, rows) is None:
            why = (
                f"{len(without)} of {len(rows)} runs left no work counter"
                if without
                else "its runs count differently"
            )
            yield f"{entry.label} on {task.name} has no figures of work: {why}. Its seconds count every run."


def _over_budget(data: StudyData) -> Iterator[str]:
    for task, entry in data.plan.pairs():
        limit = entry.budget.evaluations
        if limit is None or not isinstance(entry.player, Program):
            continue
        over = [row for row in data.pair(task, entry) if row.effort is not None and row.effort > limit]
        if over:
            most = max(row.effort or 0 for row in over)
            yield (
                f"{entry.label} on {task.name} says that it used more than its budget of {limit:,} evaluations in "
                f"{len(over)} runs (up to {most:,} {over[0].effort_name})."
            )


def _deterministic(data: StudyData) -> Iterator[str]:
    for task, entry in data.plan.pairs():
        rows = data.pair(task, entry)
        # Runs that were cut off, or left nothing to tell them apart, prove nothing.
        decided = [row for row in rows if row.reached or row.status is Status.INFEASIBLE]
        told_apart = len({row.seed for row in rows}) > 1 and all(row.effort is not None for row in rows)
        if told_apart and len(decided) == len(rows) and len({_course(row) for row in rows}) == 1:
            yield (
                f"{entry.label} on {task.name} took the same course to the same answer with every seed: it seems "
                "to be deterministic there, and its runs are one observation of its work."
            )


def _course(row: RunRow) -> object:
    """Return what a run did, times aside: equal for runs of the same course."""
    return (
        row.answer_digest,
        row.effort,
        tuple(row.counters.items()),
        tuple((found.effort, found.value) for found in row.trace),
    )
