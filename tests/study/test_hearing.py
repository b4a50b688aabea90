"""What counts of what a program prints, and when: bytes with their times in, a row out; no process, no clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from compare.study import RunEnding, RunRow, parse_plan
from compare.study.hearing import Ended, row_of_program
from compare.study.jobs import Batch
from compare.study.judging import Used
from compare.study.printed import Printed
from problems import Improvement, Status
from problems.formats import Reading, read

LIMIT = 10.0
FOURTEEN = [
    [2, 1],
    [2, 2],
    [2, 3],
    [2, 4],
    [2, 5],
    [2, 6],
    [4, 1],
    [4, 2],
    [4, 5],
    [4, 6],
    [6, 2],
    [6, 3],
    [6, 4],
    [6, 5],
]
"""A minimum, as [row, column]."""
FIFTEEN = [*FOURTEEN, [7, 7]]
SIXTEEN = [*FIFTEEN, [0, 0]]
WRONG = FOURTEEN[:-1]


def record(answer: object, evaluations: int | None = None, **more: object) -> str:
    counters = {} if evaluations is None else {"counters": {"evaluations": evaluations}}
    return json.dumps({"answer": answer, **counters, **more}) + "\n\n"


def heard(
    *printed: tuple[float, object], ended: RunEnding | None = RunEnding.TIME, evaluations: int | None = None
) -> RunRow:
    """Return the row of a program that printed texts (or answers) at seconds, with 14 knights as its goal."""
    budget = f"seconds = {LIMIT}" + (f", evaluations = {evaluations}" if evaluations else "")
    plan = parse_plan(
        f"""
        seed = 1
        runs = 1
        budget = {{ {budget} }}
        tasks = [{{ problem = "knights", instance = "8x8", optimum = 14 }}]
        entries = [{{ command = "sh", coordinates = "rc" }}]
        """
    )
    batch = Batch(plan.tasks[0], 14, plan.entries[0], ((0, 7),), seconds=60)
    output = Printed(LIMIT)
    for seconds, text in printed:
        output.take((text if isinstance(text, str) else f"{text}\n\n").encode(), seconds)
    reason = "" if ended is None else f"{LIMIT:g} s"
    return row_of_program(batch, 0, 7, output, Ended(ended, reason, 0, ""), Used(LIMIT + 0.4))


def test_success_is_when_the_first_answer_arrived_that_meets_the_goal() -> None:
    row = heard((1.0, SIXTEEN), (2.0, FIFTEEN), (3.0, FOURTEEN), (4.0, FOURTEEN[::-1]))
    assert (row.ending, row.solved, row.solved_seconds) == (RunEnding.TIME, True, 3.0)
    assert [(step.value, step.seconds) for step in row.trace] == [(16, 1.0), (15, 2.0), (14, 3.0)]
    assert row.answer == tuple(map(tuple, FOURTEEN[::-1]))


@pytest.mark.parametrize("late", ["\n", "\n\n\n", "interrupted\n", str(WRONG), "[(2,1),(2,", "none\n"])
def test_what_follows_after_the_limit_takes_nothing_away(late: str) -> None:
    for first in (f"{FOURTEEN}\n", f"{FOURTEEN}\n\n", f"{FOURTEEN}"):
        row = heard((0.05, first), (LIMIT + 0.1, late))
        assert (row.solved, row.solved_seconds, row.objective, row.valid) == (True, 0.05, 14, True), first


def test_no_flood_of_remarks_hides_an_answer() -> None:
    for when in (5.0, LIMIT + 0.1):
        row = heard((1.0, FIFTEEN), (2.0, FOURTEEN), *((when, "still at it\n\n") for _ in range(100)))
        assert (row.solved, row.solved_seconds, row.objective) == (True, 2.0, 14)


def test_empty_lines_make_an_answer_no_later() -> None:
    row = heard((0.07, FOURTEEN), *((second / 10, "\n") for second in range(1, 90)))
    assert (row.solved, row.solved_seconds) == (True, 0.07)


def test_what_arrives_after_the_limit_is_kept_where_it_is_better_but_is_no_success() -> None:
    row = heard((1.0, SIXTEEN), (LIMIT + 0.2, FOURTEEN))
    assert (row.ending, row.solved, row.objective, row.solved_seconds) == (RunEnding.TIME, False, 14, None)
    assert row.trace == (Improvement(1, 16, 1.0),)
    assert heard((LIMIT + 0.2, FOURTEEN)).objective == 14
    assert heard((1.0, WRONG), (LIMIT + 0.2, FIFTEEN)).objective == 15
    assert heard((1.0, FIFTEEN), (LIMIT + 0.2, SIXTEEN)).objective == 15


def test_an_answer_that_the_limit_cut_off_does_not_hide_the_one_before() -> None:
    text = str(SIXTEEN)
    row = heard((1.0, FOURTEEN), (9.9, text[:50]), (LIMIT + 0.1, text[50:]))
    assert (row.solved, row.solved_seconds, row.objective) == (True, 1.0, 14)


def test_the_last_answer_in_time_counts_even_if_an_earlier_one_was_better() -> None:
    assert not heard((1.0, FOURTEEN), (2.0, FIFTEEN)).solved
    worse = heard((1.0, FOURTEEN), (2.0, WRONG), ended=None)
    assert (worse.ending, worse.solved, worse.valid) == (RunEnding.WRONG_ANSWER, False, False)
    assert [step.value for step in worse.trace] == [14]


def test_a_program_that_ends_by_itself_is_successful_when_it_printed() -> None:
    row = heard((1.0, FIFTEEN), (2.0, FOURTEEN), (3.0, "\n"), ended=None)
    assert (row.ending, row.solved, row.solved_seconds) == (RunEnding.FINISHED, True, 2.0)


@pytest.mark.parametrize(
    "text",
    ["none", "None\n", '{"status": "UNKNOWN", "answer": null}', '{"status": "INFEASIBLE"}', '{"answer": null}'],
)
def test_a_program_may_say_that_it_found_none(text: str) -> None:
    for before in ("", f"{FIFTEEN}\n\n"):
        row = heard((1.0, before + text), ended=None)
        assert (row.ending, row.reason, row.answer, row.valid, row.solved) == (
            RunEnding.FINISHED,
            "",
            None,
            None,
            False,
        )
        assert row.status is Status.UNKNOWN
    assert heard((1.0, FIFTEEN), (2.0, text)).objective == 15


@pytest.mark.parametrize("text", ["I found none", "{}", '{"status": "FEASIBLE"}', '{"answer": ' + "[" * 99_999])
def test_what_cannot_be_read_is_no_statement_that_there_is_none(text: str) -> None:
    assert heard((1.0, text), ended=None).ending is RunEnding.UNREADABLE


def test_more_evaluations_than_the_budget_are_no_success() -> None:
    over = heard((1.0, record(FIFTEEN, 90)), (2.0, record(FOURTEEN, 101)), ended=None, evaluations=100)
    assert (over.ending, over.solved, over.effort) == (RunEnding.EVALUATIONS, False, 101)
    assert over.reason == "101 by its own count, 100 allowed"
    assert (over.objective, [step.value for step in over.trace]) == (14, [15])
    within = heard((1.0, record(FOURTEEN, 99)), (2.0, record(FOURTEEN, 101)), ended=None, evaluations=100)
    assert (within.ending, within.solved, within.solved_effort) == (RunEnding.EVALUATIONS, True, 99)
    assert heard((1.0, record(FOURTEEN, 100)), ended=None, evaluations=100).solved
    assert not heard((1.0, record(FOURTEEN, 101)), evaluations=100).solved


@pytest.mark.parametrize(("count", "kept"), [(2**63 - 1, 2**63 - 1), (2**63, None), (10**26, None), (-1, None)])
def test_a_count_that_no_store_can_hold_is_none(count: int, kept: int | None) -> None:
    row = heard((1.0, record(FOURTEEN, count)), ended=None)
    assert (row.solved, row.effort) == (True, kept)


def test_memory_and_reading_stay_bounded_however_much_is_printed() -> None:
    output = Printed(limit=1e9)
    for number in range(150_000):
        output.take(b"7\n\n", number * 1e-4)
    assert len(output._ends) < 70_000
    parts = output.parts()
    assert len(parts) <= 2_020
    assert [part.start for part in parts] == sorted(part.start for part in parts)
    assert [output.bytes_of(part).strip() for part in parts] == [b"7"] * len(parts)
    for part in parts:
        true = part.start // 3 * 1e-4
        assert true <= part.seconds < true + 0.002


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each text has that is parsed."""
    sizes: list[int] = []

    def counting(data: bytes, *words: Any, **options: Any) -> Reading:
        sizes.append(len(data))
        return read(data, *words, **options)

    monkeypatch.setattr("compare.study.reading.read", counting)
    return sizes


def numbered(line: str, size: int) -> str:
    """Return so many bytes of parts that are all different."""
    return "".join(f"{number} {line}\n\n" for number in range(size // (len(line) + 6)))


MIB = 1 << 20
FLOODS = {
    "pairs": "1 2\n" * (MIB // 2),
    "short parts": "1 2 3\n\n" * MIB,
    "bracketed pairs": "(0,0)," * MIB,
    "boards": "........\n" * MIB,
    "remarks": numbered("iteration, best 17\n" * 50, 6 * MIB),
    "long wrong answers": numbered("1\n" + "1 2\n" * 15_000, 6 * MIB),
    "long records": "".join(
        f'{{"answer": [[0, {col}]{", [1, 2]" * 120_000}]}}\n\n' for col in range(7)
    ),
}  # fmt: skip


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("ended", [None, RunEnding.TIME])
def test_a_flood_is_not_parsed(flood: str, ended: RunEnding | None, parsed: list[int]) -> None:
    row = heard((1.0, FLOODS[flood]), ended=ended)
    assert not row.solved
    assert sum(parsed) <= 4 * MIB
    if flood in ("pairs", "bracketed pairs", "boards"):
        assert parsed == []
        size = len(FLOODS[flood])
        assert ended or (row.ending, row.reason) == (
            RunEnding.UNREADABLE,
            f"answer: expected an answer of at most 69632 bytes for a board of 8x8, got {size} bytes",
        )


def test_empty_lines_alone_are_one_gap(parsed: list[int]) -> None:
    output = Printed(LIMIT)
    output.take(b"\n" * MIB, 1.0)
    assert len(list(output._spans())) <= 2
    assert heard((1.0, "\n" * MIB), ended=None).ending is RunEnding.NO_ANSWER
    assert parsed == []


def test_empty_lines_make_an_answer_no_longer() -> None:
    row = heard((1.0, FIFTEEN), (2.0, "\n" * MIB), (3.0, FOURTEEN), ended=None)
    assert (row.ending, row.solved, row.solved_seconds) == (RunEnding.FINISHED, True, 3.0)
    assert [step.value for step in row.trace] == [15, 14]


def test_a_record_may_tell_a_long_history() -> None:
    row = heard((1.0, record(FOURTEEN, history=[17] * 100_000)), ended=None)
    assert (row.ending, row.solved) == (RunEnding.FINISHED, True)


def test_a_flood_after_the_limit_takes_nothing_away() -> None:
    before = "7\n\n" * (2 * MIB)
    row = heard((1.0, before), (2.0, FOURTEEN), (LIMIT + 0.1, numbered("still at it\n" * 20, 6 * MIB)))
    assert (row.solved, row.solved_seconds, row.objective) == (True, 2.0, 14)


def test_the_first_of_very_many_successes_is_found() -> None:
    answers = [SIXTEEN] * 700 + [FIFTEEN] * 700 + [FOURTEEN] * 500
    row = heard(*((number / 1000, f"{answer}{' ' * (number % 7)}\n\n") for number, answer in enumerate(answers)))
    assert (row.solved, row.solved_seconds) == (True, 1.4)
    assert [(step.value, step.seconds) for step in row.trace] == [(16, 0.0), (15, 0.7), (14, 1.4)]


def test_times_that_are_kept_together_do_not_reach_over_the_limit() -> None:
    output = Printed(limit=6.6)
    for number in range(70_000):
        output.take(b"7\n\n", number * 1e-4)
    for part in output.parts():
        assert part.in_time == ((part.start + 1) // 3 * 1e-4 <= 6.6)
        assert part.in_time == (part.seconds <= 6.6)
