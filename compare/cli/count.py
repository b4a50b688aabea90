"""`provemate count`: how many answers there are, and how many up to symmetry."""

from __future__ import annotations

from typing import Annotated

import typer

from compare.cli import DONE, UNDECIDED
from compare.cli import options as o
from compare.cli.certificates import CertificateOption, certified, write
from compare.cli.output import emit, emit_json, origin
from compare.cli.progress import Progress
from compare.words import described, numbered
from problems import KnightCover, KnightTour, Result, Status

ClassesOption = Annotated[bool, typer.Option("--classes", help="also count up to the board's symmetries")]


def count(
    problem: o.ProblemArgument,
    instance: o.InstanceArgument,
    *,
    classes: ClassesOption = False,
    rule: o.RuleOption = None,
    at_most: o.AtMostOption = None,
    closed: o.ClosedOption = False,
    start: o.StartOption = None,
    end: o.EndOption = None,
    given: o.GivenOption = None,
    engine: o.EngineOption = "auto",
    certificate: CertificateOption = None,
    time_limit: o.TimeOption = None,
    seed: o.SeedOption = 0,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Count all optimal placements, all queens, or all tours (undirected unless an end is fixed)."""
    import exact
    from exact import proof
    from problems.formats import result_json

    task = o.build_problem(
        problem, instance, rule=rule, at_most=at_most, closed=closed, start=start, end=end, given=given
    )
    if certificate is not None:
        proof.check_place(certificate)
        proof.check_list(task)
    limits = o.build_limits(time_limit)
    budget = proof.Budget(limits)
    with Progress(f"counting {problem.value} {instance}", quiet=quiet):
        result = exact.enumerate_all(task, engine=engine, limits=limits, seed=seed, keep=0, classes=classes)
    if json:
        emit_json(result_json(result))
    else:
        because = [f"  {result.explanation}"] if result.explanation else []
        emit([count_line(result), *because, f"  {origin(result)}"])
    if not result.complete:
        return UNDECIDED
    if certificate is None:
        return DONE
    with Progress("writing the certificate", quiet=quiet):
        made = certified(lambda: proof.certify_list(task, limits=budget.left(), seed=seed))
    if made is None:
        return UNDECIDED
    write(made, certificate, explain=False, silent=json)
    return DONE


def count_line(result: Result) -> str:
    """Return the count in a sentence; an unfinished one is only ever called a lower bound."""
    subject = described(result.problem)
    if not result.complete:
        found = _so_far(result)
        return f"{subject}: {found} (ended by {result.ending.value}, not complete)"
    classes = "" if result.classes is None else f", {result.classes:,} up to symmetry"
    return f"{subject}: {_counted(result)}{classes}"


def _so_far(result: Result) -> str:
    """Return what a count that was cut short can say."""
    if isinstance(result.problem, KnightCover) and result.status is not Status.OPTIMAL:
        least, best = result.bound, result.objective
        return f"no count: the fewest knights are not known yet, at least {least}, {best} found"
    return "no count" if result.count is None else f"at least {_counted(result)}"


def _counted(result: Result) -> str:
    """Return the number found, and of what."""
    problem, number = result.problem, result.count or 0
    if isinstance(problem, KnightTour):
        is_directed = not problem.closed and (problem.start is not None or problem.end is not None)
        return f"{numbered(number, 'tour')}, {'directed' if is_directed else 'undirected'}"
    size = "" if result.objective is None else f" of {numbered(result.objective, 'knight')}"
    return f"{numbered(number, 'placement')}{size}"
