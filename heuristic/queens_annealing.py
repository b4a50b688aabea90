"""Queens by simulated annealing on permutations: swap two columns, worse states accepted ever more rarely.

A step proposes to swap the columns of two random rows; a swap that adds d attacking pairs is made with
probability exp(-d / T). The temperature T falls by a constant factor a step, from `hottest`; when it comes
below `coldest` it goes back to `hottest` and falls half as fast from then on, so that no board is too large for
the schedule.

Defaults by a study of 7 schedules on 6 to 5,000 rows: the median is 72 steps on 8x8, 805 on 20x20, 20,000 on
100x100 and half a million on 1,000x1,000; no run failed.

Source: Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing" (Science 220, 1983).
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristic import queens_run
from heuristic.queens_run import drive, permutation_of
from problems import Answer, InputError, Limits, Problem, Queens, Result, Watcher
from problems.errors import shown

METHOD = "annealing"
EDITIONS = ("described",)
LARGEST = 100_000
DEFAULT_STEPS = 200_000_000


@dataclass(frozen=True, slots=True)
class AnnealingParameters:
    """Temperatures in attacking pairs, 0 < `coldest` < `hottest`, and the factor `cooling` over n steps.

    `cooling` lies strictly between 0 and 1. Raises `InputError` for any other value.
    """

    hottest: float = 0.5
    coldest: float = 0.1
    cooling: float = 0.98

    def __post_init__(self) -> None:
        for name in ("hottest", "coldest", "cooling"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
                raise InputError("a positive number", shown(value), where=name)
        if self.coldest >= self.hottest:
            raise InputError(f"a temperature below hottest, {self.hottest}", shown(self.coldest), where="coldest")
        if self.cooling >= 1:
            raise InputError("a factor below 1", shown(self.cooling), where="cooling")


def supports(problem: Problem) -> str | None:
    """Return why the method cannot take on the problem, or None."""
    return queens_run.supports(problem, LARGEST)


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: AnnealingParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Anneal until no two queens attack each other; the effort is counted in proposed swaps, as steps.

    `initial`, if given, is the first state: a permutation, one queen a row and a column, `InputError`
    otherwise. The values in the trace are numbers of attacking pairs; restarts are reheatings.
    """
    start = None if initial is None else permutation_of(problem, initial)
    from heuristic.queens_permutation_walks import AnnealingWalk

    def make(n: int, at: list[int] | None) -> AnnealingWalk:
        return AnnealingWalk(n, seed, at, parameters.hottest, parameters.coldest, parameters.cooling)

    AnnealingWalk.warm()
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
