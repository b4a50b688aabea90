"""Proofs for people: what is drawn is what is proved."""

from __future__ import annotations

import re

import pytest
from proof_truth import small_certificates

from exact import proof
from exact.proof import kept
from exact.proof.explaining import drawn
from problems import Board, KnightCover, KnightTour, Queens, Rule


def boards_of(text, board):
    """The boards in the text, each as its cells by square."""
    found, rows = [], []
    for line in text.splitlines():
        match = re.match(r" *(\d+)  (.*)", line)
        cells = match[2].split() if match else []
        if len(cells) == board.cols and int(match[1]) == board.rows - len(rows):
            rows.append(cells)
        else:
            rows = []
        if len(rows) == board.rows:
            found.append({(row, col): rows[row][col] for row, col in board.squares()})
            rows = []
    return found


def number(cell):
    digits = cell.rstrip("Nx")
    return int(digits) if digits.isdigit() else 0


@pytest.mark.parametrize("n", [8, 9, 10, 11, 13])
@pytest.mark.parametrize("rule", [Rule.TOTAL, Rule.ORDINARY])
def test_every_board_can_be_checked_by_hand(n, rule):
    problem = KnightCover(Board(n, n), rule)
    text = proof.explain(kept.kept_certificate(problem))
    units = [int(unit) for unit in re.findall(r"unit (\d+),", text)]
    bounds = [int(bound) for bound in re.findall(r"so (\d+) or more", text)]
    boards = boards_of(text, problem.board)
    assert len(boards) == len(units) + 1 == len(bounds) + 1
    for cells, unit, bound in zip(boards, units, bounds, strict=False):
        knights = [square for square, cell in cells.items() if cell.endswith("N")]
        total = sum(map(number, cells.values())) + unit * len(knights)
        assert total > unit * (bound - 1)
        for square, cell in cells.items():
            seen = sum(number(cells[target]) for target in problem.covers(square))
            if cell.endswith("N"):
                assert seen == 0
            elif not cell.endswith("x"):
                assert seen <= unit
    # The last board is the cover, of as many knights as the parts need together.
    answer = tuple(square for square, cell in boards[-1].items() if cell == "N")
    assert not problem.violations(answer)
    total = int(re.search(r"Together at least (\d+) knights", text)[1])
    assert len(answer) == total


def test_cases_are_named_in_order():
    text = proof.explain(kept.kept_certificate(KnightCover(Board(10, 10))))
    assert re.findall(r"(?m)^(Case [\d.]+) \(board", text) == ["Case 1.1", "Case 1.2", "Case 2"]
    assert "by symmetry" in text
    assert "11 + 11 = 22" in text


def test_every_kind_is_explained():
    for certificate in small_certificates():
        text = proof.explain(certificate)
        assert text.startswith("Claim: ")
        assert len(text.splitlines()) > 2


def test_a_counting_argument():
    text = proof.explain(proof.certify(KnightTour(Board(3, 5)), engine="counting"))
    assert "Added up" in text
    assert "-1" in text


def test_large_boards_are_not_drawn():
    assert list(drawn(Board(30, 30), lambda square: None)) == ["(the 30x30 board is not drawn)"]


def test_answers_are_drawn():
    placed = proof.explain(proof.certify(Queens(4)))
    assert placed.count("Q") == 4


def test_a_large_board_with_few_squares_is_not_drawn():
    corner = Board(30, 30, frozenset((row, col) for row in range(30) for col in range(30) if row + col))
    assert list(drawn(corner, {}.get)) == [f"(the {corner} board is not drawn)"]
