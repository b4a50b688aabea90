"""`study` as a process: run, status, report, merge; every fault of a plan at once."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from cli_process import provemate

PLAN = """
title = "Queens"
question = "Which is sooner?"
seed = 1
runs = 4
budget = {seconds = 20, evaluations = 100000}

[[tasks]]
problem = "queens"
instance = "6"

[[entries]]
engine = "sat"
runs = 2

[[entries]]
method = "min-conflicts"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def test_a_study_runs_goes_on_and_reports(plan: Path, tmp_path: Path) -> None:
    store, page = tmp_path / "study.db", tmp_path / "page.html"
    first = provemate("study", "run", plan, "--store", store)
    assert first.code == 0
    assert "6 of 6 runs" in first.out
    assert "min-conflicts" in first.out
    assert provemate("study", "run", plan, "--store", store, "--json").json == {
        "done": 6, "total": 6, "failed": 0, "store": str(store),
    }  # fmt: skip
    status = provemate("study", "status", "--store", store, "--json").json
    assert (status["done"], status["left"]) == (6, 0)
    report = provemate("study", "report", "--store", store, "--output", page)
    assert page.resolve().as_uri() in report.out
    assert page.read_text().startswith("<!doctype html>")
    rows = list(csv.DictReader(io.StringIO(provemate("study", "report", "--store", store, "--format", "csv").out)))
    assert len(rows) == 6
    assert all(row["solved"] == "True" for row in rows)
    assert "## Verdict" in provemate("study", "report", "--store", store, "--format", "md").out


def test_parts_made_apart_merge_to_the_whole(plan: Path, tmp_path: Path) -> None:
    stores = [tmp_path / f"{part}.db" for part in (1, 2)]
    for part, store in enumerate(stores, 1):
        assert provemate("study", "run", plan, "--store", store, "--part", f"{part}/2", "--quiet").code == 0
    whole = tmp_path / "whole.db"
    assert "6 rows added" in provemate("study", "merge", *stores, "--store", whole).out
    assert provemate("study", "status", "--store", whole, "--json").json["left"] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["run", "no-such-plan", "--store", "x.db"],
        ["run", "quick", "--store", "/nowhere/x.db"],
        ["run", "quick", "--store", "x.db", "--part", "3/2"],
        ["run", "quick", "--store", "x.db", "--scheduler", "nowhere"],
        ["run", "quick"],
        ["status", "--store", "/nowhere/x.db"],
        ["report", "--store", "/nowhere/x.db"],
        ["explain"],
    ],
)
def test_bad_usage_gets_one_line(words: list[str], tmp_path: Path) -> None:
    ran = provemate("study", *(str(tmp_path / word) if word == "x.db" else word for word in words))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_failed_runs_are_made_again_when_asked(tmp_path: Path) -> None:
    flag, plan, store = tmp_path / "flag", tmp_path / "flaky.toml", tmp_path / "study.db"
    entry = f"command = 'test -e {flag}'\nbudget = {{ seconds = 60 }}"
    plan.write_text(
        f"seed = 1\nruns = 2\ntasks = [{{ problem = 'queens', instance = '6' }}]\n[[entries]]\n{entry}\n"
    )
    run = ("study", "run", plan, "--store", store, "--json")
    assert provemate(*run).json["failed"] == 2
    flag.touch()
    assert provemate(*run, "--redo", "memory").json["failed"] == 2
    assert provemate(*run, "--redo", "crashed").json == {"done": 2, "total": 2, "failed": 2, "store": str(store)}
    rows = csv.DictReader(io.StringIO(provemate("study", "report", "--store", store, "--format", "csv").out))
    assert {row["ending"] for row in rows} == {"no-answer"}
    assert "2 failed runs were dropped on demand" in provemate("study", "status", "--store", store).out
    refused = provemate(*run, "--redo", "time")
    assert refused.code == 2
    assert "--redo: expected one of crashed, memory, no-answer" in refused.err


def test_every_fault_of_a_plan_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('seed = 1\nrums = 3\n[[tasks]]\nproblem = "chess"\n[[entries]]\nmethod = "oracle"\n')
    ran = provemate("study", "run", path, "--store", tmp_path / "x.db")
    assert ran.code == 2
    for line, word in ((2, "rums"), (4, "chess"), (6, "oracle")):
        assert f"{path}:{line}: " in ran.err
        assert word in ran.err
    assert not (tmp_path / "x.db").exists()
