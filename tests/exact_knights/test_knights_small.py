"""Small covers: every answer of every engine against brute force, as sets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from knights_truth import cover_on, covers, fewest, run_here

import exact
from exact import knights
from exact.cover import quick_bound
from problems import Board, KnightCover, Limits, Rule, Status

each_engine = pytest.mark.parametrize("engine", knights.ENGINES)
each_rule = pytest.mark.parametrize("rule", list(Rule))

RECTANGLES = [(rows, cols) for rows in range(1, 4) for cols in range(rows, 13) if rows * cols <= 12]
HOLES = [(3, 4, "b2"), (3, 4, "a1 d3"), (4, 4, "a1 a4 d1 d4"), (4, 4, "b2 c3"), (3, 5, "c2"), (4, 3, "a2 c3")]
EVERY_ONE = 10**6


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knights, "run_jobs", run_here)


def assert_same_as_brute_force(problem: KnightCover, engine: str) -> None:
    truth = fewest(problem.board, problem.rule)
    solved = exact.solve(problem, engine=engine)
    listed = exact.enumerate_all(problem, engine=engine, keep=EVERY_ONE, classes=True)
    assert listed.complete
    assert listed.answers == tuple(sorted(truth))
    assert listed.count == len(truth)
    assert listed.classes == len({problem.board.canonical(placement) for placement in truth})
    if truth:
        assert solved.status is listed.status is Status.OPTIMAL
        assert solved.answer in truth
        assert solved.bound == solved.objective == listed.objective == len(solved.answer or ())
    else:
        assert solved.status is listed.status is Status.INFEASIBLE
        assert solved.answer is None


@each_engine
@each_rule
def test_rectangles(rule: Rule, engine: str) -> None:
    for rows, cols in RECTANGLES:
        assert_same_as_brute_force(cover_on(rows, cols, rule), engine)


@each_engine
@each_rule
@pytest.mark.parametrize(("rows", "cols", "missing"), HOLES)
def test_boards_with_missing_squares(rows: int, cols: int, missing: str, rule: Rule, engine: str) -> None:
    assert_same_as_brute_force(cover_on(rows, cols, rule, missing), engine)


@each_engine
@each_rule
def test_sixteen_squares(rule: Rule, engine: str) -> None:
    assert_same_as_brute_force(cover_on(4, 4, rule), engine)


@each_engine
def test_two_rows_of_seven(engine: str) -> None:
    assert_same_as_brute_force(cover_on(2, 7), engine)
    assert_same_as_brute_force(cover_on(7, 2, Rule.INDEPENDENT), engine)


@each_engine
def test_a_board_whose_squares_are_all_missing(engine: str) -> None:
    nothing = KnightCover(Board(1, 1, frozenset({(0, 0)})))
    assert exact.solve(nothing, engine=engine).answer == ()
    assert exact.enumerate_all(nothing, engine=engine, classes=True).classes == 1


@given(
    missing=st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=4, max_size=12),
    rule=st.sampled_from(list(Rule)),
)
@settings(max_examples=40, deadline=None)
def test_any_board_within_four_by_four(missing: set[tuple[int, int]], rule: Rule) -> None:
    problem = KnightCover(Board(4, 4, frozenset(missing)), rule)
    for engine in knights.ENGINES:
        assert_same_as_brute_force(problem, engine)


@each_engine
@each_rule
@pytest.mark.parametrize("missing", ["", "b2"])
def test_at_most_says_whether_so_many_can_do(missing: str, rule: Rule, engine: str) -> None:
    board = cover_on(3, 4, rule, missing).board
    least = min((len(placement) for placement in fewest(board, rule)), default=None)
    for most in range(board.size + 1):
        result = exact.solve(KnightCover(board, rule, at_most=most), engine=engine)
        if least is not None and least <= most:
            assert result.status is Status.FEASIBLE
            assert result.answer is not None
            assert len(result.answer) <= most
            assert covers(board, rule, result.answer)
        else:
            assert result.status is Status.INFEASIBLE
            assert result.explanation


@each_engine
def test_the_first_placements_are_kept_in_order(engine: str) -> None:
    problem = cover_on(4, 4)
    truth = sorted(fewest(problem.board, problem.rule))
    for keep in (0, 1, 5, 36, 99):
        result = exact.enumerate_all(problem, engine=engine, keep=keep)
        assert result.answers == tuple(truth[:keep])
        assert result.answer == truth[0]
        assert result.count == 36
        assert result.classes is None


@each_engine
def test_improvements_are_watched_and_traced(engine: str) -> None:
    problem, seen = cover_on(8, 8), []
    result = exact.solve(
        problem, engine=engine, watch=lambda improvement, answer: seen.append((improvement, answer))
    )
    assert [improvement for improvement, _ in seen] == list(result.trace)
    values = [improvement.value for improvement, _ in seen]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)
    assert values[-1] == 14
    for improvement, answer in seen:
        assert problem.violations(answer) == ()
        assert len(answer) == improvement.value


@each_engine
@pytest.mark.parametrize(("rows", "cols", "named"), [(3, 3, "b2 (1, 1)"), (2, 3, "b2 (0, 1), b1 (1, 1)")])
def test_squares_that_nothing_attacks_are_named(rows: int, cols: int, named: str, engine: str) -> None:
    result = exact.solve(cover_on(rows, cols), engine=engine, limits=Limits(seconds=1))
    assert result.status is Status.INFEASIBLE
    assert named in str(result.explanation)


@each_engine
def test_of_many_squares_that_nothing_attacks_some_are_named(engine: str) -> None:
    result = exact.solve(cover_on(1, 50_000), engine=engine)
    assert result.status is Status.INFEASIBLE
    assert str(result.explanation).endswith("e1 (0, 4), 49995 more")


@each_rule
@pytest.mark.parametrize(("rows", "cols", "missing"), [*((r, c, "") for r, c in RECTANGLES), *HOLES])
def test_counting_alone_never_asks_for_more_than_the_minimum(
    rows: int, cols: int, missing: str, rule: Rule
) -> None:
    problem = cover_on(rows, cols, rule, missing)
    truth = fewest(problem.board, rule)
    assert not truth or quick_bound(problem) <= len(next(iter(truth)))


def test_counting_is_exact_where_no_knight_is_wasted() -> None:
    assert quick_bound(cover_on(40, 40)) == 200
    assert quick_bound(cover_on(45, 45, Rule.ORDINARY)) == 225


@pytest.mark.parametrize("side", range(1, 9))
def test_squares_out_of_reach_are_those_without_a_move(side: int) -> None:
    for cols in range(1, 9):
        problem = cover_on(side, cols)
        alone = {
            s for s in problem.board.squares() if not any(map(problem.board.__contains__, problem.attacks(s)))
        }
        assert set(problem.unreachable()) == alone
