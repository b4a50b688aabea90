"""One reading of the limits for every heuristic, seeds checked alike, and clocks that count no preparation."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from hopeless import NAMES, ROWS, parameters_for, problem_for

from heuristic import methods, queens_run, tours_run
from heuristic.budget import UNBOUNDED, effort_budget
from heuristic.methods import HeuristicMethod
from problems import Board, Ending, InputError, KnightCover, Limits, Result, Status

each_method = pytest.mark.parametrize("row", ROWS, ids=NAMES)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(), (50, Ending.NODES)),
        (Limits(seconds=1), (UNBOUNDED, Ending.NODES)),
        (Limits(evaluations=7), (7, Ending.EVALUATIONS)),
        (Limits(evaluations=70, seconds=1), (70, Ending.EVALUATIONS)),
        (Limits(nodes=7), (7, Ending.NODES)),
        (Limits(nodes=7, evaluations=8), (7, Ending.NODES)),
        (Limits(nodes=8, evaluations=7), (7, Ending.EVALUATIONS)),
        (Limits(nodes=7, evaluations=7), (7, Ending.NODES)),
    ],
)
def test_the_smaller_limit_holds_and_names_the_ending(limits: Limits, expected: tuple[int, Ending]) -> None:
    assert effort_budget(limits, 50, unit=Ending.NODES) == expected


@each_method
@pytest.mark.parametrize(
    ("limits", "ending"),
    [
        (Limits(nodes=7), Ending.NODES),
        (Limits(evaluations=7), Ending.EVALUATIONS),
        (Limits(nodes=7, evaluations=9), Ending.NODES),
        (Limits(nodes=9, evaluations=7), Ending.EVALUATIONS),
    ],
)
def test_every_method_keeps_both_limits_on_its_work(row: HeuristicMethod, limits: Limits, ending: Ending) -> None:
    result = methods.run(problem_for(row), row.name, limits=limits, seed=1, parameters=parameters_for(row))
    assert (result.status, result.ending) == (Status.UNKNOWN, ending)
    assert result.counters.as_dict()[row.effort] == 7


@pytest.mark.parametrize("looks", range(1, 7))
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.name != "divide-and-conquer"], ids=lambda row: row.name
)
def test_a_time_limit_ends_a_run_wherever_it_is(
    row: HeuristicMethod, looks: int, ticking: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queens_run, "_CHUNK_OPERATIONS", 1000)
    monkeypatch.setattr(tours_run, "CHUNK", 1000)
    ticking(1.0)
    limits = Limits(seconds=looks - 0.5)
    result = methods.run(problem_for(row), row.name, limits=limits, seed=1, parameters=parameters_for(row))
    assert (result.status, result.ending, result.answer) == (Status.UNKNOWN, Ending.TIME, None)
    if result.best is None:
        assert result.trace == ()
        assert result.counters.as_dict()[row.effort] == 0


def outlast(ticking: Callable[[float], None], name: str, looks: int) -> Result:
    """Run a heuristic for knights with a clock that has run out when it is looked at for the `looks`-th time."""
    ticking(1.0)
    return methods.run(KnightCover(Board(8, 8), at_most=13), name, limits=Limits(seconds=looks - 0.5), seed=1)


@pytest.mark.parametrize("name", ["genetic", "local-search", "greedy-cover", "annealing"])
def test_no_knight_is_placed_when_the_tables_of_the_board_took_all_the_time(
    name: str, ticking: Callable[[float], None]
) -> None:
    result = outlast(ticking, name, 1)
    assert (result.status, result.ending) == (Status.UNKNOWN, Ending.TIME)
    assert (result.answer, result.best, result.trace) == (None, None, ())


def test_local_search_looks_at_the_clock_after_its_tables_and_before_each_part(
    ticking: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    from heuristic.kernels import knights_cover

    # Total domination of 8x8 has two parts; with no time left for the second there is no cover yet.
    states = [outlast(ticking, "local-search", looks).best for looks in (2, 3, 4)]
    assert states[:2] == [None, None]
    assert states[2] is not None
    monkeypatch.setattr(knights_cover, "split", lambda part: pytest.fail("the board was split"))
    assert outlast(ticking, "local-search", 1).best is None


@each_method
@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.0, True, "7"])
def test_every_method_refuses_the_same_seeds(row: HeuristicMethod, seed: object) -> None:
    with pytest.raises(InputError, match=r"--seed: expected a seed between 0 and 2\*\*64 - 1"):
        methods.run(problem_for(row), row.name, limits=Limits(evaluations=1), seed=seed)  # type: ignore[arg-type]


_CLOCK = """
import sys

ROOTS = ("heuristic", "numba", "numpy", "scipy")


def ready():
    modules = {name for name in sys.modules if name.partition(".")[0] in ROOTS}
    rooms = [vars(sys.modules[name]) for name in modules if name.startswith("heuristic.kernels.")]
    named = [pair for room in rooms for pair in room.items()]
    kernels = [(name, function) for name, function in named if hasattr(function, "overloads")]
    return modules | {f"{name}{signature}" for name, function in kernels for signature in function.overloads}


def say_what_came_late():
    print(*sorted(ready() - before), sep="\\n", end="")
"""

_RUN = """
from hopeless import ROWS, parameters_for, problem_for
from heuristic import budget, methods
from problems import Limits


def started(self, *arguments, **options):
    global before
    before = ready()
    start(self, *arguments, **options)


start, budget.Budget.__init__ = budget.Budget.__init__, started
row = ROWS[int(sys.argv[1])]
for edition in row.editions:
    methods.run(problem_for(row), row.name, limits=Limits(evaluations=3000), seed=1, edition=edition,
                parameters=parameters_for(row))
    say_what_came_late()
"""

_COLLECT = """
from heuristic import queens_hill_climbing
from problems import Queens


def looked():
    global before
    before = globals().get("before") or ready()
    return 0.0


queens_hill_climbing.perf_counter = looked
queens_hill_climbing.collect(Queens(8), 3, 0)
say_what_came_late()
"""


def fresh(request: pytest.FixtureRequest, code: str, *arguments: str) -> str:
    """Return what a new process prints that knows of no heuristic yet."""
    done = subprocess.run(
        [sys.executable, "-c", _CLOCK + code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(request.path.parent), *sys.path))},
    )
    return done.stdout


@pytest.mark.parametrize("number", range(len(ROWS)), ids=NAMES)
def test_everything_is_imported_and_compiled_before_the_clock_starts(
    number: int, request: pytest.FixtureRequest
) -> None:
    assert fresh(request, _RUN, str(number)) == ""


def test_collecting_is_compiled_before_its_clock_starts(request: pytest.FixtureRequest) -> None:
    assert fresh(request, _COLLECT) == ""
