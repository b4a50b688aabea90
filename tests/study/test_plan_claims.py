"""What a plan states is held against what is known before anything runs: claims, and the optimum."""

from __future__ import annotations

import pytest

from compare.study.plan_faults import PlanError
from compare.study.plan_reading import parse_plan
from compare.study.players import Programs

PLAN = """
seed = 1
runs = 5
budget = { seconds = 1 }
[[tasks]]
problem = "knights"
instance = "8x8"
[[tasks]]
problem = "knights"
instance = "10x10"
[[entries]]
method = "local-search"
tasks = ["knights 8x8"]
[[entries.claims]]
task = "knights 8x8"
what = "success-rate"
value = 0.5
[[entries]]
method = "greedy-cover"
tasks = ["knights 10x10"]
"""


def faults(old: str, new: str) -> str:
    with pytest.raises(PlanError) as caught:
        parse_plan(PLAN.replace(old, new, 1))
    return str(caught.value)


@pytest.mark.parametrize("value", ["0", "0.0", "1"])
def test_every_rate_may_be_claimed(value: str) -> None:
    assert parse_plan(PLAN.replace("0.5", value)).entries[0].claims[0].value == float(value)


@pytest.mark.parametrize("value", ["5", "-0.1", "nan", "1.01"])
def test_what_is_no_rate_is_refused(value: str) -> None:
    assert "plan:17: value: expected a number from 0 to 1" in faults("value = 0.5", f"value = {value}")


@pytest.mark.parametrize("values", ["[1, nan]", "[inf]", "[3, -4]"])
def test_what_is_no_work_is_refused(values: str) -> None:
    found = faults("value = 0.5", f"value = 0.5\nvalues = {values}")
    assert "plan:18: values: expected a list of numbers, finite and 0 or more" in found


def test_a_claim_on_a_task_that_its_entry_does_not_play_is_refused_and_its_stored_plan_read() -> None:
    unplayed = 'task = "knights 10x10"\nwhat = "success-rate"'
    found = faults('task = "knights 8x8"\nwhat = "success-rate"', unplayed)
    assert "plan:15: a claim on 'knights 10x10', which 'local-search' does not play" in found
    text = PLAN.replace('task = "knights 8x8"\nwhat = "success-rate"', unplayed)
    assert parse_plan(text, programs=Programs.MAY_BE_MISSING).entries[0].claims[0].task == "knights 10x10"


def test_a_ratio_against_an_entry_that_plays_elsewhere_is_refused() -> None:
    found = faults('what = "success-rate"', 'what = "effort-ratio"\nagainst = "greedy-cover"')
    assert "a ratio against 'greedy-cover', which does not play 'knights 8x8'" in found


@pytest.mark.parametrize(
    ("instance", "rule", "optimum", "said"),
    [
        ("8x8", "total", 13, "has the minimum 14 (kept certificate"),
        ("8x8", "total", 18, "has the minimum 14 (kept certificate"),
        ("20x20", "total", 80, "OEIS A261752, published"),
        ("1x3", "total", 2, "no knight attacks a1"),
    ],
)
def test_an_optimum_that_is_known_to_be_another_is_refused(
    instance: str, rule: str, optimum: int, said: str
) -> None:
    stated = f'instance = "{instance}"\nrule = "{rule}"\noptimum = {optimum}'
    found = faults('instance = "8x8"', stated)
    assert "plan:9: optimum: " in found
    assert said in found


def test_the_right_optimum_and_one_that_nobody_knows_are_taken() -> None:
    assert parse_plan(PLAN.replace('instance = "8x8"', 'instance = "8x8"\noptimum = 14')).tasks[0].optimum == 14
    unknown = PLAN.replace('instance = "10x10"', 'instance = "9x23"\nname = "knights 10x10"\noptimum = 7')
    assert parse_plan(unknown).tasks[1].optimum == 7
