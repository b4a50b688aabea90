"""The child that makes the runs of a batch: `python -m compare.study.child`, an `Order` on standard input.

It tells what happens in frames on its standard output. Its batch watches it, and ends it and everything it
started when a run is over its limit. Whatever libraries print goes to standard error.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from compare.study.frames import News, Order, Scratch
from compare.study.jobs import Batch
from compare.study.judging import Used, row_of_failure, row_of_result
from compare.study.plan import Engine, Heuristic, Program, TargetKind
from compare.study.processes import MARK_VARIABLE, become_subreaper
from compare.study.rows import RunEnding, RunRow
from exact.pipes import die_with_parent, framed, read_frame
from problems import Ending, Limits, Result, WrongAnswer

Tell = Callable[..., None]
"""Called with news and what belongs to it."""

_ENGINE_EFFORTS = ("nodes", "conflicts", "branches", "propagations")
"""Counters that measure an exact engine's work, the first that it has being taken."""


@dataclass(frozen=True, slots=True)
class _Method:
    """One of our own methods, ready to be called with a seed, and the counter that measures its work."""

    call: Callable[[int], Result]
    effort: str | None


def main() -> None:
    """Make the runs of the order that comes on standard input."""
    frames = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    order: Order = read_frame(sys.stdin.buffer)
    become_subreaper()
    _die_first_when_memory_runs_out()

    def tell(news: News, *content: Any) -> None:
        frames.write(framed((news, *content)))

    play = _player(order, tell)
    tell(News.READY)
    until = time.monotonic() + order.seconds
    for number, (run, seed) in enumerate(order.runs):
        if number and time.monotonic() >= until:
            break
        tell(News.BEGUN, run, _cpu_seconds())
        tell(News.ROW, play(run, seed))
    tell(News.DONE)


def _player(order: Order, tell: Tell) -> Callable[[int, int], RunRow]:
    """Return the function that makes a run, with everything imported and compiled that it needs."""
    batch, player, scratch = order.batch, order.batch.entry.player, Scratch(order.scratch)
    if isinstance(player, Program):
        from compare.study.program import run_program

        environment = {**order.environment, MARK_VARIABLE: os.environ[MARK_VARIABLE]}
        return lambda run, seed: run_program(batch, run, seed, environment, scratch, lambda: tell(News.ENDED))
    _die_with(order.parent)
    method = (
        _heuristic(batch, player, scratch) if isinstance(player, Heuristic) else _engine(batch, player, scratch)
    )
    return lambda run, seed: _measured(batch, run, seed, method, scratch)


def _heuristic(batch: Batch, player: Heuristic, scratch: Scratch) -> _Method:
    from heuristic import methods

    problem, budget = batch.task.posed(batch.goal), batch.entry.budget

    def run(seed: int, limits: Limits) -> Result:
        return methods.run(
            problem,
            player.method,
            limits=limits,
            seed=seed,
            edition=player.edition,
            parameters=player.parameters,
            watch=scratch.note,
        )

    # The first call compiles, or loads what was compiled: that is no run's time.
    with contextlib.suppress(Exception):
        run(0, Limits(seconds=1, evaluations=1, nodes=1))
    limits = Limits(seconds=budget.seconds, evaluations=budget.evaluations, nodes=budget.evaluations)
    return _Method(lambda seed: run(seed, limits), methods.find(player.method, problem).effort)


def _engine(batch: Batch, player: Engine, scratch: Scratch) -> _Method:
    import exact

    target, budget = batch.task.target, batch.entry.budget
    proves_minimum = target.kind is not TargetKind.NUMBER and target.number == 0
    problem = batch.task.problem if proves_minimum else batch.task.posed(batch.goal)
    limits = Limits(seconds=budget.seconds, memory=budget.memory)

    def call(seed: int) -> Result:
        return exact.solve(problem, engine=player.engine, limits=limits, seed=seed, watch=scratch.note)

    return _Method(call, None)


def _measured(batch: Batch, run: int, seed: int, method: _Method, scratch: Scratch) -> RunRow:
    """Make a run and return its row; what goes wrong in it is a row as well."""
    scratch.clear()
    _reset_peak()
    cpu, began = _cpu_seconds(), time.perf_counter()
    result, ending, reason = None, RunEnding.CRASHED, ""
    try:
        result = method.call(seed)
    except WrongAnswer as error:
        ending, reason = RunEnding.WRONG_ANSWER, str(error)
    except MemoryError:
        ending, reason = RunEnding.MEMORY, "no more memory"
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    used = Used(time.perf_counter() - began, _cpu_seconds() - cpu, _peak_mib())
    if result is None:
        trace, best = scratch.found()
        best = None if ending is RunEnding.WRONG_ANSWER else best
        return row_of_failure(batch, run, seed, ending, reason, used, best=best, trace=trace)
    if result.ending is Ending.CANCELLED:
        return row_of_failure(batch, run, seed, RunEnding.CRASHED, "it was cancelled", used)
    counted = result.counters.as_dict()
    effort = method.effort or next((name for name in _ENGINE_EFFORTS if name in counted), None)
    return row_of_result(batch, run, seed, result, effort, used)


def _cpu_seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _reset_peak() -> None:
    """Forget the peak memory of earlier runs, where the system can (Linux)."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def _peak_mib() -> float:
    """Return this process's peak resident memory since the last reset, or since it began."""
    with contextlib.suppress(OSError), open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    unit = 2**20 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _die_first_when_memory_runs_out() -> None:
    """Have the kernel kill a run rather than the study when memory runs out (Linux)."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")


def _die_with(parent: int) -> None:
    """End this process when its batch dies: by the kernel where it can, else by watching standard input."""
    if sys.platform == "linux":
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        return

    def watch() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
