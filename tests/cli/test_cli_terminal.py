"""The command line on a terminal, and with readers and users that go away."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "compare.cli"]


def on_terminal(*words: str, columns: int, lines: int = 24) -> str:
    """Return what the command shows on a terminal of that size, line ends as written."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "PAGER": "cat"},
    )
    os.close(theirs)
    shown = bytearray()
    with contextlib.suppress(OSError):  # Linux ends the reading of a terminal without a writer like this
        while chunk := os.read(ours, 1 << 16):
            shown += chunk
    assert process.wait(timeout=120) == 0
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("columns", [40, 80])
def test_a_watched_board_is_redrawn_in_place(columns: int) -> None:
    words = ["solve", "knights", "8x8", "--knights", "14", "--method", "local-search", "--watch", "--seed", "1"]
    shown = on_terminal(*words, columns=columns)
    frames = re.split(r"\x1b\[(?:9A\x1b\[)?J", shown.split("the 8x8 board")[0])[1:]
    assert len(frames) > 1
    for frame in frames:
        rows = frame.splitlines()
        assert len(rows) == 9, "the value and eight ranks"
        assert all(len(row) < columns for row in rows)


def test_a_board_higher_than_the_terminal_leaves_one_line_that_changes() -> None:
    words = ["solve", "knights", "20x20", "--method", "greedy-cover", "--watch", "--quiet"]
    shown = on_terminal(*words, columns=80, lines=12)
    frames = re.split(r"\x1b\[(?:1A\x1b\[)?J", shown.split("the 20x20 board")[0])[1:]
    assert frames
    assert all(len(frame.splitlines()) == 1 for frame in frames)


def test_progress_fits_the_terminal_and_is_wiped() -> None:
    shown = on_terminal("count", "queens", "11", "--engine", "sat", "--time-limit", "300", columns=30)
    lines = re.findall(r"\r\x1b\[2K([^\r]*)", shown)
    assert len(lines) > 1
    assert all(len(line) < 30 for line in lines[:-1])
    assert lines[-1].startswith("11 queens: 2,680 placements")


def test_all_placements_are_paged() -> None:
    shown = on_terminal("solve", "queens", "6", "--all", columns=80)
    assert "number 4 of 4" in shown


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [*COMMAND, "solve", "queens", "8", "--all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=120), complaint) == (0, b"")


def test_a_terminal_without_unicode_gets_an_answer() -> None:
    done = subprocess.run(
        [*COMMAND, "solve", "tour", "70x70"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"4,888 more" in done.stdout


def test_an_interrupt_ends_the_command_and_its_children(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "prove", "knights", "24x24", "--rule", "ordinary", "--engine", "sat"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    children: list[int] = []
    deadline = time.monotonic() + 120
    while not children and time.monotonic() < deadline:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
        children = [int(child) for child in listed.split()]
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, complaint = process.communicate(timeout=120)
    assert (process.returncode, output, complaint) == (130, b"", b"provemate: cancelled\n")
    assert children
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_a_full_disk_is_said_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "solve", "queens", "8"], stdout=full, stderr=subprocess.PIPE, timeout=300, check=False
        )
    assert (done.returncode, done.stderr) == (
        2,
        b"provemate: expected room to write, got no space left on device\n",
    )


@pytest.mark.parametrize(
    ("closed", "words", "code"), [(1, ["prove", "tour", "5x5"], 0), (0, ["verify", "queens", "-"], 2)]
)
def test_streams_that_the_caller_closed_are_no_bug(closed: int, words: list[str], code: int) -> None:
    command = f'"$@" {closed}>&-' if closed else '"$@" <&-'
    done = subprocess.run(
        ["bash", "-c", command, "bash", *COMMAND, *words], stderr=subprocess.PIPE, timeout=300, check=False
    )
    assert done.returncode == code
    assert done.stderr.count(b"\n") == (code == 2)
