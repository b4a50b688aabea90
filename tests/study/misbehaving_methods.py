"""Heuristics for queens that misbehave inside their process, as native code can; installed in children as well."""

from __future__ import annotations

import ctypes
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heuristic import methods
from problems import Counters, Ending, Improvement, Limits, Queens, Result, Status, Watcher

EIGHT = tuple(enumerate((0, 4, 7, 5, 2, 6, 1, 3)))


@dataclass(frozen=True)
class Behaviour:
    """`kind` is what to do, `flag` a file that says it was done before."""

    kind: str
    flag: str = ""


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: Behaviour,
    initial: object,
    watch: Watcher | None,
) -> Result:
    if limits.evaluations == 1:  # the warm-up call
        return _result(problem, seed)
    assert watch is not None
    watch(Improvement(3, 8, 0.01), EIGHT)
    match parameters.kind:
        case "hang":
            ctypes.PyDLL(None).pause()  # holds the interpreter lock: no signal handler, no thread runs
        case "segfault" if seed % 2:
            os.kill(os.getpid(), signal.SIGSEGV)
        case "eat":
            blocks = []
            while True:
                blocks.append(bytearray(b"x" * 2**22))
        case "raise":
            raise RuntimeError("out of luck")
        case "lie":
            return Result(**{**_fields(problem, seed), "answer": EIGHT[:4], "status": Status.FEASIBLE})
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "die once" if not Path(parameters.flag).exists():
            Path(parameters.flag).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return _result(problem, seed)


def _fields(problem: Queens, seed: int) -> dict[str, Any]:
    return {
        "method": "misbehaving", "problem": problem, "status": Status.FEASIBLE, "ending": Ending.FINISHED,
        "seconds": 0.0, "answer": EIGHT, "counters": Counters(steps=3), "seed": seed,
    }  # fmt: skip


def _result(problem: Queens, seed: int) -> Result:
    return Result(**_fields(problem, seed))


ROW = methods.HeuristicMethod(
    "misbehaving", Queens, "", run, Behaviour, ("only",), "steps", False, lambda problem: None
)


def install() -> None:
    methods.METHODS = (*methods.METHODS, ROW)
