from __future__ import annotations

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
    Share,
    Store,
    improvements_frame,
    merge_stores,
    parse_plan,
    read_runs,
    run_study,
    runs_frame,
)
from compare.study.lock import exclusive
from compare.study.processes import MARK_VARIABLE
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
    plan, paths = knights_plan(12), [tmp_path / f"{n}.sqlite" for n in range(3)]
    run_study(plan, paths[0], workers=1)
    run_study(plan, paths[1], workers=2)
    first = [outcome(row) for row in read_runs(paths[0])]
    assert first == [outcome(row) for row in read_runs(paths[1])]
    assert len({row[3] for row in first}) == 12
    for part in (2, 1):
        run_study(plan, tmp_path / f"part{part}.sqlite", workers=1, share=Share(part, 2))
    merged = merge_stores(paths[2], [tmp_path / "part1.sqlite", tmp_path / "part2.sqlite"])
    assert (merged.added, merged.present) == (12, 0)
    assert first == [outcome(row) for row in read_runs(paths[2])]


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


KILLS = 3
RUNS = 500


def test_a_study_killed_at_random_moments_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    _killed_and_resumed(tmp_path, KILLS)


@pytest.mark.slow
def test_a_study_killed_at_twenty_random_moments(tmp_path: Path) -> None:
    _killed_and_resumed(tmp_path, 20)


def _killed_and_resumed(tmp_path: Path, kills: int) -> None:
    """Kill the study, a child of it, or both, so many times; each time the same command goes on."""
    plan_file, store, calm = tmp_path / "plan.toml", tmp_path / "killed.sqlite", tmp_path / "calm.sqlite"
    plan_file.write_text(KNIGHTS.format(runs=RUNS))
    plan = parse_plan(plan_file.read_text())
    chance, made = random.Random(kills), [0]
    for victim in itertools.islice(itertools.cycle(("study", "child", "both")), kills):
        process = subprocess.Popen([sys.executable, "-c", COMMAND, str(plan_file), str(store)])
        time.sleep(chance.uniform(0.1, 3.0))
        children = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        for child in children if victim in ("child", "both") else []:
            with_signal(child.pid, signal.SIGKILL)
        if victim in ("study", "both"):
            with_signal(process.pid, signal.SIGKILL)
        else:
            assert process.wait(120) == 0
        process.wait()
        _wait_until_gone(children)
        made.append(_rows_in(store))
    assert made == sorted(made)
    assert subprocess.run([sys.executable, "-c", COMMAND, str(plan_file), str(store)], check=False).returncode == 0
    run_study(plan, calm)
    rows, undisturbed = read_runs(store), read_runs(calm)
    assert [row.key for row in rows] == [row.key for row in undisturbed]
    assert len({row.key for row in rows}) == len(rows) == RUNS
    assert [outcome(row) for row in rows] == [outcome(row) for row in undisturbed]


COMMAND = """
import sys
from compare.study import load_plan, run_study
run_study(load_plan(sys.argv[1]), sys.argv[2])
"""


def with_signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _rows_in(store: Path) -> int:
    if not store.exists() or not store.stat().st_size:
        return 0
    with Store.open(store) as opened:
        return len(opened.done())


def _wait_until_gone(children: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(children, timeout=10)
    assert [process for process in alive if MARK_VARIABLE in process.environ()] == []
