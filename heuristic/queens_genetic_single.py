"""Queens by the document's single-parent genetic algorithm: one permutation, swaps of its worst gene.

The fitness of a gene is the number of queens that it does not attack, that of the individual their sum,
n(n - 1) when solved. An iteration swaps the column of the worst gene (the first of them) with that of a random
other one and keeps the child when it is fitter, or with a small probability anyway. The editions differ in the
first individual only:

- `printed`: a uniformly random permutation, as the document's code for its populations draws them.
- `described`: the identity after n // 2 swaps of two random genes, as its prose says.

The document does not print its acceptance probability. Mean and median iterations on 8x8, 1,000 runs each:

    probability   0.005  0.01  0.014  0.02  0.05  0.1  0.3  0.5
    mean           1102   559    408   291   133   82   62   63
    median          565   300    211   150    73   52   41   43

With 0 only a quarter of the runs ends at all. The default, 0.014, gives the document's figures: its mean of 408
over 20 runs lies at the 51st percentile of 1,000 such means (95 % of them between 216 and 681), and a
Kolmogorov-Smirnov test does not tell its 20 runs from 20,000 of ours (p = 0.33; all of them ended). For speed
take 0.3 on 8x8, 0.05 on 20x20 and 0.02 on 30x30.

Source: the project's third document ("eight queens by genetic algorithm").
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristic import queens_run
from heuristic.checks import probability
from heuristic.queens_run import drive, permutation_of
from problems import Answer, Limits, Problem, Queens, Result, Watcher

METHOD = "genetic-single"
EDITIONS = ("printed", "described")
LARGEST = 10_000
DEFAULT_ITERATIONS = 20_000_000


@dataclass(frozen=True, slots=True)
class SingleParentParameters:
    """`acceptance`: the probability, 0 to 1, of keeping a child that is no fitter; `InputError` otherwise."""

    acceptance: float = 0.014

    def __post_init__(self) -> None:
        probability(self.acceptance, "acceptance")


def supports(problem: Problem) -> str | None:
    """Return why the method cannot take on the problem, or None."""
    return queens_run.supports(problem, LARGEST)


def run(
    problem: Queens,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: SingleParentParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Evolve one individual until it is a solution; the effort is counted in iterations.

    `initial`, if given, is the first individual: a permutation, one queen a row and a column, because swaps
    never change which columns are used; `InputError` otherwise. The values in the trace are fitnesses.
    """
    start = None if initial is None else permutation_of(problem, initial)
    from heuristic.queens_permutation_walks import Draw, SingleWalk

    draw = Draw.UNIFORM if edition == "printed" else Draw.FEW_SWAPS

    def make(n: int, at: list[int] | None) -> SingleWalk:
        return SingleWalk(n, seed, at, draw, parameters.acceptance)

    SingleWalk.warm()
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
