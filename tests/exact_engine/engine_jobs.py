"""Functions for children to run in the tests of `exact.child`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

from problems import InputError


def double(number: int, report: Any) -> int:
    print("a native library prints this")
    os.write(1, b"and this\n")
    report(("doubling", number))
    return 2 * number


def report_many(times: int, report: Any) -> None:
    for number in range(times):
        report(number)


def sleep(seconds: float, report: Any) -> None:
    report(os.getpid())
    time.sleep(seconds)


def sleep_with_grandchild(seconds: float, report: Any) -> None:
    grandchild = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({seconds})"])
    report(grandchild.pid)
    time.sleep(seconds)


def fill_memory(report: Any) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(2**24))
        time.sleep(0.002)


def fail(report: Any) -> None:
    raise ZeroDivisionError("no luck")


def refuse(report: Any) -> None:
    raise InputError("a word", "a number", where="here", hint="write it out")


class Sticky(Exception):
    def __init__(self) -> None:
        super().__init__("does not pickle")
        self.function = lambda: None


def fail_with_what_does_not_pickle(report: Any) -> None:
    raise Sticky


def die(report: Any) -> None:
    os.abort()


def wait_in_a_child_of_ours(report: Any) -> None:
    from exact.child import Job, run_job
    from problems import Limits

    run_job(Job("engine_jobs:sleep", (60,)), limits=Limits(), on_report=lambda pid: report(pid))
