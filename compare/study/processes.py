"""Process trees: how to watch one, and how to end one with everything it started.

A run may fork, leave its process group, start a session of its own, or let its parent die. Three things find
what it leaves behind: the parent links, the subreaper (on Linux, orphans fall to the run's own supervisor
instead of to init), and a mark in the environment that every descendant inherits. Should the supervisor be
killed, the numbers that it noted find those who have shed all three.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import psutil

MARK_VARIABLE = "PROVEMATE_RUN"

_ROUNDS = 50
_PR_SET_CHILD_SUBREAPER = 36
_GROWTH = 1.1
_SAME_BIRTH_SECONDS = 0.5
_HAS_CHILDREN_LISTS = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def new_mark() -> str:
    """Return a mark that no other process has; it begins with the number of the process that makes the run."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def become_subreaper() -> None:
    """Have orphaned descendants fall to this process, where the system can (Linux)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value)


@dataclass(slots=True)
class PeakMemory:
    """The most resident memory that processes were seen to use together, in MiB; `limit` is what they may use.

    Pages that a fork left several processes in common count once, where the system says which (Linux). To find
    that out takes milliseconds for every 100 MiB, so it is done when it decides about the limit, when the plain
    sum has grown, and else for a hundredth of the time.
    """

    limit: float | None = None
    mib: float = 0.0
    _largest_sum: float = 0.0
    _next: float = 0.0

    def look(self, pids: Sequence[int]) -> bool:
        """Take note of what processes use now; return whether that is over the limit."""
        memory = sum(map(_resident_bytes, pids)) / 2**20
        if len(pids) > 1:
            over = self.limit is not None and memory > self.limit
            grown, began = memory > _GROWTH * self._largest_sum, time.monotonic()
            if not (over or grown or began >= self._next):
                return False
            self._largest_sum = max(memory, self._largest_sum)
            memory = sum(map(_bytes_in_equal_parts, pids)) / 2**20
            done = time.monotonic()
            self._next = done + 100 * (done - began)
        self.mib = max(memory, self.mib)
        return self.limit is not None and memory > self.limit


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the seconds of processor time of processes and their dead children; what is gone used none."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _resident_bytes(pid: int) -> int:
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


def _bytes_in_equal_parts(pid: int) -> int:
    """Return a process's resident bytes, those it shares in equal parts; all where the system does not say."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as lines:
        for line in lines:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return _resident_bytes(pid)


def tree(pid: int) -> list[int]:
    """Return the numbers of a process and all its descendants that live."""
    return [pid, *descendants(pid)]


def descendants(pid: int) -> list[int]:
    """Return the numbers of all descendants of a process, parents before their children."""
    found: dict[int, None] = {}
    front = [pid]
    while front:
        front = [child for parent in front for child in _children(parent) if child not in found]
        found.update(dict.fromkeys(front))
    return list(found)


def _children(pid: int) -> list[int]:
    """Return the children of a process: from the kernel's own list, which takes microseconds, where it has one."""
    try:
        if not _HAS_CHILDREN_LISTS:
            return [child.pid for child in psutil.Process(pid).children()]
        found: list[int] = []
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
        return found
    except (psutil.Error, OSError):
        return []


def end_descendants(pid: int) -> int:
    """Kill all descendants of a process; return how many there were.

    They are stopped first, until no new one turns up: what is stopped cannot fork its way out. A process group
    is stopped and killed as one, by the kernel: no member of it can fork meanwhile.
    """
    found: set[int] = set()
    groups: set[int] = set()
    own = _group(pid)
    for _ in range(_ROUNDS):
        fresh = [child for child in descendants(pid) if child not in found]
        if not fresh:
            break
        found.update(fresh)
        for child in fresh:
            _send(child, signal.SIGSTOP)
            # Descendants left the group of `pid` when their session began, so theirs have no others in them.
            if (group := _group(child)) is not None and group > 1 and group != own:
                groups.add(group)
                _send(-group, signal.SIGSTOP)
    for number in (*(-group for group in groups), *found):
        _send(number, signal.SIGKILL)
    return len(found)


def end_tree(pid: int) -> None:
    """Kill a child of this process and all its descendants; the child is left to be reaped.

    The child itself is not stopped first: were this process killed in between, nobody would end it.
    """
    end_descendants(pid)
    _send(pid, signal.SIGKILL)


def births(pids: Iterable[int]) -> dict[int, float]:
    """Return when each of the processes that live was born, in seconds since the epoch."""
    found: dict[int, float] = {}
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            found[pid] = psutil.Process(pid).create_time()
    return found


def end_born(noted: Mapping[int, float]) -> None:
    """Kill processes with all their descendants, unless their number is another's by now."""
    for pid, born in births(noted).items():
        if abs(born - noted[pid]) < _SAME_BIRTH_SECONDS:
            end_tree(pid)


def end_marked(mark: str) -> int:
    """Kill every process of this user that has the mark in its environment; return how many there were."""
    ended = 0
    for _ in range(_ROUNDS):
        marked = [process for process in psutil.process_iter() if _has_mark(process, mark)]
        for process in marked:
            _send(process.pid, signal.SIGKILL)
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


def reap_orphans(spared: int) -> None:
    """Take leave of dead children as `reap_all` does while `spared` lives, whose end is somebody else's to see."""
    if sys.platform == "linux":  # nowhere else do orphans fall to a process that asks for them
        with contextlib.suppress(ChildProcessError):
            while (dead := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is not None:
                if dead.si_pid == spared:
                    break
                os.waitpid(dead.si_pid, os.WNOHANG)


def _has_mark(process: psutil.Process, mark: str) -> bool:
    if process.pid == os.getpid():
        return False
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.environ().get(MARK_VARIABLE) == mark
    except (psutil.Error, OSError):
        return False


def _group(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        return os.getpgid(pid)
    return None


def _send(number: int, what: signal.Signals) -> None:
    """Send a signal to a process, or to the group of a negative number; what is gone needs none."""
    with contextlib.suppress(OSError):
        os.kill(number, what)
