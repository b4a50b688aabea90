"""The fewest knights by local search with weights on the squares that are hard to cover.

Row weighting local search for the set-covering problem (Gao, Weise and Li, "An efficient local search heuristic
with row weighting for the unicost set covering problem", European Journal of Operational Research 246, 2015),
with what it takes from vertex covering: configuration checking and ages (Cai, Su and Sattar, "Local search with
edge weighting and configuration checking heuristics for minimum vertex cover", Artificial Intelligence 175, 2011).

Start from a greedy cover. Whenever nothing is wrong, remember the cover and take away the knight whose loss
costs least; so the search looks for ever smaller covers. A step takes away the cheapest knight (not the one
added last), puts one where it helps most among the squares that cover a random gap, and lets every gap that is
left weigh more. The weights make squares that stay uncovered attractive, so that no minimum holds the search.

Under the rule `independent` a pair of knights that attack each other is wrong as well, and weighs more and
more in the same way. The cover is split into its connected parts first (under `total` a knight covers only the
other colour, so there are two): the parts take turns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from heuristic.budget import Budget
from heuristic.checks import whole
from heuristic.knights_common import Session, check_initial, check_knights, chunk_size, reason_against
from problems import (
    Answer,
    Counters,
    Ending,
    KnightCover,
    Limits,
    Placement,
    Problem,
    Result,
    Watcher,
)

if TYPE_CHECKING:
    from heuristic.kernels.knights_cover import Numbers, Part
    from heuristic.kernels.knights_local_search import Search
    from heuristic.kernels.knights_tables import Numbering
    from heuristic.kernels.random import State

METHOD = "local-search"
EDITIONS = ("described",)
DEFAULT_STEPS = 5_000_000
"""The budget of a run without limits, in steps: some five seconds on 20x20."""


FIRST_TURN = 32
"""The steps of a part's first turn; each turn is twice as long as the one before, up to a limit."""


LARGEST_INCREMENT = 10**6
"""Sums of weights stay below 2**63 for 10**11 steps, which take days."""


@dataclass(frozen=True, slots=True)
class LocalSearchParameters:
    """`increment` is what a step adds to the weight of everything that is still wrong; 0 turns weighting off.

    Raises `InputError` unless it is a whole number from 0 to LARGEST_INCREMENT.
    """

    increment: int = 1

    def __post_init__(self) -> None:
        whole(self.increment, 0, "increment", LARGEST_INCREMENT)


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
    parameters: LocalSearchParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Look for covers of ever fewer knights; with `problem.at_most` stop at one that is small enough.

    The effort is counted in steps, the values in the trace are numbers of knights. It ends by itself only
    when `at_most` is reached or a count of squares shows that no part can get smaller; without limits after
    DEFAULT_STEPS steps. With no cover of at most `at_most` knights the result is UNKNOWN and `best` the
    smallest cover. The initial state is any placement: its distinct squares, less those attacked by an
    earlier one under the rule `independent`, are completed greedily. The clock is looked at after each stage of
    the set-up too (the tables of the board, its parts, a first cover of each: one to two seconds a million squares
    each, which nothing cuts); a run that it ends there is UNKNOWN without a state. Raises `InputError` for a
    number of knights outside 1..squares and for initial squares off the board.
    """
    from heuristic.kernels import knights_cover, knights_greedy, knights_local_search
    from heuristic.kernels.knights_tables import numbering

    check_knights(problem)
    check_initial(problem, initial or ())
    knights_cover.warm()
    knights_greedy.warm()
    knights_local_search.warm()
    session = Session(METHOD, problem, edition, seed, Budget(limits, default=DEFAULT_STEPS), watch)
    squares = numbering(problem.board)
    searches = _searches(problem, squares, seed, initial or (), session.budget)
    if searches is None:
        return session.stateless(Counters(steps=0))
    best = partial(_joined, searches, squares)
    session.improved(_size(searches), best)
    turns = deque(search for search in searches if not search.finished)
    ending: Ending | None = None
    while ending is None:
        if not turns or _size(searches) <= (problem.at_most or 0):
            ending = Ending.FINISHED
        elif (ending := session.ending) is None:
            search = turns[0]
            steps = session.budget.chunk(search.turn_left)
            if search.advance(parameters.increment, steps, session.budget):
                session.improved(_size(searches), best)
            if search.finished:
                turns.popleft()
            elif search.turn_over():
                turns.rotate(-1)
    return session.cover(best(), ending, Counters(steps=session.budget.spent))


@dataclass(slots=True)
class _PartSearch:
    """The search in one part: its best cover, as the part's own site numbers, and what is left of its turn.

    Turns are short at first, so that no part waits long while the others find what is easy to find.
    """

    part: Part
    state: Search
    best: Numbers
    longest_turn: int
    turn: int = FIRST_TURN
    turn_left: int = FIRST_TURN

    @property
    def finished(self) -> bool:
        """Whether no smaller cover can exist."""
        return len(self.best) <= self.part.fewest

    def advance(self, increment: int, steps: int, budget: Budget) -> bool:
        """Make up to `steps` steps; return whether they found a smaller cover."""
        from heuristic.kernels import knights_local_search as kernel

        made = kernel.descend(self.part.instance, self.state, len(self.best) - 1, increment, steps)
        budget.spent += made
        self.turn_left -= made
        if kernel.flawless(self.state):
            self.best = kernel.members(self.state)
            return True
        return False

    def turn_over(self) -> bool:
        """Return whether the turn is over, and if so begin the next one."""
        if self.turn_left > 0:
            return False
        self.turn = self.turn_left = min(2 * self.turn, self.longest_turn)
        return True


def _searches(
    problem: KnightCover, squares: Numbering, seed: int, initial: Placement, budget: Budget
) -> tuple[_PartSearch, ...] | None:
    """Return a search for each part, or None if the time is up before all of them have a first cover."""
    from heuristic.kernels import knights_cover
    from heuristic.kernels.random import seeded

    random, given = seeded(seed), squares.numbers(initial)
    searches: list[_PartSearch] = []
    board = knights_cover.whole(problem, squares)
    if budget.time_is_up:
        return None
    for part in knights_cover.split(board):
        if budget.time_is_up:
            return None
        searches.append(_search_in(part, given, random))
    return tuple(searches)


def _search_in(part: Part, given: Numbers, random: State) -> _PartSearch:
    """Return a search for a part, with a random state of its own, at its greedy cover around the given squares."""
    import numpy as np

    from heuristic.kernels import knights_greedy
    from heuristic.kernels import knights_local_search as kernel
    from heuristic.kernels.random import next64, seeded

    own = seeded(int(next64(random)))
    here = np.searchsorted(part.sites, given[np.isin(given, part.sites)]).astype(np.uint32)
    cover = knights_greedy.complete(part.instance, here, own, True)
    state = kernel.search(part.instance, own)
    kernel.choose(part.instance, state, cover)
    return _PartSearch(part, state, cover, chunk_size(len(part.sites)))


def _size(searches: Sequence[_PartSearch]) -> int:
    """Return the number of knights in the parts' best covers."""
    return sum(len(search.best) for search in searches)


def _joined(searches: Sequence[_PartSearch], squares: Numbering) -> Placement:
    """Return the squares of the parts' best covers, sorted."""
    import numpy as np

    numbers = [search.part.sites[search.best] for search in searches]
    return squares.sorted_placement(np.concatenate(numbers)) if numbers else ()
