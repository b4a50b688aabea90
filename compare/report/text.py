"""A report as Markdown tables, and the rows behind it as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields

from compare.report.summary import Summary
from compare.report.wording import distribution_words, expected, number, proof_words
from compare.study.rows import RunRow


def markdown(summary: Summary) -> str:
    """Return question, verdict, claims, results, comparisons and threats as Markdown."""
    return "\n".join(_markdown(summary)) + "\n"


def _markdown(summary: Summary) -> Iterator[str]:
    plan = summary.data.plan
    yield f"# {_line(plan.title)}\n\n{_line(plan.question)}\n\n## Verdict\n"
    yield from (f"- {_line(sentence)}" for sentence in summary.sentences)
    if summary.claims:
        yield "\n## Claimed and measured\n"
        yield from _table(
            ("method", "task", "figure", "claimed", "measured", "95 %", "agrees", "how", "who claims it"),
            (
                (
                    claim.entry,
                    claim.task,
                    claim.what,
                    number(claim.claimed),
                    number(claim.measured.estimate) if claim.measured else "–",
                    f"{number(claim.measured.low)} to {number(claim.measured.high)}" if claim.measured else "–",
                    {True: "yes", False: "no", None: "cannot tell"}[claim.agrees],
                    claim.remark,
                    claim.source or "–",
                )
                for claim in summary.claims
            ),
        )
    yield "\n## Results\n"
    yield from _table(
        ("task", "method", "runs", "reached", "95 %", "expected work", "expected s", "best", "proof s", "PAR-2"),
        (
            (
                line.task,
                line.entry,
                str(line.runs),
                str(line.solved),
                f"{line.success.low:.1%} to {line.success.high:.1%}",
                f"{expected(line.expected_effort)} {line.unit or ''}" if line.expected_effort else "–",
                expected(line.expected_seconds),
                "–" if line.best is None else str(line.best),
                proof_words(line),
                number(line.par2),
            )
            for line in summary.lines
        ),
    )
    for family in summary.families:
        yield f"\n## {_line(family.task)}, compared in {family.unit}\n"
        yield from _table(
            ("first", "second", "superiority", "effect", "p", "adjusted p"),
            (
                (c.first, c.second, f"{c.superiority:.3f}", c.magnitude, f"{c.p_value:.2g}", f"{c.adjusted:.2g}")
                for c in family.comparisons
            ),
        )
    yield from _growth(summary)
    yield from _restarts(summary)
    yield "\n## What threatens the validity\n"
    yield from (f"- {_line(threat)}" for threat in summary.threats or ("Nothing that the data show.",))


def _growth(summary: Summary) -> Iterator[str]:
    if summary.growth:
        yield "\n## Growth with size\n"
        yield from _table(
            ("method", "problem", "unit", "better fit", "rate", "95 %", "R²", "sizes left out: too few successes"),
            (
                (
                    growth.entry,
                    growth.problem,
                    growth.unit,
                    "size^rate" if growth.fits[0].model == "power" else "rate^size",
                    number(growth.fits[0].rate),
                    f"{number(growth.fits[0].low)} to {number(growth.fits[0].high)}",
                    f"{growth.fits[0].r_squared:.3f}",
                    ", ".join(map(str, growth.left_out)) or "–",
                )
                for growth in summary.growth
            ),
        )


def _restarts(summary: Summary) -> Iterator[str]:
    advised = [(line, line.restart) for line in summary.lines if line.restart is not None]
    if advised:
        yield "\n## Restart advice\n"
        yield from _table(
            (
                "method",
                "task",
                "rests on",
                "a restart counts as",
                "cutoff",
                "expected with it",
                "measured",
                "without",
            ),
            (
                (
                    line.entry,
                    line.task,
                    distribution_words(advice),
                    f"{number(advice.restart_work)} {line.unit}",
                    "run on" if advice.cutoff is None else number(advice.cutoff),
                    number(advice.predicted),
                    "–" if line.restart_check is None else expected(line.restart_check.measured),
                    f"{expected(advice.without)} {line.unit}",
                )
                for line, advice in advised
            ),
        )


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    heads = tuple(heads)
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(_line(cell).replace('|', chr(92) + '|') for cell in row)} |"


def _line(text: str) -> str:
    """Return the text on one line: a line break would end a heading, an item or a table."""
    return " ".join(text.split())


def rows_csv(rows: Iterable[RunRow]) -> str:
    """Return every row as CSV, one line a run with a head line; squares and counters as JSON."""
    stream = io.StringIO()
    names = [field.name for field in fields(RunRow) if field.name != "trace"]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(getattr(row, name)) for name in names])
    return stream.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, (dict, tuple)):
        return json.dumps(value, separators=(",", ":"))
    return "" if value is None else value
