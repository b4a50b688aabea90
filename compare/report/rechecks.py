"""Restart advice put to the test: fresh runs with the advised cutoff, seeds that the study did not use."""

from __future__ import annotations

import math

import heuristic.methods
from compare.report.data import StudyData
from compare.restarts import Advice, Checked, check
from compare.statistics import Sample
from compare.study.plan import Entry, Heuristic, RunKey, Task
from problems import Limits

RUNS = 200
"""How many fresh runs a check makes: enough for an interval of about a tenth around one half."""

_CHECK_SEED = 0


def recheck(data: StudyData, task: Task, entry: Entry, advice: Advice) -> Checked | None:
    """Return the advice held against fresh runs; None without a cutoff, or for anything but a heuristic."""
    player = entry.player
    if advice.cutoff is None or not isinstance(player, Heuristic):
        return None
    optimum = data.optima.get(task.name)
    problem = task.posed(task.goal(None if optimum is None else optimum.value))
    effort = heuristic.methods.find(player.method, problem).effort

    def rerun(cutoff: float) -> Sample:
        limits = Limits(evaluations=max(1, math.ceil(cutoff)))
        results = [
            heuristic.methods.run(
                problem,
                player.method,
                limits=limits,
                seed=data.plan.seed_of(RunKey(task.name, entry.label, entry.runs + number)),
                edition=player.edition,
                parameters=player.parameters,
            )
            for number in range(RUNS)
        ]
        work = [result.counters.as_dict().get(effort, 0) for result in results]
        return Sample.of(work, [result.answer is not None for result in results])

    return check(advice, rerun, seed=_CHECK_SEED)
