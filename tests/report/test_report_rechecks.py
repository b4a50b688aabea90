"""Advice is put to the test as the study's runs are made: in killable children, within the entry's own budget."""

from __future__ import annotations

import pytest
from report_cases import study

from compare.report import rechecks
from compare.restarts import Advice
from compare.running_time import ExpectedTime
from compare.study.batch import run_batch
from compare.study.jobs import Batch, BatchResult
from compare.study.plan import RunKey
from compare.study.plan_reading import parse_plan

PLAN = """
seed = 1
runs = 4
budget = { seconds = 7, memory = 900, evaluations = 5000 }
tasks = [{ problem = "queens", instance = "8" }]
entries = [{ method = "min-conflicts" }, { engine = "sat" }]
"""


def advice(cutoff: float | None) -> Advice:
    without = ExpectedTime(60, 50, 70, False)
    predicted = None if cutoff is None else 50.0
    return Advice("lognormal", (), {}, 0.01, True, cutoff, predicted, without, 1.0)


def test_fresh_runs_are_made_in_children_within_the_entrys_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Batch] = []

    def spy(batch: Batch) -> BatchResult:
        made.append(batch)
        # As if the batch's time were over after three runs: the rest is asked for again.
        return run_batch(
            batch if len(made) > 1 else Batch(batch.task, batch.goal, batch.entry, batch.runs[:3], 5.0)
        )

    monkeypatch.setattr(rechecks, "RUNS", 8)
    monkeypatch.setattr(rechecks, "run_batch", spy)
    plan = parse_plan(PLAN)
    task, entry = plan.tasks[0], plan.entries[0]
    outcome = rechecks.recheck(study(plan), task, entry, advice(24.5))
    assert outcome is not None
    assert outcome.measured.estimate > 0
    assert [len(batch.runs) for batch in made] == [8, 5]
    budget = made[0].entry.budget
    assert (budget.seconds, budget.memory, budget.evaluations) == (7, 900, 25)
    assert made[0].runs == tuple(
        (number, plan.seed_of(RunKey(task.name, entry.label, number))) for number in range(4, 12)
    )


def test_nothing_is_run_without_a_cutoff_or_for_an_engine() -> None:
    plan = parse_plan(PLAN)
    assert rechecks.recheck(study(plan), plan.tasks[0], plan.entries[0], advice(None)) is None
    assert rechecks.recheck(study(plan), plan.tasks[0], plan.entries[1], advice(25.0)) is None
