"""Warnsdorff's rule: the tie-breaks, dead ends, Squirrel and Cull's orders, published success rates."""

from __future__ import annotations

from typing import Any

import plain_tours
import pytest
from scipy.stats import fisher_exact

import heuristic.tours_squirrel_cull as squirrel_cull
from heuristic.methods import run
from heuristic.tours_warnsdorff import DeadEnd, TieBreak, WarnsdorffParameters, walks
from problems import Board, Ending, InputError, KnightTour, Limits, Result, Status, UnsupportedProblem
from problems.tours import returns_to_start

ERROR_RATE = 1e-3
"""The chance that all comparisons of success rates together reject rates that are equal, were seeds not fixed."""


def walk(
    problem: KnightTour, ties: TieBreak, dead_end: DeadEnd = DeadEnd.STOP, *, seed: int = 1, **limits: Any
) -> Result:
    parameters = WarnsdorffParameters(ties, dead_end)
    return run(problem, "warnsdorff", limits=Limits(**limits), seed=seed, parameters=parameters)


@pytest.mark.parametrize("size", [(5, 5), (7, 7), (8, 8), (6, 9), (3, 4), (41, 41)])
@pytest.mark.parametrize(("ties", "place"), [(TieBreak.FIRST, 0), (TieBreak.LAST, -1)])
def test_walks_without_chance_agree_with_the_slow_walk(size: tuple[int, int], ties: TieBreak, place: int) -> None:
    board = Board(*size)
    expected = plain_tours.walk(board, (0, 0), lambda squares: squares[place])
    result = walk(KnightTour(board), ties)
    assert (result.answer or result.best) == expected
    assert result.counters.nodes == len(expected)


def _spread(board: Board, square: tuple[int, int]) -> int:
    return (2 * square[0] - board.rows + 1) ** 2 + (2 * square[1] - board.cols + 1) ** 2


@pytest.mark.parametrize("ties", [TieBreak.RANDOM, TieBreak.ROTH, TieBreak.POHL])
@pytest.mark.parametrize("seed", range(5))
def test_every_step_of_a_random_walk_is_allowed(ties: TieBreak, seed: int) -> None:
    board = Board(8, 9)
    result = walk(KnightTour(board, start=(3, 4)), ties, seed=seed)
    path = result.answer or result.best
    assert path is not None
    for length in range(1, len(path)):
        visited = set(path[:length])
        free = {s: [t for t in board.knight_moves(s) if t not in visited] for s in board.squares()}
        targets = free[path[length - 1]]
        fewest = min(len(free[s]) for s in targets)
        allowed = [s for s in targets if len(free[s]) == fewest]
        if ties is TieBreak.ROTH:
            farthest = max(_spread(board, s) for s in allowed)
            allowed = [s for s in allowed if _spread(board, s) == farthest]
        if ties is TieBreak.POHL:
            sums = {s: sum(len(free[t]) for t in free[s]) for s in allowed}
            allowed = [s for s in allowed if sums[s] == min(sums.values())]
        assert path[length] in allowed


def _published(known_values: dict[str, Any], side: int, ties: TieBreak) -> tuple[int, int]:
    """The published finished and stuck walks; how many were walked stands in the table's source."""
    total = 20_000 if side <= 50 else 2_000 if side <= 100 else 400
    percents = known_values["warnsdorff_success_percent_random_ties_corner_start"]["values"][str(side)]
    finished = round(total * percents[ties is TieBreak.POHL] / 100)
    return finished, total - finished


def _measured(side: int, ties: TieBreak, number: int) -> tuple[int, int]:
    problem = KnightTour(Board(side, side), start=(0, 0))
    finished = sum(walk.solved for walk in walks(problem, ties, range(number)))
    return finished, number - finished


def _p_value(ours: tuple[int, int], theirs: tuple[int, int]) -> float:
    return float(fisher_exact([ours, theirs]).pvalue)


QUICK = {7: 4000, 8: 4000, 20: 1000, 50: 400, 100: 200}
LONG = {6: 20_000, 7: 20_000, 8: 20_000, 10: 20_000, 20: 20_000, 30: 10_000, 50: 5_000, 100: 2_000, 200: 400}


@pytest.mark.parametrize("ties", [TieBreak.RANDOM, TieBreak.POHL])
@pytest.mark.parametrize(("side", "number"), QUICK.items())
def test_success_rates_are_the_published_ones(
    known_values: dict[str, Any], side: int, number: int, ties: TieBreak
) -> None:
    p = _p_value(_measured(side, ties, number), _published(known_values, side, ties))
    assert p > ERROR_RATE / (2 * len(QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("ties", [TieBreak.RANDOM, TieBreak.POHL])
@pytest.mark.parametrize(("side", "number"), LONG.items())
def test_success_rates_over_many_walks(
    known_values: dict[str, Any], side: int, number: int, ties: TieBreak
) -> None:
    p = _p_value(_measured(side, ties, number), _published(known_values, side, ties))
    assert p > ERROR_RATE / (2 * len(LONG))


# Not 20x20: its published rates, 99.2 and 100 %, are too close for so few walks.
@pytest.mark.parametrize("side", [7, 8, 50, 100])
def test_the_comparison_of_rates_tells_the_tie_breaks_apart(known_values: dict[str, Any], side: int) -> None:
    ours = _measured(side, TieBreak.RANDOM, QUICK[side])
    assert _p_value(ours, _published(known_values, side, TieBreak.POHL)) < ERROR_RATE / (2 * len(QUICK))


def test_squirrel_and_cull_tour_every_side_to_200() -> None:
    stuck = [
        side
        for side in range(5, 201)
        if not walks(KnightTour(Board(side, side)), TieBreak.SQUIRREL_CULL, [0])[0].solved
    ]
    assert stuck == []


def test_side_74_needs_its_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = KnightTour(Board(74, 74))
    assert walk(problem, TieBreak.SQUIRREL_CULL).status is Status.FEASIBLE
    monkeypatch.setattr(squirrel_cull, "_ORDERS_OF_74", squirrel_cull._ORDERS[74 % 8])
    assert walk(problem, TieBreak.SQUIRREL_CULL).status is Status.UNKNOWN


@pytest.mark.parametrize(
    "problem",
    [
        KnightTour(Board(8, 9)),
        KnightTour(Board(4, 4)),
        KnightTour(Board(8, 8, frozenset({(7, 7)}))),
        KnightTour(Board(8, 8), start=(0, 1)),
        KnightTour(Board(8, 8), end=(7, 6)),
        KnightTour(Board(8, 8), closed=True),
    ],
)
def test_squirrel_and_cull_are_refused_where_they_are_not_defined(problem: KnightTour) -> None:
    with pytest.raises(UnsupportedProblem, match="ties=squirrel-cull: expected an open tour of a full square"):
        walk(problem, TieBreak.SQUIRREL_CULL)
    with pytest.raises(UnsupportedProblem):
        walks(problem, TieBreak.SQUIRREL_CULL, [0])


@pytest.mark.parametrize("ties", [ties for ties in TieBreak if ties is not TieBreak.SQUIRREL_CULL])
@pytest.mark.parametrize(
    "problem",
    [
        KnightTour(Board(7, 7), start=(0, 0)),
        KnightTour(Board(8, 8), start=(2, 3), end=(7, 7)),
        KnightTour(Board(8, 8), start=(3, 3), closed=True),
        KnightTour(Board(6, 7, frozenset({(0, 0), (5, 5)})), start=(1, 0)),
    ],
)
def test_walks_in_one_call_are_those_of_single_runs(problem: KnightTour, ties: TieBreak) -> None:
    seeds = (0, 3, 2**64 - 1)
    for seed, batched in zip(seeds, walks(problem, ties, seeds), strict=True):
        single = walk(problem, ties, seed=seed)
        path = single.answer or single.best
        assert path is not None
        assert batched == (len(path), single.answer is not None)
        assert single.counters.nodes == len(path)
        assert single.counters.restarts == 0


@pytest.mark.parametrize("side", [5, 6, 7, 8, 13, 20, 37, 50])
def test_the_default_finds_open_tours(side: int) -> None:
    for board in (Board(side, side), Board(side, side + 3)):
        assert run(KnightTour(board), "warnsdorff", limits=Limits(), seed=side).status is Status.FEASIBLE


@pytest.mark.parametrize("size", [(5, 6), (6, 6), (7, 8), (8, 8), (20, 20), (31, 30), (50, 50)])
def test_the_default_finds_closed_tours_from_the_start_asked_for(size: tuple[int, int]) -> None:
    result = run(KnightTour(Board(*size), start=(2, 1), closed=True), "warnsdorff", limits=Limits(), seed=3)
    assert result.answer is not None
    assert result.answer[0] == (2, 1)
    assert returns_to_start(result.answer)


def test_a_given_end_is_reached() -> None:
    for end in ((0, 1), (7, 0), (3, 4), (5, 4)):
        result = run(KnightTour(Board(8, 8), end=end), "warnsdorff", limits=Limits(), seed=1)
        assert result.answer is not None
        assert result.answer[-1] == end


def test_stop_restart_and_backtrack_from_a_stuck_walk() -> None:
    problem = KnightTour(Board(8, 8))
    seed = next(s for s, w in enumerate(walks(problem, TieBreak.POHL, range(100))) if not w.solved)
    stopped = walk(problem, TieBreak.POHL, seed=seed)
    assert (stopped.status, stopped.ending) == (Status.UNKNOWN, Ending.FINISHED)
    again = walk(problem, TieBreak.POHL, DeadEnd.RESTART, seed=seed)
    assert again.status is Status.FEASIBLE
    assert (again.counters.restarts or 0) > 0
    assert (again.trace[0].effort, again.trace[0].value) == (stopped.counters.nodes, len(stopped.best or ()))
    back = walk(problem, TieBreak.POHL, DeadEnd.BACKTRACK, seed=seed)
    assert back.status is Status.FEASIBLE
    assert back.counters.restarts == 0
    assert (back.counters.nodes or 0) > 64


def test_restarts_end() -> None:
    impossible = KnightTour(Board(4, 4))
    for number in (0, 7):
        result = run(
            impossible, "warnsdorff", limits=Limits(), seed=1, parameters=WarnsdorffParameters(restarts=number)
        )
        assert (result.status, result.ending) == (Status.UNKNOWN, Ending.FINISHED)
        assert result.counters.restarts == number


def test_backtracking_tries_everything() -> None:
    for ties in (TieBreak.FIRST, TieBreak.RANDOM, TieBreak.ROTH):
        result = walk(KnightTour(Board(3, 6)), ties, DeadEnd.BACKTRACK)
        assert (result.status, result.ending) == (Status.UNKNOWN, Ending.FINISHED)
        assert result.counters.nodes == plain_tours.search(result.problem, (0, 0), plain_tours.plain)[0]


@pytest.mark.parametrize(
    "settings",
    [
        {"ties": "cube"},
        {"dead_end": "give up"},
        {"restarts": -1},
        {"restarts": True},
        {"restarts": 1.5},
        {"restarts": 10**20},
    ],
)
def test_parameters_check_themselves(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(settings))):
        WarnsdorffParameters(**settings)


def test_parameters_may_be_given_as_text() -> None:
    assert WarnsdorffParameters("pohl", "stop") == WarnsdorffParameters(TieBreak.POHL, DeadEnd.STOP)
    problem = KnightTour(Board(100, 100), start=(0, 0))
    assert walks(problem, "roth", range(9)) == walks(problem, TieBreak.ROTH, range(9))
    assert walks(problem, "roth", range(9)) != walks(problem, "random", range(9))
    with pytest.raises(InputError, match="ties: expected one of first"):
        walks(problem, "cube", [1])


def test_a_seed_out_of_range_is_bad_input() -> None:
    with pytest.raises(InputError, match="seed"):
        walks(KnightTour(Board(5, 5)), TieBreak.RANDOM, [-1])


@pytest.mark.slow
@pytest.mark.parametrize("ties", [TieBreak.ROTH, TieBreak.SQUIRREL_CULL])
def test_a_thousand_by_a_thousand(ties: TieBreak) -> None:
    assert walk(KnightTour(Board(1000, 1000)), ties).status is Status.FEASIBLE
