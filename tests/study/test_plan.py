from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compare.study import SHIPPED, Fault, PlanError, RunKey, load_plan, parse_plan
from compare.study.jobs import Batch
from compare.study.plan import Budget, ClaimKind, Engine, Heuristic, Program, Target, TargetKind
from compare.study.players import Programs
from compare.study.program import command_words
from problems import Board, InputError, KnightCover, KnightTour, Queens, Rule

GOOD = """
title = "A study"
question = "Which?"
seed = 3
runs = 10

[budget]
evaluations = 1000
seconds = 2.5

[[tasks]]
problem = "knights"
instances = ["8x8", "10"]
target = "optimum + 1"

[[tasks]]
problem = "queens"
instance = "8"

[[tasks]]
name = "the document's"
problem = "tour"
instance = "6x6"
start = [0, 1]

[[entries]]
method = "genetic"
edition = "described"
tasks = ["knights 8x8", "knights 10"]
parameters = { copying = "in-place" }
budget = { seconds = 9, memory = 500 }

[[entries.claims]]
task = "knights 8x8"
what = "mean-effort"
value = 549
runs = 100
source = "first document"

[[entries]]
label = "prover"
engine = "sat"
runs = 2
tasks = ["queens 8"]

[[entries]]
command = "{python} ga.py {rows} {cols} {seed}"
coordinates = "rc"
"""


def test_a_plan_is_read_as_written() -> None:
    plan = parse_plan(GOOD)
    assert [task.name for task in plan.tasks] == ["knights 8x8", "knights 10", "queens 8", "the document's"]
    assert plan.task("knights 10").problem == KnightCover(Board(10, 10), Rule.TOTAL)
    assert plan.task("knights 10").target == Target(TargetKind.OPTIMUM, 1)
    assert plan.task("queens 8").problem == Queens(8)
    assert plan.task("the document's").problem == KnightTour(Board(6, 6), (0, 1))
    genetic, prover, program = plan.entries
    assert isinstance(genetic.player, Heuristic)
    assert genetic.player.parameters.copying == "in-place"
    assert genetic.budget == Budget(seconds=9, evaluations=1000, memory=500)
    assert genetic.claims[0].what is ClaimKind.MEAN_EFFORT
    assert (prover.label, prover.player, prover.runs) == ("prover", Engine("sat"), 2)
    assert isinstance(program.player, Program)
    assert program.tasks == tuple(task.name for task in plan.tasks)
    assert plan.size() == 2 * 10 + 2 + 4 * 10
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_the_goal_is_the_optimum_plus_the_target() -> None:
    task = parse_plan(GOOD).task("knights 8x8")
    assert task.goal(14) == 15
    assert task.posed(15) == KnightCover(Board(8, 8), Rule.TOTAL, 15)


BAD = """
title = 5
runs = 0
speed = "high"

[budget]
seconds = -1
minutes = 3

[[tasks]]
problem = "rooks"
instance = "8x8"

[[tasks]]
problem = "knights"
instance = "8x0"
rule = "totl"
target = "best"

[[tasks]]
problem = "queens"
instance = "8x9"
target = "optimum"

[[tasks]]
problem = "queens"
instance = "8"
start = "a1"

[[entries]]
method = "genetik"
tasks = ["queens 8"]

[[entries]]
engine = "sat"
method = "genetic"

[[entries]]
command = "no-such-program-here {rows} {rooks}"

[[entries]]
command = "sh -c {unclosed"

[[entries]]
engine = "sat"
tasks = ["queens 9"]

[[entries.claims]]
what = "mean"
value = "many"
"""


def test_every_fault_is_named_at_once_with_its_line() -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(BAD, source="bad.toml")
    found = {(fault.line, fault.text.split(":")[0].split("'")[0].strip()) for fault in caught.value.faults}
    expected = {
        (1, "no seed"), (2, "title"), (3, "runs"), (4, "unknown key"), (7, "seconds"), (8, "unknown key"),
        (11, "problem"), (16, "board size"), (17, "rule"), (18, "target"), (22, "board size"), (23, "target"),
        (28, "unknown key"), (31, "method"), (34, "an entry needs exactly one of method, engine and command"),
        (39, "command"), (42, "command"), (46, "unknown task"), (49, "what"), (50, "value"),
    }  # fmt: skip
    assert expected - found == set()
    lines = str(caught.value).splitlines()
    assert len(lines) == len(caught.value.faults)
    assert all(line.startswith("bad.toml:") for line in lines)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


ONE_TASK = 'seed = 1\nruns = 1\n[[tasks]]\nproblem = "{problem}"\ninstance = "8x8"\n[[entries]]\n{entry}\n'


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('method = "genetic"', "no budget: give seconds or evaluations"),
        ('engine = "sat"', "needs seconds"),
        ('command = "sh {evaluations}"\nbudget = { seconds = 1 }', "{evaluations} needs a budget of evaluations"),
        ('command = "sh {start}"\nbudget = { seconds = 1 }', "it gives nothing for {start}"),
        ('method = "genetic"\nedition = "prined"\nbudget = { seconds = 1 }', "did you mean printed?"),
        ('method = "genetic"\nparameters = { swap = 1 }\nbudget = { seconds = 1 }', "did you mean swaps?"),
        ('method = "genetic"\nparameters = { swaps = "two" }\nbudget = { seconds = 1 }', "one, eight-to-ten"),
        ('method = "genetic"\nparameters = { swaps = 2 }\nbudget = { seconds = 1 }', "one, eight-to-ten"),
        ('method = "backtracking"\nbudget = { seconds = 1 }', "can play none of the tasks"),
        ('engine = "sat"\nedition = "printed"\nbudget = { seconds = 1 }', "unknown key 'edition'"),
        ('engine = "cplex"\nbudget = { seconds = 1 }', "engine: expected one of auto"),
    ],
)
def test_faults_of_entries(entry: str, expected: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(ONE_TASK.format(problem="knights", entry=entry))
    assert expected in str(caught.value)
    assert all(fault.line >= 6 for fault in caught.value.faults)


COMMANDS = [
    ("sh {seed:05d}", "expected a plain {seed}, got '{seed:05d}'"),
    ("sh {rows!z}", "expected a plain {rows}, got '{rows!z}'"),
    ("sh {rows!r:>{cols}}", "expected a plain {rows}"),
    ("sh {rows.real}", "unknown '{rows.real}'"),
    ("sh {}", "unknown '{}'"),
    ("awk '{print $1}'", "braces that are the program's own are doubled: {{ and }}"),
    ("awk '{print'", "braces that are the program's own are doubled: {{ and }}"),
    ("sh \\u0000", "a text without control characters"),
    ("sh \\u001b", "a text without control characters"),
    ("./no_such_prog_{rows}.sh", "there is no program './no_such_prog_8.sh'"),
    ("no-such-program-{rule}", "there is no program 'no-such-program-total'"),
    ("", "expected a text"),
    ("''", "there is no program ''"),
]


def test_a_program_that_is_not_there_is_named_beside_an_unknown_placeholder() -> None:
    entry = 'command = "/nonexistent/prog {bogus}"\nbudget = { seconds = 1 }'
    with pytest.raises(PlanError) as caught:
        parse_plan(ONE_TASK.format(problem="knights", entry=entry))
    assert "unknown '{bogus}'" in str(caught.value)
    assert "there is no program '/nonexistent/prog'" in str(caught.value)


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_commands_that_no_run_could_start_are_faults(command: str, expected: str) -> None:
    entry = f'command = "{command}"\nbudget = {{ seconds = 1 }}'
    with pytest.raises(PlanError) as caught:
        parse_plan(ONE_TASK.format(problem="knights", entry=entry))
    assert expected in str(caught.value)
    assert [fault.line for fault in caught.value.faults] == [7] * len(caught.value.faults)


def test_placeholders_and_doubled_braces_are_filled_in_the_programs_name_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prog_8.sh").write_text("#!/bin/sh\n")
    (tmp_path / "prog_8.sh").chmod(0o755)
    for command in ("./prog_{rows}.sh '{{print $1}} {{evaluations}}' {seed}", "./prog_{cols}.sh", "no-{seed}"):
        entry = f'command = "{command}"\nbudget = {{ seconds = 1 }}'
        plan = parse_plan(ONE_TASK.format(problem="knights", entry=entry))
        assert plan.entries[0].player == Program(command)
    batch = Batch(plan.tasks[0], 14, parse_plan(ONE_TASK.format(problem="knights", entry=(
        'command = "awk \'{{print $1}}\' {rows} {seed}"\nbudget = { seconds = 1 }'
    ))).entries[0], (), 1.0)  # fmt: skip
    assert command_words(batch, 0, 7) == ["awk", "{print $1}", "8", "7"]


def test_a_label_does_not_depend_on_where_the_interpreter_is(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = 'command = "{python} my.py {seed}"\nbudget = { seconds = 1 }'
    text = ONE_TASK.format(problem="knights", entry=entry)
    plan = parse_plan(text)
    monkeypatch.setattr("sys.executable", "/bin/sh")
    elsewhere = parse_plan(text)
    assert plan.entries[0].label == elsewhere.entries[0].label == "{python} my.py"
    assert plan.digest() == elsewhere.digest()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("seconds = 2.5", f"seconds = 1{'0' * 400}", "seconds: expected a positive number up to 315,360,000"),
        ("seconds = 2.5", "seconds = 1e300", "seconds: expected a positive number up to 315,360,000"),
        ("seconds = 2.5", "seconds = inf", "seconds: expected a positive number up to 315,360,000"),
        ("seconds = 2.5", "seconds = nan", "seconds: expected a positive number up to 315,360,000"),
        ("value = 549", f"value = 1{'0' * 400}", "value: expected a positive number"),
        ("value = 549", f"value = 549\nvalues = [1, 1{'0' * 400}]", "values: expected a list of numbers"),
        ("value = 549", "value = 549\nvalues = [1, nan]", "values: expected a list of numbers"),
        ('title = "A study"', r'title = "A\nstudy"', "title: expected a text of one line"),
        ('label = "prover"', r'label = "pro\u001b[31mver"', "label: expected a text of one line"),
        ('name = "the document\'s"', r'name = "the\u2028document"', "name: expected a text of one line"),
        ('source = "first document"', r'source = "first\u0000document"', "source: expected a text of one line"),
        ('question = "Which?"', r'question = "Which\u0007?"', "question: expected a text without control"),
    ],
)  # fmt: skip
def test_numbers_and_texts_that_no_run_or_report_could_use_are_faults(old: str, new: str, expected: str) -> None:
    assert old in GOOD
    with pytest.raises(PlanError) as caught:
        parse_plan(GOOD.replace(old, new))
    assert expected in str(caught.value)


def test_ten_years_and_a_question_of_several_lines_are_accepted() -> None:
    text = GOOD.replace("seconds = 2.5", "seconds = 315_360_000").replace('"Which?"', '"""Which?\n\tOr both?"""')
    plan = parse_plan(text)
    assert plan.entries[1].budget.seconds == 315_360_000
    assert plan.question == "Which?\n\tOr both?"


def test_a_byte_order_mark_is_no_part_of_a_plan(tmp_path: Path) -> None:
    (tmp_path / "bom.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load_plan(tmp_path / "bom.toml") == parse_plan(GOOD)


@pytest.mark.parametrize("text", ["", "seed = 1", "a = ", "[[tasks]\n", "\x00", "= = =", '"""', "[" * 5000])
def test_what_is_no_plan_is_refused_in_lines(text: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(text)
    assert all(fault.line >= 1 for fault in caught.value.faults)


@given(st.data())
def test_mutated_plans_are_read_or_refused_in_lines(data: st.DataObject) -> None:
    lines = GOOD.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        words = [
            "",
            "x",
            "[[entries]]",
            "seed = -1",
            "runs = 1e9",
            'instance = "0x0"',
            "tasks = 3",
            '"',
            "= 1",
            "[a.b]",
        ]
        lines[place] = data.draw(
            st.sampled_from([*words, lines[place][::-1], lines[data.draw(st.integers(0, place))]])
        )
    text = "\n".join(lines)
    faults = faults_of(text)
    assert all(1 <= fault.line <= len(lines) and "\n" not in fault.text for fault in faults)


def faults_of(text: str) -> tuple[Fault, ...]:
    try:
        parse_plan(text)
    except PlanError as error:
        return error.faults
    return ()


def test_the_plan_in_the_documentation_is_valid() -> None:
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text("utf-8")
    plan, claim = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    parse_plan(plan.replace("python my_ga.py", "sh my_ga.sh"))
    parse_plan(plan.replace("python my_ga.py", "sh my_ga.sh") + claim)


def test_second_entries_of_a_label_and_tasks_of_a_name_are_faults() -> None:
    twice = ONE_TASK.format(problem="queens", entry='engine = "sat"\nbudget = { seconds = 1 }')
    with pytest.raises(PlanError, match="a second entry labelled 'sat'"):
        parse_plan(twice + '[[entries]]\nengine = "sat"\nbudget = { seconds = 1 }\n')
    with pytest.raises(PlanError, match="a second task named 'queens 8x8'"):
        parse_plan(twice + '[[tasks]]\nproblem = "queens"\ninstance = "8x8"\n')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "huge.toml").write_bytes(b"#" * 2_000_000)
    for name in ("missing.toml", "binary.toml", "huge.toml", "."):
        with pytest.raises(InputError, match="expected a plan: a TOML file, or one of documents, quick, speed"):
            load_plan(tmp_path / name)


def test_a_stored_plan_is_read_where_its_programs_are_missing() -> None:
    entry = 'command = "no-such-program-here"\nbudget = { seconds = 1 }'
    text = ONE_TASK.format(problem="queens", entry=entry)
    with pytest.raises(PlanError, match="there is no program"):
        parse_plan(text)
    assert parse_plan(text, programs=Programs.MAY_BE_MISSING).entries[0].player == Program("no-such-program-here")


def test_seeds_come_from_the_plan_and_the_identity_alone() -> None:
    plan, other = parse_plan(GOOD), parse_plan(GOOD.replace("seed = 3", "seed = 4"))
    keys = [RunKey(t.name, e.label, run) for t, e in plan.pairs() for run in range(e.runs)]
    seeds = [plan.seed_of(key) for key in keys]
    assert len(set(seeds)) == len(keys)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert not set(seeds) & {other.seed_of(key) for key in keys}
    # A value of record: seeds must not change between versions, or old studies cannot be gone on with.
    assert plan.seed_of(RunKey("knights 8x8", "genetic", 0)) == 833597850


def test_the_digest_is_about_what_decides_the_runs() -> None:
    plan = parse_plan(GOOD)
    same = GOOD.replace("A study", "Another title").replace("value = 549", "value = 550") + "# remark\n"
    assert parse_plan(same).digest() == plan.digest()
    for old, new in (("runs = 10", "runs = 11"), ("seed = 3", "seed = 4"), ("in-place", "copy"), ("2.5", "2")):
        assert parse_plan(GOOD.replace(old, new)).digest() != plan.digest()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_plans_are_valid(name: str) -> None:
    assert load_plan(name).size() > 0
