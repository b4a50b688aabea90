"""`provemate solve`: one answer by any method, or the K-th of all, or all of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeGuard

import typer

from compare.cli import DONE, UNDECIDED
from compare.cli import options as o
from compare.cli.listing import list_all, pick, show_number
from compare.cli.output import emit, emit_json, result_lines
from compare.cli.progress import Progress
from compare.cli.prove import is_decided
from compare.cli.runs import Assignment, run_many, run_once
from problems import Answer, InputError, KnightCover, Limits, Problem, Queens
from problems.formats import Coordinates

MethodOption = Annotated[str, typer.Option(help="a method of `provemate methods`; auto: an exact one")]
EditionOption = Annotated[str | None, typer.Option(help="heuristics: printed or described")]
AllOption = Annotated[bool, typer.Option("--all", help="every answer, in order")]
IndexOption = Annotated[
    int | None, typer.Option(min=1, max=2**63 - 1, metavar="K", help="the K-th of all answers, from 1")
]
KnightsOption = Annotated[int | None, typer.Option(min=0, metavar="K", help="knights: place at most K")]
InitialOption = Annotated[str | None, typer.Option(metavar="FILE", help="heuristics: start from this state")]
RunsOption = Annotated[
    int | None,
    typer.Option(min=1, metavar="R", help="heuristics: R runs, seeds from --seed on, each with all the limits"),
]
WatchOption = Annotated[bool, typer.Option("--watch", help="heuristics: show the search as it happens")]
ForceOption = Annotated[bool, typer.Option("--force", help="heuristics: run even for an impossible target")]
ParametersOption = Annotated[
    list[str] | None, typer.Option("--parameter", metavar="NAME=VALUE", help="heuristics: set a parameter")
]
BudgetOption = Annotated[
    int | None,
    typer.Option(min=1, help="stop after so much of the work that `provemate methods` says the method counts"),
]


def solve(
    problem: o.ProblemArgument,
    instance: o.InstanceArgument,
    *,
    method: MethodOption = "auto",
    edition: EditionOption = None,
    all_: AllOption = False,
    index: IndexOption = None,
    rule: o.RuleOption = None,
    knights: KnightsOption = None,
    closed: o.ClosedOption = False,
    start: o.StartOption = None,
    end: o.EndOption = None,
    given: o.GivenOption = None,
    initial: InitialOption = None,
    coordinates: o.CoordinatesOption = None,
    parameter: ParametersOption = None,
    runs: RunsOption = None,
    watch: WatchOption = False,
    force: ForceOption = False,
    evaluations: BudgetOption = None,
    nodes: BudgetOption = None,
    time_limit: o.TimeOption = None,
    seed: o.SeedOption = 0,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Find an answer; with --all or --index, all answers or the K-th of them."""
    import heuristic.methods

    task = o.build_problem(
        problem, instance, rule=rule, at_most=None, closed=closed, start=start, end=end, given=given
    )
    task = _within(task, knights)
    limits = o.build_limits(time_limit, evaluations=evaluations, nodes=nodes)
    heuristics = {row.name for row in heuristic.methods.METHODS if isinstance(task, row.problem)}
    if method not in heuristics:
        _check_method(task, method)
        offered = {
            "--edition": edition,
            "--initial": initial,
            "--coordinates": coordinates,
            "--parameter": parameter,
            "--runs": runs,
            "--watch": watch or None,
            "--force": force or None,
            "--evaluations": evaluations,
            "--nodes": None if method == "search" else nodes,
        }
        _refuse(offered, f"with the exact method {method}")
        if all_:
            _refuse({"--index": index}, "with --all")
        if all_ or index is not None:
            _refuse({"--knights": knights}, "with --all or --index, which list the placements with the fewest")
        return _exact(task, method, limits, seed, all_=all_, index=index, json=json, quiet=quiet)
    _refuse(
        {"--all": all_ or None, "--index": index}, f"with the heuristic {method}, which has no list of answers"
    )
    if initial is None:
        _refuse({"--coordinates": coordinates}, "without --initial")
    if runs is not None:
        _refuse({"--watch": watch or None}, "with --runs")
    assignment = Assignment(
        task,
        method,
        limits=limits,
        seed=seed,
        edition=edition,
        parameters=_parameters(task, method, parameter or []),
        initial=None if initial is None else _initial(task, problem, initial, coordinates),
        force=force,
    )
    if runs is not None:
        return run_many(assignment, runs, json=json, quiet=quiet)
    return run_once(assignment, watch=watch, json=json, quiet=quiet)


def _exact(
    task: Problem,
    method: str,
    limits: Limits,
    seed: int,
    *,
    all_: bool,
    index: int | None,
    json: bool,
    quiet: bool,
) -> int:
    import exact
    from problems.formats import result_json

    if index is not None and _has_long_list(task) and method in ("auto", "search"):
        from exact.queens import solution_at

        with Progress("passing placements", quiet=quiet):
            result = solution_at(task, index, limits=limits)
        return show_number(result, result.answer, index, json=json, quiet=quiet)
    if all_ or index is not None:
        with Progress("listing", quiet=quiet):
            result = exact.enumerate_all(
                task, engine=method, limits=limits, seed=seed, keep=index or LARGEST_LISTING
            )
        return (
            list_all(result, json=json, quiet=quiet)
            if index is None
            else pick(result, index, json=json, quiet=quiet)
        )
    with Progress("solving", quiet=quiet) as progress:
        result = exact.solve(task, engine=method, limits=limits, seed=seed, watch=progress.watch)
    if json:
        emit_json(result_json(result))
    else:
        emit(result_lines(result, quiet=quiet))
    return DONE if is_decided(result) else UNDECIDED


def _has_long_list(task: Problem) -> TypeGuard[Queens]:
    """Whether the K-th answer is better found without listing all: from 13 queens on."""
    return isinstance(task, Queens) and task.n > 12


LARGEST_LISTING = 10_000_000
"""How many answers `--all` keeps at most; there are never that many on boards that can be listed."""


def _check_method(task: Problem, method: str) -> None:
    """Raise `InputError` with all names, exact and heuristic, for a method that there is not."""
    import exact.methods
    import heuristic.methods

    exact_names = [row.name for row in exact.methods.METHODS if isinstance(task, row.problem)]
    if method in ("auto", *exact_names):
        return
    names = exact_names + [row.name for row in heuristic.methods.METHODS if isinstance(task, row.problem)]
    raise InputError(f"a method for {task.name} (auto, {', '.join(names)})", repr(method), where="--method")


def _refuse(offered: Mapping[str, object], where_not: str) -> None:
    """Raise `InputError` for the first option that was given: nothing that has no effect is taken in silence."""
    for option, value in offered.items():
        if value is not None:
            raise InputError(f"no {option} {where_not}", "it" if value is True else str(value), where=option)


def _within(task: Problem, knights: int | None) -> Problem:
    if knights is None:
        return task
    if not isinstance(task, KnightCover):
        raise InputError(
            f"no --knights for {task.name}", str(knights), where="--knights", hint="it is for knights"
        )
    return replace(task, at_most=knights)


def _initial(task: Problem, name: o.ProblemName, source: str, coordinates: Coordinates | None) -> Answer:
    """Read a state to start from: it need not be right, but it must be on the board."""
    from problems.formats import read_path

    board = None if isinstance(task, Queens) and not task.n else task.board
    rule = task.rule if isinstance(task, KnightCover) else None
    reading = read_path(
        source, name.value, stream=sys.stdin.buffer, board=board, rule=rule, coordinates=coordinates
    )
    return reading.answer


def _parameters(task: Problem, method: str, settings: list[str]) -> Any:
    """Return the method's parameters with the settings applied; `InputError` names those there are."""
    import heuristic.methods
    from compare.parameters import parse

    kind = heuristic.methods.find(method, task).parameters
    return parse(kind, dict(_setting(text) for text in settings)) if settings else None


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError("NAME=VALUE", repr(text), where="--parameter")
    return name, value
