"""`provemate verify`: read an answer and give a verdict."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from compare.cli import DONE, WRONG
from compare.cli import options as o
from compare.cli.output import emit, emit_json, verdict_lines
from problems import InputError
from problems.formats import parse_board

SourcesArgument = Annotated[
    list[str], typer.Argument(metavar="[INSTANCE] FILE", help="the answer's file, - for standard input")
]
BoardOption = Annotated[str | None, typer.Option(metavar="RxC", help="board size, when the text does not say")]


def verify(
    problem: o.ProblemArgument,
    sources: SourcesArgument,
    *,
    rule: o.RuleOption = None,
    board: BoardOption = None,
    coordinates: o.CoordinatesOption = None,
    closed: o.ClosedOption = False,
    start: o.StartOption = None,
    end: o.EndOption = None,
    given: o.GivenOption = None,
    time_limit: o.TimeOption = None,
    seed: o.SeedOption = 0,
    json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Judge an answer: every violation, the objective, the proven bound, and where it stands."""
    from compare.bounds import PROOF_SECONDS, Effort
    from compare.records import verdict_record
    from compare.verify import verify as judge
    from problems.formats import read_path

    if len(sources) > 2:
        raise InputError("one file, or a board and a file", f"{len(sources)} arguments", where="verify")
    o.build_limits(time_limit)
    o.check_options(problem, rule=rule, closed=closed, start=start, end=end, given=given)
    size = sources[0] if len(sources) == 2 else board
    if len(sources) == 2 and board is not None:
        raise InputError("one board", f"{sources[0]} and --board {board}", where="verify", hint="drop one of them")
    reading = read_path(
        sources[-1],
        problem.value,
        stream=sys.stdin.buffer,
        board=None if size is None else parse_board(size, "--board"),
        rule=rule,
        coordinates=coordinates,
        closed=closed or None,
        start=start,
        end=end,
        given=o.split_squares(given),
    )
    effort = Effort(PROOF_SECONDS if time_limit is None else time_limit, seed)
    verdict = judge(reading.problem, reading.answer, found=reading.violations, effort=effort)
    if json:
        emit_json(verdict_record(verdict, reading))
    else:
        emit(verdict_lines(verdict, quiet=quiet, form=reading.form, notes=reading.notes))
    return DONE if verdict.valid else WRONG
