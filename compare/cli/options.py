"""The options that several commands share, and the problem they describe."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from problems import Board, InputError, KnightCover, KnightTour, Limits, Problem, Queens, Rule
from problems.formats import Coordinates


class ProblemName(StrEnum):
    """The problems by their name on the command line."""

    KNIGHTS = "knights"
    QUEENS = "queens"
    TOUR = "tour"


ProblemArgument = Annotated[ProblemName, typer.Argument(metavar="PROBLEM", help="knights, queens or tour")]
InstanceArgument = Annotated[str, typer.Argument(metavar="INSTANCE", help="8x8, or 8 for a square board")]
RuleOption = Annotated[Rule | None, typer.Option(help="knights: what covers a square (default: total)")]
AtMostOption = Annotated[int | None, typer.Option(min=0, help="knights: is there a placement of at most K?")]
ClosedOption = Annotated[bool, typer.Option("--closed", help="tour: return to the start")]
StartOption = Annotated[str | None, typer.Option(metavar="SQUARE", help="tour: first square, as a1 or row,col")]
EndOption = Annotated[str | None, typer.Option(metavar="SQUARE", help="tour: last square")]
GivenOption = Annotated[str | None, typer.Option(metavar="SQUARES", help="queens: queens to complete, 'a1 b3'")]
EngineOption = Annotated[
    str, typer.Option(metavar="ENGINE", help="an exact method of `provemate methods`; auto chooses and says which")
]
CoordinatesOption = Annotated[
    Coordinates | None,
    typer.Option(
        help="how squares are written: rc row,col from the top left; xy x,y from the bottom left; index row by "
        "row; names a1. They count from 0, or from 1 where only that fits; a digit says which"
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="data on standard output, nothing else there")]
TimeOption = Annotated[float | None, typer.Option("--time-limit", metavar="SECONDS", help="stop after this long")]
SeedOption = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="seed of all randomness")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="the verdict only: no board, no progress")]


def build_problem(
    name: ProblemName,
    instance: str,
    *,
    rule: Rule | None = None,
    at_most: int | None = None,
    closed: bool = False,
    start: str | None = None,
    end: str | None = None,
    given: str | None = None,
) -> Problem:
    """Return the problem that the arguments describe; `InputError` for options that do not belong to it."""
    from problems.formats import parse_instance, parse_square

    check_options(name, rule=rule, at_most=at_most, closed=closed, start=start, end=end, given=given)
    shape = parse_instance(instance, name.value)
    if not isinstance(shape, Board):
        board = Board(max(shape, 1), max(shape, 1))
        return Queens(shape, tuple(parse_square(square, board, "--given") for square in split_squares(given)))
    if name is ProblemName.KNIGHTS:
        return KnightCover(shape, rule or Rule.TOTAL, at_most)
    first = parse_square(start, shape, "--start") if start is not None else None
    last = parse_square(end, shape, "--end") if end is not None else None
    return KnightTour(shape, first, last, closed)


def check_options(
    name: ProblemName,
    *,
    rule: Rule | None = None,
    at_most: int | None = None,
    closed: bool = False,
    start: str | None = None,
    end: str | None = None,
    given: str | None = None,
) -> None:
    """Raise `InputError` for an option that belongs to another problem."""
    offered = {
        "--rule": (rule, ProblemName.KNIGHTS),
        "--at-most": (at_most, ProblemName.KNIGHTS),
        "--closed": (closed or None, ProblemName.TOUR),
        "--start": (start, ProblemName.TOUR),
        "--end": (end, ProblemName.TOUR),
        "--given": (given, ProblemName.QUEENS),
    }
    for option, (value, owner) in offered.items():
        if value is not None and owner is not name:
            hint = f"it is for {owner.value}"
            raise InputError(f"no {option} for {name.value}", str(value), where=option, hint=hint)


def split_squares(text: str | None) -> tuple[str, ...]:
    """Return the squares of a list such as 'a1 b3' or '0,1; 2,3' as texts."""
    return tuple((text or "").replace(";", " ").split())


def build_limits(time_limit: float | None, *, evaluations: int | None = None, nodes: int | None = None) -> Limits:
    """Return the limits that the options set; `InputError` for limits that are not positive."""
    if time_limit is not None and not 0 < time_limit < float("inf"):
        raise InputError("a positive number of seconds", repr(time_limit), where="--time-limit")
    return Limits(seconds=time_limit, evaluations=evaluations, nodes=nodes)
