"""What a run's row says: reached is not decided, and the target is reached when it is reached first."""

from __future__ import annotations

import pytest

from compare.study.jobs import Batch
from compare.study.judging import Used, row_of_failure, row_of_result
from compare.study.plan import Plan
from compare.study.plan_reading import parse_plan
from compare.study.rows import RunEnding, RunRow
from problems import Counters, Ending, Improvement, Result, Status

PLAN = """
seed = 1
runs = 1
budget = {{ seconds = 9 }}
tasks = [{{ problem = "knights", instance = "4x4", target = {target} }}]
entries = [{{ engine = "sat" }}, {{ method = "local-search" }}]
"""
SIX = ((1, 1), (1, 2), (1, 3), (2, 1), (3, 0), (3, 1))
SEVEN = (*SIX, (0, 0))


def batch(target: str, goal: int | None, entry: int) -> Batch:
    plan: Plan = parse_plan(PLAN.format(target=target))
    return Batch(plan.tasks[0], goal, plan.entries[entry], ((0, 1),), 5.0)


def finished(made: Batch, status: Status, bound: int | None, *trace: Improvement) -> RunRow:
    answer = None if status is Status.INFEASIBLE else SIX
    result = Result(
        method="any", problem=made.task.problem, status=status, ending=Ending.FINISHED, seconds=8.0, trace=trace,
        answer=answer, objective=None if answer is None else 6, bound=bound,
        counters=Counters(conflicts=500, steps=90),
    )  # fmt: skip
    unit = "conflicts" if made.entry.label == "sat" else "steps"
    return row_of_result(made, 0, 1, result, unit, Used(8.0))


IMPROVEMENTS = (Improvement(1, 9, 0.5), Improvement(2, 7, 1.0), Improvement(3, 6, 2.0))


@pytest.mark.parametrize(
    ("target", "goal", "seconds"), [('"optimum"', 6, 2.0), ('"optimum + 1"', 7, 1.0), ('"first valid"', None, 0.5)]
)
def test_an_engine_reaches_its_target_before_its_proof(target: str, goal: int | None, seconds: float) -> None:
    row = finished(batch(target, goal, 0), Status.OPTIMAL, 6, *IMPROVEMENTS)
    assert (row.reached, row.solved_seconds, row.seconds) == (True, seconds, 8.0)
    assert (row.effort, row.solved_effort) == (500, None), "its improvements are no work"


def test_a_method_that_goes_on_has_its_first_valid_answer_when_it_had_it() -> None:
    row = finished(batch('"first valid"', None, 1), Status.FEASIBLE, None, *IMPROVEMENTS)
    assert (row.solved_seconds, row.solved_effort, row.effort) == (0.5, 1, 90)
    ended = row_of_failure(
        batch('"first valid"', None, 1), 0, 1, RunEnding.TIME, "9 s", Used(9.3), best=SIX, trace=IMPROVEMENTS
    )
    assert (ended.solved_seconds, ended.solved_effort, ended.effort, ended.effort_name) == (0.5, 1, 3, "steps")


def test_a_method_that_is_given_a_limit_may_count_something_else_than_knights() -> None:
    # Values below the goal are uncovered squares, say: the run ends when the goal is reached.
    few_gaps = (Improvement(5, 4, 0.1), Improvement(60, 0, 7.0))
    row = finished(batch('"optimum"', 6, 1), Status.FEASIBLE, None, *few_gaps)
    assert (row.solved_seconds, row.solved_effort) == (8.0, 90)


def test_proved_impossible_is_decided_and_not_reached() -> None:
    row = finished(batch("5", 5, 0), Status.INFEASIBLE, 6)
    assert (row.solved, row.reached, row.solved_seconds) == (False, False, None)
    assert row.is_over


def test_an_engine_that_is_killed_leaves_no_work_in_another_unit() -> None:
    row = row_of_failure(
        batch('"optimum"', 6, 0), 0, 1, RunEnding.TIME, "9 s", Used(9.3), best=SEVEN, trace=IMPROVEMENTS
    )
    assert (row.effort, row.effort_name, row.solved_effort) == (None, None, None)
    reached = row_of_failure(
        batch('"optimum"', 6, 0), 0, 1, RunEnding.TIME, "9 s", Used(9.3), best=SIX, trace=IMPROVEMENTS
    )
    assert (reached.reached, reached.solved_seconds) == (True, 2.0)


@pytest.mark.parametrize(
    ("ending", "over"),
    [
        (RunEnding.TIME, False),
        (RunEnding.EVALUATIONS, False),
        (RunEnding.NODES, False),
        (RunEnding.FINISHED, True),
        (RunEnding.MEMORY, True),
        (RunEnding.CRASHED, True),
        (RunEnding.WRONG_ANSWER, True),
        (RunEnding.NO_ANSWER, True),
        (RunEnding.UNREADABLE, True),
        (RunEnding.OUTPUT_LIMIT, True),
    ],
)
def test_only_limits_on_the_work_leave_it_open_what_more_work_would_bring(ending: RunEnding, over: bool) -> None:
    row = row_of_failure(batch('"optimum"', 6, 1), 0, 1, ending, "", Used(1.0))
    assert row.is_over is over
