from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from study_cases import KNIGHTS, outcome

from compare.study import (
    Plan,
    RunEnding,
    RunKey,
    Share,
    Store,
    improvements_frame,
    merge_stores,
    parse_plan,
    read_runs,
    run_study,
    runs_frame,
    study_status,
)
from compare.study.lock import exclusive
from problems import InputError, Status

MIXED = """
title = "Heuristics, engines and programs together"
seed = 11
runs = 6
[budget]
seconds = 20
evaluations = 100_000
[[tasks]]
problem = "knights"
instance = "8x8"
target = "optimum"
optimum = 14
[[tasks]]
problem = "queens"
instance = "8"
[[tasks]]
problem = "tour"
instance = "6x6"
start = "c5"
[[entries]]
method = "genetic"
edition = "printed"
tasks = ["knights 8x8"]
[[entries]]
engine = "sat"
runs = 2
tasks = ["queens 8"]
[[entries]]
method = "greedy"
runs = 3
tasks = ["tour 6x6 from c5"]
[[entries]]
label = "program"
command = "echo 'a1 b5 c8 d6 e3 f7 g2 h4'"
runs = 2
tasks = ["queens 8"]
"""


def test_all_kinds_of_entries_leave_their_rows_and_tables(store_path: Path) -> None:
    plan, seen = parse_plan(MIXED), []
    summary = run_study(plan, store_path, progress=lambda done, total: seen.append((done, total)))
    assert (summary.total, summary.done, summary.made, summary.failed) == (13, 13, 13, 0)
    assert seen[-1] == (13, 13)
    rows = read_runs(store_path)
    assert [row.key for row in rows] == [
        key for task, entry in plan.pairs() for key in sorted(
            row.key for row in rows if (row.task, row.entry) == (task.name, entry.label)
        )
    ]  # fmt: skip
    assert all(row.solved and row.valid and row.ending is RunEnding.FINISHED for row in rows)
    assert all(row.seed == plan.seed_of(row.key) for row in rows)
    knights = [row for row in rows if row.task == "knights 8x8"]
    assert {row.objective for row in knights} == {14}
    assert {row.effort_name for row in knights} == {"evolutions"}
    assert all(row.trace[-1].value == 64 for row in knights)
    assert {row.engine for row in rows if row.entry == "sat"} == {"sat"}
    (tour,) = {row.effort for row in rows if row.entry == "greedy"}
    assert tour == 313  # the document's static order, in visited nodes
    again = run_study(plan, store_path)
    assert (again.made, again.done) == (0, 13)
    frame = runs_frame(store_path)
    assert len(frame) == 13
    assert set(frame["kind"]) == {"heuristic", "engine", "program"}
    assert frame[frame["task"] == "knights 8x8"]["goal"].eq(14).all()
    improvements = improvements_frame(store_path)
    assert improvements.groupby(["task", "entry", "run"])["value"].apply(lambda v: v.is_monotonic_increasing).all()


def test_order_and_workers_do_not_change_the_results(knights_plan: Callable[[int], Plan], tmp_path: Path) -> None:
    plan, whole = knights_plan(12), tmp_path / "whole.sqlite"
    run_study(plan, whole, workers=2)
    first = [outcome(row) for row in read_runs(whole)]
    assert len({row[3] for row in first}) == 12
    for part in (2, 1):
        run_study(plan, tmp_path / f"part{part}.sqlite", workers=1, share=Share(part, 2))
    merged = merge_stores(tmp_path / "merged.sqlite", [tmp_path / "part1.sqlite", tmp_path / "part2.sqlite"])
    assert (merged.added, merged.present) == (12, 0)
    assert first == [outcome(row) for row in read_runs(tmp_path / "merged.sqlite")]


def test_two_studies_on_one_store_are_refused(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    with exclusive(store_path), pytest.raises(InputError, match="one that a running study holds") as caught:
        run_study(knights_plan(1), store_path)
    assert "\n" not in str(caught.value)


def test_a_goal_below_the_optimum_is_a_limit_reached_not_a_claim(store_path: Path) -> None:
    text = KNIGHTS.format(runs=2).replace("optimum = 14", "target = 13").replace("100_000", "2_000")
    run_study(parse_plan(text), store_path)
    for row in read_runs(store_path):
        assert (row.status, row.ending, row.solved) == (Status.UNKNOWN, RunEnding.EVALUATIONS, False)
        assert row.valid is False
        assert row.answer is not None
        assert row.effort == 2_000
        assert not row.failed


def test_a_proof_that_there_is_no_answer_decides_and_reaches_nothing(store_path: Path) -> None:
    text = """
    seed = 1
    runs = 1
    budget = { seconds = 20, evaluations = 100 }
    tasks = [{ problem = "queens", instance = "3" }]
    entries = [{ engine = "sat" }, { method = "min-conflicts" }]
    """
    run_study(parse_plan(text), store_path)
    engine, heuristic = read_runs(store_path)
    assert (engine.status, engine.solved, engine.answer) == (Status.INFEASIBLE, False, None)
    assert (heuristic.status, heuristic.solved) == (Status.UNKNOWN, False)


FLAKY = """
seed = 1
runs = 3
budget = {{ seconds = 60 }}
tasks = [{{ problem = "queens", instance = "8" }}]
[[entries]]
label = "flaky"
command = "sh -c 'test {{seed}} != $(cat {flag} 2>/dev/null) && echo a1 b5 c8 d6 e3 f7 g2 h4 || kill -9 $$'"
"""
"""A program that is killed in the run whose seed is in a file."""


def test_failed_runs_are_made_again_on_demand_and_only_they(store_path: Path, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    plan = parse_plan(FLAKY.format(flag=flag))
    key = RunKey("queens 8", "flaky", 1)
    flag.write_text(str(plan.seed_of(key)))
    assert run_study(plan, store_path, workers=1).failed == 1
    before = read_runs(store_path)
    assert [row.ending for row in before] == [RunEnding.FINISHED, RunEnding.CRASHED, RunEnding.FINISHED]
    flag.write_text("0")
    assert run_study(plan, store_path, workers=1).made == 0
    assert run_study(plan, store_path, workers=1, redo=[RunEnding.MEMORY]).made == 0
    again = run_study(plan, store_path, workers=1, redo=[RunEnding.CRASHED])
    assert (again.made, again.done, again.failed) == (1, 3, 0)
    after = read_runs(store_path)
    assert [after[0], after[2]] == [before[0], before[2]]
    assert (after[1].ending, after[1].seed, after[1].solved) == (RunEnding.FINISHED, before[1].seed, True)
    assert study_status(store_path).redone == 1
    with Store.open(store_path) as store:
        assert store.redone() == {key: RunEnding.CRASHED}


RUNS = 500
LONGER = (
    KNIGHTS.format(runs=RUNS)
    .replace('instance = "8x8"', 'instance = "10x10"')
    .replace("optimum = 14", "optimum = 22")
    .replace('"printed"', '"described"')
)
"""Runs of several milliseconds, so that kills find some in flight."""


def test_a_study_killed_at_random_moments_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    _killed_and_resumed(tmp_path, kills=3, workers=1)


@pytest.mark.slow
def test_a_study_killed_at_twenty_random_moments(tmp_path: Path) -> None:
    _killed_and_resumed(tmp_path, kills=20, workers=2)


def _killed_and_resumed(tmp_path: Path, *, kills: int, workers: int) -> None:
    """Kill the study, its children, or all of them, so many times while it runs; the same command goes on."""
    plan_file, store, calm = tmp_path / "plan.toml", tmp_path / "killed.sqlite", tmp_path / "calm.sqlite"
    hold = tmp_path / "hold"
    plan_file.write_text(LONGER)
    hold.touch()
    command = [sys.executable, "-c", COMMAND, str(plan_file), str(store), str(workers), str(hold)]
    chance = random.Random(kills)
    moments = sorted(chance.sample(range(RUNS - 60), kills))
    process: subprocess.Popen[bytes] | None = None
    try:
        for moment, victim in zip(moments, itertools.cycle(("study", "child", "all")), strict=False):
            process = process or subprocess.Popen(command)
            while (made := _rows_in(store)) < moment:
                assert process.poll() is None
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.02))
            children = _below(process.pid)
            for child in children if victim != "study" else []:
                _kill(child.pid)
            if victim != "child":
                _kill(process.pid)
                assert process.wait(60) in (-signal.SIGKILL, 0)
                process = None
            assert psutil.wait_procs(children, timeout=60)[1] == []
            assert _rows_in(store) >= made
        hold.unlink()
        process = process or subprocess.Popen(command)
        assert process.wait(600) == 0
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
    run_study(parse_plan(LONGER), calm, workers=workers)
    rows, undisturbed = read_runs(store), read_runs(calm)
    assert len({row.key for row in rows}) == len(rows) == RUNS
    assert [outcome(row) for row in rows] == [outcome(row) for row in undisturbed]


COMMAND = """
import os, sys, time
from compare.study import load_plan, run_study

def progress(done, total):
    while done >= total - 60 and os.path.exists(sys.argv[4]):  # until the last kill
        time.sleep(0.01)

run_study(load_plan(sys.argv[1]), sys.argv[2], workers=int(sys.argv[3]), progress=progress)
"""


def _below(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _rows_in(store: Path) -> int:
    if not store.exists() or not store.stat().st_size:
        return 0
    with contextlib.suppress(InputError), Store.open(store) as opened:  # its tables may be about to be made
        return len(opened.done())
    return 0


@pytest.mark.slow
def test_ten_thousand_short_runs_all_have_their_row(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    summary = run_study(knights_plan(10_000), store_path, workers=2)
    assert (summary.made, summary.failed) == (10_000, 0)
    rows = read_runs(store_path)
    assert [row.run for row in rows] == list(range(10_000))
    efforts = [row.effort for row in rows if row.effort is not None]
    assert 530 < sum(efforts) / 10_000 < 590  # document 1: 549 in 100 runs
