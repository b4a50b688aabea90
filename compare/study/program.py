"""Outside programs: started in a session of their own, watched, ended with everything they started, judged.

A program prints its answer, in any form that `verify` reads. It may print better and better ones, separated
by empty lines: the last counts. At its time limit it gets SIGTERM, and is killed 0.4 seconds later.
"""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from compare.study.frames import Scratch
from compare.study.hearing import Ended, row_of_program
from compare.study.jobs import Batch
from compare.study.judging import Used, row_of_failure
from compare.study.plan import Program
from compare.study.players import placeholder_values
from compare.study.printed import Printed
from compare.study.processes import (
    PeakMemory,
    births,
    descendants,
    end_descendants,
    reap_all,
    reap_orphans,
)
from compare.study.rows import RunEnding, RunRow
from exact.pipes import die_with_parent

MAX_OUTPUT_BYTES = 1 << 25
"""How much a program may print on standard output; at more it is ended."""

_GRACE_SECONDS = 0.4
_POLL_SECONDS = 0.03
_DRAIN_SECONDS = 0.2
_KEPT_ERROR_BYTES = 4096
_HARDLY_STARTED_MIB = 1.0


def run_program(
    batch: Batch, run: int, seed: int, environment: Mapping[str, str], scratch: Scratch, on_end: Callable[[], None]
) -> RunRow:
    """Make one run in an environment and return its row.

    The scratch file always says which processes there are, should this one be killed. `on_end` is called when
    its processes are gone, before it is judged.
    """
    words, budget = command_words(batch, run, seed), batch.entry.budget
    began = time.perf_counter()
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=environment,
            preexec_fn=die_with_parent,
        )
    except (OSError, subprocess.SubprocessError) as error:
        used = Used(time.perf_counter() - began)
        return row_of_failure(batch, run, seed, RunEnding.CRASHED, f"it does not start: {error}", used)
    watch = _Watch(batch, process, began, Printed(budget.seconds), PeakMemory(budget.memory), scratch)
    watch.until_it_ends()
    on_end()
    return row_of_program(batch, run, seed, watch.printed, watch.ended(), watch.used())


def command_words(batch: Batch, run: int, seed: int) -> list[str]:
    """Return the command line of a run, placeholders filled in."""
    player, budget = batch.entry.player, batch.entry.budget
    assert isinstance(player, Program)
    values = placeholder_values(batch.task.problem, batch.goal)
    values |= {
        "seed": str(seed),
        "run": str(run),
        "seconds": f"{budget.seconds:g}",
        "evaluations": str(budget.evaluations),
        "python": sys.executable,
    }
    return [word.format(**values) for word in shlex.split(player.command)]


@dataclass(slots=True)
class _Watch:
    """A program that runs: what it has said and used so far, and why it was ended, if it was."""

    batch: Batch
    process: subprocess.Popen[bytes]
    began: float
    printed: Printed
    memory: PeakMemory
    scratch: Scratch
    errors: bytearray = field(default_factory=bytearray)
    ending: RunEnding | None = None
    reason: str = ""
    seconds: float = 0.0
    cpu_before: float = field(default_factory=lambda: _children_cpu_seconds())
    cpu_seconds: float | None = None
    exit_code: int | None = None
    noted: set[int] = field(default_factory=set)

    def until_it_ends(self) -> None:
        """Watch the program until it and everything it started is gone."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        selector = selectors.DefaultSelector()
        selector.register(self.process.stdout, selectors.EVENT_READ, self._take_output)
        selector.register(self.process.stderr, selectors.EVENT_READ, self._take_errors)
        selector.register(0, selectors.EVENT_READ, self._batch_is_gone)
        try:
            self._loop(selector)
        finally:
            end_descendants(os.getpid())
            self._reap()
            self._drain(selector)
            selector.close()
            self.process.stdout.close()
            self.process.stderr.close()
            reap_all()
            self.cpu_seconds = _children_cpu_seconds() - self.cpu_before

    def _loop(self, selector: selectors.BaseSelector) -> None:
        limit = self.batch.entry.budget.seconds
        deadline = None if limit is None else self.began + limit
        next_poll = self.began + 0.005
        while not self._has_exited():
            now = time.perf_counter()
            if deadline is not None and now >= deadline:
                if self.ending is not None:
                    return
                self._end(RunEnding.TIME, f"{limit:g} s")
                self._ask_to_end()
                deadline = now + _GRACE_SECONDS
            if now >= next_poll:
                self._poll()
                # Where there are many processes a look costs milliseconds: it may take a tenth of the time.
                done = time.perf_counter()
                next_poll = done + max(_POLL_SECONDS, 10 * (done - now))
            if self.ending is RunEnding.MEMORY or self._is_full():
                return
            until = next_poll if deadline is None else min(next_poll, deadline)
            quiet = len(selector.get_map()) == 1
            wait = min(0.002, until - now) if quiet else until - now
            self._take(selector, max(0.0, wait))

    def _take(self, selector: selectors.BaseSelector, wait: float) -> bool:
        """Read what there is within `wait` seconds; False if there was nothing."""
        events = selector.select(wait)
        for key, _ in events:
            data = os.read(key.fd, 1 << 16)
            if not key.data(data):
                selector.unregister(key.fileobj)
        return bool(events)

    def _take_output(self, data: bytes) -> bool:
        if data:
            self.printed.take(data, time.perf_counter() - self.began)
            if self._is_full():
                self._end(RunEnding.OUTPUT_LIMIT, f"over {MAX_OUTPUT_BYTES >> 20} MiB on standard output")
        return bool(data)

    def _is_full(self) -> bool:
        """Whether it has printed all it may, before its time limit or in the time it had after that."""
        return len(self.printed.text) > MAX_OUTPUT_BYTES

    def _take_errors(self, data: bytes) -> bool:
        self.errors += data
        del self.errors[:-_KEPT_ERROR_BYTES]
        return bool(data)

    def _batch_is_gone(self, data: bytes) -> bool:
        end_descendants(os.getpid())
        os._exit(1)

    def _poll(self) -> None:
        reap_orphans(self.process.pid)
        # Orphans are below this process, which is their subreaper, no longer below the program's.
        found = descendants(os.getpid())
        if set(found) != self.noted:
            self.scratch.note_processes(births(found))
            self.noted = set(found)
        if self.memory.look(found):
            self._end(RunEnding.MEMORY, f"{self.memory.mib:.0f} MiB, {self.memory.limit} allowed")

    def _end(self, ending: RunEnding, reason: str) -> None:
        if self.ending is None:
            self.ending, self.reason = ending, reason

    def _ask_to_end(self) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGTERM)

    def _has_exited(self) -> bool:
        return self._wait(os.WNOHANG)

    def _reap(self) -> None:
        self._wait(0)

    def _wait(self, options: int) -> bool:
        if self.exit_code is not None:
            return True
        pid, status, used = os.wait4(self.process.pid, options)
        if not pid:
            return False
        self.seconds = time.perf_counter() - self.began
        self.exit_code = self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.memory.mib < _HARDLY_STARTED_MIB:
            # Too short to be looked at after it was loaded: its own peak, or that of the image it was forked
            # from if that is larger.
            self.memory.mib = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)
        return True

    def _drain(self, selector: selectors.BaseSelector) -> None:
        """Read what is left in the pipes; what held them open is dead."""
        selector.unregister(0)
        until = time.perf_counter() + _DRAIN_SECONDS
        while selector.get_map() and not self._is_full() and time.perf_counter() < until:
            if not self._take(selector, 0.0):
                return

    def ended(self) -> Ended:
        """Return how the program ended, with the last line on standard error."""
        code = self.exit_code or 0
        reason = self.reason
        if self.ending is None and code:
            reason = f"killed by {_signal_name(-code)}" if code < 0 else f"exit code {code}"
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return Ended(self.ending, reason, code, f": {lines[-1][:200]}" if lines else "")

    def used(self) -> Used:
        """Return what the program used."""
        return Used(self.seconds, self.cpu_seconds, self.memory.mib)


def _children_cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
