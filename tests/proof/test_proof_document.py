"""The document about certificates: its example runs, and its rules are enough to write another checker."""

from __future__ import annotations

import doctest
import json
import re
import zipfile
from itertools import combinations
from pathlib import Path

import pytest

from exact import proof
from exact.proof.claims import SYMMETRY_NAMES
from problems import Board, KnightCover, KnightTour, Queens, Rule

DOCUMENT = Path(__file__).parents[2] / "docs" / "certificates.md"


def test_the_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert results.attempted >= 6
    assert not results.failed


def test_symmetries_do_what_the_table_says():
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = cols = 7
    said = dict(
        re.findall(r"`([a-z-]+)`\s+\(([^()]+)\)", text[text.index("The symmetries, as") :].split("\n\n")[0])
    )
    said["identity"] = "row, col"
    assert set(said) == set(SYMMETRY_NAMES)
    for name, formula in said.items():
        expression = formula.replace("−", "-")
        for row, col in ((0, 0), (1, 2), (6, 3)):
            expected = eval(expression, {"R": rows, "C": cols, "row": row, "col": col})
            assert SYMMETRY_NAMES[name].apply((row, col), rows, cols) == expected, name


# Another encoder, written from the document


def at_most(xs, k, top):
    n = len(xs)
    if k >= n:
        return []
    if k == 0:
        return [[-x] for x in xs]

    def s(i, j):
        return top + 1 + i * k + j

    clauses = []
    for i, x in enumerate(xs):
        if i >= k:
            clauses.append([-x, -s(i - 1, k - 1)])
        if i < n - 1:
            clauses.append([-x, s(i, 0)])
            for j in range(min(i, k)):
                clauses.append([-s(i - 1, j), s(i, j)])
                if j + 1 < k:
                    clauses.append([-x, -s(i - 1, j), s(i, j + 1)])
    return clauses


def exactly_two(vs):
    if len(vs) < 2:
        return [[]]
    return [*map(list, combinations(vs, len(vs) - 1)), *([-a, -b, -c] for a, b, c in combinations(vs, 3))]


def attacks(square, squares):
    return [other for other in squares if {abs(square[0] - other[0]), abs(square[1] - other[1])} == {1, 2}]


def knights_clauses(problem, targets, k):
    squares = sorted(problem.board.squares())
    reach = {t: sorted(attacks(t, squares) + ([] if problem.rule is Rule.TOTAL else [t])) for t in targets}
    sites = sorted({site for t in targets for site in reach[t]})
    number = {site: i for i, site in enumerate(sites, 1)}
    clauses = [[number[site] for site in reach[t]] for t in targets]
    if problem.rule is Rule.INDEPENDENT:
        clauses += [[-number[a], -number[b]] for a in sites for b in sites if a < b and b in attacks(a, squares)]
    return clauses + at_most(list(number.values()), k, len(sites))


def queens_clauses(problem):
    n = problem.n
    squares = [(row, col) for row in range(n) for col in range(n)]
    clauses = [[row * n + col + 1 for col in range(n)] for row in range(n)]
    for i, (row, col) in enumerate(squares):
        for r, c in squares[i + 1 :]:
            if r == row or c == col or abs(r - row) == abs(c - col):
                clauses.append([-(row * n + col + 1), -(r * n + c + 1)])
    return clauses + [[row * n + col + 1] for row, col in problem.given]


def tour_clauses(problem, cuts):
    squares = sorted(problem.board.squares())
    edges = sorted((a, b) for a in squares for b in attacks(a, squares) if a < b)
    ends = [] if problem.closed else squares
    if not problem.closed and problem.start and problem.end:
        ends = sorted({problem.start, problem.end})
    h = {square: len(edges) + i for i, square in enumerate(ends, 1)}
    clauses = []
    for square in squares:
        clauses += exactly_two(
            [i for i, e in enumerate(edges, 1) if square in e] + [h[q] for q in ends if q == square]
        )
    if not problem.closed:
        clauses += exactly_two(list(h.values()))
        clauses += [[h[square]] for square in (problem.start, problem.end) if square]
    for cut in cuts:
        inside = set(map(tuple, cut))
        moves = [i for i, (a, b) in enumerate(edges, 1) if (a in inside) != (b in inside)]
        clauses.append(sorted(moves + [h[square] for square in inside if square in h]))
    return clauses


# The comments and the header, written from the document


def name(square, board):
    letters, number = "", square[1] + 1
    while number:
        letters, number = chr(ord("a") + (number - 1) % 26) + letters, (number - 1) // 26
    return f"{letters}{board.rows - square[0]}"


def knights_meanings(problem, targets):
    squares = sorted(problem.board.squares())
    own = [] if problem.rule is Rule.TOTAL else targets
    sites = sorted({site for target in targets for site in attacks(target, squares)} | set(own))
    return [f"knight {name(site, problem.board)}" for site in sites]


def queens_meanings(problem):
    return [f"queen {name((r, c), problem.board)}" for r in range(problem.n) for c in range(problem.n)]


def tour_meanings(problem):
    board, squares = problem.board, sorted(problem.board.squares())
    edges = sorted((a, b) for a in squares for b in attacks(a, squares) if a < b)
    ends = [] if problem.closed else squares
    if not problem.closed and problem.start and problem.end:
        ends = sorted({problem.start, problem.end})
    return [f"move {name(a, board)} {name(b, board)}" for a, b in edges] + [f"end {name(s, board)}" for s in ends]


def assert_head(text, meanings, clauses):
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    head = [f"c {number} {meaning}" for number, meaning in enumerate(meanings, 1)]
    head.append(f"p cnf {top} {len(clauses)}")
    assert text.split("\n")[: len(head)] == head


def test_the_example_of_comments_is_right():
    said = re.sub(r"\s+", " ", DOCUMENT.read_text(encoding="utf-8"))
    meanings = tour_meanings(KnightTour(Board(3, 4)))
    assert (len(meanings), meanings[13:15]) == (26, ["move d2 b1", "end a3"])
    assert f"begins with `c 1 {meanings[0]}`, `c 2 {meanings[1]}`" in said
    assert f"`c 15 {meanings[14]}` to `c 26 {meanings[25]}`" in said


def test_the_bounds_are_those_of_the_reader():
    from exact.proof import archive, clausal, counting, drat, reading, weights

    said = DOCUMENT.read_text(encoding="utf-8")
    table = said[said.index("| bound | value |") :].split("\n\n")[0]
    mib = 2**20
    numbers = [
        f"{archive.MAX_FILE // mib} MiB", f"{archive.MAX_UNPACKED // mib} MiB", f"{archive.MAX_RATIO} times",
        f"{archive.MAX_MEMBERS:,}", f"{reading.MAX_JSON // mib} MiB, {reading.MAX_VALUES:,}",
        f"{archive.MAX_MEMBER['.cnf'] // mib} MiB, {archive.MAX_MEMBER['.drat'] // mib} MiB",
        f"a line {drat.MAX_LINE // mib} MiB", f"{reading.MAX_ANSWER:,}", f"{weights.MAX_SQUARES:,}",
        f"{weights.MAX_DEPTH} cases", f"{weights.MAX_DECIDED:,}", f"{counting.MAX_SQUARES:,}",
        f"{clausal.MAX_SQUARES:,}",
    ]  # fmt: skip
    assert [number for number in numbers if number not in table] == []
    assert f"{drat.MAX_SLOW_CLAUSES:,} clauses" in said
    assert reading.MAX_INTEGER == 10**18


def read(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def clauses_in(text):
    lines = [line for line in text.splitlines() if line[:1] not in ("c", "p")]
    return [list(map(int, line.split()))[:-1] for line in lines]


@pytest.mark.parametrize("problem", [
    KnightCover(Board(4, 4)), KnightCover(Board(3, 4), Rule.ORDINARY), KnightCover(Board(4, 4), Rule.INDEPENDENT),
    Queens(3), Queens(4, ((0, 0),)), KnightTour(Board(3, 6), closed=True), KnightTour(Board(3, 4), (0, 0), (0, 2)),
    KnightTour(Board(3, 5)), KnightTour(Board(3, 3), (0, 0)),
], ids=lambda problem: f"{problem.name}-{problem.board}")  # fmt: skip
def test_formulas_are_what_the_document_says(problem, tmp_path):
    proof.save(proof.certify(problem, engine="sat"), tmp_path / "c.zip")
    files = read(tmp_path / "c.zip")
    if isinstance(problem, KnightCover):
        for number, part in enumerate(json.loads(files["parts.json"])["parts"], 1):
            targets = list(map(tuple, part["targets"]))
            expected = knights_clauses(problem, targets, part["at_most"])
            assert clauses_in(files[f"part-{number}.cnf"]) == expected
            assert_head(files[f"part-{number}.cnf"], knights_meanings(problem, targets), expected)
    elif isinstance(problem, Queens):
        assert clauses_in(files["formula.cnf"]) == queens_clauses(problem)
        assert_head(files["formula.cnf"], queens_meanings(problem), queens_clauses(problem))
    else:
        clauses = tour_clauses(problem, json.loads(files["cuts.json"])["cuts"])
        assert clauses_in(files["formula.cnf"]) == clauses
        assert_head(files["formula.cnf"], tour_meanings(problem), clauses)
