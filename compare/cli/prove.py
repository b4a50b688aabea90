"""`provemate prove`: minimum, existence or non-existence, with a proof behind it."""

from __future__ import annotations

from typing import Annotated

import typer

from compare.cli import DONE, UNDECIDED
from compare.cli import options as o
from compare.cli.certificates import CertificateOption, certified, note_kind, write
from compare.cli.output import emit, emit_json, result_lines
from compare.cli.progress import Progress
from problems import InputError, Result, Status

ExplainOption = Annotated[
    bool, typer.Option("--explain", help="print the proof for a person (with --certificate)")
]

COUNTING = "counting"
"""A kind of certificate, not an engine: the answer itself comes from whichever engine fits."""

CERTIFICATE_ENGINES = ("weights", "sat", COUNTING)
"""The values of `--engine` that force a kind of proof; with the others the simplest that works is chosen."""


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
    engine: o.EngineOption = "auto",
    certificate: CertificateOption = None,
    explain: ExplainOption = False,
    time_limit: o.TimeOption = None,
    seed: o.SeedOption = 0,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Prove the minimum, or that there is an answer, or that there is none."""
    import exact
    from exact import proof
    from problems.formats import result_json

    if explain and certificate is None:
        raise InputError(
            "--certificate with --explain", "none", where="--explain", hint="it explains the certificate"
        )
    if engine == COUNTING and certificate is None:
        raise InputError(
            "--certificate with --engine counting",
            "none",
            where="--engine",
            hint="it forces a kind of certificate",
        )

    task = o.build_problem(
        problem, instance, rule=rule, at_most=at_most, closed=closed, start=start, end=end, given=given
    )
    kind = engine if engine in CERTIFICATE_ENGINES else "auto"
    if certificate is not None:
        proof.check_place(certificate)
        proof.check_engine(task, kind)
    limits = o.build_limits(time_limit)
    budget = proof.Budget(limits)
    solver = "auto" if engine == COUNTING else engine
    with Progress(f"proving {problem.value} {instance}", quiet=quiet) as progress:
        result = exact.solve(task, engine=solver, limits=limits, seed=seed, watch=progress.watch)
    if json:
        emit_json(result_json(result))
    else:
        emit(result_lines(result, quiet=quiet))
    if not is_decided(result):
        return UNDECIDED
    if certificate is None:
        return DONE
    with Progress("writing the certificate", quiet=quiet):
        made = certified(lambda: proof.certify(task, result, engine=kind, limits=budget.left(), seed=seed))
    if made is None:
        return UNDECIDED
    write(made, certificate, explain=explain, silent=json)
    note_kind(made, kind)
    return DONE


def is_decided(result: Result) -> bool:
    """Whether the question was decided: an optimum, a solution of a yes-or-no question, or none at all."""
    if result.problem.is_optimisation:
        return result.status in (Status.OPTIMAL, Status.INFEASIBLE)
    return result.status is not Status.UNKNOWN
