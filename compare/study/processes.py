"""Process trees: how to watch one, and how to end one with everything it started.

A run may fork, leave its process group, start a session of its own, or let its parent die. Three things find
what it leaves behind: the parent links, the subreaper (on Linux, orphans fall to the run's own supervisor
instead of to init), and a mark in the environment that every descendant inherits.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import psutil

MARK_VARIABLE = "PROVEMATE_RUN"

_ROUNDS = 50
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process tree uses: MiB of resident memory now, and seconds of processor time so far."""

    memory_mib: float
    cpu_seconds: float


def new_mark() -> str:
    """Return a mark that no other process has; it begins with the number of the process that makes the run."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def become_subreaper() -> None:
    """Have orphaned descendants fall to this process, where the system can (Linux)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies, where the system can (Linux)."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value)


def usage(pid: int) -> Usage:
    """Return what a process and its descendants use; what is gone uses nothing."""
    return _used_by([*_itself(pid), *descendants(pid)])


def usage_alone(pid: int) -> Usage:
    """Return what a process uses, without a look for descendants, which costs a hundred times as much."""
    return _used_by(_itself(pid))


def usage_below(pid: int) -> Usage:
    """Return what the descendants of a process use."""
    return _used_by(descendants(pid))


def _used_by(processes: Iterable[psutil.Process]) -> Usage:
    memory, cpu = 0, 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            memory += process.memory_info().rss
            times = process.cpu_times()
            cpu += times.user + times.system + times.children_user + times.children_system
    return Usage(memory / 2**20, cpu)


def descendants(pid: int) -> list[psutil.Process]:
    """Return all descendants of a process that live."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def end_descendants(pid: int) -> int:
    """Kill all descendants of a process; return how many there were.

    They are stopped first, until no new one turns up: what is stopped cannot fork its way out.
    """
    found: dict[int, psutil.Process] = {}
    for _ in range(_ROUNDS):
        fresh = [process for process in descendants(pid) if process.pid not in found]
        if not fresh:
            break
        for process in fresh:
            found[process.pid] = process
            _send(process, signal.SIGSTOP)
    for process in found.values():
        _send(process, signal.SIGKILL)
    return len(found)


def end_tree(pid: int) -> None:
    """Kill a child of this process and all its descendants; the child is left to be reaped."""
    for process in _itself(pid):
        _send(process, signal.SIGSTOP)
    end_descendants(pid)
    for process in _itself(pid):
        _send(process, signal.SIGKILL)


def end_marked(mark: str) -> int:
    """Kill every process of this user that has the mark in its environment; return how many there were."""
    ended = 0
    for _ in range(_ROUNDS):
        marked = [process for process in psutil.process_iter() if _has_mark(process, mark)]
        for process in marked:
            _send(process, signal.SIGKILL)
        if not marked:
            break
        ended += len(marked)
        time.sleep(0.01)
    return ended


def reap_all() -> None:
    """Take leave of dead children that nobody waits for: orphans that fell to this process."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _has_mark(process: psutil.Process, mark: str) -> bool:
    if process.pid == os.getpid():
        return False
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.environ().get(MARK_VARIABLE) == mark
    except (psutil.Error, OSError):
        return False


def _itself(pid: int) -> Iterator[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        yield psutil.Process(pid)


def _send(process: psutil.Process, number: signal.Signals) -> None:
    with contextlib.suppress(psutil.Error, OSError):
        process.send_signal(number)
