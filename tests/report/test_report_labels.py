"""Labels are shown as they are, in every picture and table, whatever characters they have."""

from __future__ import annotations

import re
import warnings

import pytest
from report_cases import MACHINE, plan_of, row, study

from compare.report.page import render
from compare.report.summary import Summary, summarise
from compare.report.text import markdown
from compare.study.plan import Plan
from compare.study.rows import RunEnding, RunRow
from compare.study.store import Optimum

TASKS = '{ problem = "knights", instances = ["4x4", "5x5", "6x6"] }'


def summary_with(label: str) -> Summary:
    """Return a study with all kinds of plots, whose two entries are labelled so."""
    entries = ", ".join(f"{{ label = '{name}', command = 'nowhere/mine' }}" for name in (label, "other"))
    plan = plan_of(TASKS, entries)
    rows = []
    for place, task in enumerate(plan.tasks):
        for entry in plan.entries:
            for run in range(5):
                work = (run + 2) * 10 ** (place + 1)
                rows.append(
                    row(plan, entry.label, run, task.name, effort=work, effort_name="steps", objective=6 + run % 2)
                )
    return summarise(study(plan, *rows, optima={task.name: Optimum(6, "sat") for task in plan.tasks}))


@pytest.mark.parametrize(
    "label", ["costs $5 or $6", "100 $", "$x$ and $", "_hidden", "__", "骑士 🐎", "a & <b>", "{x}^2"]
)
def test_any_label_is_in_every_legend(label: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = render(summary_with(label))
    shown = label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plots = re.findall(r'<div class="plot">.*?</div>', text, re.DOTALL)
    assert len(plots) >= 8
    for plot in plots:
        assert re.search(f">{re.escape(shown)}</text>", plot), "in the legend, not only in the words"


def test_a_long_label_is_cut_in_pictures_and_whole_in_words() -> None:
    label = "python3 " + "very/" * 30 + "long.py"
    text = render(summary_with(label))
    assert f">{label[:59]}…</text>" in text
    assert f">{label}</text>" not in text
    assert f"<td>{label}</td>" in text


def test_a_line_break_ends_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = summary_with("mine")
    object.__setattr__(summary.data.plan, "title", "Two\nlines | and a bar")
    object.__setattr__(summary.lines[0], "entry", "two\nlines | and a bar")
    text = markdown(summary)
    assert "# Two lines | and a bar\n" in text
    assert "| two lines \\| and a bar |" in text


def test_squares_off_the_board_have_no_names() -> None:
    plan: Plan = plan_of(TASKS, "{ label = 'mine', command = 'nowhere/mine' }")
    wrong: RunRow = row(
        plan, "mine", 0, ending=RunEnding.WRONG_ANSWER, solved=False, valid=False, answer=((0, 0), (6, 9))
    )
    text = render(summarise(study(plan, wrong, machines=(MACHINE,))))
    assert "2 squares: a4 (6, 9); off-board" in text
    assert "j-2" not in text
