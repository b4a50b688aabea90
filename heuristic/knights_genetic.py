"""Knights by the document's genetic algorithm: one individual of k knights, improved by guided swaps.

A knight is redundant when it is the only attacker of no square. A swap moves a random redundant knight (any
knight if none is) to a random candidate: the non-edge attackers of every unattacked square, with multiplicity,
or all non-edge squares when nothing is unattacked. The two editions differ in two slips of the program:

- `printed`: the return stands inside the loop, so an evolution is one swap; and the child's genes are the
  parent's own list, so a rejected child is kept anyway: the walk never goes back.
- `described`: an evolution makes 8 to 10 swaps on a copy, which replaces the parent when at least as fit.

Where every candidate is an edge square (on 4x4 and 5x5 the inner squares have edge attackers only) the
program crashes; here all attackers of the unattacked squares are the candidates then.

The program also returns a stale fitness, that of the best state before the last one. `Result.trace` holds the
true values, and `reported_fitness` gives the number that the program shows.

Source: the project's first document ("knights problem", number 007 of its series), which gives a mean of 549
evolutions over 100 runs on 8x8 with 14 knights, and 1.4 s for one run on 10x10 with 22.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from heuristic.budget import Budget
from heuristic.checks import choice
from heuristic.knights_common import (
    Session,
    check_initial,
    check_knights,
    chunk_size,
    reason_against,
)
from problems import (
    Answer,
    Counters,
    Ending,
    InputError,
    KnightCover,
    Limits,
    Problem,
    Result,
    Rule,
    Watcher,
)

METHOD = "genetic"
EDITIONS = ("printed", "described")
DEFAULT_EVOLUTIONS = 20_000_000
"""The budget of a run without limits, in evolutions: some ten seconds on 8x8."""


class Swaps(StrEnum):
    """How many swaps an evolution makes."""

    ONE = "one"
    EIGHT_TO_TEN = "eight-to-ten"

    @property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most swaps; the number is uniform between them."""
        return (1, 1) if self is Swaps.ONE else (8, 10)


class Copying(StrEnum):
    """Whether the child has its own genes, so that a rejected one leaves no trace, or the parent's list."""

    IN_PLACE = "in-place"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class GeneticParameters:
    """The two choices in which the editions differ; None leaves a choice to the edition.

    Values are enumeration members or their strings; `InputError` for any other.
    """

    swaps: Swaps | None = None
    copying: Copying | None = None

    def __post_init__(self) -> None:
        if self.swaps is not None:
            object.__setattr__(self, "swaps", choice(Swaps, self.swaps, "swaps"))
        if self.copying is not None:
            object.__setattr__(self, "copying", choice(Copying, self.copying, "copying"))

    def choices(self, edition: str) -> tuple[Swaps, Copying]:
        """Return the two choices in force for an edition."""
        printed = edition == "printed"
        swaps = self.swaps or (Swaps.ONE if printed else Swaps.EIGHT_TO_TEN)
        return swaps, self.copying or (Copying.IN_PLACE if printed else Copying.COPY)


def supports(problem: Problem) -> str | None:
    """Return why the method cannot treat the problem, or None."""
    if not isinstance(problem, KnightCover):
        return f"{problem.name}, not knights"
    if problem.rule is not Rule.TOTAL:
        return f"the rule {problem.rule}; it covers by attacks only (rule {Rule.TOTAL})"
    if problem.at_most is None:
        return "no number of knights; give it with --knights K"
    board = problem.board
    if not any(not board.is_edge(square) for square in board.squares()):
        return f"a {board} board without non-edge squares, where its knights start; give at least 4x3"
    return reason_against(problem)


def run(
    problem: KnightCover,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: GeneticParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Evolve `problem.at_most` knights until every square is attacked; the effort is counted in evolutions.

    Genes may coincide. An answer holds the distinct squares, sorted, so it can have fewer knights than genes;
    `best`, the initial state and the states shown to `watch` are genes: exactly `at_most` squares, duplicates
    and all. The values in the trace are numbers of attacked squares. Zero evolutions means that the first
    state was a solution. The clock is looked at after the tables of the board too (half a second a million
    squares, which nothing cuts), when the result can be UNKNOWN without a state. Raises `InputError` for a number
    of knights outside 1..squares and for an initial state of another size or off the board.
    """
    from heuristic.kernels import knights_genetic as kernel
    from heuristic.kernels.knights_tables import numbering

    genes = _checked_genes(problem, initial)
    kernel.warm()
    session = Session(METHOD, problem, edition, seed, Budget(limits, default=DEFAULT_EVOLUTIONS), watch)
    squares = numbering(problem.board)
    arena = kernel.arena(squares)
    if session.budget.time_is_up:
        return session.stateless(Counters(evolutions=0))
    swaps, copying = parameters.choices(edition)
    (fewest, most), in_place = swaps.bounds, copying is Copying.IN_PLACE
    one = kernel.individual(squares.size, genes, most, seed)
    if initial is None:
        kernel.draw(arena, one)
    else:
        one.genes[:] = squares.numbers(initial)
    kernel.settle(arena, one)

    budget, best, kept = session.budget, -1, one.genes.copy()
    ending: Ending | None = None
    while ending is None:
        if (fitness := kernel.fitness(one)) > best:
            best, kept = fitness, one.genes.copy()
            session.improved(best, partial(squares.placement, kept))
        if best == squares.size:
            ending = Ending.FINISHED
        elif (ending := session.ending) is None:
            chunk = budget.chunk(chunk_size(squares.size))
            budget.spent += kernel.evolve(arena, one, fewest, most, in_place, chunk, best)
    counters = Counters(evolutions=budget.spent)
    if ending is Ending.FINISHED:
        return session.found(tuple(sorted(set(squares.placement(kept)))), ending, counters)
    return session.unknown(squares.placement(kept), ending, counters)


def reported_fitness(result: Result) -> int:
    """Return the fitness that the document's program reports for a run: that of the best state before the last.

    A run whose first state is a solution reports the truth.
    """
    earlier = result.trace[:-1] if result.answer is not None and len(result.trace) > 1 else result.trace
    return earlier[-1].value


def _checked_genes(problem: KnightCover, initial: Answer | None) -> int:
    genes = problem.at_most
    if genes is None:
        raise InputError("a number of knights", "none", where="genetic", hint="give it with --knights K")
    check_knights(problem)
    if initial is not None:
        check_initial(problem, initial)
        if len(initial) != genes:
            raise InputError(
                f"an initial state of exactly {genes} knights", f"{len(initial)} knights", where="--initial"
            )
    return genes
