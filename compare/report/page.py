"""One self-contained HTML page from a summary: no network, light and dark, phone and print."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from compare.report import figures
from compare.report.data import effort_sample, seconds_sample, size_of, unit_of
from compare.report.summary import Line, Summary, expected, growth_points, number
from compare.statistics import ExpectedTime, RunLengthDistribution, proportion, run_length_distribution
from compare.study.plan import Task
from compare.study.rows import RunRow
from problems.formats import to_svg

_LARGEST_PICTURE = 40
"""The longest side of a board that is drawn on the page, in squares."""


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
    environment.filters.update(number=number, expected=expected)
    source = resources.files("compare.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    plots = [_numbered(picture, f"p{place}") for place, picture in enumerate(_plots(summary))]
    boards = [_numbered(picture, f"b{place}") for place, picture in enumerate(_boards(summary))]
    return environment.from_string(source).render(
        summary=summary, plan=summary.data.plan, machines=summary.data.machines, plots=plots, boards=boards
    )


def _numbered(picture: Picture, prefix: str) -> Picture:
    """Give the picture ids of its own and its alternative text as the accessible name."""
    svg = re.sub(r' (role|aria-label)="[^"]*"', "", figures.namespaced(picture.svg, prefix))
    label = html.escape(picture.alternative, quote=True)
    return Picture(
        svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1), picture.caption, picture.alternative
    )


def _plots(summary: Summary) -> Iterator[Picture]:
    data = summary.data
    for task in data.plan.tasks:
        rows = {e.label: r for e in data.plan.entries if task.name in e.tasks and (r := data.pair(task, e))}
        yield from _run_lengths(task, rows)
    yield from _success_by_size(summary)
    yield from _cactus(summary)
    yield from _scaling(summary)
    yield from _gaps(summary)


def _run_lengths(task: Task, rows: dict[str, tuple[RunRow, ...]]) -> Iterator[Picture]:
    by_unit: dict[str, dict[str, RunLengthDistribution]] = {}
    longest: dict[str, float] = {}
    for label, found in rows.items():
        for unit, sample in ((unit_of(found), effort_sample(found)), ("seconds", seconds_sample(found))):
            if unit is not None and sample is not None and len(found) > 1:
                by_unit.setdefault(unit, {})[label] = run_length_distribution(sample)
                longest[unit] = max(longest.get(unit, 0.0), float(sample.effort.max()))
    for unit, curves in by_unit.items():
        said = "; ".join(f"{label}: {_curve_words(curve, unit)}" for label, curve in curves.items())
        yield Picture(
            figures.run_length_figure(curves, unit, longest[unit]),
            f"Run-length distributions on {task.name}, in {unit} (Kaplan-Meier, 95 % band)",
            f"Share of runs that succeeded within a given number of {unit} on {task.name}. {said}.",
        )


def _curve_words(curve: RunLengthDistribution, unit: str) -> str:
    if not len(curve.probability):
        return "no run succeeded"
    middle = curve.quantile(0.5)
    half = f"half within {number(middle)} {unit}" if middle is not None else "fewer than half succeeded"
    return f"{half}, {curve.probability[-1]:.0%} in the end"


def _lines_by_size(summary: Summary) -> dict[str, dict[str, list[tuple[int, Line]]]]:
    """Return problem -> entry -> (size, line), for entries with at least two sizes."""
    grouped: dict[str, dict[str, list[tuple[int, Line]]]] = {}
    for line in summary.lines:
        task = summary.data.plan.task(line.task)
        grouped.setdefault(task.problem.name, {}).setdefault(line.entry, []).append((size_of(task), line))
    return {
        problem: {label: sorted(found, key=lambda point: point[0]) for label, found in entries.items()}
        for problem, entries in grouped.items()
        if any(len({size for size, _ in found}) > 1 for found in entries.values())
    }


def _size_name(problem: str) -> str:
    return "queens" if problem == "queens" else "squares on the board"


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
        by_unit: dict[str, dict[str, list[tuple[float, ExpectedTime]]]] = {}
        for label, found in entries.items():
            unit, series = growth_points(found)
            by_unit.setdefault(unit, {})[label] = series
        for unit, points in by_unit.items():
            said = "; ".join(
                f"{label}: " + ", ".join(f"{expected(time)} at {size:g}" for size, time in series)
                for label, series in points.items()
            )
            yield Picture(
                figures.scaling_figure(points, _size_name(problem), unit),
                f"Expected {unit} by size, {problem} (arrows: lower bounds)",
                f"Expected {unit} until success by size for {problem}. {said}.",
            )


def _cactus(summary: Summary) -> Iterator[Picture]:
    lines = [line for line in summary.lines if line.exact]
    if len(lines) < 2:
        return
    times: dict[str, list[float]] = {}
    started: dict[str, int] = {}
    for line in lines:
        data = summary.data
        rows = data.pair(data.plan.task(line.task), data.plan.entry(line.entry))
        times.setdefault(line.entry, []).extend(row.seconds for row in rows if row.solved)
        started[line.entry] = started.get(line.entry, 0) + len(rows)
    said = "; ".join(f"{label}: {len(solved)} of {started[label]} solved" for label, solved in times.items())
    yield Picture(
        figures.cactus_figure(times, started),
        "Cactus plot of the exact engines: how many runs each solved within how many seconds",
        f"Runs solved by the exact engines, by seconds. {said}.",
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
            f"Gap to the proven optimum on {task.name}",
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
    names = " ".join(board.name(square) for square in row.answer[:100])
    yield Picture(
        to_svg(problem, row.answer, violations),
        f"{task.name}: {what} ({row.entry}, run {row.run}, seed {row.seed})",
        f"Board of {task.name}: {what}, {len(row.answer)} squares: {names}; {faults}.",
    )
