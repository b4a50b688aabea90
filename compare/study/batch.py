"""Make a batch of runs in child processes that can be killed: what local threads and cluster workers call.

A child makes one run after another and tells of each; this side watches the clock and the memory. When a run
is over its limit, or its child dies, the run becomes a row and a new child makes the rest. A child that was
killed from outside (SIGKILL, which no run does to itself) costs a second try before that counts as a crash.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from compare.study.frames import News, Order, Scratch
from compare.study.jobs import Batch, BatchResult
from compare.study.judging import Used, row_of_failure
from compare.study.machine import load_average, this_machine
from compare.study.plan import Heuristic, Program
from compare.study.processes import (
    MARK_VARIABLE,
    PeakMemory,
    cpu_seconds,
    end_born,
    end_marked,
    end_tree,
    new_mark,
    tree,
)
from compare.study.rows import RunEnding, RunRow
from exact.pipes import framed, take_frames
from problems import InputError

Sink = Callable[[RunRow], None]

GRACE_SECONDS = 0.3
"""How long after its time limit a run of our own methods may still return by itself."""

_PROGRAM_GRACE_SECONDS = 5.0
_JUDGING_SECONDS = 120.0
_START_SECONDS = 300.0
_POLL_SECONDS = 0.05
_WAKE_SECONDS = 0.1
_CLEARING_SECONDS = 2.0
_KEPT_ERROR_BYTES = 4096
_TRIES = 2


def run_batch(batch: Batch, on_row: Sink | None = None, stop: threading.Event | None = None) -> BatchResult:
    """Make the runs of a batch and return their rows; those not begun within the batch's time are left out.

    `on_row` is called with each row as soon as there is one. When `stop` is set, the run in flight is ended
    without a row. Nothing that a run started outlives the call. Raises `InputError` if a child cannot even
    import what it needs.
    """
    machine = this_machine()
    rows: list[RunRow] = []

    def take(row: RunRow) -> None:
        row = replace(row, host=machine.host, load=load_average())
        rows.append(row)
        if on_row is not None:
            on_row(row)

    until = time.monotonic() + batch.seconds
    waiting, deaths = list(batch.runs), Counter[int]()
    while waiting and (not rows or time.monotonic() < until) and not (stop and stop.is_set()):
        child = _Child(batch, waiting, max(0.0, until - time.monotonic()), take, deaths)
        with contextlib.closing(child):
            child.watch(stop)
        if child.done:
            break
        made = {row.run for row in rows}
        waiting = [pair for pair in waiting if pair[0] not in made]
    return BatchResult(tuple(rows), machine)


@dataclass(slots=True)
class _Flight:
    """The run in flight: since when, its child's processor time before it, and its memory so far."""

    run: int
    seed: int
    began: float
    cpu_before: float
    memory: PeakMemory
    judging: bool = False


class _Child:
    """A child and the run it is making."""

    def __init__(
        self, batch: Batch, runs: list[tuple[int, int]], seconds: float, take: Sink, deaths: Counter[int]
    ) -> None:
        self.batch = batch
        self.done = False
        self._seeds = dict(runs)
        self._first = runs[0]
        self._take = take
        self._deaths = deaths
        self._flight: _Flight | None = None
        self._started = time.monotonic()
        self._ready = False
        self._next_poll = 0.0
        self._pending = bytearray()
        self._errors = bytearray()
        self._mark = new_mark()
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the child)
        self._scratch = Scratch(self._file.fileno())
        self._process = self._spawn()
        order = Order(batch, tuple(runs), seconds, self._scratch.descriptor, os.getpid(), dict(os.environ))
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(framed(order))
            self._process.stdin.flush()

    def _spawn(self) -> subprocess.Popen[bytes]:
        cores = str(self.batch.cores)
        return subprocess.Popen(
            [sys.executable, "-m", "compare.study.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(self._scratch.descriptor,),
            env={
                **os.environ,
                MARK_VARIABLE: self._mark,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                "PROVEMATE_CORES": cores,
                "OMP_NUM_THREADS": cores,
            },
        )

    def watch(self, stop: threading.Event | None) -> None:
        """Take in what the child tells until it is done, dead, or has to be ended."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ, self._take_news)
            selector.register(self._process.stderr, selectors.EVENT_READ, self._take_errors)
            while not self.done and not (stop and stop.is_set()):
                if self._over_its_limit():
                    return
                for key, _ in selector.select(self._patience()):
                    data = os.read(key.fd, 1 << 18)
                    if not data and key.fileobj is self._process.stdout:
                        return self._died()
                    if not data:
                        selector.unregister(key.fileobj)
                    key.data(data)

    def close(self) -> None:
        """End the child and everything it started."""
        self._let_it_clear_up()
        if self._process.poll() is None:
            end_tree(self._process.pid)
        self._process.wait()
        if not self.done:
            end_marked(self._mark)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr, self._file):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _let_it_clear_up(self) -> None:
        """Have a child that watches a program end it and all that fell to it: it alone knows its orphans."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        if isinstance(self.batch.entry.player, Program):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_CLEARING_SECONDS)

    def _take_news(self, data: bytes) -> None:
        self._pending += data
        for news, *content in take_frames(self._pending):
            self._tell(news, content)

    def _take_errors(self, data: bytes) -> None:
        self._errors += data
        del self._errors[:-_KEPT_ERROR_BYTES]

    def _tell(self, news: News, content: list[Any]) -> None:
        now = time.monotonic()
        match news:
            case News.READY:
                self._ready = True
            case News.BEGUN:
                run, cpu = content
                self._flight = self._new_flight(run, now, cpu)
                self._next_poll = now + _POLL_SECONDS
            case News.ENDED if self._flight is not None:
                self._flight.judging = True
                self._flight.began = now
            case News.ROW:
                self._take(self._with_peak(content[0]))
                self._flight = None
            case News.DONE:
                self.done = True

    def _with_peak(self, row: RunRow) -> RunRow:
        """Return the row with the larger of its own peak and what was seen of the whole tree."""
        if self._flight is None or isinstance(self.batch.entry.player, Program):
            return row
        return replace(row, peak_mib=max(self._flight.memory.mib, row.peak_mib or 0.0))

    def _new_flight(self, run: int, began: float, cpu_before: float) -> _Flight:
        memory = PeakMemory(self.batch.entry.budget.memory)
        return _Flight(run, self._seeds[run], began, cpu_before, memory)

    def _patience(self) -> float:
        """Return how long to wait for news before looking at the clock again."""
        now, waits = time.monotonic(), [_WAKE_SECONDS]
        if (deadline := self._deadline()) is not None:
            waits.append(deadline - now)
        if self._flight is not None and self._polls():
            waits.append(self._next_poll - now)
        return max(0.0, min(waits))

    def _deadline(self) -> float | None:
        if not self._ready:
            return self._started + _START_SECONDS
        if self._flight is None:
            return None
        if self._flight.judging:
            return self._flight.began + _JUDGING_SECONDS
        seconds = self.batch.entry.budget.seconds
        grace = _PROGRAM_GRACE_SECONDS if isinstance(self.batch.entry.player, Program) else GRACE_SECONDS
        return None if seconds is None else self._flight.began + seconds + grace

    def _polls(self) -> bool:
        """Whether this side watches the memory: programs are watched by the child, short runs watch themselves."""
        player = self.batch.entry.player
        if isinstance(player, Program):
            return False
        return self.batch.entry.budget.memory is not None or not isinstance(player, Heuristic)

    def _over_its_limit(self) -> bool:
        """Write the row of a run that is over a limit and return True; the caller ends the child."""
        now, deadline = time.monotonic(), self._deadline()
        if deadline is not None and now >= deadline:
            seconds = self.batch.entry.budget.seconds
            if not self._ready:
                self._lost(RunEnding.CRASHED, f"not ready to run within {_START_SECONDS:g} s{self._last_words()}")
            elif self._flight is not None and self._flight.judging:
                self._lost(RunEnding.UNREADABLE, f"its answer took over {_JUDGING_SECONDS:g} s to judge")
            else:
                self._lost(RunEnding.TIME, f"{seconds:g} s, and it did not end by itself")
            return True
        if self._flight is not None and self._polls() and now >= self._next_poll:
            memory = self._flight.memory
            over = memory.look(self._processes())
            done = time.monotonic()
            self._next_poll = done + max(_POLL_SECONDS, 10 * (done - now))
            if over:
                self._lost(RunEnding.MEMORY, f"{memory.mib:.0f} MiB, {memory.limit} allowed")
                return True
        return False

    def _processes(self) -> list[int]:
        """Return the processes of the child; a heuristic starts no others."""
        alone = isinstance(self.batch.entry.player, Heuristic)
        return [self._process.pid] if alone else tree(self._process.pid)

    def _died(self) -> None:
        """Take note that the child is gone before it was done."""
        code = self._process.wait()
        if isinstance(self.batch.entry.player, Program):
            end_born(self._scratch.processes())
        if not self._ready and code > 0:
            # No run has begun, and none would: it is the installation, not the method.
            got = f"one that ends with code {code}{self._last_words()}"
            raise InputError("a child process that starts", got, where="study", hint="then run it again")
        run = self._flight.run if self._flight is not None else self._first[0]
        self._deaths[run] += 1
        if code == -signal.SIGKILL and self._deaths[run] < _TRIES:
            return
        if code == -signal.SIGKILL:
            self._lost(RunEnding.CRASHED, "killed from outside twice (by the system, for want of memory?)")
        elif code < 0:
            self._lost(RunEnding.CRASHED, f"killed by {signal.Signals(-code).name}{self._last_words()}")
        else:
            self._lost(RunEnding.CRASHED, f"its process ended with code {code}{self._last_words()}")

    def _lost(self, ending: RunEnding, reason: str) -> None:
        """Write the row of the run in flight (the first if there is none), with the best it had."""
        flight = self._flight or self._new_flight(self._first[0], time.monotonic(), 0.0)
        used = Used(time.monotonic() - flight.began)
        if self._process.returncode is None:
            processes = self._processes()
            flight.memory.look(processes)
            cpu = max(0.0, cpu_seconds(processes) - flight.cpu_before)
            used = Used(used.seconds, cpu, flight.memory.mib)
            end_tree(self._process.pid)
        trace, best = self._scratch.found()
        row = row_of_failure(self.batch, flight.run, flight.seed, ending, reason, used, best=best, trace=trace)
        self._take(row)
        self._flight = None

    def _last_words(self) -> str:
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1][:200]}" if lines else ""
