"""Where the runs go: threads here, each waiting on a child, or the workers of a Dask cluster.

All are `concurrent.futures.Executor`s that call `compare.study.batch.run_batch`.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from compare.study.batch import Sink, run_batch
from compare.study.jobs import Batch, BatchResult
from exact.child import cores
from problems import InputError
from problems.errors import shown

_CONNECT_SECONDS = 20
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://(?P<host>\[[0-9a-fA-F:]+\]|[^:/\s]+):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Fleet:
    """Workers: how to send a batch to them, how many there are now, how many cores a run may use.

    `send(batch, sink)` returns a future of its result; the sink gets the rows one by one where that is
    possible (here), else all at once with the result (on a cluster).
    """

    send: Callable[[Batch, Sink], Future[BatchResult]]
    width: Callable[[], int]
    cores: int
    where: str


@contextlib.contextmanager
def open_fleet(
    *, workers: int | None = None, scheduler: str | None = None, cluster: str | None = None
) -> Iterator[Fleet]:
    """Open the workers that the options name: local threads, a Dask scheduler's, or a SLURM cluster's.

    Raises `InputError` for options that exclude each other and a cluster that is not known.
    """
    if scheduler is not None and (cluster is not None or workers is not None):
        raise InputError("--scheduler alone", "--cluster or --workers with it", where="--scheduler")
    if cluster not in (None, "slurm"):
        raise InputError("a cluster of the kind slurm", shown(cluster), where="--cluster")
    if scheduler is not None:
        opened = dask(scheduler)
    else:
        opened = local(workers) if cluster is None else slurm(workers or 1)
    with opened as fleet:
        yield fleet


@contextlib.contextmanager
def local(workers: int | None = None) -> Iterator[Fleet]:
    """Run on this machine, `workers` runs at a time (default: one a core). Leaving ends what still runs."""
    count = workers or cores()
    stop = threading.Event()
    pool = ThreadPoolExecutor(count, thread_name_prefix="study")

    def send(batch: Batch, sink: Sink) -> Future[BatchResult]:
        return pool.submit(run_batch, batch, sink, stop)

    try:
        yield Fleet(send, lambda: count, max(1, cores() // count), "this machine")
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def dask(address: str) -> Iterator[Fleet]:
    """Run on the workers of the Dask scheduler at an address such as `tcp://host:8786`.

    Raises `InputError` if `distributed` is not installed or nothing answers there.
    """
    distributed = _imported("distributed", "--scheduler")
    _check_answering(address)
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            "a Dask scheduler that answers, such as tcp://host:8786",
            f"none at {shown(address)} ({type(error).__name__})",
            where="--scheduler",
        ) from None
    with client, _fleet_of(client, address) as fleet:
        yield fleet


def _check_answering(address: str) -> None:
    """Raise `InputError` unless something listens there: a client of nobody is slow to give up and noisy."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise InputError(
            "a Dask scheduler that answers, such as tcp://host:8786", shown(address), where="--scheduler"
        )
    try:
        socket.create_connection((found["host"].strip("[]"), int(found["port"])), timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        got = f"nobody at {shown(address)} ({error.strerror or error})"
        raise InputError("a Dask scheduler that answers", got, where="--scheduler") from None


@contextlib.contextmanager
def slurm(jobs: int, **options: Any) -> Iterator[Fleet]:
    """Run on `jobs` SLURM jobs, started through dask-jobqueue and ended on leaving; see `slurm_cluster`."""
    distributed = _imported("distributed", "--cluster")
    if shutil.which("sbatch") is None:
        raise InputError("SLURM's sbatch on this machine", "none", where="--cluster", hint="run on a login node")
    with slurm_cluster(**options) as cluster:
        cluster.scale(jobs=jobs)
        with distributed.Client(cluster, set_as_default=False) as client, _fleet_of(client, "SLURM") as fleet:
            yield fleet


def slurm_cluster(
    *, cores: int = 1, memory: str = "2GB", walltime: str = "01:00:00", queue: str | None = None
) -> Any:
    """Return dask-jobqueue's SLURM cluster: one worker process a job, a run a core. No job is started yet.

    What is not given here comes from dask-jobqueue's own configuration (`jobqueue.slurm`).
    """
    dask_jobqueue = _imported("dask_jobqueue", "--cluster")
    return dask_jobqueue.SLURMCluster(
        cores=cores, processes=1, memory=memory, walltime=walltime, queue=queue, job_name="provemate-study"
    )


@contextlib.contextmanager
def _fleet_of(client: Any, where: str) -> Iterator[Fleet]:
    executor: Executor = client.get_executor(pure=False, retries=0)

    def width() -> int:
        return sum(client.nthreads().values())

    def send(batch: Batch, sink: Sink) -> Future[BatchResult]:
        future = executor.submit(run_batch, batch)
        future.add_done_callback(partial(_pass_on, sink))
        return future

    try:
        yield Fleet(send, width, 1, where)
    finally:
        executor.shutdown(wait=False)


def _pass_on(sink: Sink, future: Future[BatchResult]) -> None:
    if not future.cancelled() and future.exception() is None:
        for row in future.result().rows:
            sink(row)


def _imported(module: str, option: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError(
            f"the package {module.replace('_', '-')}",
            "none installed",
            where=option,
            hint="pip install 'provemate[cluster]'",
        ) from None
