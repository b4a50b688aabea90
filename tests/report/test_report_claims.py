"""Claims: every run counts, what cannot tell does not tell, and the claim's source is there to read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from report_cases import plan_of, row, study, unsolved

from compare.report.claims import ClaimOutcome, judge_claims
from compare.report.summary import summarise
from compare.report.text import markdown
from compare.study.plan import Claim, ClaimKind
from compare.study.rows import RunEnding

TASK = "knights 4x4"


def judged(claim: Claim, facts: list[dict[str, Any]]) -> ClaimOutcome:
    plan = plan_of('{ problem = "knights", instance = "4x4" }', '{ label = "mine", command = "nowhere/mine" }')
    plan = replace(plan, entries=(replace(plan.entries[0], claims=(claim,)),))
    data = study(plan, *(row(plan, "mine", run, **given) for run, given in enumerate(facts)))
    assert claim.source in markdown(summarise(data))
    return judge_claims(data)[0]


def test_a_rate_is_measured_without_a_work_counter_too() -> None:
    half = [{}, unsolved(RunEnding.WRONG_ANSWER)] * 20
    outcome = judged(Claim(ClaimKind.SUCCESS_RATE, 1.0, TASK, source="the poster"), half)
    assert outcome.agrees is False
    assert outcome.measured is not None
    assert 0.3 < outcome.measured.low < outcome.measured.estimate == 0.5
    assert judged(Claim(ClaimKind.SUCCESS_RATE, 0.5, TASK), half).agrees is True
    assert judged(Claim(ClaimKind.SUCCESS_RATE, 0.0, TASK), half).agrees is False


def test_a_mean_without_any_success_cannot_be_told() -> None:
    failed = [unsolved(RunEnding.EVALUATIONS, effort=1000)] * 30
    outcome = judged(Claim(ClaimKind.MEAN_EFFORT, 1000, TASK, runs=10), failed)
    assert (outcome.agrees, outcome.remark) == (None, "none of 30 runs reached the target")


def test_a_mean_above_that_of_runs_that_were_cut_off_cannot_be_told() -> None:
    generator = np.random.default_rng(1)
    work = [{"effort": int(value)} for value in generator.geometric(0.01, 100)]
    cut = [*work, *[unsolved(RunEnding.EVALUATIONS, effort=1000)] * 3]
    assert judged(Claim(ClaimKind.MEAN_EFFORT, 900, TASK, runs=50), work).agrees is False
    assert judged(Claim(ClaimKind.MEAN_EFFORT, 900, TASK, runs=50), cut).agrees is None
    assert judged(Claim(ClaimKind.MEAN_EFFORT, 5, TASK, runs=50), cut).agrees is False


def test_a_mean_of_few_heavy_tailed_runs_is_judged_by_drawing_such_means() -> None:
    # One run in a hundred takes a million steps, the others 100: a mean of ten such runs is 100 or above 100,000.
    # Student's interval around the measured 10,099 reaches far below 0 and would hold any small mean.
    work = [{"effort": 1_000_000 if run == 0 else 100} for run in range(100)]
    assert judged(Claim(ClaimKind.MEAN_EFFORT, 100, TASK, runs=10), work).agrees is True
    assert judged(Claim(ClaimKind.MEAN_EFFORT, 3, TASK, runs=10), work).agrees is False


def test_seconds_of_another_machine_may_agree_but_not_disagree() -> None:
    times = [{"seconds": 1.0 + 0.1 * run} for run in range(20)]
    assert judged(Claim(ClaimKind.SECONDS, 2.0, TASK), times).agrees is True
    assert judged(Claim(ClaimKind.SECONDS, 30.0, TASK), times).agrees is None
