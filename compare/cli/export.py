"""`provemate export`: the model in a standard form, for people who have another solver."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from compare.cli import DONE
from compare.cli import options as o
from problems import InputError

FormOption = Annotated[str, typer.Option("--format", metavar="FORM", help="cnf, opb, mps or lp")]
OutputOption = Annotated[Path | None, typer.Option(metavar="FILE", help="write here instead of standard output")]


def export(
    problem: o.ProblemArgument,
    instance: o.InstanceArgument,
    *,
    form: FormOption,
    output: OutputOption = None,
    rule: o.RuleOption = None,
    at_most: o.AtMostOption = None,
    closed: o.ClosedOption = False,
    start: o.StartOption = None,
    end: o.EndOption = None,
    given: o.GivenOption = None,
) -> int:
    """Write the model as DIMACS CNF, OPB, MPS or LP; comments map its variables to squares."""
    from exact.export import Form
    from exact.export import export as model_lines

    if form not in list(Form):
        raise InputError(f"a form of model ({', '.join(Form)})", repr(form), where="--format")
    task = o.build_problem(
        problem, instance, rule=rule, at_most=at_most, closed=closed, start=start, end=end, given=given
    )
    lines = model_lines(task, Form(form))
    if output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return DONE
    try:
        with output.open("w", encoding="ascii") as stream:
            stream.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise InputError("a file that can be written", error.strerror or str(error), where=str(output)) from error
    return DONE
