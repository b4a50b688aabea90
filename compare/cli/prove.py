"""`provemate prove`: minimum, existence or non-existence, with a proof behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from compare.cli import DONE, UNDECIDED
from compare.cli import options as o
from compare.cli.output import emit, emit_json, result_lines
from compare.cli.progress import Progress
from problems import Result, Status

CertificateOption = Annotated[Path | None, typer.Option(metavar="FILE", help="write a checkable certificate here")]
ExplainOption = Annotated[
    bool, typer.Option("--explain", help="print the proof for a person (with --certificate)")
]


def prove(
    problem: o.ProblemArgument,
    instance: o.InstanceArgument,
    *,
    rule: o.RuleOption = None,
    at_most: o.AtMostOption = None,
    closed: o.ClosedOption = False,
    start: o.StartOption = None,
    end: o.EndOption = None,
    given: o.GivenOption = None,
    engine: o.EngineOption = o.Engine.AUTO,
    certificate: CertificateOption = None,
    explain: ExplainOption = False,
    time_limit: o.TimeOption = None,
    seed: o.SeedOption = 0,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Prove the minimum, or that there is an answer, or that there is none."""
    import exact
    from problems.formats import result_json

    task = o.build_problem(
        problem, instance, rule=rule, at_most=at_most, closed=closed, start=start, end=end, given=given
    )
    limits = o.build_limits(time_limit)
    with Progress(f"proving {problem.value} {instance}", quiet=quiet) as progress:
        result = exact.solve(task, engine=engine.value, limits=limits, seed=seed, watch=progress.watch)
    if json:
        emit_json(result_json(result))
    else:
        emit(result_lines(result, quiet=quiet))
    return DONE if is_decided(result) else UNDECIDED


def is_decided(result: Result) -> bool:
    """Whether the question was decided: an optimum, a solution of a yes-or-no question, or none at all."""
    if result.problem.is_optimisation:
        return result.status in (Status.OPTIMAL, Status.INFEASIBLE)
    return result.status is not Status.UNKNOWN
