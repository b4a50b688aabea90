"""Making certificates: the simplest kind, forced kinds, lists, limits; what is made checks from its file."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from importlib import resources
from unittest import mock

import pytest
from proof_truth import run_here

import exact
from exact import proof
from exact.proof import ClaimKind, NotProved, ProofKind, archive, drat, kept, sentence
from exact.proof.growing import Effort
from exact.proof.keeping import keep
from problems import (
    Board,
    Ending,
    KnightCover,
    KnightTour,
    Limits,
    Queens,
    Result,
    Rule,
    Status,
    UnsupportedProblem,
)


@pytest.fixture
def here():
    """Search in this process: children are tested elsewhere and take time to start."""
    with mock.patch("exact.proof.making.run_jobs", run_here):
        yield


def checked(certificate, tmp_path):
    proof.save(certificate, tmp_path / "c.zip")
    report = proof.check(tmp_path / "c.zip")
    assert report.valid, report.fault
    assert report.claim == sentence(certificate.problem, certificate.claim)
    assert report.relied_on
    return report


NO_TOUR = [
    (KnightTour(Board(3, 8), closed=True), ProofKind.CUTS),
    (KnightTour(Board(4, 8), closed=True), ProofKind.COUNTING),
    (KnightTour(Board(4, 20), closed=True), ProofKind.COUNTING),
    (KnightTour(Board(5, 5), closed=True), ProofKind.COUNTING),
    (KnightTour(Board(7, 7), closed=True), ProofKind.COUNTING),
    (KnightTour(Board(15, 15), closed=True), ProofKind.COUNTING),
    (KnightTour(Board(3, 3)), ProofKind.COUNTING),
    (KnightTour(Board(3, 5)), ProofKind.COUNTING),
    (KnightTour(Board(3, 6)), ProofKind.COUNTING),
    (KnightTour(Board(4, 4)), ProofKind.COUNTING),
    (KnightTour(Board(5, 5), (0, 1)), ProofKind.COUNTING),
]


@pytest.mark.parametrize(("problem", "kind"), NO_TOUR, ids=lambda value: str(getattr(value, "board", value)))
def test_boards_without_tours(problem, kind, here, tmp_path):
    certificate = proof.certify(problem)
    assert (certificate.proof, certificate.claim.kind) == (kind, ClaimKind.NONE)
    checked(certificate, tmp_path)


@pytest.mark.parametrize(
    "problem",
    [problem for problem, _ in NO_TOUR if problem.board.size <= 25 and problem.board != Board(3, 3)],
    ids=lambda problem: str(problem.board),
)
def test_boards_without_tours_by_cuts_and_drat(problem, here, tmp_path):
    certificate = proof.certify(problem, engine="sat")
    assert certificate.proof is ProofKind.CUTS
    assert checked(certificate, tmp_path).checkers == (drat.FAST, drat.SLOW)


def test_no_cut_can_be_missing(here):
    certificate = proof.certify(KnightTour(Board(3, 8), closed=True))
    data = certificate.json("cuts.json")
    assert data["cuts"]
    for spoilt in (data["cuts"][1:], [*data["cuts"], []], [[[r, c] for r in range(3) for c in range(8)]]):
        members = {**certificate.members, "cuts.json": archive.dump({"cuts": spoilt})}
        assert not proof.check_certificate(replace(certificate, members=members)).valid


@pytest.mark.parametrize("problem", [
    KnightTour(Board(5, 6), closed=True), KnightTour(Board(5, 5), (0, 0)), KnightTour(Board(5, 5), None, (0, 0)),
    KnightTour(Board(3, 4), (0, 0), (2, 3)), KnightTour(Board(3, 4), (2, 3), (0, 0)),
    Queens(6), Queens(8, ((0, 0),)), Queens(0), Queens(1),
])  # fmt: skip
def test_answers_are_found_and_enclosed(problem, here, tmp_path):
    certificate = proof.certify(problem, engine="sat")
    assert (certificate.proof, certificate.claim.kind) == (ProofKind.WITNESS, ClaimKind.EXISTS)
    checked(certificate, tmp_path)
    assert proof.answer_of(certificate) is not None


def test_a_results_answer_is_enclosed(tmp_path):
    problem = Queens(4)
    answer = ((0, 1), (1, 3), (2, 0), (3, 2))
    result = Result(
        method="x", problem=problem, status=Status.FEASIBLE, ending=Ending.FINISHED, seconds=0, answer=answer
    )
    certificate = proof.certify(problem, result)
    assert proof.answer_of(certificate) == answer
    checked(certificate, tmp_path)


# Knights


@pytest.mark.parametrize("engine", ["auto", "weights", "sat"])
@pytest.mark.parametrize(
    ("problem", "value"),
    [
        (KnightCover(Board(8, 8)), 14),
        (KnightCover(Board(6, 6), Rule.ORDINARY), 8),
        (KnightCover(Board(5, 5), Rule.INDEPENDENT), 5),
        (KnightCover(Board(3, 5)), 6),
    ],
    ids=str,
)
def test_every_kind_proves_the_minimum(problem, value, engine, here, tmp_path):
    certificate = proof.certify(problem, engine=engine)
    assert certificate.claim == proof.Claim(ClaimKind.MINIMUM, value)
    assert certificate.proof is (ProofKind.DRAT if engine == "sat" else ProofKind.WEIGHTS)
    checked(certificate, tmp_path)
    assert len(proof.answer_of(certificate)) == value


@pytest.mark.parametrize("engine", ["auto", "weights", "sat"])
def test_limits_on_the_knights(engine, here, tmp_path):
    below = proof.certify(KnightCover(Board(6, 6), at_most=7), engine=engine)
    assert below.claim.kind is ClaimKind.NONE
    checked(below, tmp_path)
    enough = proof.certify(KnightCover(Board(6, 6), at_most=8), engine=engine)
    assert (enough.claim.kind, enough.proof) == (ClaimKind.EXISTS, ProofKind.WITNESS)
    checked(enough, tmp_path)


def test_ordinary_8x8_by_twelve_squares_of_which_no_knight_controls_two():
    certificate = kept.kept_certificate(KnightCover(Board(8, 8), Rule.ORDINARY))
    (part,) = certificate.json("bound.json")["parts"]
    assert part["tree"]["unit"] == 1
    assert [weight for *_, weight in part["tree"]["weights"]] == [1] * 12
    text = proof.explain(certificate)
    assert "12 squares" not in text
    assert "unit 1" in text


def test_squares_that_nothing_attacks(tmp_path):
    for problem in (KnightCover(Board(3, 3)), KnightCover(Board(1, 5)), KnightCover(Board(2, 3), at_most=4)):
        certificate = proof.certify(problem)
        assert (certificate.proof, certificate.claim.kind) == (ProofKind.UNREACHABLE, ClaimKind.NONE)
        assert problem.board.name(problem.unreachable()[0]) in checked(certificate, tmp_path).relied_on


def test_a_cover_that_is_not_smallest_is_improved_by_weights(here, tmp_path):
    # 4x5 takes 6 knights; claim that an optimum has more.
    problem = KnightCover(Board(4, 5))
    answer = tuple(problem.board.squares())
    claimed = Result(
        method="x", problem=problem, status=Status.OPTIMAL, ending=Ending.FINISHED, seconds=0, answer=answer,
        objective=20, bound=20,
    )  # fmt: skip
    certificate = proof.certify(problem, claimed, engine="weights")
    assert certificate.claim.value == 6
    checked(certificate, tmp_path)
    with pytest.raises(NotProved, match="not the smallest"):
        proof.certify(problem, claimed, engine="sat")


def test_lower_bounds_without_a_cover(here, tmp_path):
    certificate = proof.certify_bound(KnightCover(Board(10, 10)))
    assert certificate.claim == proof.Claim(ClaimKind.AT_LEAST, 20)
    checked(certificate, tmp_path)
    below = proof.certify_bound(KnightCover(Board(10, 10), at_most=19))
    assert below.claim.kind is ClaimKind.NONE
    checked(below, tmp_path)
    assert proof.certify_bound(KnightCover(Board(3, 3))).proof is ProofKind.UNREACHABLE


def test_the_same_question_gives_the_same_bytes():
    code = (
        "import sys, hashlib; from exact import proof; from exact.proof import archive; from problems import *;"
        "made = [proof.certify(KnightCover(Board(5, 5)), engine='sat'), proof.certify_list(Queens(4)),"
        "proof.certify(KnightTour(Board(3, 6)), engine='sat')];"
        "print(hashlib.sha256(b''.join(map(archive.to_bytes, made))).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# Complete lists


@pytest.mark.parametrize(
    ("problem", "count"),
    [
        (Queens(0), 1), (Queens(1), 1), (Queens(3), 0), (Queens(6), 4), (Queens(6, ((0, 1),)), 1),
        (KnightCover(Board(4, 4)), 36), (KnightCover(Board(6, 6)), 36), (KnightCover(Board(8, 8)), 16),
        (KnightCover(Board(5, 5), Rule.ORDINARY), 47), (KnightCover(Board(5, 5)), 480),
    ],
    ids=str,
)  # fmt: skip
def test_complete_lists(problem, count, here, tmp_path):
    certificate = proof.certify_list(problem)
    assert certificate.claim == proof.Claim(ClaimKind.ALL, count)
    checked(certificate, tmp_path)


def test_the_92_queens(here, tmp_path):
    certificate = proof.certify_list(Queens(8))
    assert certificate.claim.value == 92 == len(certificate.json("list.json")["answers"])
    report = checked(certificate, tmp_path)
    assert report.checkers == (drat.FAST, drat.SLOW)
    answers = certificate.json("list.json")["answers"]
    short = {**certificate.members, "list.json": archive.dump({"answers": answers[1:]})}
    assert "clause" in proof.check_certificate(replace(certificate, members=short)).fault


def test_the_16_placements_by_halves(here):
    certificate = proof.certify_list(KnightCover(Board(8, 8)))
    (part,) = certificate.json("parts.json")["parts"]
    assert (len(part["placements"]), len(part["images"])) == (4, 2)


def test_lists_that_are_not_made():
    with pytest.raises(UnsupportedProblem):
        proof.certify_list(KnightTour(Board(5, 6), closed=True))
    with pytest.raises(UnsupportedProblem):
        proof.certify_list(KnightCover(Board(4, 4), at_most=6))
    with pytest.raises(UnsupportedProblem):
        proof.certify_list(Queens(1000))


# What cannot be


@pytest.mark.parametrize(
    ("problem", "engine"),
    [
        (Queens(4), "weights"), (KnightTour(Board(4, 4)), "weights"), (KnightCover(Board(8, 8)), "counting"),
        (Queens(4), "cpsat"), (Queens(4), "nonsense"),
    ],
)  # fmt: skip
def test_engines_without_such_proofs_are_refused(problem, engine):
    with pytest.raises(UnsupportedProblem):
        proof.certify(problem, engine=engine)
    with pytest.raises(UnsupportedProblem):
        proof.check_engine(problem, engine)


def test_no_counting_argument():
    with pytest.raises(NotProved, match="counting"):
        proof.certify(KnightTour(Board(6, 6), closed=True), engine="counting")


def test_a_time_limit_ends_the_search():
    with pytest.raises(NotProved) as caught:
        proof.certify(KnightCover(Board(13, 14)), engine="weights", limits=Limits(seconds=0.5))
    assert caught.value.ending is Ending.TIME


def test_children_do_the_work(tmp_path):
    certificate = proof.certify(KnightTour(Board(4, 5), closed=True), engine="sat")
    checked(certificate, tmp_path)


def test_checking_loads_no_solver(here, tmp_path):
    certificate = proof.certify(KnightCover(Board(4, 4)), engine="sat")
    proof.save(certificate, tmp_path / "c.zip")
    code = (
        "import sys; from exact import proof; report = proof.check(sys.argv[1]); assert report.valid;"
        "proof.explain(proof.load(sys.argv[1]));"
        "loaded = {'ortools', 'scipy', 'numpy', 'numba', 'networkx'} & set(sys.modules); assert not loaded, loaded"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c.zip")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# Kept certificates


KEPT = {
    Rule.TOTAL: ("knights_total_domination_min", range(4, 15)),
    Rule.ORDINARY: ("knights_domination_min", range(1, 14)),
    Rule.INDEPENDENT: ("knights_independent_domination_min", range(1, 10)),
}


@pytest.mark.parametrize("rule", Rule)
def test_kept_certificates_check_and_have_the_published_values(rule, known_values):
    name, sides = KEPT[rule]
    for n in sides:
        found = kept.minimum(KnightCover(Board(n, n), rule))
        assert found is not None
        assert found.value == known_values[name]["values"][str(n)]
        assert "checked" in found.source


def test_where_none_is_kept():
    for problem in (
        KnightCover(Board(40, 40)),
        KnightCover(Board(8, 8, frozenset({(0, 0)}))),
        KnightCover(Board(8, 8), at_most=14),
    ):
        assert kept.minimum(problem) is None


def test_keeping_a_certificate(here, tmp_path):
    problem = KnightCover(Board(4, 4))
    made = keep(problem, tmp_path, Effort(growing=None, improving=100, polishing=0.5))
    data = (tmp_path / kept.file_name(problem)).read_bytes()
    again = kept.from_json(data)
    assert again == made
    assert proof.check_certificate(again).valid


@pytest.mark.parametrize(
    "problem",
    [
        KnightCover(Board(4, 4)),
        KnightCover(Board(5, 5), Rule.ORDINARY),
        KnightCover(Board(4, 4), Rule.INDEPENDENT),
    ],
    ids=lambda problem: kept.file_name(problem),
)
def test_kept_certificates_can_be_made_again(problem, here, tmp_path):
    """The same file every time with the same solvers; with other versions, other weights may prove the same."""
    again = [keep(problem, tmp_path) for _ in range(2)]
    assert kept.to_json(again[0]) == kept.to_json(again[1]) == (tmp_path / kept.file_name(problem)).read_bytes()
    data = resources.files("exact.proof").joinpath("kept_data", kept.file_name(problem)).read_bytes()
    ours = kept.from_json(data)
    assert kept.to_json(ours) == data
    assert (again[0].problem, again[0].claim, again[0].proof) == (ours.problem, ours.claim, ours.proof)


# Larger


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "rule", "engine"),
    [
        *[(n, Rule.TOTAL, "weights") for n in (10, 11, 12, 13, 14, 15, 16, 18)],
        *[(n, Rule.TOTAL, "sat") for n in (10, 14, 16)],
        *[(n, Rule.ORDINARY, "weights") for n in (8, 10, 11, 12, 13)],
        (8, Rule.ORDINARY, "sat"),
    ],
)
def test_larger_boards(n, rule, engine, known_values, tmp_path):
    name = KEPT[rule][0]
    certificate = proof.certify(KnightCover(Board(n, n), rule), engine=engine)
    assert certificate.claim.value == known_values[name]["values"][str(n)]
    checked(certificate, tmp_path)


@pytest.mark.slow
def test_counting_of_2704_placements(tmp_path):
    certificate = proof.certify_list(KnightCover(Board(10, 10)))
    assert certificate.claim.value == 2704
    checked(certificate, tmp_path)


def test_the_engine_is_in_the_table():
    result = exact.solve(KnightCover(Board(4, 4)), engine="weights")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 6, 6)
    assert "rational" in result.bound_source
