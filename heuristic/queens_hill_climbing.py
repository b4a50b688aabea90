"""Queens by the document's hill climbing: fewest queens attacked, worse moves allowed, 500 steps, restarts.

A climb starts from a random permutation, one queen a row. Its value is the number of queens that are attacked
by at least one other. A step values all n(n - 1) moves of a queen within its row and makes one of the best,
uniformly at random, even when it is worse than the present state; so the state keeps one queen a row, not a
column. A climb ends at value 0 or after 500 steps.

The program collects distinct solutions over 600 climbs, which is `collect`. Its editions differ in one slip:

- `printed`: a climb whose solution comes with exactly the last step is thrown away as failed.
- `described`: that solution counts.

Source: the project's second document ("eight queens by hill climbing"): 600 climbs, all 92 solutions, 31.4 s.
Measured here over 200 times 600 climbs (seeds 0 to 199): 32.0 steps on average, median 12, 2.4 % failed; all 92
solutions were found 115 times (58 %, 95 % interval 51 to 64 %), never fewer than 88.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from heuristic import queens_run
from heuristic.checks import whole
from heuristic.queens_run import columns_of, drive
from problems import (
    Answer,
    InputError,
    Limits,
    Placement,
    Problem,
    Queens,
    Result,
    UnsupportedProblem,
    Watcher,
    WrongAnswer,
)
from problems.errors import shown

METHOD = "hill-climbing"
EDITIONS = ("printed", "described")
LARGEST = 1_000
DEFAULT_STEPS = 1_000_000

MOST_COLLECTED = 1_000_000
"""The last state of every climb is kept until all have been made."""


@dataclass(frozen=True, slots=True)
class HillClimbingParameters:
    """`steps`: the length of a climb (1 or more); `climbs`: how many to make until one succeeds (1 or more).

    Raises `InputError` for any other value.
    """

    steps: int = 500
    climbs: int = 1

    def __post_init__(self) -> None:
        whole(self.steps, 1, "steps")
        whole(self.climbs, 1, "climbs")


@dataclass(frozen=True, slots=True)
class Collection:
    """What many climbs found: the distinct solutions in the order found, and the steps of every climb.

    `failed` says which climbs (0-based) gave no solution, or one that the printed edition throws away.
    """

    problem: Queens
    edition: str
    seed: int
    solutions: tuple[Placement, ...]
    steps: tuple[int, ...]
    failed: tuple[int, ...]
    seconds: float


def supports(problem: Problem) -> str | None:
    """Return why the method cannot take on the problem, or None: a step costs n * n."""
    return queens_run.supports(problem, LARGEST)


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: HillClimbingParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Climb until a climb succeeds or all have failed; the effort is counted in steps, over all climbs.

    The first climb starts from `initial`, if given: one queen a row, `InputError` otherwise. The values in the
    trace are numbers of attacked queens. Without limits a run ends after a million steps. A solution that the
    edition `printed` throws away is in neither the trace nor the result: the next climb goes on.
    """
    start = None if initial is None else columns_of(problem, initial)
    from heuristic.queens_walks import HillWalk

    def make(n: int, at: list[int] | None) -> HillWalk:
        return HillWalk(n, seed, at, parameters.steps, parameters.climbs, keep_last=keeps_last(edition))

    HillWalk.warm()
    return drive(
        make,
        problem,
        start,
        method=METHOD,
        edition=edition,
        limits=limits,
        seed=seed,
        default_effort=DEFAULT_STEPS,
        watch=watch,
    )


def collect(
    problem: Queens,
    climbs: int,
    seed: int,
    *,
    edition: str = EDITIONS[0],
    parameters: HillClimbingParameters = HillClimbingParameters(),
) -> Collection:
    """Climb `climbs` times, each from a fresh random permutation, and collect the distinct solutions.

    The climbs are those of `run` with that seed, except that they go on after a success; `parameters.climbs` is
    not used. Every solution is checked. Raises `InputError` for an unknown edition, for fewer than one climb or
    more than MOST_COLLECTED, and for a problem that the method does not support.
    """
    import numpy as np

    from heuristic.queens_walks import many_climbs, warm_many_climbs

    whole(climbs, 1, "climbs", MOST_COLLECTED)
    if edition not in EDITIONS:
        raise InputError(f"an edition of {METHOD} ({', '.join(EDITIONS)})", shown(edition), where="--edition")
    if reason := supports(problem):
        raise UnsupportedProblem(f"a problem that {METHOD} supports", reason, where="--method")
    warm_many_climbs()
    started = perf_counter()
    steps, ends, solved = many_climbs(problem.n, seed, climbs, parameters.steps)
    if not keeps_last(edition):
        solved &= steps < parameters.steps
    solutions = tuple(dict.fromkeys(tuple(enumerate(end)) for end in ends[solved].tolist()))
    for solution in solutions:
        if problem.violations(solution):
            raise WrongAnswer(f"{METHOD} collected a wrong answer for {problem}")
    return Collection(
        problem=problem,
        edition=edition,
        seed=seed,
        solutions=solutions,
        steps=tuple(steps.tolist()),
        failed=tuple(np.flatnonzero(~solved).tolist()),
        seconds=perf_counter() - started,
    )


def keeps_last(edition: str) -> bool:
    """Return whether a solution that comes with exactly the last step counts."""
    return edition != "printed"
