"""One self-contained HTML page from a summary: no network, light and dark, phone and print."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from compare.report import figures
from compare.report.data import (
    Kind,
    StudyData,
    effort_sample,
    is_settled,
    kind_of,
    seconds_sample,
    series_of,
    size_of,
    unit_of,
)
from compare.report.optima import optimum_of, wording
from compare.report.summary import Line, Summary, growth_points
from compare.report.wording import distribution_words, expected, number, proof_words
from compare.running_time import ExpectedTime
from compare.statistics import RunLengthDistribution, proportion, run_length_distribution
from compare.study.plan import Task
from compare.study.rows import RunRow
from problems import Board
from problems.board import Square
from problems.formats import to_svg

_LARGEST_PICTURE = 40
"""The longest side of a board that is drawn on the page, in squares."""

_COUNTED = {
    Kind.HEURISTIC: "",
    Kind.ENGINE: " until the engines' proofs",
    Kind.PROGRAM: " as the programs count them",
}
"""How a kind of players counts its work, as an addition to the unit."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its caption and the text that says the same in words."""

    svg: str
    caption: str
    alternative: str


def render(summary: Summary) -> str:
    """Return the page as text."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(
        number=number, expected=expected, proof_words=proof_words, distribution_words=distribution_words
    )
    source = resources.files("compare.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    plots = [_numbered(picture, f"p{place}") for place, picture in enumerate(_plots(summary))]
    boards = [_numbered(picture, f"b{place}") for place, picture in enumerate(_boards(summary))]
    return environment.from_string(source).render(
        summary=summary,
        plan=summary.data.plan,
        machines=summary.data.machines,
        optima={task.name: _optimum_words(summary.data, task) for task in summary.data.plan.tasks},
        plots=plots,
        boards=boards,
    )


def _optimum_words(data: StudyData, task: Task) -> str:
    optimum = optimum_of(data, task)
    return "" if optimum is None else f"; {wording(optimum)} {optimum.value} ({optimum.source})"


def _numbered(picture: Picture, prefix: str) -> Picture:
    """Give the picture ids of its own and its alternative text as the accessible name."""
    svg = re.sub(r' (role|aria-label)="[^"]*"', "", figures.namespaced(picture.svg, prefix))
    label = html.escape(picture.alternative, quote=True)
    return Picture(
        svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1), picture.caption, picture.alternative
    )


def _plots(summary: Summary) -> Iterator[Picture]:
    for task in summary.data.plan.tasks:
        yield from _run_lengths(summary.data, task)
    yield from _success_by_size(summary)
    yield from _cactus(summary)
    yield from _scaling(summary)
    yield from _gaps(summary)


def _run_lengths(data: StudyData, task: Task) -> Iterator[Picture]:
    curves: dict[tuple[str, Kind | None], dict[str, RunLengthDistribution]] = {}
    longest: dict[tuple[str, Kind | None], float] = {}
    for entry in data.plan.entries:
        rows = data.pair(task, entry) if task.name in entry.tasks else ()
        own = (unit_of(rows), kind_of(entry)), effort_sample(task, entry, rows)
        for (unit, kind), sample in (own, (("seconds", None), seconds_sample(rows))):
            if unit is not None and sample is not None and len(rows) > 1:
                curves.setdefault((unit, kind), {})[entry.label] = run_length_distribution(sample)
                longest[unit, kind] = max(longest.get((unit, kind), 0.0), float(sample.effort.max()))
    for (unit, kind), found in curves.items():
        if len(found) == 1 and all(len(curve.work) == 1 for curve in found.values()):
            continue  # one method that did the same in every run: a line, and nothing to see
        said = "; ".join(f"{label}: {_curve_words(curve, unit)}" for label, curve in found.items())
        who = "" if kind is None else _COUNTED[kind]
        yield Picture(
            figures.run_length_figure(found, unit, longest[unit, kind]),
            f"Run-length distributions on {task.name}, in {unit}{who} (Kaplan-Meier, 95 % band)",
            f"Share of runs that succeeded within a given number of {unit}{who} on {task.name}. {said}.",
        )


def _curve_words(curve: RunLengthDistribution, unit: str) -> str:
    if not len(curve.probability):
        return "no run succeeded"
    middle = curve.quantile(0.5)
    half = f"half within {number(middle)} {unit}" if middle is not None else "fewer than half succeeded"
    return f"{half}, {curve.probability[-1]:.0%} in the end"


def _lines_by_size(summary: Summary) -> dict[str, dict[str, list[tuple[int, Line]]]]:
    """Return series of tasks -> entry -> (size, line), for series of which some entry has two sizes."""
    grouped: dict[str, dict[str, list[tuple[int, Line]]]] = {}
    for line in summary.lines:
        task = summary.data.plan.task(line.task)
        grouped.setdefault(series_of(task), {}).setdefault(line.entry, []).append((size_of(task), line))
    return {
        problem: {label: sorted(found, key=lambda point: point[0]) for label, found in entries.items()}
        for problem, entries in grouped.items()
        if any(len({size for size, _ in found}) > 1 for found in entries.values())
    }


def _size_name(problem: str) -> str:
    return "queens" if problem.startswith("queens") else "squares on the board"


def _success_by_size(summary: Summary) -> Iterator[Picture]:
    for problem, entries in _lines_by_size(summary).items():
        points = {
            label: [(float(size), proportion(line.solved, line.runs)) for size, line in found]
            for label, found in entries.items()
        }
        said = "; ".join(
            f"{label}: " + ", ".join(f"{rate.estimate:.0%} at {size:g}" for size, rate in series)
            for label, series in points.items()
        )
        yield Picture(
            figures.success_figure(points, _size_name(problem)),
            f"Success rate by size, {problem}",
            f"Success rates by size for {problem}. {said}.",
        )


def _scaling(summary: Summary) -> Iterator[Picture]:
    for problem, entries in _lines_by_size(summary).items():
        by_unit: dict[tuple[str, Kind | None], dict[str, list[tuple[float, ExpectedTime]]]] = {}
        for label, found in entries.items():
            unit, series = growth_points(found)
            kind = None if unit == "seconds" else found[0][1].kind
            by_unit.setdefault((unit, kind), {})[label] = series
        for (unit, kind), points in by_unit.items():
            said = "; ".join(
                f"{label}: " + ", ".join(f"{expected(time)} at {size:g}" for size, time in series)
                for label, series in points.items()
            )
            until = "the proof" if kind is Kind.ENGINE else "success"
            yield Picture(
                figures.scaling_figure(points, _size_name(problem), unit),
                f"Expected {unit} until {until} by size, {problem} (arrows: lower bounds)",
                f"Expected {unit} until {until} by size for {problem}. {said}.",
            )


def _cactus(summary: Summary) -> Iterator[Picture]:
    lines = [line for line in summary.lines if line.exact]
    if len(lines) < 2:
        return
    times: dict[str, list[float]] = {}
    started: dict[str, int] = {}
    for line in lines:
        task = summary.data.plan.task(line.task)
        rows = summary.data.pair(task, summary.data.plan.entry(line.entry))
        times.setdefault(line.entry, []).extend(row.seconds for row in rows if is_settled(task, row))
        started[line.entry] = started.get(line.entry, 0) + len(rows)
    said = "; ".join(f"{label}: {len(solved)} of {started[label]} solved" for label, solved in times.items())
    yield Picture(
        figures.cactus_figure(times, started),
        "Cactus plot of the exact engines: how many runs each solved, to the proof, within how many seconds",
        f"Runs solved to the proof by the exact engines, by seconds. {said}.",
    )


def _gaps(summary: Summary) -> Iterator[Picture]:
    for task in summary.data.plan.tasks:
        lines = [line for line in summary.lines if line.task == task.name and line.optimum is not None]
        if not any(line.gaps and max(line.gaps) > 0 for line in lines):
            continue
        said = "; ".join(map(_gap_words, lines))
        yield Picture(
            figures.gap_figure(
                {line.entry: line.gaps for line in lines}, {line.entry: line.runs for line in lines}
            ),
            f"Gap to the {lines[0].optimum_wording} on {task.name}",
            f"How far the runs' best valid answers on {task.name} are from {lines[0].optimum}. {said}.",
        )


def _gap_words(line: Line) -> str:
    if not line.gaps:
        return f"{line.entry}: no valid answer"
    reached = sum(gap == 0 for gap in line.gaps)
    return f"{line.entry}: {reached} of {line.runs} runs at the optimum, largest gap {max(line.gaps)}"


def _boards(summary: Summary) -> Iterator[Picture]:
    """Yield for each task the best answer that some run gave, and for each entry its first wrong one."""
    data = summary.data
    for task in data.plan.tasks:
        rows = [row for row in data.rows if row.task == task.name and row.answer is not None]
        right = [row for row in rows if row.valid]
        if right:
            best = min(right, key=lambda row: (row.objective or 0, row.entry, row.run))
            yield from _board(task, best, "the best answer found")
        wrong = {row.entry: row for row in reversed(rows) if row.ending == "wrong-answer"}
        for row in wrong.values():
            yield from _board(task, row, "a wrong answer, its faults marked")


def _board(task: Task, row: RunRow, what: str) -> Iterator[Picture]:
    problem = task.problem
    board = None if problem.name == "queens" and not getattr(problem, "n", 0) else problem.board
    if board is None or row.answer is None or max(board.rows, board.cols) > _LARGEST_PICTURE:
        return
    violations = problem.violations(row.answer)
    faults = ", ".join(sorted({v.kind for v in violations})) or "no fault"
    names = " ".join(_named(board, square) for square in row.answer[:100])
    yield Picture(
        to_svg(problem, row.answer, violations),
        f"{task.name}: {what} ({row.entry}, run {row.run}, seed {row.seed})",
        f"Board of {task.name}: {what}, {len(row.answer)} squares: {names}; {faults}.",
    )


def _named(board: Board, square: Square) -> str:
    """Return a square's name, or for one off the board, which has none, its row and column."""
    return board.name(square) if square in board else f"({square[0]}, {square[1]})"
