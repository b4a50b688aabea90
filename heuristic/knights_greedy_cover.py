"""Knights one by one, each where it covers the most squares that are not covered yet; ties are drawn.

The greedy rule for set covers (Chvátal, "A greedy heuristic for the set-covering problem", 1979), which for
squares that one knight of at most d covers is within 1 + 1/2 + … + 1/d of the optimum. Linear in the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from heuristic.budget import Budget
from heuristic.checks import choice, whole
from heuristic.knights_common import Session, check_knights, reason_against
from problems import (
    Answer,
    Counters,
    Ending,
    InputError,
    KnightCover,
    Limits,
    Problem,
    Result,
    Watcher,
)

METHOD = "greedy-cover"
EDITIONS = ("described",)


class Pruning(StrEnum):
    """What happens to knights that turn out to be superfluous once the cover is complete."""

    NONE = "none"
    REDUNDANT = "redundant"


@dataclass(frozen=True, slots=True)
class GreedyParameters:
    """How many covers to build (the best counts, 1 or more), and whether redundant knights are taken out.

    Raises `InputError` for other values; `pruning` may be given as its string.
    """

    repeats: int = 1
    pruning: Pruning = Pruning.REDUNDANT

    def __post_init__(self) -> None:
        whole(self.repeats, 1, "repeats")
        object.__setattr__(self, "pruning", choice(Pruning, self.pruning, "pruning"))


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
    parameters: GreedyParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Build covers until one has at most `problem.at_most` knights or all repeats are done.

    The effort is counted in covers (`iterations`), the values in the trace are numbers of knights. With no
    cover of at most `at_most` knights the result is UNKNOWN and `best` the smallest cover. The clock is looked at
    after the tables of the board, when the result can be UNKNOWN without a state, and after each cover: half a
    second and two seconds a million squares, which nothing cuts. Raises `InputError` for a number of knights
    outside 1..squares and for an initial state.
    """
    from heuristic.kernels.knights_cover import whole as whole_board
    from heuristic.kernels.knights_greedy import complete, warm
    from heuristic.kernels.knights_tables import numbering
    from heuristic.kernels.random import seeded

    check_knights(problem)
    if initial is not None:
        raise InputError(f"no initial state: {METHOD} builds its own", "one", where="--initial")
    warm()
    session = Session(METHOD, problem, edition, seed, Budget(limits, default=parameters.repeats), watch)
    squares = numbering(problem.board)
    instance = whole_board(problem, squares).instance
    if session.budget.time_is_up:
        return session.stateless(Counters(iterations=0))
    nothing, random = squares.numbers(()), seeded(seed)
    prune = parameters.pruning is Pruning.REDUNDANT
    enough = problem.at_most or 0

    budget = session.budget
    best = None
    ending: Ending | None = None
    while best is None or ending is None:
        cover = complete(instance, nothing, random, prune)
        budget.spent += 1
        if best is None or len(cover) < len(best):
            best = cover
            session.improved(len(best), partial(squares.sorted_placement, best))
        done = len(best) <= enough or budget.spent >= parameters.repeats
        ending = Ending.FINISHED if done else session.ending
    return session.cover(squares.sorted_placement(best), ending, Counters(iterations=budget.spent))
