from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from misbehaving_methods import EIGHT, ROW

from compare.study import RunEnding, RunRow, parse_plan
from compare.study.batch import GRACE_SECONDS, run_batch
from compare.study.jobs import Batch
from heuristic import methods
from problems import InputError, Status

SECONDS = 0.7
"""The limit where the limit is what a test is about; elsewhere it is PATIENCE, which a busy machine keeps."""
PATIENCE = 120.0


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(methods, "METHODS", (*methods.METHODS, ROW))
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import misbehaving_methods\nmisbehaving_methods.install()\n")
    monkeypatch.syspath_prepend(folder)
    yield
    assert [p for p in psutil.Process().children(recursive=True) if "compare.study.child" in p.cmdline()] == []


def batch_of(
    kind: str, *, runs: int = 1, seconds: float = PATIENCE, budget: str = "", flag: Path | str = ""
) -> Batch:
    plan = parse_plan(
        f"""
        seed = 1
        runs = {runs}
        [[tasks]]
        problem = "queens"
        instance = "8"
        [[entries]]
        method = "misbehaving"
        parameters = {{ kind = "{kind}", flag = "{flag}" }}
        budget = {{ evaluations = 1000, seconds = {seconds}{budget} }}
        """
    )
    seeds = tuple((run, run) for run in range(runs))
    return Batch(plan.tasks[0], None, plan.entries[0], seeds, seconds=600)


def play(
    kind: str, *, runs: int = 1, seconds: float = PATIENCE, budget: str = "", flag: Path | str = ""
) -> list[RunRow]:
    return list(run_batch(batch_of(kind, runs=runs, seconds=seconds, budget=budget, flag=flag)).rows)


def test_good_runs_share_a_child() -> None:
    rows = play("well", runs=5)
    assert [(row.run, row.ending, row.solved, row.effort) for row in rows] == [
        (run, RunEnding.FINISHED, True, 3) for run in range(5)
    ]
    assert all(row.answer == EIGHT and row.effort_name == "steps" for row in rows)


def test_native_code_that_cannot_be_interrupted_is_ended_with_its_best() -> None:
    (row,) = play("hang", seconds=SECONDS)
    assert (row.ending, row.status, row.solved) == (RunEnding.TIME, Status.FEASIBLE, True)
    assert row.answer == EIGHT
    assert [(step.effort, step.value) for step in row.trace] == [(3, 8)]
    assert row.reason == f"{SECONDS:g} s, and it did not end by itself"
    assert row.seconds < SECONDS + GRACE_SECONDS + wakeup_seconds()


def wakeup_seconds() -> float:
    """Return how late this machine may wake a sleeper, and half a second for what there is to do."""
    worst = 0.0
    for _ in range(50):
        began = time.monotonic()
        time.sleep(0.002)
        worst = max(worst, time.monotonic() - began)
    return 0.5 + 20 * worst


def test_a_crash_is_a_row_and_the_batch_goes_on() -> None:
    rows = play("segfault", runs=4)
    assert [row.ending for row in rows] == [RunEnding.FINISHED, RunEnding.CRASHED] * 2
    assert rows[1].reason.startswith("killed by SIGSEGV")
    assert not rows[1].solved


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is watched through /proc")
def test_memory_is_limited() -> None:
    (row,) = play("eat", budget=", memory = 300")
    assert (row.ending, row.solved) == (RunEnding.MEMORY, False)
    assert row.reason.endswith("MiB, 300 allowed")


def test_errors_and_wrong_answers_are_rows() -> None:
    (raised,) = play("raise")
    assert (raised.ending, raised.reason) == (RunEnding.CRASHED, "RuntimeError: out of luck")
    (lied,) = play("lie")
    assert (lied.ending, lied.solved, lied.status) == (RunEnding.WRONG_ANSWER, False, Status.UNKNOWN)


def test_a_kill_from_outside_costs_one_more_try_then_it_counts(tmp_path: Path) -> None:
    (once,) = play("die once", flag=tmp_path / "flag")
    assert (once.ending, once.solved) == (RunEnding.FINISHED, True)
    (always,) = play("die")
    assert always.ending is RunEnding.CRASHED
    assert always.reason.startswith("killed from outside twice")


def test_a_batch_that_is_stopped_leaves_no_row_of_the_run_in_flight() -> None:
    stop, rows = threading.Event(), []
    thread = threading.Thread(target=lambda: rows.extend(run_batch(batch_of("hang"), None, stop).rows))
    thread.start()
    until = time.monotonic() + 120
    while not _children() and time.monotonic() < until:
        time.sleep(0.02)
    stop.set()
    thread.join(120)
    assert not thread.is_alive()
    assert rows == []


def _children() -> list[psutil.Process]:
    found = psutil.Process(os.getpid()).children()
    return [child for child in found if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


def test_a_child_that_cannot_start_ends_the_study_and_leaves_no_row(tmp_path: Path) -> None:
    (tmp_path / "site" / "sitecustomize.py").write_text("import os\nos._exit(7)\n")
    with pytest.raises(InputError, match="one that ends with code 7"):
        play("well", runs=2)


def test_a_batch_begins_no_run_after_its_time() -> None:
    batch = batch_of("well", runs=3)
    short = Batch(batch.task, None, batch.entry, batch.runs, seconds=0.0)
    assert [row.run for row in run_batch(short).rows] == [0]
