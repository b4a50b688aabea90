"""Restart advice put to the test: fresh runs with the advised cutoff, seeds that the study did not use."""

from __future__ import annotations

import math
from dataclasses import replace

from compare.report.data import StudyData, effort_sample
from compare.restarts import Advice, Checked, check
from compare.statistics import Sample
from compare.study.batch import run_batch
from compare.study.jobs import Batch
from compare.study.plan import Entry, Heuristic, RunKey, Task
from compare.study.rows import RunRow

RUNS = 200
"""How many fresh runs a check makes: enough for an interval of about a tenth around one half."""

_BATCH_SECONDS = 30.0
_CHECK_SEED = 0


def recheck(data: StudyData, task: Task, entry: Entry, advice: Advice) -> Checked | None:
    """Return the advice held against fresh runs; None without a cutoff, or for anything but a heuristic.

    The runs are made as the study's are, in killable children within the entry's own seconds and memory. None
    as well where they leave no work counter.
    """
    if advice.cutoff is None or not isinstance(entry.player, Heuristic):
        return None
    optimum = data.optima.get(task.name)
    goal = task.goal(None if optimum is None else optimum.value)
    cut = replace(entry, budget=replace(entry.budget, evaluations=max(1, math.ceil(advice.cutoff))))
    numbers = range(entry.runs, entry.runs + RUNS)
    seeds = {number: data.plan.seed_of(RunKey(task.name, entry.label, number)) for number in numbers}
    rows: list[RunRow] = []
    while left := sorted(seeds.keys() - {row.run for row in rows}):
        pairs = tuple((number, seeds[number]) for number in left)
        rows += run_batch(Batch(task, goal, cut, pairs, _BATCH_SECONDS)).rows
    sample = effort_sample(task, cut, rows)

    def rerun(cutoff: float) -> Sample:
        assert sample is not None
        return sample

    return None if sample is None else check(advice, rerun, seed=_CHECK_SEED)
