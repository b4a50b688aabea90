"""A report as Markdown tables, and the rows behind it as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields

from compare.report.summary import Summary, expected, number
from compare.study.rows import RunRow


def markdown(summary: Summary) -> str:
    """Return question, verdict, claims, results, comparisons and threats as Markdown."""
    return "\n".join(_markdown(summary)) + "\n"


def _markdown(summary: Summary) -> Iterator[str]:
    plan = summary.data.plan
    yield f"# {plan.title}\n\n{plan.question}\n\n## Verdict\n"
    yield from (f"- {sentence}" for sentence in summary.sentences)
    if summary.claims:
        yield "\n## Claimed and measured\n"
        yield from _table(
            ("method", "task", "figure", "claimed", "measured", "95 %", "agrees", "how"),
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
                number(line.proof_seconds),
                number(line.par2),
            )
            for line in summary.lines
        ),
    )
    for family in summary.families:
        yield f"\n## {family.task}, compared in {family.unit}\n"
        yield from _table(
            ("first", "second", "superiority", "effect", "p", "adjusted p"),
            (
                (c.first, c.second, f"{c.superiority:.3f}", c.magnitude, f"{c.p_value:.2g}", f"{c.adjusted:.2g}")
                for c in family.comparisons
            ),
        )
    yield "\n## What threatens the validity\n"
    yield from (f"- {threat}" for threat in summary.threats or ("Nothing that the data show.",))


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    heads = tuple(heads)
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


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
