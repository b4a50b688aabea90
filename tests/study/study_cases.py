"""What several tests of studies use."""

from __future__ import annotations

import psutil

from compare.study import RunRow

KNIGHTS = """
seed = 5
runs = {runs}
[budget]
evaluations = 100_000
seconds = 30
[[tasks]]
problem = "knights"
instance = "8x8"
optimum = 14
[[entries]]
method = "genetic"
edition = "printed"
"""


def outcome(row: RunRow) -> tuple[object, ...]:
    """What a row says apart from times, memory and the machine."""
    trace = tuple((step.effort, step.value) for step in row.trace)
    return (
        row.task, row.entry, row.run, row.seed, row.status, row.ending, row.solved, row.valid, row.objective,
        row.value, row.effort, row.counters, row.answer, row.answer_digest, trace,
    )  # fmt: skip


def line(process: psutil.Process) -> list[str]:
    """Return a process's command line, nothing if it is gone."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []
