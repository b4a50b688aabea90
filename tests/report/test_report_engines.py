"""What a report says of exact engines: proved is not reached, medians are of all runs, a wrong optimum is loud."""

from __future__ import annotations

import pytest
from report_cases import plan_of, row, study, unsolved

from compare.report.data import effort_sample, proof_sample, seconds_sample
from compare.report.page import render
from compare.report.summary import Summary, summarise, times_the_fastest
from compare.report.text import markdown
from compare.report.threats import threats
from compare.study.plan import Plan
from compare.study.rows import RunEnding, RunRow
from compare.study.store import Optimum
from problems import Improvement, Status

KNIGHTS = '{ problem = "knights", instance = "4x4" }'
SAT = '{ engine = "sat" }'
FIRST = (Improvement(1, 6, 0.25),)


def proved(plan: Plan, run: int, **facts: object) -> RunRow:
    usual = {"status": Status.OPTIMAL, "bound": 6, "solved_seconds": 0.25, "trace": FIRST, "effort": 70 + run}
    return row(plan, "sat", run, **{**usual, "effort_name": "conflicts", **facts})


def timed_out(plan: Plan, run: int, **facts: object) -> RunRow:
    """A run that had the optimal answer at once and did not prove it within its time."""
    late = {"ending": RunEnding.TIME, "seconds": 100.0, "solved_seconds": 0.25, "trace": FIRST, "bound": 5}
    return row(plan, "sat", run, **{**late, **facts})


def summary_of(plan: Plan, *rows: RunRow, optimum: int | None = 6) -> Summary:
    optima = {} if optimum is None else {plan.tasks[0].name: Optimum(optimum, "sat, run for this study")}
    return summarise(study(plan, *rows, optima=optima))


def test_one_proof_in_five_is_no_median_of_survivors() -> None:
    plan = plan_of(KNIGHTS, SAT)
    summary = summary_of(plan, proved(plan, 0), *(timed_out(plan, run) for run in range(1, 5)))
    (line,) = summary.lines
    assert (line.solved, line.proved, line.proof_seconds) == (5, 1, None)
    assert line.first_seconds == 0.25
    (sentence,) = summary.sentences
    assert "5 of 5 runs reached the target" in sentence
    assert "1 of 5 proved 6 optimal." in sentence
    assert "median" not in sentence
    assert line.par2 == pytest.approx((1.0 + 4 * 200) / 5), "a time-out with an answer is no solved run"
    text = render(summary)
    assert "sat: 1 of 5" not in text, "one engine makes no cactus"
    assert "– (1 of 5)" in text
    assert "– (1 of 5)" in markdown(summary)


def test_three_proofs_in_five_have_a_median_that_counts_the_others_as_longer() -> None:
    plan = plan_of(KNIGHTS, SAT)
    summary = summary_of(plan, *(proved(plan, run) for run in range(3)), timed_out(plan, 3), timed_out(plan, 4))
    assert summary.lines[0].proof_seconds == 3.0, "of 1, 2, 3 s and two beyond 100 s"
    assert "3 of 5 proved 6 optimal in 3 s (median)" in summary.sentences[0]


def test_engines_are_put_side_by_side_until_their_proof() -> None:
    # The one has the optimum first, the other its proof: programs that end with their proof compare with neither.
    plan = plan_of(KNIGHTS, f'{SAT}, {{ engine = "cpsat" }}')
    other = [
        row(plan, "cpsat", run, status=Status.OPTIMAL, bound=6, seconds=0.5, solved_seconds=0.4)
        for run in range(3)
    ]
    summary = summary_of(plan, *(proved(plan, run) for run in range(3)), *other)
    first, second = times_the_fastest(list(summary.lines))
    assert (first[0].entry, first[1], second[0].entry, second[1]) == ("cpsat", 1.0, "sat", pytest.approx(4.0))
    superior = {family.unit: family.comparisons[0].superiority for family in summary.families}
    assert superior == {"seconds": 1.0, "seconds to the proof": 0.0}


def test_the_cactus_counts_proofs() -> None:
    plan = plan_of(KNIGHTS, f'{SAT}, {{ engine = "cpsat" }}')
    other = [row(plan, "cpsat", run, status=Status.OPTIMAL, bound=6) for run in range(2)]
    text = render(summary_of(plan, proved(plan, 0), timed_out(plan, 1), *other))
    assert "sat: 1 of 2 solved; cpsat: 2 of 2 solved" in text


def test_proved_impossible_is_decided_and_not_reached() -> None:
    plan = plan_of('{ problem = "queens", instance = "3" }', f'{SAT}, {{ method = "min-conflicts" }}')
    none = unsolved(RunEnding.FINISHED, status=Status.INFEASIBLE)
    # Stores of earlier versions say `solved` of a proof that there is no answer.
    rows = [row(plan, "sat", run, **{**none, "solved": run % 2 == 0}) for run in range(5)]
    vain = [row(plan, "min-conflicts", run, **unsolved(RunEnding.EVALUATIONS)) for run in range(5)]
    summary = summary_of(plan, *rows, *vain, optimum=None)
    engine, heuristic = summary.lines
    assert (engine.solved, engine.proved, engine.impossible, engine.proof_seconds) == (0, 5, 5, 3.0)
    assert "0 of 5 runs reached the target" in summary.sentences[0]
    assert summary.sentences[0].endswith("5 of 5 proved that the target is impossible in 3 s (median).")
    assert any("cannot be reached, as sat proves" in threat for threat in summary.threats)
    (family,) = summary.families
    assert family.comparisons[0].superiority == 0.5, "none reached anything"
    assert heuristic.proved == 0


def test_engines_without_one_unit_of_work_have_none_and_the_report_says_why() -> None:
    plan = plan_of(KNIGHTS, SAT)
    data = study(plan, proved(plan, 0), proved(plan, 1), timed_out(plan, 2))
    assert effort_sample(plan.tasks[0], plan.entries[0], data.rows) is None
    assert summarise(data).lines[0].median_effort is None
    assert any("1 of 3 runs left no work counter" in threat for threat in threats(data))
    whole = study(plan, proved(plan, 0), proved(plan, 1))
    assert effort_sample(plan.tasks[0], plan.entries[0], whole.rows) is not None
    assert not any("work counter" in threat for threat in threats(whole))


def test_samples_tell_what_a_limit_cut_off_from_what_was_over() -> None:
    plan = plan_of(KNIGHTS, SAT)
    gone = row(plan, "sat", 3, **unsolved(RunEnding.MEMORY))
    rows = (proved(plan, 0), timed_out(plan, 1, solved=False, objective=7), gone)
    seconds, proofs = seconds_sample(rows), proof_sample(plan.tasks[0], rows)
    assert seconds is not None
    assert (seconds.solved.tolist(), seconds.over.tolist()) == ([True, False, False], [False, False, True])
    assert proofs.effort.tolist() == [1.0, 100.0, 4.0]


WRONG = [
    (8, "sat found a right answer of 6"),
    (5, "sat proves that no answer is below 6"),
]


@pytest.mark.parametrize(("stated", "why"), WRONG)
def test_an_optimum_that_a_run_disproves_is_never_believed(stated: int, why: str) -> None:
    plan = plan_of('{ problem = "knights", instance = "4x4", optimum = 8 }', SAT)
    data = study(plan, proved(plan, 0), optima={"knights 4x4": Optimum(stated, "the plan")})
    summary = summarise(data)
    assert summary.sentences[0].startswith("WRONG OPTIMUM on knights 4x4")
    assert why in summary.sentences[0]
    assert summary.threats[0] == summary.sentences[0]
    assert summary.lines[0].optimum == 6, "what was proved takes its place"
    assert summary.lines[0].gaps == (0,)


def test_without_a_proof_a_disproved_optimum_leaves_no_gaps() -> None:
    plan = plan_of('{ problem = "knights", instance = "4x4", optimum = 8 }', SAT)
    data = study(plan, timed_out(plan, 0), optima={"knights 4x4": Optimum(8, "the plan")})
    assert summarise(data).lines[0].gaps == ()
    assert "WRONG OPTIMUM" in markdown(summarise(data))
    assert "gap to" not in markdown(summarise(data))


def test_what_only_the_plan_states_is_not_called_proven() -> None:
    plan = plan_of('{ problem = "knights", instance = "4x4", optimum = 5 }', '{ method = "local-search" }')
    rows = [row(plan, "local-search", run, solved=False, ending=RunEnding.TIME) for run in range(3)]
    summary = summarise(study(plan, *rows, optima={"knights 4x4": Optimum(5, "the plan")}))
    text = render(summary)
    assert "proven optimum" not in text
    assert "optimum that the plan states 5 (the plan)" in text
    assert "gap to the optimum that the plan states 1 to 1" in summary.sentences[0]
    assert any("what the plan states: nothing here proves it" in threat for threat in summary.threats)


def test_a_proof_and_a_better_answer_are_a_contradiction() -> None:
    plan = plan_of(KNIGHTS, f'{SAT}, {{ method = "local-search" }}')
    wrong = proved(plan, 0, bound=7, objective=7)
    summary = summarise(study(plan, wrong, row(plan, "local-search", 0)))
    assert summary.sentences[0].startswith("CONTRADICTION on knights 4x4: sat proves that no answer is below 7")


def test_an_answer_to_what_is_proved_impossible_is_a_contradiction() -> None:
    plan = plan_of('{ problem = "queens", instance = "8" }', f'{SAT}, {{ method = "min-conflicts" }}')
    none = row(plan, "sat", 0, **unsolved(RunEnding.FINISHED, status=Status.INFEASIBLE))
    summary = summarise(study(plan, none, row(plan, "min-conflicts", 0, objective=None)))
    assert summary.sentences[0].startswith("CONTRADICTION on queens 8: sat proves that there is no such answer")


def test_a_minimum_that_the_study_proves_is_the_optimum_for_any_target() -> None:
    plan = plan_of('{ problem = "knights", instance = "4x4", target = "first valid" }', SAT)
    summary = summary_of(
        plan, proved(plan, 0, trace=(Improvement(1, 8, 0.1), *FIRST), solved_seconds=0.1), optimum=None
    )
    (line,) = summary.lines
    assert (line.optimum, line.first_seconds, line.median_seconds) == (6, 0.25, 0.1)
    assert not any("not proved" in threat for threat in summary.threats)
    open_ = summary_of(plan, timed_out(plan, 0), optimum=None)
    assert any("is not proved: nothing is said of gaps" in threat for threat in open_.threats)
