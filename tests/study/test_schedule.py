from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from compare.study import RunKey, Share, parse_plan
from compare.study.schedule import Schedule

PLAN = parse_plan(
    """
seed = 1
[budget]
seconds = 1
[[tasks]]
problem = "queens"
instances = ["8", "9"]
[[entries]]
engine = "sat"
runs = 40
[[entries]]
engine = "cpsat"
runs = 10
"""
)
ALL = {RunKey(task.name, entry.label, run) for task, entry in PLAN.pairs() for run in range(entry.runs)}


@given(st.sets(st.sampled_from(sorted(ALL))), st.lists(st.integers(1, 30), min_size=1), st.randoms())
def test_every_run_that_is_not_done_comes_once(done: set[RunKey], sizes: list[int], chance: object) -> None:
    schedule, made = Schedule(PLAN, done), []
    for step in range(1000):
        if not schedule:
            break
        task, entry, runs = schedule.take(lambda task, entry, step=step: sizes[step % len(sizes)])
        kept = [run for run in runs if chance.random() < 0.7]  # type: ignore[attr-defined]
        made += [RunKey(task.name, entry.label, run) for run in kept]
        schedule.give_back(task, entry, set(runs) - set(kept))
    assert sorted(made) == sorted(ALL - done)


def test_entries_take_turns_in_proportion() -> None:
    schedule, seen = Schedule(PLAN, ()), Counter[str]()
    for _ in range(50):
        _, entry, runs = schedule.take(lambda task, entry: 1)
        seen[entry.label] += len(runs)
    assert seen == {"sat": 40, "cpsat": 10}


def test_shares_are_a_partition() -> None:
    parts = [len(Schedule(PLAN, (), Share(part, 3))) for part in (1, 2, 3)]
    assert sum(parts) == len(ALL)
    assert min(parts) > 0
