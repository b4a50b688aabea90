"""Reports from rows made by hand: nothing is dropped, claims and threats are judged, the page stands alone."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from compare.report.claims import judge_claims
from compare.report.data import StudyData
from compare.report.page import render
from compare.report.summary import summarise
from compare.report.text import markdown, rows_csv
from compare.report.threats import threats
from compare.report.wording import expected, number
from compare.restarts import Advice, Checked
from compare.running_time import ExpectedTime
from compare.study.machine import Machine
from compare.study.plan import Claim, ClaimKind, Entry, Plan, Task
from compare.study.plan_reading import parse_plan
from compare.study.players import Programs
from compare.study.rows import RunEnding, RunRow
from compare.study.store import Optimum
from problems import Status

PLAN = """
title = "Knights & <tags>"
question = "Which program covers the board?"
seed = 1
runs = 40
budget = {seconds = 10}

[[tasks]]
problem = "knights"
instances = ["4x4", "5x5", "6x6"]

[[entries]]
label = "mine"
command = "nowhere/mine {rows} {cols} {knights} {seed}"

[[entries]]
label = "theirs"
command = "nowhere/theirs {rows} {cols} {knights} {seed}"
"""
FOUR = ((1, 1), (1, 2), (1, 3), (2, 1), (3, 0), (3, 1))
MACHINE = Machine("host", "Linux", "cpu", 2, 1000, "CPython 3.11", {"numpy": "2"}, 0.1)


def plan_with(*claims: Claim, text: str = PLAN) -> Plan:
    plan = parse_plan(text, programs=Programs.MAY_BE_MISSING)
    return replace(plan, entries=(replace(plan.entries[0], claims=claims), *plan.entries[1:]))


def rows_of(plan: Plan, means: dict[str, float], cutoff: float = 500.0) -> tuple[RunRow, ...]:
    """Make geometric runs with these means, cut off: on the 4x4 board their answers are the right one."""
    generator = np.random.default_rng(3)
    rows = []
    for task, entry in plan.pairs():
        for run in range(entry.runs):
            effort = int(generator.geometric(1 / means[entry.label]))
            solved = effort <= cutoff
            rows.append(
                RunRow(
                    task=task.name, entry=entry.label, run=run, seed=run,
                    status=Status.FEASIBLE if solved else Status.UNKNOWN,
                    ending=RunEnding.FINISHED if solved else RunEnding.TIME,
                    seconds=min(effort, cutoff) / 1000, host="host", solved=solved,
                    valid=True if solved and task.instance == "4x4" else None,
                    objective=6 if solved and task.instance == "4x4" else None,
                    effort=int(min(effort, cutoff)), effort_name="steps", cpu_seconds=0.01, load=0.5,
                    answer=FOUR if solved and task.instance == "4x4" else None,
                )
            )  # fmt: skip
    return tuple(rows)


def data_of(plan: Plan, rows: tuple[RunRow, ...]) -> StudyData:
    return StudyData(plan, rows, (MACHINE,), {"knights 4x4": Optimum(6, "sat")})


@pytest.fixture(scope="module")
def data() -> StudyData:
    plan = plan_with(
        Claim(ClaimKind.MEAN_EFFORT, 100.0, "knights 4x4", runs=100, source="a document"),
        Claim(ClaimKind.SUCCESS_RATE, 0.01, "knights 4x4"),
    )
    return data_of(plan, rows_of(plan, {"mine": 100.0, "theirs": 400.0}))


def test_every_started_run_is_accounted_for(data: StudyData) -> None:
    summary = summarise(data)
    assert sum(line.runs for line in summary.lines) == len(data.rows) == data.plan.size() == 240
    for line in summary.lines:
        rows = [row for row in data.rows if (row.task, row.entry) == (line.task, line.entry)]
        assert line.solved == sum(row.solved for row in rows)
        assert sum(count for _, count in line.endings) == len(rows)
        assert line.expected_effort is not None
        assert line.expected_effort.estimate == pytest.approx(sum(row.effort or 0 for row in rows) / line.solved)


def test_pairs_are_compared_in_work_and_in_seconds(data: StudyData) -> None:
    families = {(family.task, family.unit): family for family in summarise(data).families}
    assert set(families) == {(f"knights {n}x{n}", unit) for n in (4, 5, 6) for unit in ("steps", "seconds")}
    comparison = families["knights 4x4", "steps"].comparisons[0]
    assert comparison.superiority > 0.6
    assert comparison.adjusted == comparison.p_value < 0.01


def test_claims_are_judged_with_both_uncertainties(data: StudyData) -> None:
    mean, rate = judge_claims(data)
    assert (mean.agrees, rate.agrees) == (True, False)
    far = data_of(plan_with(Claim(ClaimKind.MEAN_EFFORT, 300.0, "knights 4x4", runs=100)), data.rows)
    assert judge_claims(far)[0].agrees is False
    alone = data_of(plan_with(Claim(ClaimKind.MEAN_EFFORT, 150.0, "knights 4x4", runs=1)), data.rows)
    assert judge_claims(alone)[0].agrees is True, "a single run of mean 100 may well take 150"


def test_other_kinds_of_claims(data: StudyData) -> None:
    claims = (
        Claim(ClaimKind.OBJECTIVE, 6, "knights 4x4"),
        Claim(ClaimKind.OBJECTIVE, 5, "knights 4x4"),
        Claim(ClaimKind.DISTINCT_ANSWERS, 1, "knights 4x4", runs=40),
        Claim(ClaimKind.DISTINCT_ANSWERS, 1, "knights 4x4", runs=7),
        Claim(ClaimKind.DISTINCT_ANSWERS, 1, "knights 4x4", runs=41),
        Claim(ClaimKind.EFFORT_RATIO, 4.0, "knights 5x5", against="theirs"),
        Claim(ClaimKind.EFFORT, 100_000, "knights 5x5"),
    )
    outcomes = judge_claims(data_of(plan_with(*claims), data.rows))
    assert [outcome.agrees for outcome in outcomes] == [True, False, True, True, None, True, False]


def test_threats_name_what_is_wrong(data: StudyData) -> None:
    quiet = threats(data)
    assert any("6x6 is not proved" in threat for threat in quiet)
    assert not any("busy" in threat or "budgets" in threat or "Fewer than" in threat for threat in quiet)
    busy = data_of(data.plan, tuple(replace(row, load=9.0) for row in data.rows))
    assert any("busy" in threat for threat in threats(busy))
    wide = tuple(replace(row, seconds=1.0, cpu_seconds=1.9 if row.entry == "mine" else 0.9) for row in data.rows)
    assert any(threat.startswith("mine used more than one core") for threat in threats(data_of(data.plan, wide)))
    unfinished = data_of(data.plan, data.rows[:-5])
    assert any("5 of 240 runs" in threat for threat in threats(unfinished))
    crashed = (replace(data.rows[0], ending=RunEnding.WRONG_ANSWER), *data.rows[1:])
    assert any("wrong answers count" in threat for threat in threats(data_of(data.plan, crashed)))
    same = tuple(replace(row, effort=7, solved=True) for row in data.rows)
    assert any("one observation" in threat for threat in threats(data_of(data.plan, same)))
    few = plan_with(text=PLAN.replace("runs = 40", "runs = 3"))
    assert any("Fewer than 20" in threat for threat in threats(data_of(few, ())))
    unequal = plan_with(text=PLAN + "budget = {seconds = 3}\n")
    assert any("budgets are not equal" in threat for threat in threats(data_of(unequal, ())))


class _Page(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.ids: list[str] = []
        self.pictures = 0
        self.named = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.ids += [names["id"] or ""] if "id" in names else []
        for key in ("src", "href", "xlink:href"):
            value = names.get(key)
            if value and not value.startswith("#"):
                self.outside.append(value)
        if tag == "svg":
            self.pictures += 1
            self.named += bool(names.get("aria-label"))


def test_the_page_stands_alone_and_every_picture_has_words(data: StudyData) -> None:
    text = render(summarise(data))
    page = _Page(text)
    assert page.outside == []
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    assert page.pictures == page.named >= 8
    assert len(page.ids) == len(set(page.ids))
    assert "Knights &amp; &lt;tags&gt;" in text
    assert "<tags>" not in text
    assert text == render(summarise(data)), "the same rows give the same page"


def test_a_wrong_answer_is_drawn_with_its_faults(data: StudyData) -> None:
    first = data.rows[0]
    wrong = replace(first, ending=RunEnding.WRONG_ANSWER, answer=FOUR[1:], valid=False, solved=False, objective=5)
    text = render(summarise(data_of(data.plan, (wrong, *data.rows[1:]))))
    assert "a wrong answer, its faults marked" in text
    assert "unattacked." in text, "the picture's words name the fault"
    assert text.count("no knight attacks") > render(summarise(data)).count("no knight attacks")


def test_advice_is_put_to_the_test_where_it_is_asked_for(data: StudyData) -> None:
    asked: list[str] = []

    def recheck(study: StudyData, task: Task, entry: Entry, advice: Advice) -> Checked | None:
        asked.append(f"{entry.label} on {task.name}")
        return Checked(advice, ExpectedTime(1, 1, 1, False), agrees=False)

    summary = summarise(data, recheck)
    assert asked == [f"{line.entry} on {line.task}" for line in summary.lines if line.restart is not None]
    assert len(asked) >= 4


def test_an_empty_study_has_a_page_that_says_so(data: StudyData) -> None:
    text = render(summarise(data_of(data.plan, ())))
    assert "No run has been made yet" in text
    assert "240 of 240 runs have not been made" in text


def test_markdown_and_csv_hold_every_line(data: StudyData) -> None:
    text = markdown(summarise(data))
    assert text.count("\n| knights 4x4 |") >= 2
    rows = list(csv.DictReader(io.StringIO(rows_csv(data.rows))))
    assert len(rows) == 240
    assert {(row["task"], row["entry"], int(row["run"])) for row in rows} == {
        (row.task, row.entry, row.run) for row in data.rows
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (0.001234, "0.00123"),
        (5.0, "5"),
        (12.34, "12.3"),
        (549.4, "549"),
        (1234567, "1,234,567"),
    ],
)
def test_figures_have_three_digits(value: float | None, text: str) -> None:
    assert number(value) == text


def test_a_lower_bound_is_written_as_one() -> None:
    assert expected(ExpectedTime(100, 80, float("inf"), True)) == "at least 80"
    assert expected(ExpectedTime(100, 80, 130, False)) == "100 [80, 130]"
