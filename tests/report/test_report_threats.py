"""Threats to validity: said where the data show them, and not where they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_cases import MACHINE, plan_of, row, study, unsolved

from compare.report.data import start_work
from compare.report.summary import summarise
from compare.report.text import markdown
from compare.report.threats import threats
from compare.study.plan import Plan
from compare.study.rows import RunEnding, RunRow
from problems import Status

KNIGHTS = '{ problem = "knights", instance = "4x4" }'
LOCAL = '{ method = "local-search" }'
PROGRAM = '{ label = "mine", command = "nowhere/mine {seed}" }'


def said(plan: Plan, *rows: RunRow, word: str) -> list[str]:
    return [threat for threat in threats(study(plan, *rows)) if word in threat]


def test_runs_that_all_hit_their_budget_are_not_called_deterministic() -> None:
    plan = plan_of(KNIGHTS, LOCAL)
    cut = [row(plan, "local-search", run, **unsolved(RunEnding.EVALUATIONS), effort=1000) for run in range(5)]
    assert said(plan, *cut, word="one observation") == []
    same = [row(plan, "local-search", run, effort=7) for run in range(5)]
    assert len(said(plan, *same, word="one observation")) == 1
    other = [row(plan, "local-search", run, effort=7, answer_digest=str(run)) for run in range(5)]
    assert said(plan, *other, word="one observation") == []


def test_an_engine_that_takes_the_same_course_with_every_seed_is_one_observation() -> None:
    plan = plan_of(KNIGHTS, '{ engine = "sat" }')
    same = [
        row(plan, "sat", run, status=Status.OPTIMAL, effort=89, counters={"conflicts": 89}) for run in range(3)
    ]
    assert len(said(plan, *same, word="one observation")) == 1
    assert said(plan, *(replace(row, seed=1) for row in same), word="one observation") == []
    differ = [*same[:2], replace(same[2], counters={"conflicts": 90}, effort=90)]
    assert said(plan, *differ, word="one observation") == []


def test_few_runs_of_engines_are_few_runs() -> None:
    plan = plan_of(KNIGHTS, '{ engine = "sat", runs = 3 }')
    assert said(plan, word="Fewer than 20") == ["Fewer than 20 runs make wide intervals: sat (3) on knights 4x4."]


def test_several_versions_are_named() -> None:
    plan = plan_of(KNIGHTS, LOCAL)
    upgraded = replace(MACHINE, versions={"numpy": "3"})
    found = threats(study(plan, machines=(MACHINE, upgraded)))
    assert [threat for threat in found if "different versions" in threat] == [
        "The runs were made with different versions (numpy 2 and 3): differences may be theirs."
    ]
    assert not any("different versions" in threat for threat in threats(study(plan, machines=(MACHINE, MACHINE))))


def test_runs_made_again_and_budgets_overdrawn_are_told() -> None:
    plan = plan_of(KNIGHTS, PROGRAM)
    assert any("2 failed runs were dropped on demand" in threat for threat in threats(study(plan, redone=2)))
    greedy = [row(plan, "mine", run, effort=900 + 200 * run, effort_name="evaluations") for run in range(3)]
    (found,) = said(plan, *greedy, word="more than its budget")
    assert "1,000 evaluations in 2 runs (up to 1,300 evaluations)" in found


def test_only_our_own_methods_are_said_to_wait_for_a_core() -> None:
    plan = plan_of(KNIGHTS, f"{LOCAL}, {PROGRAM}")
    asleep = [row(plan, "mine", run, seconds=5.0, cpu_seconds=0.1) for run in range(5)]
    assert said(plan, *asleep, word="of a core") == []
    waiting = [row(plan, "local-search", run, seconds=5.0, cpu_seconds=0.1) for run in range(5)]
    assert len(said(plan, *waiting, *asleep, word="5 of 5 runs of our own methods")) == 1


def test_penalised_averages_are_for_engines() -> None:
    plan = plan_of(KNIGHTS, f'{PROGRAM}, {{ engine = "sat" }}')
    rows = [row(plan, name, run, status=Status.OPTIMAL) for name in ("mine", "sat") for run in (0, 1)]
    mine, sat = summarise(study(plan, *rows)).lines
    assert mine.par2 is None
    assert sat.par2 == pytest.approx(1.5)


def test_a_programs_counter_is_not_compared_with_a_heuristics() -> None:
    plan = plan_of(KNIGHTS, f"{LOCAL}, {PROGRAM}")
    rows = [
        row(plan, name, run, effort=9 + run, effort_name="steps")
        for name in ("local-search", "mine")
        for run in (0, 1)
    ]
    summary = summarise(study(plan, *rows))
    assert [family.unit for family in summary.families] == ["seconds"]
    assert any("between them work counters do not compare" in threat for threat in summary.threats)


def test_growth_keeps_rules_apart_and_names_the_sizes_it_leaves_out() -> None:
    sizes = ("4x4", "5x5", "6x6", "7x7")
    ordinary = '{ problem = "knights", rule = "ordinary", instances = ["4x4", "5x5"] }'
    plan = plan_of('{ problem = "knights", instances = ["4x4", "5x5", "6x6", "7x7"] }, ' + ordinary, LOCAL)
    work = {"4x4": 10, "5x5": 100, "6x6": 1000}
    rows = []
    for task in plan.tasks:
        for run in range(5):
            steps = work.get(task.instance, 900) * (1 if "ordinary" not in task.name else 1000) + run
            cut = unsolved(RunEnding.EVALUATIONS) if task.instance == "7x7" else {}
            rows.append(row(plan, "local-search", run, task.name, effort=steps, effort_name="steps", **cut))
    summary = summarise(study(plan, *rows))
    (growth,) = summary.growth
    assert (growth.problem, growth.left_out) == ("knights", (49,))
    assert growth.fits[0].r_squared > 0.98, "the other rule's figures are not among them"
    assert "| 49 |" in markdown(summary)
    assert len(sizes) == 4


@pytest.mark.parametrize(
    ("seconds", "worth"),
    [
        (lambda work: 0.001 * work, 1.0),  # nothing but work
        (lambda work: 0.5 + 0.001 * work, 500.0),  # a start takes as long as 500 units
        (lambda work: 0.5, None),  # time tells nothing of work
    ],
)
def test_a_restart_is_worth_the_work_that_its_time_would_do(seconds: object, worth: float | None) -> None:
    plan = plan_of(KNIGHTS, LOCAL)
    assert callable(seconds)
    rows = [
        row(plan, "local-search", run, effort=work, seconds=seconds(work)) for run, work in enumerate((3, 50, 700))
    ]
    assert start_work(rows) == (None if worth is None else pytest.approx(worth))
