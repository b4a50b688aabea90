"""`provemate study`: run a plan, say how far it is, report it, merge stores."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compare.cli import DONE, UNDECIDED
from compare.cli import options as o
from compare.cli.output import emit, emit_json
from compare.cli.progress import Progress
from problems import InputError

if TYPE_CHECKING:
    from compare.report.data import StudyData
    from compare.study import RunEnding, Share

study_app = typer.Typer(help="Comparative studies: run, status, report, merge.")

StoreOption = Annotated[Path, typer.Option(metavar="FILE", help="the study's store (one SQLite file)")]
PlanArgument = Annotated[str, typer.Argument(metavar="PLAN", help="a TOML file, or documents, quick, speed")]
WorkersOption = Annotated[int | None, typer.Option(min=1, help="runs at a time (default: cores)")]
SchedulerOption = Annotated[str | None, typer.Option(metavar="ADDRESS", help="a Dask scheduler, tcp://host:port")]
PartOption = Annotated[
    str | None, typer.Option(metavar="I/N", help="make only part I of N; merge the stores later")
]
RedoOption = Annotated[
    list[str] | None,
    typer.Option(metavar="ENDING", help="drop failed rows of this ending and make them again: crashed, memory, …"),
]
ClusterOption = Annotated[str | None, typer.Option(metavar="NAME", help="a cluster through dask-jobqueue: slurm")]


class ReportForm(StrEnum):
    """The forms of a report."""

    HTML = "html"
    MARKDOWN = "md"
    CSV = "csv"


@study_app.command("run")
def run_study(
    plan: PlanArgument,
    *,
    store: StoreOption,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    cluster: ClusterOption = None,
    part: PartOption = None,
    redo: RedoOption = None,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Make the plan's runs that the store does not have yet; the same command goes on after any interruption."""
    from compare.study import load_plan
    from compare.study import run_study as run

    loaded = load_plan(plan)
    with Progress(f"study {loaded.title}", quiet=quiet) as progress:
        summary = run(
            loaded,
            store,
            workers=workers,
            scheduler=scheduler,
            cluster=cluster,
            share=_share(part),
            redo=_endings(redo or []),
            progress=lambda done, total: progress.say(f"{done} of {total} runs"),
        )
    if json:
        emit_json({"done": summary.done, "total": summary.total, "failed": summary.failed, "store": str(store)})
    else:
        emit([f"{loaded.title}: {summary.done} of {summary.total} runs in {store}, {summary.failed} failed"])
        if not quiet:
            emit(_side_by_side(store))
    return DONE if summary.done == summary.total or part is not None else UNDECIDED


def _share(part: str | None) -> Share:
    from compare.study import Share

    if part is None:
        return Share()
    numbers = part.split("/")
    if len(numbers) == 2 and all(number.isdecimal() and len(number) < 6 for number in numbers):
        first, parts = map(int, numbers)
        if 1 <= first <= parts:
            return Share(first, parts)
    raise InputError("a part such as 1/2", repr(part), where="--part")


def _endings(names: list[str]) -> list[RunEnding]:
    from compare.study.rows import FAILURES

    found = {ending.value: ending for ending in FAILURES}
    for name in names:
        if name not in found:
            raise InputError(f"one of {', '.join(sorted(found))}", repr(name), where="--redo")
    return [found[name] for name in names]


def _side_by_side(path: Path) -> Iterator[str]:
    """Yield a table a task: every entry's runs, successes and seconds, as a multiple of the fastest one's."""
    from compare.report.summary import summarise, times_the_fastest
    from compare.report.wording import expected, number

    summary = summarise(_loaded(path))
    width = max((len(line.entry) for line in summary.lines), default=0)
    for task in summary.data.plan.tasks:
        lines = [line for line in summary.lines if line.task == task.name]
        if not lines:
            continue
        until = "; engines: until the proof" if any(line.exact and line.minimises for line in lines) else ""
        yield f"\n{task.name} (target: {task.target}{until})"
        yield f"  {'':{width}}  {'reached':>11}  {'expected s':>24}  {'ratio':>8}  expected work"
        for line, ratio in times_the_fastest(lines):
            reached = f"{line.solved} of {line.runs}"
            work = "–"
            if line.exact and line.proved:
                value = "impossible" if line.impossible else line.proved_value
                work = f"proof of {value} in {line.proved} of {line.runs}" if value is not None else "–"
            elif line.expected_effort is not None and line.unit is not None and not line.exact:
                work = f"{expected(line.expected_effort)} {line.unit}"
            yield (f"  {line.entry:{width}}  {reached:>11}  {expected(line.done):>24}  {number(ratio):>8}  {work}")


@study_app.command("status")
def status(*, store: StoreOption, json: o.JsonOption = False) -> int:
    """Say what is done, what failed and what is left, with an estimate of the time it takes."""
    from compare.study import study_status

    found = study_status(store)
    if json:
        emit_json(found.as_dict())
    else:
        emit(found.lines())
    return DONE


@study_app.command("report")
def report(
    *,
    store: StoreOption,
    output: Annotated[
        Path | None, typer.Option(metavar="PAGE", help="write here; standard output otherwise")
    ] = None,
    form: Annotated[ReportForm, typer.Option("--format", help="html (one page), md or csv")] = ReportForm.HTML,
    check_restarts: Annotated[
        bool, typer.Option("--check-restarts", help="make fresh runs with each advised cutoff")
    ] = False,
) -> int:
    """Work the store's rows out into one self-contained page, Markdown tables, or CSV."""
    text = _rendered(store, form, check_restarts=check_restarts)
    if output is None or str(output) == "-":
        emit([text.rstrip("\n")])
        return DONE
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError("a file that can be written", error.strerror or str(error), where=str(output)) from error
    emit([f"report written: {output.resolve().as_uri()}"])
    return DONE


def _loaded(path: Path) -> StudyData:
    from compare.report.data import StudyData
    from compare.study import Store

    with Store.open(path) as store:
        rows, redone = tuple(store.rows()), len(store.redone())
        return StudyData(store.plan(), rows, store.machines(), store.optima(), redone)


def _rendered(path: Path, form: ReportForm, *, check_restarts: bool) -> str:
    from compare.report.page import render
    from compare.report.rechecks import recheck
    from compare.report.summary import summarise
    from compare.report.text import markdown, rows_csv

    data = _loaded(path)
    if form is ReportForm.CSV:
        return rows_csv(data.rows)
    summary = summarise(data, recheck if check_restarts else None)
    return render(summary) if form is ReportForm.HTML else markdown(summary)


@study_app.command("merge")
def merge(
    stores: Annotated[list[Path], typer.Argument(metavar="SOURCE…", help="stores of the same plan")],
    *,
    store: StoreOption,
) -> int:
    """Take the rows of other stores of the same plan into this one."""
    from compare.study import merge_stores

    merged = merge_stores(store, stores)
    emit([f"{merged.added} rows added, {merged.present} were there already, {merged.different} of those differ"])
    return DONE
