from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import psutil
import pytest
from study_cases import KNIGHTS, line, outcome

from compare.study import parse_plan, read_runs, run_study
from compare.study.batch import Sink, run_batch
from compare.study.executors import Fleet, open_fleet, slurm_cluster
from compare.study.jobs import Batch, BatchResult
from problems import InputError

distributed = pytest.importorskip("distributed")

SLOW_RUNS = 12
SLOW = (
    KNIGHTS.format(runs=40)
    + """
[[entries]]
label = "slow"
command = "sh -c 'sleep 0.4; echo done {seed}'"
"""
    + f"runs = {SLOW_RUNS}\n"
)
"""Fast runs, and slow ones of a program, so that there is something in flight when a worker dies."""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A real scheduler and two worker processes on loopback: its address and the workers."""
    file = tmp_path / "scheduler.json"
    common = ["--no-dashboard"]
    with contextlib.ExitStack() as stack:
        scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
        stack.enter_context(running([*scheduler, *common], tmp_path))
        address = wait_for(lambda: json.loads(file.read_text())["address"] if file.exists() else None)
        worker = ["dask_worker", address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", *common]
        workers = [stack.enter_context(running(worker, tmp_path)) for _ in range(2)]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, workers


@contextlib.contextmanager
def running(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    module, *options = command
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *options],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> object:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(ValueError, OSError):
            if found := condition():
                return found
        time.sleep(0.05)
    raise AssertionError("it did not come about in time")


def test_a_killed_worker_costs_nothing_but_its_runs_in_flight(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = cluster
    plan, far, here = parse_plan(SLOW), tmp_path / "far.sqlite", tmp_path / "here.sqlite"
    victims: list[subprocess.Popen[bytes]] = []
    orphans: list[psutil.Process] = []

    def kill_in_mid_study() -> None:
        wait_for(lambda: victims.extend(filter(_sleeps, workers)) or victims)
        orphans.extend(_children(victims[0]))
        victims[0].send_signal(signal.SIGKILL)

    killer = threading.Thread(target=kill_in_mid_study)
    killer.start()
    summary = run_study(plan, far, scheduler=address)
    killer.join(60)
    assert orphans
    assert victims[0].wait(10) == -signal.SIGKILL
    assert psutil.wait_procs(orphans, timeout=10)[1] == []
    assert (summary.done, summary.total) == (40 + SLOW_RUNS, 40 + SLOW_RUNS)
    run_study(plan, here, workers=2)
    assert [outcome(row) for row in read_runs(far)] == [outcome(row) for row in read_runs(here)]


def _sleeps(worker: subprocess.Popen[bytes]) -> bool:
    return any("sleep" in word for child in _children(worker) for word in line(child))


def _children(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        return []


def test_a_scheduler_that_does_not_answer_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compare.study.executors._CONNECT_SECONDS", 1)
    plan = parse_plan(KNIGHTS.format(runs=1))
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "tcp://"):
        with pytest.raises(InputError, match="expected a Dask scheduler that answers") as caught:
            run_study(plan, tmp_path / "s.sqlite", scheduler=address)
        assert "\n" not in str(caught.value)


def test_options_that_exclude_each_other() -> None:
    for options in ({"scheduler": "tcp://x:1", "cluster": "slurm"}, {"cluster": "pbs"}):
        with pytest.raises(InputError), open_fleet(**options):
            pass


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, *rest: object) -> object:
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", refuse)
    for options in ({"scheduler": "tcp://127.0.0.1:9"}, {"cluster": "slurm"}):
        with pytest.raises(InputError, match=r"pip install 'provemate\[cluster\]'"), open_fleet(**options):
            pass


def test_slurm_without_slurm_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(InputError, match="expected SLURM's sbatch on this machine"), open_fleet(cluster="slurm"):
        pass


class Workers:
    """A cluster whose worker dies under the first `deaths` batches."""

    def __init__(self, deaths: int) -> None:
        self.deaths = deaths

    def send(self, batch: Batch, sink: Sink) -> Future[BatchResult]:
        future: Future[BatchResult] = Future()
        self.deaths -= 1
        if self.deaths >= 0:
            future.set_exception(RuntimeError("the worker died"))
        else:
            future.set_result(run_batch(batch, sink))
        return future

    @contextlib.contextmanager
    def opened(self, **options: object) -> Iterator[Fleet]:
        yield Fleet(self.send, lambda: 1, 1, "a cluster")


def test_runs_of_workers_that_die_are_sent_again_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = parse_plan(KNIGHTS.format(runs=5)), tmp_path / "s.sqlite"
    monkeypatch.setattr("compare.study.runner.open_fleet", Workers(3).opened)
    with pytest.raises(InputError, match="expected workers that stay, got RuntimeError: the worker died"):
        run_study(plan, path)
    monkeypatch.setattr("compare.study.runner.open_fleet", Workers(2).opened)
    assert run_study(plan, path).made == 5


def test_slurm_gets_a_job_script_of_our_workers() -> None:
    pytest.importorskip("dask_jobqueue")
    with slurm_cluster(cores=4, memory="8GB", walltime="02:00:00", queue="short") as cluster:
        script = cluster.job_script()
    for option in (
        "#SBATCH -J provemate-study",
        "#SBATCH -p short",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH -t 02:00:00",
    ):
        assert option in script
    assert "--nthreads 4" in script
