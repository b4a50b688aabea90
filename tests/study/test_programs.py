from __future__ import annotations

import os
import selectors
import signal
import subprocess
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
from compare.study.frames import Scratch
from compare.study.jobs import Batch
from compare.study.printed import Printed
from compare.study.processes import MARK_VARIABLE, PeakMemory, end_tree
from compare.study.program import _Watch
from problems import Status

SECONDS = 1.0
"""The limit where the limit is what a test is about; elsewhere it is PATIENCE, which a busy machine keeps."""
PATIENCE = 120.0
OPTIMAL = "[(2,1),(2,2),(2,3),(2,4),(2,5),(2,6),(4,1),(4,2),(4,5),(4,6),(6,2),(6,3),(6,4),(6,5)]"
"""A minimum of 14, as row,col pairs."""

YES = """
seed = 1
runs = 1
budget = { seconds = 1.0 }
tasks = [{ problem = "knights", instance = "8x8", optimum = 14 }]
entries = [{ command = "yes" }]
"""


def play(
    tmp_path: Path, source: str, *, runs: int = 1, seconds: float = PATIENCE, budget: str = "", task: str = ""
) -> list[RunRow]:
    """Run a Python program so many times on 8x8 knights."""
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
        budget = {{ seconds = {seconds}{budget} }}
        """
    )
    goal = None if task else 14
    seeds = tuple((run, 100 + run) for run in range(runs))
    batch = Batch(plan.tasks[0], goal, plan.entries[0], seeds, seconds=600)
    rows = list(run_batch(batch).rows)
    assert marked() == []
    return rows


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> float:
    """What a busy machine adds to a second: a multiple of what a program takes that does nothing."""
    (row,) = play(tmp_path_factory.mktemp("slack"), "pass")
    return 20 * row.seconds


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
    assert 0 < (first.solved_seconds or 0) <= first.seconds
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
    "sleeping": ("import time; time.sleep(1000)", RunEnding.TIME, "1 s"),
    "ignoring signals": (
        "import signal, time\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(1000)",
        RunEnding.TIME,
        "1 s",
    ),
    "forking": (
        """
        import os, time
        for generation in range(4):
            os.fork()
        time.sleep(1000)
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
                time.sleep(1000)
            os._exit(0)
        time.sleep(1000)
        """,
        RunEnding.TIME,
        "1 s",
    ),
    "leaving children": (
        f"""
        import os, time
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
        print({OPTIMAL!r})
        """,
        RunEnding.FINISHED,
        "",
    ),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_misbehaviour_is_a_row_with_its_reason_within_a_second(name: str, tmp_path: Path, slack: float) -> None:
    source, ending, reason = MISBEHAVIOUR[name]
    before = {process.pid for process in psutil.process_iter()}
    limit = SECONDS if ending is RunEnding.TIME else PATIENCE
    (row,) = play(tmp_path, source, seconds=limit)
    assert (row.ending, row.reason[: len(reason)]) == (ending, reason)
    assert "did not end by itself" not in row.reason
    assert row.seconds < limit + 1 + slack
    assert row.solved == (ending is RunEnding.FINISHED)
    sleepers = [p for p in psutil.process_iter() if p.pid not in before and str(tmp_path) in " ".join(line(p))]
    assert sleepers == []


def test_what_is_printed_after_the_limit_is_bounded_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compare.study.program.MAX_OUTPUT_BYTES", 1 << 17)
    plan = parse_plan(YES)
    batch = Batch(plan.tasks[0], 14, plan.entries[0], ((0, 7),), seconds=60)
    flood = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
    try:
        with selectors.DefaultSelector() as selector, open(tmp_path / "scratch", "w+b") as scratch:
            now = time.perf_counter()
            watch = _Watch(batch, flood, now, Printed(1.0), PeakMemory(None), Scratch(scratch.fileno()))
            watch.ending = RunEnding.TIME
            assert flood.stdout is not None
            selector.register(flood.stdout, selectors.EVENT_READ, watch._take_output)
            watch._loop(selector)
    finally:
        flood.kill()
        flood.wait()
    assert watch.ending is RunEnding.TIME
    assert 1 << 17 < len(watch.printed.text) <= (1 << 17) + (1 << 16)


def test_a_flood_after_the_limit_takes_no_success_away(tmp_path: Path) -> None:
    source = f"""
        import os, signal, time
        def end(number, frame):
            while True:
                os.write(1, b"1 2 3\\n\\n" * 9000)
        signal.signal(signal.SIGTERM, end)
        print({OPTIMAL!r}, flush=True)
        time.sleep(1000)
        """
    (row,) = play(tmp_path, source, seconds=3.0)
    assert (row.ending, row.reason, row.solved, row.objective) == (RunEnding.TIME, "3 s", True, 14)


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found through a subreaper")
def test_memory_of_the_whole_tree_is_limited(tmp_path: Path) -> None:
    source = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            blocks = []
            while True:
                blocks.append(bytearray(b"x" * 2**22))
        time.sleep(1000)
        """
    (row,) = play(tmp_path, source, budget=", memory = 200")
    assert (row.ending, row.solved) == (RunEnding.MEMORY, False)
    assert row.reason.endswith("MiB, 200 allowed")
    assert (row.peak_mib or 0) > 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says which pages are shared")
def test_memory_that_forks_share_counts_once(tmp_path: Path) -> None:
    source = f"""
        import os, signal, time
        block = bytearray(b"x" * (80 * 2**20))
        for child in range(4):
            if os.fork() == 0:
                signal.pause()
        time.sleep(1)
        print({OPTIMAL!r})
        """
    (row,) = play(tmp_path, source, budget=", memory = 200")
    assert (row.ending, row.reason, row.solved) == (RunEnding.FINISHED, "", True)
    assert 80 < (row.peak_mib or 0) < 200


def test_a_program_has_the_environment_of_the_study_not_that_of_its_supervisor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/a/path/of/the/user")
    for name in ("OMP_NUM_THREADS", "PROVEMATE_CORES"):
        monkeypatch.delenv(name, raising=False)
    source = """
        import os, sys
        names = ("PYTHONPATH", "OMP_NUM_THREADS", "PROVEMATE_CORES")
        sys.exit(" ".join(f"{name}={os.environ.get(name)}" for name in names))
        """
    (row,) = play(tmp_path, source)
    assert row.reason == "exit code 1: PYTHONPATH=/a/path/of/the/user OMP_NUM_THREADS=None PROVEMATE_CORES=None"


@pytest.mark.skipif(sys.platform != "linux", reason="orphans fall to a subreaper")
def test_dead_orphans_do_not_pile_up_while_a_run_lasts(tmp_path: Path) -> None:
    source = f"""
        import os, pathlib, time
        orphans = 20
        for number in range(orphans):
            if (child := os.fork()) == 0:
                if os.fork() == 0:
                    time.sleep(0.05)
                os._exit(0)
            os.waitpid(child, 0)

        def dead():
            states = []
            for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
                try:
                    state, parent = stat.read_text().rpartition(")")[2].split()[:2]
                except OSError:
                    continue
                states.append(state) if int(parent) == os.getppid() else None
            return states.count("Z")

        until = time.monotonic() + 30
        time.sleep(0.2)
        while dead() and time.monotonic() < until:
            time.sleep(0.05)
        print({OPTIMAL!r} if not dead() else "none")
        """
    (row,) = play(tmp_path, source)
    assert (row.ending, row.solved) == (RunEnding.FINISHED, True)


def test_the_root_of_a_tree_is_never_stopped_only_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    kill = os.kill

    def record(pid: int, number: int) -> None:
        sent.append((pid, number))
        kill(pid, number)

    monkeypatch.setattr("os.kill", record)
    tree = subprocess.Popen(["sh", "-c", "sleep 1000 & wait"], start_new_session=True)
    until = time.monotonic() + 60
    while not (below := psutil.Process(tree.pid).children()) and time.monotonic() < until:
        time.sleep(0.01)
    end_tree(tree.pid)
    assert tree.wait(60) == -signal.SIGKILL
    assert [number for pid, number in sent if abs(pid) == tree.pid] == [signal.SIGKILL]
    assert psutil.wait_procs(below, timeout=60)[1] == []


def test_a_limit_keeps_the_best_so_far(tmp_path: Path) -> None:
    source = f"""
        import signal, sys, time
        def end(number, frame):
            print({OPTIMAL!r}, flush=True)
            raise SystemExit
        if sys.argv[2] == "100":
            print({OPTIMAL!r}, flush=True)
            print('\\n[(0,')
        else:
            signal.signal(signal.SIGTERM, end)
        time.sleep(1000)
        """
    late, asked = play(tmp_path, source, runs=2, seconds=3.0)
    assert (late.ending, late.valid, late.objective, late.solved) == (RunEnding.TIME, True, 14, True)
    assert 0 < (late.solved_seconds or 0) < 3
    assert [step.value for step in late.trace] == [14]
    assert (asked.ending, asked.valid, asked.solved, asked.trace) == (RunEnding.TIME, True, False, ())


def test_a_supervisor_killed_from_outside_costs_one_more_try_and_leaves_nothing(tmp_path: Path) -> None:
    rows: list[RunRow] = []
    flag = tmp_path / "flag"
    source = f"""
        import os, pathlib, time
        flag = pathlib.Path({str(flag)!r})
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
        if not flag.exists():
            flag.touch()
            time.sleep(1000)  # until it is killed
        print({OPTIMAL!r})
        """
    thread = threading.Thread(target=lambda: rows.extend(play(tmp_path, source)))
    thread.start()
    until = time.monotonic() + 120
    while not flag.exists() and time.monotonic() < until:
        time.sleep(0.02)
    (victim,) = [p for p in psutil.Process().children() if "compare.study.child" in line(p) and p.children()]
    victim.kill()
    thread.join(120)
    assert [(row.ending, row.solved) for row in rows] == [(RunEnding.FINISHED, True)]
    assert [p for p in psutil.process_iter() if str(tmp_path) in " ".join(line(p))] == []


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found through a subreaper")
def test_what_hides_is_ended_even_when_its_supervisor_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratches: list[Scratch] = []

    def noted(descriptor: int) -> Scratch:
        scratches.append(Scratch(descriptor))
        return scratches[-1]

    monkeypatch.setattr("compare.study.batch.Scratch", noted)
    flag = tmp_path / "flag"
    source = f"""
        import os, pathlib, time
        flag = pathlib.Path({str(flag)!r})
        if flag.exists():
            print({OPTIMAL!r})
            raise SystemExit
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                flag.with_name("pid").write_text(str(os.getpid()))
                flag.with_name("pid").rename(flag)
                os.execve("/bin/sh", ["sh", "-c", "sleep 1000"], {{}})
            os._exit(0)
        time.sleep(1000)  # until its supervisor is killed
        """
    rows: list[RunRow] = []
    thread = threading.Thread(target=lambda: rows.extend(play(tmp_path, source)))
    thread.start()
    until = time.monotonic() + 120
    while time.monotonic() < until:
        time.sleep(0.02)
        if flag.exists() and int(flag.read_text()) in scratches[0].processes():
            break
    hidden = psutil.Process(int(flag.read_text()))
    (victim,) = [p for p in psutil.Process().children() if "compare.study.child" in line(p) and p.children()]
    victim.kill()
    thread.join(120)
    assert [(row.ending, row.solved) for row in rows] == [(RunEnding.FINISHED, True)]
    assert not hidden.is_running() or hidden.status() == psutil.STATUS_ZOMBIE


def test_a_run_that_goes_wrong_costs_no_other(tmp_path: Path) -> None:
    source = f"import os, sys\nif sys.argv[2] == '101': os.abort()\nprint({OPTIMAL!r})"
    rows = play(tmp_path, source, runs=3)
    assert [row.ending for row in rows] == [RunEnding.FINISHED, RunEnding.CRASHED, RunEnding.FINISHED]
