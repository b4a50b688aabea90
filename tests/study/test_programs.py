from __future__ import annotations

import os
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest
from study_cases import line

from compare.study import RunEnding, RunRow, parse_plan
from compare.study.batch import run_batch
from compare.study.jobs import Batch
from compare.study.processes import MARK_VARIABLE
from problems import Status

SECONDS = 1.0
OPTIMAL = "[(2,1),(2,2),(2,3),(2,4),(2,5),(2,6),(4,1),(4,2),(4,5),(4,6),(6,2),(6,3),(6,4),(6,5)]"
"""A minimum of 14, as row,col pairs."""


def play(tmp_path: Path, source: str, *, runs: int = 1, budget: str = "", task: str = "") -> list[RunRow]:
    """Run a Python program so many times on 8x8 knights with one second each."""
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(source))
    plan = parse_plan(
        f"""
        seed = 1
        runs = {runs}
        [[tasks]]
        {task or 'problem = "knights"'}
        instance = "8x8"
        [[entries]]
        command = "{{python}} {script} {{rows}} {{seed}}"
        coordinates = "rc"
        budget = {{ seconds = {SECONDS}{budget} }}
        """
    )
    goal = None if task else 14
    seeds = tuple((run, 100 + run) for run in range(runs))
    batch = Batch(plan.tasks[0], goal, plan.entries[0], seeds, seconds=60)
    began = time.monotonic()
    rows = list(run_batch(batch).rows)
    assert time.monotonic() - began < 60
    assert marked() == []
    return rows


def marked() -> list[psutil.Process]:
    """Return the processes of this process's runs that still live."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK_VARIABLE, "").startswith(f"{os.getpid()}-"):
                found.append(process)
        except psutil.Error:
            continue
    return [process for process in found if process.status() != psutil.STATUS_ZOMBIE]


def test_an_answer_is_read_judged_and_counted(tmp_path: Path) -> None:
    first, second = play(tmp_path, f"print({OPTIMAL!r})", runs=2)
    assert (first.ending, first.status, first.solved, first.objective) == (
        RunEnding.FINISHED, Status.FEASIBLE, True, 14,
    )  # fmt: skip
    assert (first.run, second.run) == (0, 1)
    assert first.answer == second.answer
    assert first.solved_seconds == first.seconds
    assert (first.cpu_seconds or 0) > 0
    assert 1 < (first.peak_mib or 0) < 200
    assert first.host


def test_placeholders_and_the_seed_of_the_run_are_filled_in(tmp_path: Path) -> None:
    (row,) = play(tmp_path, "import sys; sys.exit(' '.join(sys.argv[1:]))")
    assert row.reason == "exit code 1: 8 100"


def test_work_that_a_program_counts_itself_is_taken_from_its_record(tmp_path: Path) -> None:
    (row,) = play(
        tmp_path,
        """
        import json
        rows = [[c] for c in (0, 4, 7, 5, 2, 6, 1, 3)]
        answer = [[r, c[0]] for r, c in enumerate(rows)]
        print(json.dumps({"problem": "queens", "board": "8x8", "answer": answer, "counters": {"iterations": 321}}))
        """,
        task='problem = "queens"',
    )
    assert (row.solved, row.effort, row.effort_name) == (True, 321, "iterations")


def test_the_last_of_several_answers_counts(tmp_path: Path) -> None:
    all_squares = [(r, c) for r in range(8) for c in range(8)]
    (row,) = play(tmp_path, f"print({all_squares}); print(); print({OPTIMAL!r})")
    assert (row.solved, row.objective) == (True, 14)


def test_more_knights_than_the_goal_are_right_but_no_success(tmp_path: Path) -> None:
    more = OPTIMAL[:-1] + ",(7,7)]"
    (row,) = play(tmp_path, f"print({more!r})")
    assert (row.ending, row.valid, row.objective, row.solved) == (RunEnding.FINISHED, True, 15, False)


MISBEHAVIOUR = {
    "nothing": ("pass", RunEnding.NO_ANSWER, "it printed nothing"),
    "nonsense": ("print('I could not find one, sorry')", RunEnding.UNREADABLE, "answer: expected"),
    "wrong": ("print([(0, 0), (3, 3)])", RunEnding.WRONG_ANSWER, "unattacked (56 squares)"),
    "wrong board": ("print(('.' * 10 + chr(10)) * 10)", RunEnding.WRONG_ANSWER, "it answers for 10x10, not 8x8"),
    "exit code": (f"print({OPTIMAL!r}); raise SystemExit(3)", RunEnding.CRASHED, "exit code 3"),
    "traceback": ("raise ValueError('no luck')", RunEnding.CRASHED, "exit code 1: ValueError: no luck"),
    "abort": ("import os; os.abort()", RunEnding.CRASHED, "killed by SIGABRT"),
    "one gigabyte": (
        "import os\nfor _ in range(1024): os.write(1, b'x' * 2**20)",
        RunEnding.OUTPUT_LIMIT,
        "over 32 MiB on standard output",
    ),
    "error flood": (
        "import os\nwhile True: os.write(2, b'x' * 2**20)",
        RunEnding.TIME,
        "1 s",
    ),
    "sleeping": ("import time; time.sleep(100)", RunEnding.TIME, "1 s"),
    "ignoring signals": (
        "import signal, time\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(100)",
        RunEnding.TIME,
        "1 s",
    ),
    "forking": (
        """
        import os, time
        for generation in range(4):
            os.fork()
        time.sleep(100)
        """,
        RunEnding.TIME,
        "1 s",
    ),
    "hiding": (
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.environ.clear()
                time.sleep(100)
            os._exit(0)
        time.sleep(100)
        """,
        RunEnding.TIME,
        "1 s",
    ),
    "leaving children": (
        f"""
        import os, time
        if os.fork() == 0:
            os.setsid()
            time.sleep(100)
        print({OPTIMAL!r})
        """,
        RunEnding.FINISHED,
        "",
    ),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_misbehaviour_is_a_row_with_its_reason_within_a_second(name: str, tmp_path: Path) -> None:
    source, ending, reason = MISBEHAVIOUR[name]
    before = {process.pid for process in psutil.process_iter()}
    (row,) = play(tmp_path, source)
    assert (row.ending, row.reason[: len(reason)]) == (ending, reason)
    assert row.seconds < SECONDS + 1
    assert row.solved == (ending is RunEnding.FINISHED)
    sleepers = [p for p in psutil.process_iter() if p.pid not in before and str(tmp_path) in " ".join(line(p))]
    assert sleepers == []


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found through a subreaper")
def test_memory_of_the_whole_tree_is_limited(tmp_path: Path) -> None:
    source = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            blocks = []
            while True:
                blocks.append(bytearray(b"x" * 2**22))
        time.sleep(100)
        """
    (row,) = play(tmp_path, source, budget=", memory = 200")
    assert (row.ending, row.solved) == (RunEnding.MEMORY, False)
    assert row.reason.endswith("MiB, 200 allowed")
    assert row.seconds < SECONDS + 1
    assert (row.peak_mib or 0) > 200


def test_a_limit_keeps_the_best_so_far(tmp_path: Path) -> None:
    (late,) = play(tmp_path, f"import time; print({OPTIMAL!r}, flush=True); print('\\n[(0,'); time.sleep(100)")
    assert (late.ending, late.valid, late.objective, late.solved) == (RunEnding.TIME, True, 14, True)
    assert 0 < (late.solved_seconds or 0) < SECONDS
    (asked,) = play(
        tmp_path,
        f"""
        import signal, time
        def end(number, frame):
            print({OPTIMAL!r}, flush=True)
            raise SystemExit
        signal.signal(signal.SIGTERM, end)
        time.sleep(100)
        """,
    )
    assert (asked.ending, asked.valid, asked.solved) == (RunEnding.TIME, True, False)


def test_a_supervisor_killed_from_outside_costs_one_more_try_and_leaves_nothing(tmp_path: Path) -> None:
    rows: list[RunRow] = []
    source = f"""
        import os, pathlib, time
        if os.fork() == 0:
            os.setsid()
            time.sleep(100)
        time.sleep(0.3)
        print({OPTIMAL})
        """
    thread = threading.Thread(target=lambda: rows.extend(play(tmp_path, source)))
    thread.start()
    victims: list[psutil.Process] = []
    while not victims:
        victims = [p for p in psutil.Process().children() if "compare.study.child" in line(p) and p.children()]
    victims[0].kill()
    thread.join(30)
    assert [(row.ending, row.solved) for row in rows] == [(RunEnding.FINISHED, True)]
    assert [p for p in psutil.process_iter() if str(tmp_path) in " ".join(line(p))] == []


def test_a_run_that_goes_wrong_costs_no_other(tmp_path: Path) -> None:
    source = f"import os, sys\nif sys.argv[2] == '101': os.abort()\nprint({OPTIMAL!r})"
    rows = play(tmp_path, source, runs=3)
    assert [row.ending for row in rows] == [RunEnding.FINISHED, RunEnding.CRASHED, RunEnding.FINISHED]
