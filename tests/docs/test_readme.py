"""Every command and output printed in the README is run and compared, times and work counts aside."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
STEPS = [re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:] for block in BLOCKS]
COMMAND = f'provemate() {{ "{sys.executable}" -m compare.cli "$@"; }}'


def masked(text: str) -> list[str]:
    """Blank out what differs from machine to machine: seconds, compile times, and work counts of solvers."""
    text = re.sub(r"\d+\.\d+ s\b", "# s", text)
    text = re.sub(
        r"[\d,]+ (restart|conflict|decision|propagation|branch|solver call|cut)(?:e?s)?\b", r"# \1", text
    )
    lines = (line.rstrip() for line in text.strip().splitlines())
    return [line for line in lines if not line.startswith("  first use on this machine")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder where the README's commands may write, with the files it names."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    return tmp_path


@pytest.mark.parametrize("steps", STEPS, ids=[steps[0].splitlines()[0][2:60] for steps in STEPS])
def test_the_commands_print_what_the_readme_says(steps: list[str], folder: Path) -> None:
    for step in steps:
        command, _, expected = step[2:].partition("\n")
        done = subprocess.run(
            ["bash", "-c", f"{COMMAND}\n{command}"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert masked(done.stdout + done.stderr) == masked(expected), command


def test_the_python_session_in_the_readme() -> None:
    sessions = "\n".join(re.findall(r"^```python\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE))
    test = doctest.DocTestParser().get_doctest(sessions, {}, "README", "README.md", 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_readme_shows_commands() -> None:
    verbs = {step.split()[2] for steps in STEPS for step in steps if step.startswith("$ provemate")}
    assert {"prove", "verify", "count", "solve", "methods", "check", "study", "export"} <= verbs
