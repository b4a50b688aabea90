"""Queens by the document's two-parent genetic algorithm: roulette, crossover, mutation, local search.

A population of n permutations (two at least), row -> column. The fitness is the number of ordered pairs of
queens that do not attack each other, n(n - 1) when solved. A generation keeps the two best individuals and
fills up with children of parents drawn with probability proportional to fitness. One-point crossover exchanges
the parents' prefixes. The document stresses that columns must stay unique, but an exchange of prefixes breaks
that: here a child keeps its prefix and takes the columns left in the other parent's order. A child is mutated
with some probability: a random number of its queens are taken off the board and put back at random. The two
best are mutated by swaps of their worst gene, n // 4 tries at most, up to the first child that is fitter or
accepted anyway. At last the best individual has pairs of genes swapped, in order, up to the first improvement.

The document's code and prose differ in two places:

- `printed`: uniformly random permutations at the start; the tries of a best individual's mutation add up, each
  going on from the child of the last, and the random gene may be the worst one itself.
- `described`: the identity after n // 2 random swaps at the start; each try swaps afresh.

Neither probability is printed. Mean generations on 8x8, `printed`, 300 runs each:

    mutation \\ acceptance      0  0.01  0.05   0.1   0.3
    0                       fails   377    99    45    11
    0.05                      229   100    40    24    10
    0.2                        63    43    20    16     7
    1                          27    19    13     9     6

A higher acceptance is faster on 8x8 but no longer ends on larger boards: with mutation 0.2, none of 5 runs on
100x100 ended with acceptance 0.05 in 3,000 generations, all did with 0.01, after 86 on average. Hence the
defaults, 0.2 and 0.01: on 8x8 a mean of 40 generations (`described`: 50), median 6, and all of 20,000 runs
ended. The document's mean of 408 over 20 runs lies above every one of 1,000 such means, in both editions; it
fits the single-parent algorithm (see `queens_genetic_single`).

Source: the project's third document ("eight queens by genetic algorithm").
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristic import queens_run
from heuristic.checks import probability
from heuristic.queens_run import drive, permutation_of
from problems import Answer, Limits, Problem, Queens, Result, Watcher

METHOD = "genetic"
EDITIONS = ("printed", "described")
LARGEST = 1_000
DEFAULT_ITERATIONS = 200_000


@dataclass(frozen=True, slots=True)
class TwoParentParameters:
    """Probabilities, 0 to 1: `mutation` of a child, `acceptance` of a best individual's child no fitter.

    Raises `InputError` for any other value.
    """

    mutation: float = 0.2
    acceptance: float = 0.01

    def __post_init__(self) -> None:
        probability(self.mutation, "mutation")
        probability(self.acceptance, "acceptance")


def supports(problem: Problem) -> str | None:
    """Return why the method cannot take on the problem, or None: a generation costs n * n * n."""
    return queens_run.supports(problem, LARGEST)


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: TwoParentParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Evolve a population until its best individual is a solution; the effort is counted in generations.

    `initial`, if given, is one of the first individuals: a permutation, one queen a row and a column,
    `InputError` otherwise. The values in the trace are fitnesses of the best individual, which is also the
    state shown.
    """
    start = None if initial is None else permutation_of(problem, initial)
    from heuristic.queens_permutation_walks import Draw, PopulationWalk

    printed = edition == "printed"

    def make(n: int, at: list[int] | None) -> PopulationWalk:
        return PopulationWalk(
            n,
            seed,
            at,
            Draw.UNIFORM if printed else Draw.FEW_SWAPS,
            parameters.mutation,
            parameters.acceptance,
            cumulative=printed,
        )

    PopulationWalk.warm()
    return drive(
        make,
        problem,
        start,
        method=METHOD,
        edition=edition,
        limits=limits,
        seed=seed,
        default_effort=DEFAULT_ITERATIONS,
        watch=watch,
    )
