"""All answers, or the K-th of them: boards and coordinates together, nothing scrolled away."""

from __future__ import annotations

import pydoc
import sys
from collections.abc import Iterator

from compare.cli import DONE, UNDECIDED
from compare.cli.output import board_lines, emit, emit_json
from compare.words import described
from problems import Answer, InputError, Result


def list_all(result: Result, *, json: bool, quiet: bool) -> int:
    """Show every answer: JSON as data, paged on a terminal, plain otherwise; when quiet, their number only."""
    from problems.formats import result_json

    if json:
        emit_json(result_json(result))
    elif quiet:
        emit([_summary(result)])
    elif sys.stdout.isatty():
        pydoc.pager("\n".join(_lines(result)))
    else:
        emit(_lines(result))
    return DONE if result.complete else UNDECIDED


def pick(result: Result, index: int, *, json: bool, quiet: bool) -> int:
    """Show the answer with this 1-based number in sorted order; `InputError` if there are fewer."""
    if len(result.answers) < index and result.complete:
        numbers = f"a number from 1 to {result.count}" if result.count else "no number, since there is no answer"
        raise InputError(numbers, str(index), where="--index")
    answer = result.answers[index - 1] if index <= len(result.answers) else None
    return show_number(result, answer, index, json=json, quiet=quiet)


def show_number(result: Result, answer: Answer | None, index: int, *, json: bool, quiet: bool) -> int:
    """Show one answer of an enumeration with its number; say so if a limit was reached before it."""
    from problems.formats import result_json, to_json

    if json:
        shown = {} if answer is None else to_json(result.problem, answer)
        about_the_answer = ("answer", "objective", "valid", "violations", "closed")
        emit_json(result_json(result) | {key: value for key, value in shown.items() if key in about_the_answer})
    elif answer is None:
        emit([f"{described(result.problem)}: number {index} was not reached (ended by {result.ending.value})"])
    else:
        emit([f"{described(result.problem)}: number {index}{_of(result)}"])
        emit(() if quiet else board_lines(result.problem, answer))
    return UNDECIDED if answer is None else DONE


def _of(result: Result) -> str:
    return f" of {result.count}" if result.complete else ""


def _lines(result: Result) -> Iterator[str]:
    for number, answer in enumerate(result.answers, 1):
        yield f"number {number}{_of(result)}"
        yield from board_lines(result.problem, answer)
        yield ""
    yield _summary(result)


def _summary(result: Result) -> str:
    if result.complete:
        return f"{described(result.problem)}: {result.count} in all"
    found = "" if result.count is None else f"; {result.count:,} found"
    return f"{described(result.problem)}: the list is not complete (ended by {result.ending.value}{found})"
