"""Boards of no square, one, two: what is proved of them is what the rules say, by every engine, and explained."""

from __future__ import annotations

from unittest import mock

import pytest
from proof_truth import is_true, run_here

import exact
from exact import proof
from exact.proof import Claim, ClaimKind, ProofKind, archive, sentence
from problems import Board, KnightCover, KnightTour, Queens, Rule, Status

EMPTY = Board(1, 1, frozenset({(0, 0)}))
ONE = Board(1, 1)
APART = Board(1, 2)
JOINED = Board(2, 3, frozenset({(0, 1), (0, 2), (1, 0), (1, 1)}))

TOURS = (
    KnightTour(EMPTY), KnightTour(EMPTY, closed=True),
    KnightTour(ONE), KnightTour(ONE, closed=True), KnightTour(ONE, (0, 0)), KnightTour(ONE, None, (0, 0)),
    KnightTour(ONE, (0, 0), (0, 0)), KnightTour(ONE, (0, 0), closed=True),
    KnightTour(APART), KnightTour(APART, closed=True), KnightTour(APART, (0, 0), (0, 1)),
    KnightTour(JOINED), KnightTour(JOINED, closed=True), KnightTour(JOINED, (0, 0)),
    KnightTour(JOINED, None, (0, 0)), KnightTour(JOINED, (0, 0), (1, 2)), KnightTour(JOINED, (0, 0), (0, 0)),
)  # fmt: skip


@pytest.fixture(autouse=True)
def here():
    with mock.patch("exact.proof.making.run_jobs", run_here):
        yield


def tour_exists(problem):
    """By the rules alone: one of the paths through all squares is right."""
    squares = tuple(problem.board.squares())
    return any(not problem.violations(path) for path in (squares, squares[::-1]))


@pytest.mark.parametrize("engine", ["auto", "sat", "counting"])
@pytest.mark.parametrize("problem", TOURS, ids=str)
def test_tours_of_tiny_boards(problem, engine):
    solved = exact.solve(problem)
    # There is no counting argument where there is a tour: the answer is handed on, as the command does.
    certificate = proof.certify(problem, solved if engine == "counting" else None, engine=engine)
    expected = ClaimKind.EXISTS if tour_exists(problem) else ClaimKind.NONE
    assert certificate.claim.kind is expected
    assert proof.check_certificate(certificate).valid
    assert proof.explain(certificate)
    assert solved.status is (Status.FEASIBLE if expected is ClaimKind.EXISTS else Status.INFEASIBLE)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    ("kind", "files"),
    [
        (ProofKind.CUTS, {"cuts.json": b'{"cuts":[]}', "formula.cnf": b"p cnf 0 1\n0\n", "formula.drat": b"0\n"}),
        (ProofKind.CUTS, {"cuts.json": b'{"cuts":[]}', "formula.cnf": b"p cnf 0 0\n", "formula.drat": b"0\n"}),
        (ProofKind.COUNTING, {"combination.json": b'{"degrees":[],"ends":1,"start":0,"end":0,"cuts":[]}'}),
        (ProofKind.COUNTING, {"combination.json": b'{"degrees":[],"ends":0,"start":0,"end":0,"cuts":[]}'}),
    ],
)
def test_a_board_without_squares_is_not_proved_to_have_no_tour(kind, files, closed):
    problem = KnightTour(EMPTY, closed=closed)
    report = proof.check_certificate(archive.Certificate(problem, Claim(ClaimKind.NONE), kind, files, "x"))
    assert not report.valid
    assert "0 square(s)" in report.fault


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("engine", ["auto", "sat", "weights"])
@pytest.mark.parametrize("board", [EMPTY, ONE, APART, JOINED], ids=str)
def test_covers_of_tiny_boards(board, engine, rule):
    problem = KnightCover(board, rule)
    certificate = proof.certify(problem, engine=engine)
    assert is_true(problem, certificate.claim)
    report = proof.check_certificate(certificate)
    assert report.valid, report.fault
    assert ", and ," not in report.relied_on
    assert proof.explain(certificate)
    listed = proof.certify_list(problem)
    assert proof.check_certificate(listed).valid
    assert ", and ," not in proof.check_certificate(listed).relied_on
    assert proof.explain(listed)
    bound = proof.certify_bound(problem)
    assert is_true(problem, bound.claim)
    assert proof.explain(bound)


@pytest.mark.parametrize("kind", [ProofKind.WEIGHTS, ProofKind.DRAT])
def test_a_board_with_squares_has_parts(kind):
    name = "bound.json" if kind is ProofKind.WEIGHTS else "parts.json"
    claim = Claim(ClaimKind.AT_LEAST, 0)
    made = archive.Certificate(KnightCover(Board(8, 8)), claim, kind, {name: b'{"parts":[]}'}, "x")
    assert "no parts" in proof.check_certificate(made).fault
    empty = archive.Certificate(KnightCover(EMPTY), claim, kind, {name: b'{"parts":[]}'}, "x")
    report = proof.check_certificate(empty)
    assert report.valid
    assert ", and ," not in report.relied_on
    assert proof.explain(empty)


# The sentence after PROVED


def test_the_sentence_names_every_square_of_the_problem():
    missing = frozenset({(0, 0), (2, 1)})
    for problem in (
        KnightCover(Board(5, 5, missing)),
        KnightCover(Board(5, 5, missing), Rule.INDEPENDENT, at_most=9),
        KnightTour(Board(5, 5, missing)),
        KnightTour(Board(5, 5, missing), closed=True),
    ):
        for kind in (ClaimKind.NONE, ClaimKind.EXISTS):
            assert "5x5 board without a5, b3" in sentence(problem, Claim(kind))
    text = sentence(Queens(6, ((5, 0), (0, 1))), Claim(ClaimKind.NONE))
    assert (
        text == "there is no answer to: 6 queens on the 6x6 board, none attacking another, with queens on a1, b6"
    )
    many = frozenset((row, col) for row in range(9) for col in range(9) if (row + col) % 2)
    named = sentence(KnightCover(Board(9, 9, many)), Claim(ClaimKind.NONE))
    assert all(Board(9, 9).name(square) in named for square in many)


def test_different_problems_have_different_sentences():
    boards = [Board(3, 4), Board(4, 3), *(Board(3, 4, frozenset({square})) for square in ((0, 0), (0, 1), (2, 3)))]
    problems = [Queens(6, given) for given in ((), ((5, 0),), ((5, 1),), ((5, 0), (0, 1)))]
    problems += [KnightCover(board, rule, limit) for board in boards for rule in Rule for limit in (None, 3, 4)]
    for board in boards:
        problems += [KnightTour(board), KnightTour(board, closed=True)]
        problems += [KnightTour(board, start, end) for start in (None, (1, 1)) for end in (None, (1, 1), (1, 2))]
    sentences = {sentence(problem, Claim(ClaimKind.NONE)) for problem in problems}
    assert len(sentences) == len(set(problems))


def test_the_whole_problem_is_explained():
    text = proof.explain(proof.certify(Queens(6, ((5, 0),))))
    assert 'Problem: {"name":"queens","n":6,"given":[[5,0]]}' in text
    assert "with queens on a1" in text
