"""What all tour heuristics promise: seeds, limits, traces, watching, one-line errors, light imports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import Any

import pytest

from heuristic import tours_run, watching
from heuristic.methods import METHODS, run
from heuristic.tours_warnsdorff import DeadEnd, TieBreak, WarnsdorffParameters
from problems import Answer, Board, Ending, Improvement, InputError, KnightTour, Limits, Result, Status

CASES: list[tuple[str, str, Any]] = [
    ("backtracking", "printed", None),
    ("backtracking", "described", None),
    ("greedy", "printed", None),
    ("greedy", "described", None),
    ("divide-and-conquer", "described", None),
    *(
        ("warnsdorff", "described", WarnsdorffParameters(ties, dead_end))
        for ties in TieBreak
        for dead_end in DeadEnd
        if ties is not TieBreak.SQUIRREL_CULL
    ),
]
PROBLEM = KnightTour(Board(6, 6), start=(1, 2))


def trajectory(result: Result) -> tuple[Any, ...]:
    """Everything that does not come from the clock."""
    trace = [(improvement.effort, improvement.value) for improvement in result.trace]
    return result.status, result.ending, result.answer, result.best, result.counters, result.seed, trace


def play(case: tuple[str, str, Any], problem: KnightTour = PROBLEM, *, seed: int = 5, **rest: Any) -> Result:
    method, edition, parameters = case
    limits = rest.pop("limits", Limits(nodes=300_000))
    return run(problem, method, limits=limits, seed=seed, edition=edition, parameters=parameters, **rest)


def test_the_table_has_the_documents_names() -> None:
    rows = {row.name: row.editions for row in METHODS if row.problem is KnightTour}
    assert rows == {
        "backtracking": ("printed", "described"),
        "greedy": ("printed", "described"),
        "warnsdorff": ("described",),
        "divide-and-conquer": ("described",),
    }


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("closed", [False, True])
def test_same_seed_same_trajectory_whatever_runs_beside_it(case: tuple[str, str, Any], closed: bool) -> None:
    problem = KnightTour(Board(6, 6), start=(1, 2), closed=closed)
    alone = trajectory(play(case, problem))
    assert trajectory(play(case, problem)) == alone
    with ThreadPoolExecutor(4) as pool:
        others = [pool.submit(play, case, problem, seed=seed) for seed in (5, 6, 5, 7)]
    assert trajectory(others[0].result()) == trajectory(others[2].result()) == alone


@pytest.mark.parametrize("case", CASES)
def test_looking_at_the_clock_more_often_changes_nothing(
    case: tuple[str, str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = KnightTour(Board(5, 6), start=(0, 1), closed=True)
    limits = Limits(nodes=5_000)
    expected = trajectory(play(case, problem, limits=limits))
    monkeypatch.setattr(tours_run, "CHUNK", 7)
    assert trajectory(play(case, problem, limits=limits)) == expected


def test_other_seeds_are_other_walks() -> None:
    case = ("warnsdorff", "described", WarnsdorffParameters(TieBreak.RANDOM))
    problem = KnightTour(Board(8, 8), start=(0, 0))
    assert len({play(case, problem, seed=seed).answer for seed in range(10)}) == 10


@pytest.mark.parametrize("case", CASES)
def test_the_watcher_sees_the_trace_and_the_paths(
    case: tuple[str, str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ALLOWANCE", inf)
    seen: list[tuple[Improvement, Answer]] = []
    result = play(case, watch=lambda improvement, path: seen.append((improvement, path)))
    assert tuple(improvement for improvement, _ in seen) == result.trace
    assert [len(path) for _, path in seen] == [improvement.value for improvement in result.trace]
    assert [i.value for i in result.trace] == sorted({i.value for i in result.trace})
    for _, path in seen:
        kinds = {violation.kind for violation in PROBLEM.violations(path)}
        assert kinds <= {"unvisited"}
    assert seen[-1][1] == (result.answer or result.best)


@pytest.mark.parametrize("method", ["backtracking", "greedy", "warnsdorff"])
def test_the_time_limit_ends_a_hopeless_search(
    method: str, ticking: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tours_run, "CHUNK", 10_000)
    ticking(0.01)
    parameters = WarnsdorffParameters(dead_end=DeadEnd.BACKTRACK) if method == "warnsdorff" else None
    hopeless = KnightTour(Board(9, 9), start=(0, 1))
    result = run(hopeless, method, limits=Limits(seconds=0.995), seed=1, parameters=parameters)
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.TIME)
    assert result.answer is None
    assert result.best is not None
    assert len(result.best) > 40


def test_without_limits_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tours_run, "DEFAULT_NODES", 1000)
    result = run(KnightTour(Board(9, 9), start=(0, 1)), "backtracking", limits=Limits(), seed=1)
    assert (result.ending, result.counters.nodes) == (Ending.NODES, 1000)


def test_a_limit_on_evaluations_is_one_on_nodes() -> None:
    for limits, ending in (
        (Limits(evaluations=500, nodes=900), Ending.EVALUATIONS),
        (Limits(evaluations=900, nodes=500), Ending.NODES),
        (Limits(evaluations=500, nodes=500), Ending.NODES),
    ):
        result = run(PROBLEM, "backtracking", limits=limits, seed=1)
        assert (result.ending, result.counters.nodes) == (ending, 500)


def test_a_single_square_is_a_tour_of_itself() -> None:
    for method in ("backtracking", "greedy", "warnsdorff"):
        for problem in (KnightTour(Board(1, 1)), KnightTour(Board(1, 1), start=(0, 0), end=(0, 0))):
            assert run(problem, method, limits=Limits(), seed=1).answer == ((0, 0),)
        assert run(KnightTour(Board(1, 1), closed=True), method, limits=Limits(), seed=1).answer is None


@pytest.mark.parametrize("method", ["backtracking", "greedy", "warnsdorff", "divide-and-conquer"])
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: {"problem": KnightTour(Board(6, 6), start=(6, 0))},
            "--start: expected a square on the 6x6 board",
        ),
        (lambda: {"edition": "improved"}, "an edition of"),
        (lambda: {"initial": ((0, 0),)}, "no initial state"),
        (lambda: {"problem": KnightTour(Board(6, 6), start=(0, 0), end=(0, 0))}, "a problem that"),
    ],
)
def test_bad_input_is_one_line(method: str, make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        run(**({"problem": PROBLEM, "name": method, "limits": Limits(), "seed": 1} | make()))
    assert "\n" not in str(caught.value)


def test_the_table_is_read_without_numpy_or_numba() -> None:
    code = "import sys, heuristic.methods; print(sorted({'numpy', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
