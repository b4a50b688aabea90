"""A cover by simulated annealing: a fixed number of knights move about, and what is wrong grows rarer.

Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science 220, 1983. The energy is the
number of uncovered squares, under the rule `independent` plus the number of pairs that attack each other. A
move takes a random knight to a random free square, or to one that covers a random gap; it stands if the energy
does not rise, and otherwise with probability exp(-rise / temperature).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from heuristic.budget import Budget
from heuristic.checks import number, probability, whole
from heuristic.knights_common import Session, check_initial, check_knights, chunk_size, reason_against
from problems import (
    Answer,
    Counters,
    Ending,
    InputError,
    KnightCover,
    Limits,
    Placement,
    Problem,
    Result,
    Watcher,
)

if TYPE_CHECKING:
    from heuristic.kernels.knights_annealing import Anneal, Cooling
    from heuristic.kernels.knights_cover import Instance
    from heuristic.kernels.knights_tables import Numbering, Squares

METHOD = "annealing"
EDITIONS = ("described",)
DEFAULT_MOVES = 20_000_000
"""The budget of a run without limits, in moves: some ten seconds on 8x8."""

COLDEST, HOTTEST = 1e-9, 1e9
"""Beyond these temperatures nothing changes any more, but their quotient leaves the range of a float."""


@dataclass(frozen=True, slots=True)
class AnnealingParameters:
    """The cooling: from the temperature `hot` down to `cold`, geometrically, in `moves` moves, again and again.

    A move leads to a square that covers a random gap with probability `targeted`. The defaults come from a
    small study (6 to 10 seeds each; total on 8x8 to 16x16, the other rules on 8x8 and 10x10): on 14x14 with 36
    knights moves without aim hardly ever succeed within a million, aimed ones take about a hundred thousand, and
    hot temperatures of 0.4 to 0.6 with cold ones of 0.1 to 0.2 differ by less than their spread.
    Raises `InputError` for a probability outside 0..1, fewer than 1 move, or unless 0 < cold <= hot, both of them
    between COLDEST and HOTTEST.
    """

    hot: float = 0.5
    cold: float = 0.15
    moves: int = 100_000
    targeted: float = 0.9

    def __post_init__(self) -> None:
        number(self.hot, "hot")
        number(self.cold, "cold")
        probability(self.targeted, "targeted")
        whole(self.moves, 1, "moves")
        if not 0 < self.cold <= self.hot:
            raise InputError("temperatures 0 < cold <= hot", f"hot {self.hot}, cold {self.cold}", where="cold")
        if self.cold < COLDEST or self.hot > HOTTEST:
            got = f"hot {self.hot}, cold {self.cold}"
            raise InputError(f"temperatures from {COLDEST:g} to {HOTTEST:g}", got, where="cold")


def supports(problem: Problem) -> str | None:
    """Return why the method cannot treat the problem, or None."""
    if not isinstance(problem, KnightCover):
        return f"{problem.name}, not knights"
    return reason_against(problem)


def run(
    problem: KnightCover,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: AnnealingParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Anneal `problem.at_most` knights until nothing is wrong; without `at_most` go on with one knight fewer.

    The effort is counted in moves (`steps`). With `at_most` the values in the trace are energies, the knights
    start on random squares (no more of them than a greedy cover has), and the result without an answer is
    UNKNOWN with the state of least energy as `best`. Without `at_most` the values are numbers of knights and
    the first cover is a greedy one. The initial state: exactly `at_most` different squares, or without
    `at_most` any squares, which are completed greedily. The clock is looked at after the tables of the board too,
    when the result can be UNKNOWN without a state, and after the first state (half a second and two seconds a
    million squares, which nothing cuts). Raises `InputError` for a number of knights outside 1..squares and for
    an initial state of another size or off the board.
    """
    from heuristic.kernels import knights_annealing as kernel
    from heuristic.kernels import knights_cover, knights_greedy
    from heuristic.kernels.knights_tables import numbering
    from heuristic.kernels.random import seeded

    check_knights(problem)
    check_initial(problem, initial or ())
    kernel.warm()
    knights_greedy.warm()
    session = Session(METHOD, problem, edition, seed, Budget(limits, default=DEFAULT_MOVES), watch)
    squares, random = numbering(problem.board), seeded(seed)
    instance = knights_cover.whole(problem, squares).instance
    if session.budget.time_is_up:
        return session.stateless(Counters(steps=0))
    state = kernel.anneal(instance, random)
    cooling = kernel.Cooling(
        float(parameters.hot), float(parameters.cold), parameters.moves, float(parameters.targeted)
    )
    given = squares.numbers(_exact(problem, initial))
    if problem.at_most is None:
        kernel.place(instance, state, knights_greedy.complete(instance, given, random, True))
    elif initial is not None:
        kernel.place(instance, state, given)
    else:
        greedy = len(knights_greedy.complete(instance, given, random, True))
        kernel.scatter(instance, state, min(problem.at_most, greedy))
    search = _Annealing(instance, state, cooling, squares, session)
    return search.fixed() if problem.at_most is not None else search.shrinking()


def _exact(problem: KnightCover, initial: Answer | None) -> Placement:
    distinct = tuple(sorted(set(initial or ())))
    if initial is not None and problem.at_most is not None and len(distinct) != problem.at_most:
        raise InputError(
            f"an initial state of exactly {problem.at_most} different squares",
            f"{len(distinct)}",
            where="--initial",
        )
    return distinct


@dataclass(frozen=True, slots=True)
class _Annealing:
    """A state with its cooling, and the two ways to use it."""

    instance: Instance
    state: Anneal
    cooling: Cooling
    squares: Numbering
    session: Session

    def fixed(self) -> Result:
        """Lower the energy to nothing with the knights there are."""
        best, ending = self.energy, None
        kept = self.improved(best)
        while best > 0 and (ending := self.session.ending) is None:
            if self.cool(best):
                best = self.energy
                kept = self.improved(best)
        report = self.session.unknown if best else self.session.found
        return report(self.squares.sorted_placement(kept), ending or Ending.FINISHED, self.counters)

    def shrinking(self) -> Result:
        """Start from a cover; whenever nothing is wrong, remember the cover and take a knight away."""
        from heuristic.kernels import knights_annealing as kernel

        kept, ending = self.improved(self.knights), None
        kernel.drop(self.instance, self.state)
        while len(kept) > 1 and (ending := self.session.ending) is None:
            if self.energy == 0 or self.cool(1):
                kept = self.improved(self.knights)
                kernel.drop(self.instance, self.state)
        placement = self.squares.sorted_placement(kept)
        return self.session.cover(placement, ending or Ending.FINISHED, self.counters)

    def improved(self, value: int) -> Squares:
        """Record that the state is better than any before; return its squares' numbers."""
        from heuristic.kernels import knights_annealing as kernel

        kept = kernel.members(self.state)
        self.session.improved(value, partial(self.squares.sorted_placement, kept))
        return kept

    def cool(self, best: int) -> bool:
        """Make some moves; return whether they led to an energy below `best`."""
        from heuristic.kernels import knights_annealing as kernel

        moves = self.session.budget.chunk(chunk_size(self.squares.size))
        self.session.budget.spent += kernel.cool(self.instance, self.state, self.cooling, moves, best)
        return self.energy < best

    @property
    def energy(self) -> int:
        """The number of things that are wrong."""
        from heuristic.kernels import knights_annealing as kernel

        return kernel.energy(self.state)

    @property
    def knights(self) -> int:
        """The number of knights."""
        from heuristic.kernels import knights_annealing as kernel

        return len(kernel.members(self.state))

    @property
    def counters(self) -> Counters:
        """The work done so far."""
        return Counters(steps=self.session.budget.spent)
