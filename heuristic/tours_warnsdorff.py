"""Warnsdorff's rule with tie-breaks: always to a square with the fewest onward moves, and what to do when stuck.

Source: Warnsdorff 1823; the tie-breaks of Pohl ("A method for finding Hamilton paths and knight's tours", 1967),
Roth, and Squirrel and Cull (1996). A walk that gets stuck ends the run, is begun anew, or is taken back,
as `dead_end` says. The rule with random ties alone, from the corner, finishes 97.8 % of its walks on 8x8 but
36.9 % on 100x100. Roth's tie-break, the default, gets farther, but gets stuck as well: 62 % of the walks on 7x7,
7 % on 30x30, 25 of 3,000 on 100x100, 8 of 500 on 150x150, 3 of 400 on 200x200, 1 of 150 on 300x300 (`walks`
with the seeds from 0 on). Hence the restarts.

A given end is kept free until it is the last square, and the last free square next to it (next to the start, for a
closed tour) until it is the last but one. Closed tours succeed from the centre, where Roth's tie-break leads back:
there 67 to 100 % of the walks closed on thirteen even squares of 6x6 to 200x200 (100 to 400 walks each); from the
corner half of them or more up to 10x10, and not one from 12x12 on. Restarts for a closed tour therefore begin near
the centre and anywhere by turns, and the tour is then written from the start that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from heuristic.checks import check_seed, choice, whole
from heuristic.tours_grid import start_of
from heuristic.tours_run import Event, drive, node_budget
from heuristic.tours_search import OrderedSearch, TieBreak, warm_ordered
from heuristic.tours_squirrel_cull import reason_against
from problems import (
    Answer,
    Board,
    KnightTour,
    Limits,
    Path,
    Result,
    Square,
    UnsupportedProblem,
    Watcher,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DeadEnd(StrEnum):
    """What to do when the walk is stuck, or has missed its end."""

    STOP = "stop"
    """Nothing: the rule in its pure form, one walk."""
    RESTART = "restart"
    """Walk again with other random choices. Tie-breaks without chance restart closed tours only."""
    BACKTRACK = "backtrack"
    """Take moves back and try the next best."""


@dataclass(frozen=True, slots=True)
class WarnsdorffParameters:
    """The tie-break, what to do at a dead end, and how many restarts there may be.

    Values are enumeration members or their strings; `InputError` for any other and for a negative number.
    """

    ties: TieBreak = TieBreak.ROTH
    dead_end: DeadEnd = DeadEnd.RESTART
    restarts: int = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "ties", choice(TieBreak, self.ties, "ties"))
        object.__setattr__(self, "dead_end", choice(DeadEnd, self.dead_end, "dead_end"))
        whole(self.restarts, 0, "restarts")


class Walk(NamedTuple):
    """One walk: its number of squares, and whether it is a tour of the kind that was asked for."""

    length: int
    solved: bool


def run(
    problem: KnightTour,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: WarnsdorffParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Walk from the start, `(0, 0)` if none is given, until there is a tour or nothing more to try.

    UNKNOWN, with the longest walk as `best`, when the last walk allowed is stuck or a limit is reached. Raises
    `UnsupportedProblem` for Squirrel and Cull's tie-break where it is not defined.
    """
    _check_ties(problem, parameters.ties)
    warm_ordered()
    budget = node_budget(limits)
    search = _Walks(problem, parameters, seed)
    return drive(
        search,
        problem,
        method="warnsdorff",
        edition=edition,
        budget=budget,
        seed=seed,
        watch=watch,
    )


def walks(problem: KnightTour, ties: TieBreak, seeds: Sequence[int]) -> tuple[Walk, ...]:
    """Walk once for each seed, without restarts or backtracking, in one kernel call; for success rates.

    Each walk is the one that `run` takes with that seed and `DeadEnd.STOP`; `ties` may be given as its string.
    Raises as `run` and `WarnsdorffParameters` do.
    """
    ties = choice(TieBreak, ties, "ties")
    _check_ties(problem, ties)
    for seed in seeds:
        check_seed(seed)
    lengths = OrderedSearch(problem, ties, 0, backtrack=False).walk_lengths(seeds)
    return tuple(Walk(abs(length), length > 0) for length in lengths)


def _check_ties(problem: KnightTour, ties: TieBreak) -> None:
    if ties is TieBreak.SQUIRREL_CULL and (reason := reason_against(problem)):
        raise UnsupportedProblem(
            "an open tour of a full square board of side 5 or more from its top left corner",
            reason,
            where="ties=squirrel-cull",
        )


class _Walks(OrderedSearch):
    """Walks, one after the other, or one search with backtracking."""

    def __init__(self, problem: KnightTour, parameters: WarnsdorffParameters, seed: int) -> None:
        super().__init__(problem, parameters.ties, seed, backtrack=parameters.dead_end is DeadEnd.BACKTRACK)
        self._problem = problem
        self._restarts = 0
        varies = parameters.ties.is_random or problem.closed
        self._most = parameters.restarts if parameters.dead_end is DeadEnd.RESTART and varies else 0

    @property
    def restarts(self) -> int:
        """How many walks have been begun after the first."""
        return self._restarts

    def advance(self, node_limit: int) -> Event:
        """Walk on, and again, until something happens or `nodes` is at the limit."""
        while True:
            event = super().advance(node_limit)
            if event is not Event.EXHAUSTED or self._restarts >= self._most:
                return event
            if self.nodes >= node_limit:
                return Event.PAUSED
            self._restarts += 1
            self.restart(self._next_start())

    def _written(self, indices: NDArray[np.int32]) -> Path:
        """Return the squares of a path; a closed tour from the start that was asked for."""
        path = super()._written(indices)
        if not (self._problem.closed and self._solved):
            return path
        first = path.index(start_of(self._problem))
        return path[first:] + path[:first]

    def _next_start(self) -> int:
        if not self._problem.closed:
            return self._start
        board = self._problem.board
        central = [s for s in _central(board) if s in board] if self._restarts % 2 else []
        if central:
            return self._grid.index(central[self.draw(len(central))])
        while (square := board.square_at(self.draw(board.rows * board.cols))) not in board:
            pass
        return self._grid.index(square)


def _central(board: Board) -> list[Square]:
    """Return the one, two or four squares in the middle of the rectangle."""
    rows = sorted({(board.rows - 1) // 2, board.rows // 2})
    cols = sorted({(board.cols - 1) // 2, board.cols // 2})
    return [(row, col) for row in rows for col in cols]
