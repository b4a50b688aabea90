"""Formulas that must be the derived ones, and DRAT proofs that both checkers must be able to follow."""

from __future__ import annotations

import pytest

from exact.proof import Fault, drat
from exact.proof.encoder import dimacs
from exact.proof.refuting import models, refute

CLAUSES = ((1, 2), (-1, 2), (1, -2), (-1, -2))
FORMULA = drat.Formula(2, CLAUSES)
PIGEONS = (
    *[tuple(3 * p + h + 1 for h in range(3)) for p in range(4)],
    *[(-(3 * p + h + 1), -(3 * q + h + 1)) for h in range(3) for p in range(4) for q in range(p)],
)
"""Four pigeons in three holes."""


def no_report(message):
    """Take no notice."""


def refusal(function, *arguments):
    with pytest.raises(Fault) as caught:
        function(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    "proof",
    [
        b"2 0\n0\n",
        b"1 0\n0\n",
        b"2 0\nd 1 2 0\n0\n",
        b"1 2 0\n2 0\n-2 0\n0\n",
        b"2 1 1 0\n2 2 0\n0\n",
        b"1 -1 0\n1 0\n0\n",
    ],
)
def test_proofs_are_followed_by_both_checkers(proof):
    assert drat.check_refutation(FORMULA, proof, "x") == (drat.FAST, drat.SLOW)


@pytest.mark.parametrize("proof", [b"0\n"])
def test_the_empty_clause_alone_suffices_only_where_units_refute(proof):
    assert "step 1 does not follow" in refusal(drat.check_refutation, FORMULA, proof, "x")
    units = drat.Formula(1, ((1,), (-1,)))
    assert drat.check_refutation(units, proof, "x") == (drat.FAST, drat.SLOW)
    assert drat.check_refutation(drat.Formula(0, ((),)), proof, "x") == (drat.FAST, drat.SLOW)


@pytest.mark.parametrize(
    ("proof", "message"),
    [
        (b"", "never adds the empty clause"),
        (b"2 0\n", "never adds the empty clause"),
        (b"2 0\nd 0\n", "never adds the empty clause"),
        (b"2 0\n0", None),
        (b"2\n0\n", "no clause that ends in 0"),
        (b"2 0 0\n0\n", "no clause that ends in 0"),
        (b"x 0\n0\n", "no clause that ends in 0"),
        (b"\xff 0\n0\n", "no ASCII"),
        (b"3 0\n0\n", "variable that the formula does not have"),
        (b"9999999999999999999 0\n0\n", "variable that the formula does not have"),
        (b"99999999999999999999 0\n0\n", "no clause that ends in 0"),
        (b"d 3 0\n2 0\n0\n", "variable that the formula does not have"),
        (b"+2 0\n0\n", "no clause that ends in 0"),
        (b"02 0\n0\n", "no clause that ends in 0"),
        (b"2_0 0\n0\n", "no clause that ends in 0"),
        (b"2  0\n0\n", "no clause that ends in 0"),
        (b"2 0\r\n0\n", "no clause that ends in 0"),
        (b"2 0\x0b0\n", "no clause that ends in 0"),
        (b"2 0\x1c0\n", "no clause that ends in 0"),
        (b"2 0\x0c0", "no clause that ends in 0"),
        (b"2 0\n-0\n", "no clause that ends in 0"),
        (b"2 0\n0\n2 0\n", "goes on after"),
        (b"2 0\n0\nd 2 0\n", "goes on after"),
        (b"2 0\n0\n0\n", "goes on after"),
        (b"2 0\n0\n\n", "goes on after"),
    ],
)
def test_what_is_no_proof_is_refused(proof, message):
    if message is None:
        assert drat.check_refutation(FORMULA, proof, "x")
    else:
        assert message in refusal(drat.check_refutation, FORMULA, proof, "x")


def test_deletions_change_no_verdict():
    # Without (1, 2) and (-1, 2) the last step would not follow: who obeys deletions refuses, who does not accepts.
    assert drat.check_refutation(FORMULA, b"d 1 2 0\nd -1 2 0\n2 0\n0\n", "x") == (drat.FAST, drat.SLOW)
    assert drat.check_refutation(FORMULA, b"2 0\nd 2 0\nd 1 -2 0\n0\n", "x") == (drat.FAST, drat.SLOW)


def test_a_long_proof_is_not_read_beyond_its_empty_clause():
    proof = drat.steps(b"2 0\n0\n" + b"0\n" * 10, 2, "x")
    assert [next(proof), next(proof)] == [(1, (2,)), (2, ())]
    with pytest.raises(Fault, match="goes on after it has added the empty clause in step 2"):
        next(proof)


def test_a_line_may_not_be_as_long_as_the_file(monkeypatch):
    monkeypatch.setattr(drat, "MAX_LINE", 20)
    assert drat.check_refutation(FORMULA, b"2 2 2 2 0\n0\n", "x")
    assert "a line of more than 20 bytes" in refusal(drat.check_refutation, FORMULA, b"2 " * 10 + b"0\n0\n", "x")


class Clock:
    """A clock that goes on by so many seconds whenever it is read."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def monotonic(self):
        self.now += self.step
        return self.now


@pytest.mark.parametrize(
    ("step", "length", "seconds", "finished"),
    [
        (1.0, 2, 60.0, True),
        # Four seconds a step are eight in all; building the checker, before the clock is read, costs nothing.
        (4.0, 2, 60.0, True),
        (4.0, 2, 7.0, False),
        (4.0, 1000, 60.0, False),
        (70.0, 2, 60.0, False),
        (70.0, 2, float("inf"), True),
    ],
)
def test_the_slow_checker_gives_up_by_what_its_steps_took(step, length, seconds, finished, monkeypatch):
    monkeypatch.setattr(drat, "time", Clock(step))
    proof = [(1, (2,)), (2, ())]
    assert drat._check_slow(FORMULA, proof, length, "x", seconds) is finished


def test_the_slow_checker_is_not_given_large_formulas(monkeypatch):
    monkeypatch.setattr(drat, "MAX_SLOW_CLAUSES", 3)
    assert drat.check_refutation(FORMULA, b"2 0\n0\n", "x", float("inf")) == (drat.FAST,)


def test_a_clause_that_only_keeps_satisfiability_is_refused():
    # RAT on its first literal, as variable 3 occurs nowhere else, but it does not follow.
    formula = drat.Formula(3, (*CLAUSES, (3, 1)))
    assert "does not follow" in refusal(drat.check_refutation, formula, b"-3 0\n2 0\n0\n", "x")


def test_the_slow_checker_is_left_out_when_there_is_no_time():
    assert drat.check_refutation(FORMULA, b"2 0\n0\n", "x", -1.0) == (drat.FAST,)


def test_each_checker_refuses_on_its_own():
    steps = ((1, ()),)
    assert drat.FAST in refusal(drat._check_fast, CLAUSES, steps, "x")
    assert drat.SLOW in refusal(drat._check_slow, FORMULA, steps, 1, "x", 9.0)


def test_refutations_made_here_check_and_spoilt_ones_do_not():
    text = refute(PIGEONS, no_report)
    formula = drat.Formula(12, PIGEONS)
    assert drat.check_refutation(formula, text, "x") == (drat.FAST, drat.SLOW)
    lines = text.splitlines(keepends=True)
    assert lines.count(b"0\n") == 1
    assert lines[-1] == b"0\n"
    assert "does not follow" in refusal(drat.check_refutation, formula, b"0\n", "x")
    satisfiable = drat.Formula(12, PIGEONS[1:])
    assert "does not follow" in refusal(drat.check_refutation, satisfiable, text, "x")
    assert refute(PIGEONS[1:], no_report) is None


def test_models_are_listed_sorted():
    one_of_three = ((1, 2, 3), (-1, -2), (-1, -3), (-2, -3))
    assert models(one_of_three, 3, 3, no_report) == [(1,), (2,), (3,)]
    assert models(one_of_three, 3, 2, no_report) is None
    assert models(CLAUSES, 2, 9, no_report) == []


# Formulas


def test_the_derived_formula_is_accepted():
    text = dimacs(CLAUSES, ["1 a", "2 b"])
    assert drat.read_formula(text, CLAUSES, ["1 a", "2 b"], "x") == FORMULA


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (dimacs(CLAUSES[1:], ["1 a"]), "clause 1 is"),
        (dimacs(CLAUSES[:-1], ["1 a"]), "gives more than the 3 clauses"),
        (dimacs((*CLAUSES, (1,)), ["1 a"]), "no further clause"),
        (dimacs((*CLAUSES[:3], (-1, 2)), ["1 a"]), "clause 4 is"),
        (dimacs((*CLAUSES[:3], (-2, -1)), ["1 a"]), "clause 4 is"),
        (dimacs(CLAUSES, ["1 b"]), "comment"),
        (dimacs(CLAUSES, []), "comment"),
        (dimacs(CLAUSES, ["1 a", "2 b"]), "header"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"cnf 2 4", b"cnf 2 5"), "header"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"cnf 2 4", b"cnf 3 4"), "header"),
        (b"", "comment"),
        (b"c 1 a\n", "header"),
        (b"c 1 a\np cnf 0 0\n", "gives more"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"\n1 2 0", b"\n+1 2 0"), "clause 1 is '+1 2 0'"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"\n1 2 0", b"\n1 0_2 0"), "clause 1 is"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"\n", b"\x0b"), "comment"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"\n", b"\r\n"), "comment"),
        (dimacs(CLAUSES, ["1 a"]).replace(b"cnf 2", b"cnf  2"), "header"),
        (dimacs(CLAUSES, ["1 a"]) + b"\n", "no further clause"),
        (dimacs(CLAUSES, ["1 a"]) + b"\xff", "no ASCII"),
    ],
)
def test_other_formulas_are_refused(text, message):
    assert message in refusal(drat.read_formula, text, CLAUSES, ["1 a"], "x")


def test_no_more_is_derived_than_the_file_has():
    def endless():
        while True:
            yield (1, 2)

    assert "gives more" in refusal(drat.read_formula, dimacs([(1, 2)] * 3), endless(), [], "x")
