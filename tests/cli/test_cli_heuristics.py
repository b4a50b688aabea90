"""`solve` with heuristics as processes: runs, watching, initial states, impossible targets, bad parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import provemate

from problems import Board, KnightCover, KnightTour, Queens


@pytest.mark.parametrize(
    ("edition", "nodes"), [(["backtracking"], 221_175), (["greedy", "--edition", "printed"], 313)]
)
def test_the_documents_tour_takes_the_documents_nodes(edition: list[str], nodes: int) -> None:
    record = provemate("solve", "tour", "6x6", "--start", "1,2", "--method", *edition, "--json").json
    assert record["counters"]["nodes"] == nodes
    assert record["status"] == "FEASIBLE"
    answer = tuple((row, col) for row, col in record["answer"])
    assert KnightTour(Board(6, 6), start=(1, 2)).violations(answer) == ()


def test_genetic_knights_find_the_documents_14_and_the_same_seed_the_same_board() -> None:
    words = ["solve", "knights", "8x8", "--knights", "14", "--method", "genetic", "--seed", "7", "--json"]
    first, second = provemate(*words).json, provemate(*words).json
    assert first["edition"] == "printed"
    answer = tuple((row, col) for row, col in first["answer"])
    assert KnightCover(Board(8, 8), at_most=14).violations(answer) == ()
    assert (first["answer"], first["counters"]) == (second["answer"], second["counters"])


def test_twenty_runs_say_how_often_and_after_how_many_iterations() -> None:
    ran = provemate("solve", "queens", "8", "--method", "genetic-single", "--runs", "20", "--seed", "5", "--json")
    record = ran.json
    assert ran.code == 0
    assert len(record["runs"]) == 20
    assert [run["seed"] for run in record["runs"]] == list(range(5, 25))
    efforts = [run["iterations"] for run in record["runs"]]
    assert record["mean"] == pytest.approx(sum(efforts) / 20)
    assert record["success_rate"] == sum(run["found"] for run in record["runs"]) / 20
    assert record["median"] == pytest.approx(sorted(efforts)[9] / 2 + sorted(efforts)[10] / 2)
    text = provemate("solve", "queens", "8", "--method", "genetic-single", "--runs", "20", "--seed", "5").out
    assert "mean" in text
    assert "standard deviation" in text
    assert text.count("yes") + text.count(" no ") == 20


def test_thirteen_knights_are_refused_unless_forced() -> None:
    words = ["solve", "knights", "8x8", "--knights", "13", "--method", "genetic"]
    refused = provemate(*words)
    assert (refused.code, refused.out) == (2, "")
    assert "below the proven minimum 14" in refused.err
    assert "--force" in refused.err
    forced = provemate(*words, "--force", "--evaluations", "2000", "--json")
    assert forced.code == 3
    assert (forced.json["status"], forced.json["ending"], forced.json["answer"]) == (
        "UNKNOWN",
        "evaluations",
        None,
    )
    assert len(forced.json["best"]) == 13


def test_watching_shows_a_line_an_improvement() -> None:
    ran = provemate("solve", "queens", "8", "--method", "min-conflicts", "--watch", "--seed", "2")
    assert ran.code == 0
    lines = ran.err.splitlines()
    assert len(lines) >= 2
    assert all("value" in line for line in lines)


def test_an_initial_state_is_where_the_search_starts(tmp_path: Path) -> None:
    solved = provemate("solve", "queens", "8", "--index", "1", "--json")
    path = tmp_path / "initial.json"
    path.write_text(solved.out)
    record = provemate("solve", "queens", "8", "--method", "genetic-single", "--initial", path, "--json").json
    assert record["answer"] == solved.json["answer"]
    assert record["counters"]["iterations"] == 0
    bad = tmp_path / "bad.txt"
    bad.write_text("1 2 3")
    assert provemate("solve", "queens", "8", "--method", "genetic-single", "--initial", bad).code == 2


def test_a_run_without_a_solution_says_so_with_its_best() -> None:
    ran = provemate("solve", "queens", "30", "--method", "steepest-ascent", "--seed", "1", "--evaluations", "1")
    assert ran.code == 3
    assert "UNKNOWN" in ran.out


def test_many_runs_say_whether_each_found_the_optimum() -> None:
    words = ["solve", "knights", "10x10", "--method", "greedy-cover", "--runs", "8", "--seed", "1"]
    record = provemate(*words, "--json").json
    sizes = [run["objective"] for run in record["runs"]]
    assert [run["found"] for run in record["runs"]] == [size == 22 for size in sizes]
    assert record["success_rate"] == sizes.count(22) / 8
    assert record["objective"] == min(sizes) == len(record["answer"])
    text = provemate(*words).out
    assert "the minimum, 22 (" in text
    assert f"knights: best {min(sizes)}, worst {max(sizes)}" in text


def test_restarts_collect_different_placements() -> None:
    """The second document's 600 restarts: how many of the 92 they find."""
    words = ["solve", "queens", "8", "--method", "hill-climbing", "--runs", "600", "--seed", "5", "--json"]
    record = provemate(*words).json
    assert 85 <= record["distinct"] <= 92
    assert 0.94 < record["success_rate"] < 1


def test_a_cover_with_a_knight_too_many_is_called_that() -> None:
    words = ["solve", "knights", "8x8", "--knights", "13", "--force", "--method", "local-search"]
    ran = provemate(*words, "--evaluations", "2000")
    assert ran.code == 3
    assert "best cover has 14 knights, 13 are allowed" in ran.out


@pytest.mark.parametrize(
    "words",
    [
        ["tour", "11x11", "--closed", "--method", "warnsdorff"],
        ["tour", "4x30", "--closed", "--method", "warnsdorff"],
        ["tour", "11x11", "--start", "0,1", "--method", "backtracking"],
        ["knights", "40x40", "--knights", "5", "--method", "genetic"],
    ],
)
def test_targets_that_counting_refutes_are_refused_on_large_boards_too(words: list[str]) -> None:
    ran = provemate("solve", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "--force" in ran.err


def test_a_parameter_is_set_by_name() -> None:
    words = ["solve", "queens", "8", "--method", "steepest-ascent", "--seed", "4", "--json"]
    plain = provemate(*words).json
    sideways = provemate(*words, "--parameter", "sideways=100").json
    assert plain["counters"] != sideways["counters"]


def test_min_conflicts_place_a_thousand_queens() -> None:
    record = provemate("solve", "queens", "1000", "--method", "min-conflicts", "--json").json
    assert Queens(1000).violations(tuple((row, col) for row, col in record["answer"])) == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "knights", "8x8", "--method", "genetic"], "--knights"),
        (["solve", "knights", "8x8", "--method", "genetic", "--knights", "0"], "expected"),
        (["solve", "knights", "8x8", "--method", "genetic", "--knights", "65", "--force"], "expected"),
        (["solve", "knights", "2x2", "--method", "genetic", "--knights", "2", "--force"], "expected"),
        (["solve", "queens", "8", "--method", "hill-climbing", "--edition", "revised"], "printed, described"),
        (["solve", "queens", "8", "--method", "gradient-descent"], "hill-climbing"),
        (["solve", "queens", "8", "--method", "genetic", "--parameter", "mutation=1.5"], "0"),
        (["solve", "queens", "8", "--method", "genetic", "--parameter", "temper=1"], "mutation"),
        (["solve", "queens", "8", "--method", "genetic", "--parameter", "mutation"], "NAME=VALUE"),
        (["solve", "tour", "6x6", "--method", "warnsdorff", "--start", "6,0"], "6x6"),
        (["solve", "tour", "6x6", "--method", "warnsdorff", "--parameter", "ties=astrology"], "squirrel-cull"),
        (["solve", "queens", "8", "--method", "sat", "--runs", "3"], "--runs"),
        (["solve", "queens", "8", "--method", "sat", "--edition", "printed"], "--edition"),
        (["solve", "queens", "8", "--method", "genetic", "--index", "3"], "--index"),
        (["solve", "queens", "8", "--method", "genetic", "--runs", "0"], "--runs"),
        (["solve", "queens", "8", "--method", "genetic", "--runs", "2", "--watch"], "--watch"),
        (["solve", "queens", "8", "--method", "genetic", "--all"], "--all"),
        (["solve", "queens", "8", "--method", "genetic", "--coordinates", "rc"], "--initial"),
    ],
)
def test_bad_requests_get_one_line_that_says_what_there_is(words: list[str], said: str) -> None:
    ran = provemate(*words)
    assert (ran.code, ran.out) == (2, ""), ran
    assert ran.err.count("\n") == 1
    assert said in ran.err
