"""Standard output: JSON records and plain text for results and verdicts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from compare.verify import Standing, Verdict
from compare.words import described, numbered
from problems import Answer, KnightCover, KnightTour, Problem, Queens, Result, Status, Violation
from problems.tours import returns_to_start
from problems.violation import KINDS

_LARGEST_DRAWING = 60
"""The longest side, in squares, of a board that is drawn in the terminal."""

_LONGEST_LIST = 12
"""How many squares of a violation are named before the rest is only counted."""


def emit_json(record: Any) -> None:
    """Write one JSON value, in ASCII whatever the terminal can show, and a line break."""
    json.dump(record, sys.stdout)
    sys.stdout.write("\n")


def emit(lines: Iterable[str]) -> None:
    """Write lines of text."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def result_lines(result: Result, *, quiet: bool) -> Iterator[str]:
    """Yield a result as text: what was found, the board, its coordinates, and how it was found."""
    yield headline(result)
    if result.explanation:
        yield f"  {result.explanation}"
    shown = result.answer if result.answer is not None else result.best
    if shown is not None and not quiet:
        yield from board_lines(result.problem, shown)
    yield f"  {origin(result)}"


def headline(result: Result) -> str:
    """Return the outcome in a sentence."""
    subject = described(result.problem)
    if isinstance(result.problem, KnightCover):
        return f"{subject}: {result.status.value}{_cover_outcome(result, result.problem)}"
    tail = ""
    if result.answer is not None and isinstance(result.problem, KnightTour):
        kind = "a closed" if returns_to_start(result.answer) else "an open"
        tail = f", {kind} tour of {numbered(len(result.answer), 'square')}"
    elif result.status is Status.INFEASIBLE:
        tail = ", there is none"
    elif result.status is Status.UNKNOWN:
        tail = f", {_undecided(result)}"
    return f"{subject}: {result.status.value}{tail}"


def _cover_outcome(result: Result, problem: KnightCover) -> str:
    if result.status is Status.INFEASIBLE:
        if problem.at_most is None:
            return ", there is no such placement"
        bound = "" if result.bound is None else f": at least {result.bound} are needed"
        return f", no placement of at most {numbered(problem.at_most, 'knight')} exists{bound}"
    if result.status is Status.OPTIMAL:
        return f" {result.objective}"
    parts = []
    if result.objective is not None:
        parts.append(f"{numbered(result.objective, 'knight')} found")
    if result.bound is not None:
        parts.append(f"at least {result.bound} needed")
        if result.objective is not None:
            parts.append(f"gap {result.objective - result.bound}")
    if result.status is Status.UNKNOWN:
        parts.append(_undecided(result))
        if result.best is not None:
            parts.append(_best_state(problem, result.best))
    return f", {', '.join(parts)}" if parts else ""


def _best_state(problem: KnightCover, state: Answer) -> str:
    """Return what a state that is no answer lacks: squares uncovered, or knights too many."""
    if gaps := len(problem.gaps(state)):
        return f"best state leaves {numbered(gaps, 'square')} uncovered"
    return f"best cover has {numbered(len(set(state)), 'knight')}, {problem.at_most} are allowed"


def _undecided(result: Result) -> str:
    return f"undecided (ended: {result.ending.value})"


_SINGULARS = {
    "evolutions": "evolution",
    "iterations": "iteration",
    "steps": "step",
    "restarts": "restart",
    "evaluations": "evaluation",
    "nodes": "node",
    "branches": "branch",
    "conflicts": "conflict",
    "decisions": "decision",
    "propagations": "propagation",
    "solver_calls": "solver call",
    "cuts": "cut",
    "leaves": "leaf",
}
"""What one of each counter is."""


def origin(result: Result) -> str:
    """Return how a result was found: method, bound, work and seconds."""
    chosen = f" (chosen: {result.engine_reason})" if result.engine_reason else ""
    parts = [f"method {result.method}{chosen}"]
    if result.edition is not None:
        parts.append(f"edition {result.edition}")
    if result.bound_source:
        parts.append(f"bound from {result.bound_source}")
    parts += [numbered(value, _SINGULARS[name]) for name, value in result.counters.as_dict().items()]
    if result.seed is not None:
        parts.append(f"seed {result.seed}")
    parts.append(f"{result.seconds:.2f} s")
    return "; ".join(parts)


def drawing_lines(problem: Problem, answer: Answer) -> list[str]:
    """Return the board as drawn, none for one that is empty or too large for a terminal."""
    from problems.formats import to_text

    is_empty = isinstance(problem, Queens) and not problem.n
    if is_empty or max(problem.board.rows, problem.board.cols) > _LARGEST_DRAWING:
        return []
    return to_text(problem, answer).splitlines()


def board_lines(problem: Problem, answer: Answer) -> Iterator[str]:
    """Yield the board and its coordinates together; large boards give the coordinates of their start only."""
    from problems.formats import to_names

    if isinstance(problem, Queens) and not problem.n:
        yield "  (the empty board)"
        return
    yield from drawing_lines(problem, answer)
    squares = answer if len(answer) <= _LARGEST_DRAWING**2 else answer[:_LONGEST_LIST]
    rest = f" … {len(answer) - len(squares):,} more" if len(squares) < len(answer) else ""
    yield f"  {to_names(problem, squares)}{rest}"


def verdict_lines(verdict: Verdict, *, quiet: bool, form: str, notes: Iterable[str] = ()) -> Iterator[str]:
    """Yield a verdict as text: the judgement first, then every violation, then what else is to be said."""
    yield judgement(verdict)
    if not quiet:
        yield f"  read as: {form}"
        yield from (f"  note: {note}" for note in notes)
    yield from (f"  {line}" for line in violation_lines(verdict))
    yield from (f"  {remark}" for remark in verdict.remarks)
    if verdict.bound is not None and not quiet:
        yield f"  bound: at least {verdict.bound} ({verdict.bound_source})"


def judgement(verdict: Verdict) -> str:
    """Return the verdict in a sentence."""
    subject = described(verdict.problem)
    if not verdict.valid:
        return f"WRONG for {subject}: {numbered(len(verdict.violations), 'violation')}{_counts(verdict)}"
    if isinstance(verdict.problem, KnightTour):
        return f"VALID: {'a closed' if verdict.closed else 'an open'} tour of the {verdict.problem.board} board"
    if isinstance(verdict.problem, Queens):
        return f"VALID: {subject}, none attacks another"
    standing = {
        Standing.OPTIMAL: "optimal",
        Standing.SUBOPTIMAL: f"not optimal: {verdict.gap} more than the minimum",
        Standing.UNPROVED: f"optimality not proved (at least {verdict.bound or '?'} are needed)",
    }[verdict.standing or Standing.UNPROVED]
    return f"VALID for {subject}: {numbered(verdict.objective or 0, 'knight')}, {standing}"


def _counts(verdict: Verdict) -> str:
    """Return what a placement of knights does achieve, so that a wrong one can be told from a near miss."""
    if not isinstance(verdict.problem, KnightCover):
        return ""
    covered = verdict.problem.board.size - len(verdict.problem.gaps(verdict.answer))
    distinct = f", {verdict.objective} of them distinct" if verdict.objective != len(verdict.answer) else ""
    word = "attacked" if verdict.problem.rule.value == "total" else "covered"
    return (
        f" ({numbered(len(verdict.answer), 'knight')} given{distinct}; "
        f"{covered} of {numbered(verdict.problem.board.size, 'square')} {word})"
    )


def violation_lines(verdict: Verdict) -> Iterator[str]:
    """Yield a line a violation: its kind, its squares by name and by (row, col), its place in the answer."""
    for violation in verdict.violations[: 4 * _LONGEST_LIST]:
        yield violation_line(violation, verdict.problem)
    hidden = len(verdict.violations) - 4 * _LONGEST_LIST
    if hidden > 0:
        yield f"… and {hidden:,} more violations (--json lists all)"


def violation_line(violation: Violation, problem: Problem) -> str:
    """Return a violation as one line of text."""
    named = [_named(problem, square) for square in violation.squares[:_LONGEST_LIST]]
    hidden = len(violation.squares) - len(named)
    more = f" and {hidden:,} more" if hidden > 0 else ""
    where = f" at step {violation.position}" if _is_step(violation) else ""
    count = f" ({len(violation.squares)})" if len(violation.squares) > 2 else ""
    return f"{violation.kind}{where}: {KINDS[violation.kind]}{count}: {' '.join(named)}{more}".rstrip(": ")


def _is_step(violation: Violation) -> bool:
    return violation.position is not None and violation.kind in {"illegal-step", "repeated-step", "missing-step"}


def _named(problem: Problem, square: tuple[int, int]) -> str:
    inside = not isinstance(problem, Queens) and square in problem.board
    if isinstance(problem, Queens) and problem.n:
        inside = square in problem.board
    name = f"{problem.board.name(square)}" if inside else "off"
    return f"{name}({square[0]},{square[1]})"
