"""Run solver calls in child processes that can be killed, and stream what they find on the way.

Native solvers hold the interpreter lock and some cannot be interrupted, so every solver call is a job in a
process group of its own. The child runs `_serve`: it reads one pickled `Job` from standard input
and writes pickled frames to a private copy of standard output: reports while it runs, then its value or error.
Whatever a native library prints goes to standard error and cannot disturb the frames.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from exact.pipes import die_with_parent, framed, take_frames
from problems import Ending, InputError, Limits

Report = Callable[[Any], None]
"""What a job's function calls, with anything picklable, to report while it runs."""

_MEMORY_POLL_SECONDS = 0.05
_LONGEST_WAIT = 3600.0
"""Seconds that are asked of the system at once: it does not take just any number."""


@dataclass(frozen=True, slots=True)
class Job:
    """A call to make in a child: `function` is `"package.module:name"`, called as `name(*arguments, report)`."""

    function: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended: FINISHED with its value, else TIME, MEMORY, CANCELLED or CRASHED with the error's text."""

    ending: Ending
    seconds: float
    value: Any = None
    error: str | None = None


def cores() -> int:
    """Return the number of processor cores this process may use: at most `PROVEMATE_CORES`, where that is set."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    allowed = os.environ.get("PROVEMATE_CORES", "")
    return min(there, int(allowed)) if allowed.isdigit() and int(allowed) else there


def run_jobs(
    jobs: Sequence[Job],
    *,
    limits: Limits,
    workers: int | None = None,
    on_report: Callable[[int, Any], bool | None] | None = None,
) -> tuple[Outcome, ...]:
    """Run the jobs, at most `workers` at once (default: all cores), and return an outcome a job, in order.

    `limits.seconds` bounds the whole call and `limits.memory` (MiB) each child. `on_report(index, message)`
    is called with every report; when it returns True the rest is cancelled, finished jobs keeping their value.
    Nothing that a child says after the report that ended the call is heard, so that what is known of its work
    does not depend on how far it got before it was killed.
    An `InputError` raised by a job is raised here. No child outlives the call, whatever ends it.
    """
    return _Runner(jobs, limits, workers or cores(), on_report).run()


def run_job(job: Job, *, limits: Limits, on_report: Callable[[Any], bool | None] | None = None) -> Outcome:
    """Run one job; see `run_jobs`."""
    listener = None if on_report is None else (lambda _, message: on_report(message))
    return run_jobs([job], limits=limits, workers=1, on_report=listener)[0]


@dataclass(slots=True)
class _Child:
    index: int
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    started: float
    pending: bytearray = field(default_factory=bytearray)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdout, self.process.stdin, self.errors):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def last_words(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {self.process.returncode}"


class _Runner:
    """One call of `run_jobs`: a single-threaded loop over the children's pipes."""

    def __init__(
        self,
        jobs: Sequence[Job],
        limits: Limits,
        workers: int,
        on_report: Callable[[int, Any], bool | None] | None,
    ) -> None:
        self.limits = limits
        self.workers = workers
        self.on_report = on_report
        self.waiting = deque(enumerate(jobs))
        self.outcomes: dict[int, Outcome] = {}
        self.running: dict[int, _Child] = {}
        self.total = len(jobs)
        self.began = time.monotonic()
        self.selector = selectors.DefaultSelector()

    def run(self) -> tuple[Outcome, ...]:
        try:
            while (self.waiting or self.running) and self._step():
                pass
        finally:
            for child in self.running.values():
                child.kill()
            self.selector.close()
        return tuple(self.outcomes[index] for index in range(self.total))

    def _step(self) -> bool:
        """Start what may start, wait for news, deal with it; False when everything is to end now."""
        while self.waiting and len(self.running) < self.workers:
            self._start(*self.waiting.popleft())
        remaining = self._remaining()
        if remaining is not None and remaining <= 0:
            return self._end_all(Ending.TIME)
        polls = [seconds for seconds in (remaining, self._poll_interval()) if seconds is not None]
        for key, _ in self.selector.select(min(*polls, _LONGEST_WAIT) if polls else None):
            if self._read(key.data):
                return self._end_all(Ending.CANCELLED)
        self._enforce_memory()
        return True

    def _remaining(self) -> float | None:
        if self.limits.seconds is None:
            return None
        return self.limits.seconds - (time.monotonic() - self.began)

    def _poll_interval(self) -> float | None:
        return None if self.limits.memory is None else _MEMORY_POLL_SECONDS

    def _start(self, index: int, job: Job) -> None:
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with its child)
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from exact.child import _serve; _serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        )
        child = _Child(index, process, errors, time.monotonic())
        self.running[index] = child
        assert process.stdin is not None
        assert process.stdout is not None
        self.selector.register(process.stdout, selectors.EVENT_READ, child)
        with contextlib.suppress(BrokenPipeError):
            pickle.dump((os.getpid(), job), process.stdin)
            process.stdin.close()

    def _read(self, child: _Child) -> bool:
        """Take in what a child has written; True when a listener wants everything to stop."""
        assert child.process.stdout is not None
        chunk = os.read(child.process.stdout.fileno(), 1 << 20)
        if not chunk:
            child.process.wait()
            self._finish(child, Ending.CRASHED, error=child.last_words())
            return False
        child.pending += chunk
        for kind, content in take_frames(child.pending):
            if kind == "report":
                if self.on_report and self.on_report(child.index, content):
                    return True
            elif kind == "value":
                self._finish(child, Ending.FINISHED, value=content)
            elif isinstance(content, InputError):
                raise content
            else:
                ending = Ending.MEMORY if isinstance(content, MemoryError) else Ending.CRASHED
                self._finish(child, ending, error=f"{type(content).__name__}: {content}")
        return False

    def _enforce_memory(self) -> None:
        if self.limits.memory is None:
            return
        import psutil

        for child in list(self.running.values()):
            with contextlib.suppress(psutil.NoSuchProcess):
                used = psutil.Process(child.process.pid).memory_info().rss
                if used > self.limits.memory * 2**20:
                    self._finish(child, Ending.MEMORY, error=f"over {self.limits.memory} MiB")

    def _finish(self, child: _Child, ending: Ending, *, value: Any = None, error: str | None = None) -> None:
        self.outcomes[child.index] = Outcome(ending, time.monotonic() - child.started, value, error)
        assert child.process.stdout is not None
        self.selector.unregister(child.process.stdout)
        del self.running[child.index]
        child.kill()

    def _end_all(self, ending: Ending) -> bool:
        for child in list(self.running.values()):
            self._finish(child, ending)
        for index, _ in self.waiting:
            self.outcomes[index] = Outcome(ending, 0.0)
        self.waiting.clear()
        return False


def _serve() -> None:
    """Be the child: read one job, do it, write frames."""
    frames = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    parent, job = pickle.load(sys.stdin.buffer)
    die_with_parent()
    if os.getppid() != parent:
        os._exit(1)

    def send(kind: str, content: Any) -> None:
        frames.write(framed((kind, content)))
        frames.flush()

    module, _, name = job.function.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
        send("value", function(*job.arguments, lambda message: send("report", message)))
    except Exception as error:
        try:
            send("error", error)
        except Exception:  # the error itself does not pickle
            send("error", RuntimeError(f"{type(error).__name__}: {error}"))
