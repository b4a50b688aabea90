"""Queens by the textbook's hill climbing: attacking pairs, best move, stop when no move improves.

One queen a column, each in a uniformly random row; a step values all n(n - 1) moves of a queen within its
column and makes one of the best, uniformly at random. A climb ends when no move is better. With a sideways
limit, so many moves in a row may leave the value as it is.

Source: Russell and Norvig, "Artificial Intelligence: A Modern Approach", section "Hill-climbing search": on
8x8 14 % of the climbs succeed, after 4 steps on average, the others are stuck after 3; with 100 sideways moves
94 % succeed. Program and description agree, so there is one edition.
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristic import queens_run
from heuristic.checks import whole
from heuristic.queens_run import drive, rows_of
from problems import Answer, Limits, Problem, Queens, Result, Watcher

METHOD = "steepest-ascent"
EDITIONS = ("described",)
LARGEST = 1_000
DEFAULT_STEPS = 1_000_000


@dataclass(frozen=True, slots=True)
class SteepestAscentParameters:
    """`sideways`: how many moves that change nothing may follow each other (0 or more); `climbs` (1 or more).

    Raises `InputError` for any other value.
    """

    sideways: int = 0
    climbs: int = 1

    def __post_init__(self) -> None:
        whole(self.sideways, 0, "sideways")
        whole(self.climbs, 1, "climbs")


def supports(problem: Problem) -> str | None:
    """Return why the method cannot take on the problem, or None: a step costs n * n."""
    return queens_run.supports(problem, LARGEST)


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: SteepestAscentParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Climb until a climb succeeds or all are stuck; the effort is counted in steps, over all climbs.

    The first climb starts from `initial`, if given: one queen a column, `InputError` otherwise. The values in
    the trace are numbers of attacking pairs. Without limits a run ends after a million steps.
    """
    start = None if initial is None else rows_of(problem, initial)
    from heuristic.queens_walks import SteepestWalk

    def make(n: int, at: list[int] | None) -> SteepestWalk:
        return SteepestWalk(n, seed, at, parameters.sideways, parameters.climbs)

    SteepestWalk.warm()
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
