"""The SAT session and projected enumeration."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from exact.progress import Batches, Found
from exact.sat.engine import Session, blocking, enumerate_answers
from exact.sat.formula import Formula


def pigeons(holes: int) -> Formula:
    """One pigeon more than there are holes, no two in one."""
    formula = Formula()
    for pigeon in range(holes + 1):
        formula.at_least_one([formula.variable((pigeon, hole)) for hole in range(holes)])
    for hole in range(holes):
        for one, other in combinations(range(holes + 1), 2):
            formula.add(-formula.variable((one, hole)), -formula.variable((other, hole)))
    return formula


def test_a_session_takes_clauses_between_calls() -> None:
    with Session([(1, 2)]) as session:
        assert session.solve()
        session.add((-1,))
        assert session.solve()
        assert session.chosen((1, 2)) == (2,)
        assert not session.solve([-2])
        assert session.solve()
        session.add(())
        assert not session.solve()


def test_variables_that_no_clause_mentions_are_false() -> None:
    with Session([(1,)]) as session:
        assert session.solve()
        assert session.chosen((1, 7)) == (1,)


def test_counters_are_the_solvers_own() -> None:
    with Session(pigeons(5).clauses) as session:
        assert not session.solve()
        counters = session.counters()
    assert counters.solver_calls == 1
    assert counters.conflicts is not None
    assert counters.conflicts > 0
    assert counters.decisions is not None
    assert counters.propagations is not None


def test_a_budget_that_is_too_small_gives_no_verdict() -> None:
    with Session(pigeons(8).clauses) as session:
        assert session.solve_within(10) is None
        assert session.solve_within(10_000_000) is False
    with Session([(1, 2)]) as session:
        assert session.solve_within(1) is True
        assert session.solve_within(1, [-1, -2]) is False


def enumerate_all(formula: Formula, variables: list[int], **more: Any) -> tuple[list[tuple[int, ...]], Any]:
    found: list[Any] = []
    with Session(formula.clauses) as session:
        value = enumerate_answers(
            session,
            variables,
            read=lambda chosen: tuple(sorted(chosen)),
            report=lambda message: found.extend(message.answers),
            **more,
        )
    return found, value


def test_auxiliary_variables_do_not_multiply_answers() -> None:
    formula = Formula()
    xs = [formula.variable(i) for i in range(5)]
    formula.at_most(xs, 3)
    for _ in range(4):
        formula.add(formula.fresh(), formula.fresh())
    found, value = enumerate_all(formula, xs)
    assert len(found) == len(set(found)) == value.count == 1 + 5 + 10 + 10
    assert value.complete
    assert value.counters.solver_calls == 27


def test_answers_of_one_size_may_be_blocked_by_their_true_variables() -> None:
    formula = Formula()
    xs = [formula.variable(i) for i in range(6)]
    formula.at_most(xs, 3)
    formula.at_most([-x for x in xs], 3)
    found, value = enumerate_all(formula, xs, block=lambda chosen: tuple(-x for x in chosen))
    assert set(found) == set(combinations(xs, 3))
    assert len(found) == value.count == 20


def test_nothing_to_enumerate() -> None:
    formula = Formula()
    formula.add()
    assert enumerate_all(formula, [])[1].count == 0
    assert enumerate_all(Formula(), [])[0] == [()]


def test_a_blocking_clause_excludes_one_assignment() -> None:
    assert blocking((1, 2, 3), (2,)) == (1, -2, 3)


def test_batches_report_every_answer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exact.progress._BATCH_SIZE", 3)
    messages: list[Found] = []
    batches = Batches(messages.append)
    answers = [((0, i),) for i in range(8)]
    for answer in answers:
        batches.add(answer)
    batches.flush()
    batches.flush()
    assert [a for message in messages for a in message.answers] == answers
    assert all(0 < len(message.answers) <= 3 for message in messages)
    assert batches.count == 8
