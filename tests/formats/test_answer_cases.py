"""The answers as people paste them, each with the verdict it deserves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from problems import InputError, Rule
from problems.formats import Coordinates, Reading, parse_board, read
from problems.tours import returns_to_start

CASES = json.loads((Path(__file__).parents[1] / "data" / "answers.json").read_text())


def read_case(case: dict[str, Any]) -> Reading:
    return read(
        case["text"],
        case["problem"],
        board=parse_board(case["board"]) if "board" in case else None,
        rule=Rule(case["rule"]) if "rule" in case else None,
        coordinates=Coordinates(case["coordinates"]) if "coordinates" in case else None,
    )


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_has_its_verdict(case: dict[str, Any]) -> None:
    expect = case["expect"]
    if expect.get("error"):
        with pytest.raises(InputError):
            read_case(case)
        return
    reading = read_case(case)
    problem, answer = reading.problem, reading.answer
    violations = reading.violations + problem.violations(answer)
    squares = {kind: [v.squares for v in violations if v.kind == kind] for kind in {v.kind for v in violations}}
    facts = {
        "valid": not violations,
        "objective": problem.objective(answer),
        "rule": getattr(problem, "rule", None),
        "unattacked": [list(square) for square in squares.get("unattacked", [()])[0]],
        "uncovered_count": len(squares.get("uncovered", [()])[0]),
        "duplicates": len(answer) - len(set(answer)),
        "distinct": len(set(answer)),
        "attacked": len(problem.attacked(answer)) if problem.name == "knights" else None,
        "attacking_pairs": [[list(s) for s in pair] for pair in squares.get("same-diagonal", [])],
        "conflicting_pairs": sum(
            len(line) * (len(line) - 1) // 2
            for kind in ("same-row", "same-column", "same-diagonal")
            for line in squares.get(kind, [])
        ),
        "illegal_steps": [v.position for v in violations if v.kind == "illegal-step"],
        "closed": returns_to_start(answer),
    }
    checked = {key: facts[key] for key in expect if key in facts}
    assert checked == {key: expect[key] for key in checked}
    assert set(expect) - set(checked) <= {"standing", "gap", "note"}


def by_id(name: str) -> dict[str, Any]:
    return next(case for case in CASES if case["id"] == name)


def test_unknown_symbols_are_named() -> None:
    with pytest.raises(InputError, match=r"N.*'X', 'o'"):
        read_case(by_id("knights-two-char-cells"))


def test_step_on_two_squares_and_step_on_none_are_named() -> None:
    violations = read_case(by_id("tour-repeat")).violations
    assert [(v.kind, v.squares, v.position) for v in violations] == [
        ("repeated-step", ((0, 3), (1, 0)), 0),
        ("missing-step", (), 2),
    ]


def test_partial_matrix_is_a_legal_path_over_fifteen_squares() -> None:
    reading = read_case(by_id("tour-partial"))
    assert "1-based" in reading.form
    assert len(reading.answer) == 15
    assert [v.kind for v in reading.problem.violations(reading.answer)] == ["unvisited"]
    assert reading.notes
