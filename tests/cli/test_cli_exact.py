"""`prove`, `count`, `solve`, `methods` and `export` as processes, on the issue's own examples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_process import provemate

from problems import Board, KnightCover, KnightTour, Rule


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
@pytest.mark.parametrize(("board", "least"), [("8x8", 14), ("10x10", 22)])
def test_the_documents_minima_by_both_engines(engine: str, board: str, least: int) -> None:
    record = provemate("prove", "knights", board, "--engine", engine, "--json").json
    assert (record["status"], record["objective"], record["bound"]) == ("OPTIMAL", least, least)
    assert record["engine"] == engine
    answer = tuple((row, col) for row, col in record["answer"])
    side = int(board.split("x")[0])
    assert len(answer) == least
    assert KnightCover(Board(side, side)).violations(answer) == ()


@pytest.mark.parametrize(("board", "square"), [("3x3", "b2"), ("2x3", "b"), ("1x5", "a1")])
def test_infeasible_boards_name_the_square_that_nothing_attacks(board: str, square: str) -> None:
    ran = provemate("prove", "knights", board)
    assert ran.code == 0
    assert "INFEASIBLE" in ran.out
    assert square in ran.out


@pytest.mark.parametrize("engine", ["auto", "cpsat", "sat"])
def test_thirteen_knights_are_refuted(engine: str) -> None:
    ran = provemate("prove", "knights", "8x8", "--at-most", "13", "--engine", engine, "--json")
    assert (ran.code, ran.json["status"], ran.json["answer"]) == (0, "INFEASIBLE", None)


def test_rules_have_their_own_minima() -> None:
    for rule, least in (("ordinary", 8), ("independent", 8), ("total", 8)):
        record = provemate("prove", "knights", "6x6", "--rule", rule, "--json").json
        assert (record["status"], record["objective"], record["rule"]) == ("OPTIMAL", least, rule)


@pytest.mark.parametrize(
    ("words", "count", "classes"),
    [
        (["knights", "8x8"], 16, 3),
        (["knights", "8x8", "--rule", "ordinary"], 2, 1),
        (["queens", "8"], 92, 12),
        (["queens", "0"], 1, None),
        (["queens", "3"], 0, 0),
    ],
)
def test_counts(words: list[str], count: int, classes: int | None) -> None:
    ran = provemate("count", *words, "--classes", "--json")
    assert (ran.code, ran.json["count"]) == (0, count)
    if classes is not None:
        assert ran.json["classes"] == classes


def test_number_37_of_the_92_with_board_and_coordinates() -> None:
    ran = provemate("solve", "queens", "8", "--index", "37")
    assert ran.code == 0
    assert "number 37 of 92" in ran.out
    # The 37th in lexicographic order of the columns by row, counted from 1 (found by enumerating permutations).
    assert "a6" in ran.out
    assert ". . . Q . . . ." in ran.out
    record = provemate("solve", "queens", "8", "--index", "37", "--json").json
    assert [col for _, col in sorted(record["answer"])] == [3, 5, 0, 4, 1, 7, 2, 6]
    assert provemate("solve", "queens", "8", "--index", "93").code == 2


def test_all_four_queens_are_listed_in_order() -> None:
    ran = provemate("solve", "queens", "4", "--all")
    assert ran.code == 0
    assert ran.out.index("number 1 of 2") < ran.out.index("number 2 of 2")
    answers = provemate("solve", "queens", "4", "--all", "--json").json["answers"]
    assert answers == [[[0, 1], [1, 3], [2, 0], [3, 2]], [[0, 2], [1, 0], [2, 3], [3, 1]]]


def test_tours_open_closed_and_impossible() -> None:
    board = Board(8, 8)
    for words, problem in (
        (["--start", "d4"], KnightTour(board, start=(4, 3))),
        (["--start", "0,0", "--end", "h8"], KnightTour(board, start=(0, 0), end=(0, 7))),
        (["--closed"], KnightTour(board, closed=True)),
    ):
        record = provemate("solve", "tour", "8x8", *words, "--json").json
        assert record["status"] == "FEASIBLE"
        assert problem.violations(tuple((row, col) for row, col in record["answer"])) == ()
        assert record["closed"] is problem.closed or not problem.closed
    for words in (["5x5", "--start", "0,1"], ["3x8", "--closed"], ["4x4"], ["7x7", "--closed"]):
        ran = provemate("prove", "tour", *words)
        assert ran.code == 0
        assert "INFEASIBLE" in ran.out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["prove", "tour", "5x5", "--closed"], "13 + 12 squares"),
        (["prove", "tour", "5x5", "--start", "0,1", "--engine", "cpsat"], "b5 has the other"),
        (["prove", "knights", "3x3"], "attacks b2"),
        (["count", "tour", "5x5", "--closed"], "13 + 12 squares"),
        (["count", "knights", "3x3"], "attacks b2"),
    ],
)
def test_an_argument_is_not_put_down_to_an_engine_that_never_ran(words: list[str], reason: str) -> None:
    lines = provemate(*words).out.splitlines()
    assert reason in lines[1]
    assert lines[2].startswith("  method argument; ")


def test_an_unfinished_count_is_not_a_count() -> None:
    ran = provemate("count", "knights", "30x30", "--time-limit", "1")
    assert ran.code == 3
    assert "no count: the fewest knights are not known yet, at least" in ran.out
    listed = provemate("count", "queens", "14", "--engine", "sat", "--time-limit", "2")
    assert listed.code == 3
    assert ": at least " in listed.out or ": no count" in listed.out


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_an_unfinished_list_has_no_fifth_placement(engine: str) -> None:
    """Solvers list in no order: what is found first is not the first."""
    words = ["solve", "queens", "13", "--method", engine, "--time-limit", "2"]
    picked = provemate(*words, "--index", "5")
    assert picked.code == 3
    assert "number 5 was not reached" in picked.out
    listed = provemate(*words, "--all", "--json")
    assert (listed.code, listed.json["complete"]) == (3, False)


def test_a_time_limit_ends_the_count_of_classes() -> None:
    ran = provemate("count", "queens", "26", "--classes", "--time-limit", "2", "--json")
    assert (ran.code, ran.json["complete"], ran.json["classes"]) == (3, False, None)


def test_a_limit_of_centuries_is_a_limit() -> None:
    assert provemate("prove", "knights", "6x6", "--time-limit", "1e10", "--quiet").code == 0


def test_many_parts_take_no_time_of_their_own() -> None:
    record = provemate("prove", "knights", "1x3000", "--rule", "ordinary", "--time-limit", "60", "--json").json
    assert (record["status"], record["objective"]) == ("OPTIMAL", 3000)
    assert record["bound_source"].endswith("independent parts 3000 x 1")


def test_a_board_for_no_engine_gets_the_reasons_of_all() -> None:
    ran = provemate("prove", "knights", "2000x2000")
    assert "4000000 squares, more than 10000" in ran.err
    assert "4000000 squares, more than 40000" in ran.err


def test_a_list_that_is_asked_for_quietly_is_only_counted() -> None:
    assert provemate("solve", "queens", "6", "--all", "--quiet").out == "6 queens: 4 in all\n"


def test_closed_tours_of_the_6x6_board_are_counted() -> None:
    ran = provemate("count", "tour", "6x6", "--closed", "--json")
    assert (ran.code, ran.json["count"]) == (0, 9862)


def test_given_queens_are_completed() -> None:
    record = provemate("solve", "queens", "8", "--given", "a1 b5", "--json").json
    assert record["status"] == "FEASIBLE"
    assert {(7, 0), (3, 1)} <= {(row, col) for row, col in record["answer"]}
    ran = provemate("prove", "queens", "8", "--given", "a1 b2")
    assert ran.code == 0
    assert "INFEASIBLE" in ran.out


def test_a_limit_that_is_reached_gives_bound_and_gap_but_no_claim() -> None:
    ran = provemate("prove", "knights", "30x30", "--time-limit", "3", "--json")
    assert ran.code == 3
    record = ran.json
    assert record["status"] in ("FEASIBLE", "UNKNOWN")
    assert record["ending"] == "time"
    if record["status"] == "FEASIBLE" and record["bound"] is not None:
        assert record["gap"] == record["objective"] - record["bound"] > 0


def test_methods_lists_both_sides_with_reasons() -> None:
    rows = provemate("methods", "--json").json
    named = {(row["problem"], row["side"], row["method"]) for row in rows}
    assert {("knights", "exact", "sat"), ("queens", "exact", "search"), ("tour", "exact", "cpsat")} <= named
    assert all(row["summary"] for row in rows)
    ran = provemate("methods", "knights", "8x8", "--rule", "ordinary")
    assert "not for this one" in ran.out


@pytest.mark.parametrize(
    "words",
    [
        ["prove", "knights", "0x0"],
        ["prove", "knights", "8x"],
        ["prove", "knights", "99999999x99999999"],
        ["prove", "knights", "8x8", "--at-most", "-1"],
        ["prove", "knights", "8x8", "--at-most", "many"],
        ["prove", "knights", "8x8", "--engine", "oracle"],
        ["prove", "knights", "8x8", "--time-limit", "0"],
        ["prove", "knights", "8x8", "--time-limit", "nan"],
        ["prove", "knights", "8x8", "--closed"],
        ["prove", "queens", "8x9"],
        ["prove", "queens", "-1"],
        ["prove", "tour", "8x8", "--start", "z9"],
        ["prove", "tour", "8x8", "--closed", "--end", "a1"],
        ["count", "knights"],
        ["solve", "queens", "8", "--method", "divination"],
        ["solve", "queens", "8", "--index", "0"],
        ["solve", "queens", "8", "--knights", "3"],
        ["solve", "queens", "8", "--evaluations", "1"],
        ["solve", "queens", "8", "--nodes", "1", "--method", "sat"],
        ["solve", "queens", "8", "--force"],
        ["solve", "queens", "8", "--index", "99999999999999999999999"],
        ["solve", "queens", "3", "--index", "1"],
        ["solve", "knights", "8x8", "--knights", "14", "--index", "1"],
        ["prove", "knights", "2000x2000"],
        ["solve", "queens", "8", "--all", "--index", "2"],
        ["solve", "queens", "8", "--coordinates", "rc"],
        ["frobnicate"],
    ],
)
def test_bad_usage_gets_one_line(words: list[str]) -> None:
    ran = provemate(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("provemate: ")
    assert ran.err.count("\n") == 1


def test_export_writes_models_that_other_solvers_read(tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    verdicts: dict[int, bool] = {}
    for knights in (13, 14):
        path = tmp_path / f"{knights}.cnf"
        assert (
            provemate("export", "knights", "8x8", "--format", "cnf", "--at-most", knights, "--output", path).code
            == 0
        )
        with Solver(name="glucose4", bootstrap_with=CNF(from_file=str(path))) as solver:
            verdicts[knights] = solver.solve()
    assert verdicts == {13: False, 14: True}
    assert "* #variable= 64" in provemate("export", "knights", "8x8", "--format", "opb").out
    assert provemate("export", "knights", "8x8", "--format", "lp").out.rstrip().lower().endswith("end")
    assert provemate("export", "knights", "8x8", "--format", "mps").out.rstrip().endswith("ENDATA")
    assert provemate("export", "knights", "8x8").code == 2


def load(known: dict[str, Any], key: str) -> dict[str, Any]:
    return dict(known[key]["values"])


@pytest.mark.slow
def test_the_whole_list_of_minima_by_auto(known_values: dict[str, Any]) -> None:
    for n, least in load(known_values, "knights_total_domination_min").items():
        if 4 <= int(n) <= 18:
            record = provemate("prove", "knights", f"{n}x{n}", "--json").json
            assert (record["status"], record["objective"]) == ("OPTIMAL", least), n


@pytest.mark.slow
def test_every_start_of_the_8x8_board_has_its_tour() -> None:
    board = Board(8, 8)
    for start in board.squares():
        record = provemate("solve", "tour", "8x8", "--start", board.name(start), "--json").json
        answer = tuple((row, col) for row, col in record["answer"])
        assert KnightTour(board, start=start).violations(answer) == ()


@pytest.mark.slow
@pytest.mark.parametrize("rule", [Rule.ORDINARY, Rule.INDEPENDENT])
def test_the_other_rules_lists(rule: Rule, known_values: dict[str, Any]) -> None:
    key, last = {
        Rule.ORDINARY: ("knights_domination_min", 13),
        Rule.INDEPENDENT: ("knights_independent_domination_min", 10),
    }[rule]
    for n, least in load(known_values, key).items():
        if int(n) <= last:
            record = provemate("prove", "knights", f"{n}x{n}", "--rule", rule.value, "--json").json
            assert (record["status"], record["objective"]) == ("OPTIMAL", least), n


def test_json_stands_alone_on_standard_output() -> None:
    ran = provemate("prove", "queens", "6", "--json")
    assert ran.err == ""
    assert set(json.loads(ran.out)) >= {
        "problem", "board", "rule", "status", "objective", "bound", "answer", "valid", "violations", "standing",
        "gap", "bound_source", "count", "classes", "closed", "seconds", "method", "edition", "engine", "seed",
        "counters",
    }  # fmt: skip
