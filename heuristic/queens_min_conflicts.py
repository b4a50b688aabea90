"""Queens by min-conflicts: start with hardly any conflict, then repair one attacked queen at a time.

The start is greedy: row by row a random free column whose diagonals are free, the last of `tries` draws if
none of them is; on any board a dozen queens end up attacked. A repair takes a random attacked queen to one of
the columns of its row where the fewest queens attack it, ties broken at random. The number of repairs hardly
grows with n: a million queens take some 75, in a second or two.

Sources: Minton, Johnston, Philips and Laird, "Minimizing conflicts: a heuristic repair method" (Artificial
Intelligence 58, 1992); the start is in the manner of Sosic and Gu, "Efficient local search with conflict
minimization" (IEEE TKDE 6, 1994).

Without noise, 6 to 16 % of the runs on boards of 6 to 10 rows get caught for ever where no attacked queen has
anywhere better to go. So with probability `noise` a queen goes to any column: with 0.02 every one of 300 runs
on each of these boards ended, and on 20 rows and more the number of repairs stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heuristic import queens_run
from heuristic.checks import choice, probability, whole
from heuristic.queens_run import columns_of, drive
from problems import Answer, Limits, Problem, Queens, Result, Watcher
from problems.queens import MAX_QUEENS

METHOD = "min-conflicts"
EDITIONS = ("described",)
LARGEST = MAX_QUEENS
DEFAULT_STEPS = 10_000_000


class Start(StrEnum):
    """How the first placement is made."""

    GREEDY = "greedy"
    RANDOM = "random"
    """A uniformly random permutation: about n / 2 pairs attack each other."""


@dataclass(frozen=True, slots=True)
class MinConflictsParameters:
    """`start`: greedy or random; `tries`: draws a row of the greedy start (1 or more); `noise`: 0 to 1.

    Raises `InputError` for any other value.
    """

    start: Start = Start.GREEDY
    tries: int = 100
    noise: float = 0.02

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", choice(Start, self.start, "start"))
        whole(self.tries, 1, "tries")
        probability(self.noise, "noise")


def supports(problem: Problem) -> str | None:
    """Return why the method cannot take on the problem, or None."""
    return queens_run.supports(problem, LARGEST)


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: MinConflictsParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Repair until no queen is attacked; the effort is counted in repairs, as steps.

    `initial`, if given, replaces the first placement: one queen a row, `InputError` otherwise. The values in
    the trace are numbers of attacking pairs.
    """
    start = None if initial is None else columns_of(problem, initial)
    from heuristic.queens_permutation_walks import RepairWalk

    tries = parameters.tries if parameters.start is Start.GREEDY else 0

    def make(n: int, at: list[int] | None) -> RepairWalk:
        return RepairWalk(n, seed, at, tries, parameters.noise)

    RepairWalk.warm()
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
