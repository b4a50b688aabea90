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
STEPS = [
    (block, step)
    for block, text in enumerate(BLOCKS)
    for step in re.split(r"^(?=\$ )", text, flags=re.MULTILINE)
    if step
]
COMMAND = f'provemate() {{ "{sys.executable}" -m compare.cli "$@"; }}'


def masked(text: str) -> list[str]:
    """Blank out what differs from machine to machine: seconds, and work counts of solvers."""
    text = re.sub(r"\d+\.\d+ s\b", "# s", text)
    text = re.sub(r"[\d,]+ (restarts|conflicts|decisions|propagations|branches|solver calls|cuts)", r"# \1", text)
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where the README's commands may write, with the files it names."""
    place = tmp_path_factory.mktemp("readme")
    (place / "docs").symlink_to(ROOT / "docs")
    return place


@pytest.mark.xdist_group("readme")
@pytest.mark.parametrize(
    "step", [step for _, step in STEPS], ids=[step.splitlines()[0][2:60] for _, step in STEPS]
)
def test_a_command_prints_what_the_readme_says(step: str, folder: Path) -> None:
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
    assert masked(done.stdout + done.stderr) == masked(expected)


def test_the_python_session_in_the_readme() -> None:
    sessions = "\n".join(re.findall(r"^```python\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE))
    test = doctest.DocTestParser().get_doctest(sessions, {}, "README", "README.md", 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_readme_shows_commands() -> None:
    verbs = {step.split()[2] for _, step in STEPS if step.startswith("$ provemate")}
    assert {"prove", "verify", "count", "solve", "methods", "check", "study", "export"} <= verbs
