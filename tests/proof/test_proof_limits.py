"""What makers of certificates refuse: what would not be read, before the search or after; what limits cover."""

from __future__ import annotations

from collections import OrderedDict
from unittest import mock

import pytest
from proof_truth import run_here

import exact
from exact import proof
from exact.proof import NotProved, ProofKind, archive
from problems import Board, KnightCover, KnightTour, Limits, Queens, Rule, UnsupportedProblem


@pytest.fixture
def here():
    """Search in this process: children are tested elsewhere and take time to start."""
    with mock.patch("exact.proof.making.run_jobs", run_here):
        yield


@pytest.fixture
def no_search():
    """Nothing may be searched for."""
    with mock.patch("exact.proof.making.run_jobs", side_effect=AssertionError("a search was started")):
        yield


@pytest.mark.parametrize(
    "problem",
    [KnightTour(Board(1001, 1001), closed=True), KnightTour(Board(1000, 600)), KnightCover(Board(2, 20_004)),
     KnightCover(Board(201, 201)), KnightCover(Board(1001, 1001), at_most=9), Queens(500_001)],
    ids=str,
)  # fmt: skip
def test_boards_beyond_the_readers_are_refused_before_the_search(problem, no_search):
    with pytest.raises(UnsupportedProblem, match="at most"):
        proof.certify(problem)


def test_the_engines_tree_is_not_grown_again(monkeypatch):
    started = []

    def noted(jobs, *, limits):
        started.extend(job.function for job in jobs)
        return run_here(jobs, limits=limits)

    monkeypatch.setattr("exact.weights.engine.run_jobs", noted)
    monkeypatch.setattr("exact.proof.making.run_jobs", noted)
    monkeypatch.setattr("exact.proof.growing._remembered", OrderedDict())
    problem = KnightCover(Board(5, 5), Rule.ORDINARY)
    result = exact.solve(problem, engine="weights")
    certificate = proof.certify(problem, result, engine="weights")
    assert started.count("exact.proof.branching:grow") == 1
    assert started[-1] == "exact.proof.certifying:fault_of"
    assert certificate.claim.value == 5
    proof.certify(KnightCover(Board(4, 5), Rule.ORDINARY), engine="weights")
    assert started.count("exact.proof.branching:grow") > 1


def test_other_makers_know_the_readers_sizes_too(no_search):
    with pytest.raises(UnsupportedProblem, match="at most 40000"):
        proof.certify_bound(KnightCover(Board(2, 20_004)))
    with pytest.raises(UnsupportedProblem, match="at most 10000"):
        proof.certify_list(KnightCover(Board(101, 100)))
    with pytest.raises(NotProved, match="250000"):
        proof.certify(KnightTour(Board(501, 501), closed=True), engine="counting")


def test_squares_out_of_reach_are_certified_on_boards_of_any_size(here):
    certificate = proof.certify(KnightCover(Board(1, 800_000)))
    assert certificate.proof is ProofKind.UNREACHABLE
    assert len(certificate.members["unreachable.json"]) < 1000


def test_many_parts_fit_into_a_file(here, tmp_path):
    problem = KnightCover(Board(1, 66), Rule.ORDINARY)
    certificate = proof.certify(problem, engine="sat")
    assert (certificate.claim.value, len(certificate.members)) == (66, 68)
    proof.save(certificate, tmp_path / "c.zip")
    assert proof.check(tmp_path / "c.zip").valid


def test_more_parts_than_fit_are_refused(here, monkeypatch):
    monkeypatch.setattr("exact.proof.for_knights.MAX_MEMBERS", 12)
    for make in (lambda problem: proof.certify(problem, engine="sat"), proof.certify_list):
        with pytest.raises(NotProved, match="5 different parts, more than 4"):
            make(KnightCover(Board(1, 10), Rule.ORDINARY))


def test_what_would_not_be_read_is_not_made(here, monkeypatch):
    monkeypatch.setattr(archive, "MAX_MEMBERS", 2)
    with pytest.raises(NotProved, match="larger than those that are read"):
        proof.certify(KnightCover(Board(4, 5)), engine="weights")
    monkeypatch.undo()
    monkeypatch.setattr("exact.proof.reading.MAX_VALUES", 5)
    with mock.patch("exact.proof.making.run_jobs", run_here), pytest.raises(NotProved, match="arrays and objects"):
        proof.certify(KnightCover(Board(4, 5)), engine="weights")


def test_lists_that_are_too_long_are_not_made(here, monkeypatch):
    monkeypatch.setattr("exact.proof.for_queens.MAX_VALUES", 81)
    with pytest.raises(NotProved, match="more than 9 answers"):
        proof.certify_list(Queens(7))
    monkeypatch.setattr("exact.proof.for_knights.MAX_VALUES", 30)
    with pytest.raises(NotProved, match="more than 3 smallest covers"):
        proof.certify_list(KnightCover(Board(4, 4)))


def test_the_time_limit_covers_the_counting_argument_and_the_last_check(monkeypatch):
    limits = []

    def timed(jobs, *, limits: Limits, seen=limits):
        seen.extend((job.function, limits.seconds) for job in jobs)
        return run_here(jobs, limits=limits)

    monkeypatch.setattr("exact.proof.making.run_jobs", timed)
    proof.certify(KnightTour(Board(5, 5), closed=True), limits=Limits(seconds=60))
    functions, seconds = zip(*limits, strict=True)
    assert functions == ("exact.proof.arguments:combination", "exact.proof.certifying:fault_of")
    assert 60 >= seconds[0] > seconds[1] > 0
