"""The table of commands."""

from __future__ import annotations

import typer

from compare.cli.check import check
from compare.cli.count import count
from compare.cli.export import export
from compare.cli.methods import methods
from compare.cli.prove import prove
from compare.cli.solve import solve
from compare.cli.study import study_app
from compare.cli.verify import verify

app = typer.Typer(
    name="provemate",
    help="Is a heuristic's answer right, is it optimal, how far off is it? Exact search decides.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (prove, count, solve, verify, check, methods, export):
    app.command()(command)
app.add_typer(study_app, name="study")
