"""Children: values, reports, limits, crashes; whatever happens, none is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from exact.child import Job, cores, run_job, run_jobs
from problems import Ending, InputError, Limits

FOREVER = 60.0


def job(name: str, *arguments: Any) -> Job:
    return Job(f"engine_jobs:{name}", arguments)


@pytest.fixture(autouse=True)
def _no_child_is_left() -> Iterator[None]:
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    yield
    assert {process.pid for process in psutil.Process().children(recursive=True)} <= before


def test_values_come_in_the_order_of_the_jobs() -> None:
    messages: list[Any] = []
    outcomes = run_jobs(
        [job("double", n) for n in range(5)],
        limits=Limits(),
        on_report=lambda index, message: messages.append((index, message)),
    )
    assert [outcome.value for outcome in outcomes] == [0, 2, 4, 6, 8]
    assert {outcome.ending for outcome in outcomes} == {Ending.FINISHED}
    assert sorted(messages) == [(n, ("doubling", n)) for n in range(5)]


def test_no_jobs_no_outcomes() -> None:
    assert run_jobs([], limits=Limits()) == ()


def test_many_reports_arrive_whole_and_in_order() -> None:
    seen: list[int] = []
    assert run_job(job("report_many", 20_000), limits=Limits(), on_report=seen.append).ending is Ending.FINISHED
    assert seen == list(range(20_000))


def test_a_time_limit_kills_the_child_and_the_jobs_that_wait() -> None:
    outcomes = run_jobs([job("sleep", FOREVER)] * 3, limits=Limits(seconds=0.5), workers=2)
    assert [outcome.ending for outcome in outcomes] == [Ending.TIME] * 3
    assert all(outcome.value is None for outcome in outcomes)


def test_a_kill_reaches_the_childs_own_children() -> None:
    pids: list[int] = []

    def stop_at_once(pid: int) -> bool:
        pids.append(pid)
        return True

    outcome = run_job(job("sleep_with_grandchild", FOREVER), limits=Limits(), on_report=stop_at_once)
    assert outcome.ending is Ending.CANCELLED
    assert_gone(pids[0])


def test_a_listener_ends_the_rest_and_finished_jobs_keep_their_values() -> None:
    outcomes = run_jobs(
        [job("double", 1), job("double", 2), job("sleep", FOREVER)],
        limits=Limits(),
        workers=1,
        on_report=lambda index, _: index == 2,
    )
    assert [outcome.ending for outcome in outcomes] == [Ending.FINISHED, Ending.FINISHED, Ending.CANCELLED]
    assert [outcome.value for outcome in outcomes] == [2, 4, None]


def test_nothing_is_heard_after_the_report_that_ends_the_call() -> None:
    seen: list[int] = []

    def stop_at_the_second(number: int) -> bool:
        seen.append(number)
        # Meanwhile the child says all the rest, so that the parent then reads it in one piece.
        time.sleep(0 if number else 0.5)
        return number == 1

    outcome = run_job(job("report_many", 3), limits=Limits(), on_report=stop_at_the_second)
    assert seen == [0, 1]
    assert outcome.ending is Ending.CANCELLED


def test_a_memory_limit() -> None:
    outcome = run_job(job("fill_memory"), limits=Limits(memory=200))
    assert outcome.ending is Ending.MEMORY
    assert "200 MiB" in str(outcome.error)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("fail", "ZeroDivisionError: no luck"),
        ("fail_with_what_does_not_pickle", "Sticky"),
        ("die", ""),
        ("there_is_no_such_function", "AttributeError"),
    ],
)
def test_crashes_are_outcomes(name: str, said: str) -> None:
    first, second = run_jobs([job(name), job("double", 4)], limits=Limits())
    assert first.ending is Ending.CRASHED
    assert said in str(first.error)
    assert second.value == 8


def test_bad_input_is_raised_here() -> None:
    with pytest.raises(InputError, match="here: expected a word, got a number; write it out"):
        run_jobs([job("sleep", FOREVER), job("refuse")], limits=Limits(), workers=2)


def test_a_listener_that_fails_leaves_no_child() -> None:
    def fail(_: object) -> None:
        raise KeyError("listener")

    with pytest.raises(KeyError, match="listener"):
        run_job(job("sleep", FOREVER), limits=Limits(), on_report=fail)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")
def test_children_die_with_a_parent_that_is_killed() -> None:
    program = (
        "from engine_jobs import wait_in_a_child_of_ours\n"
        "wait_in_a_child_of_ours(lambda pid: print(pid, flush=True))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        parent.send_signal(signal.SIGKILL)
    assert_gone(pid)


def assert_gone(pid: int) -> None:
    deadline = time.monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, f"process {pid} is still there"
        time.sleep(0.01)


def test_there_is_a_core() -> None:
    assert cores() >= 1
