"""Warnsdorff's rule with tie-breaks: always to a square with the fewest onward moves, and what to do when stuck.

Source: Warnsdorff 1823; the tie-breaks of Pohl ("A method for finding Hamilton paths and knight's tours", 1967),
Roth, and Squirrel and Cull (1996). A walk that gets stuck ends the run, is begun anew, or is taken back,
as `dead_end` says. The rule with random ties alone, from the corner, finishes 97.8 % of its walks on 8x8 but
36.9 % on 100x100. With Roth's tie-break, the default, every walk measured on 100x100 and larger finished, to
1000x1000; 7x7 is its weak spot (38 %), where restarts help.

A given end is kept free until it is the last square, and the last free square next to it (next to the start, for a
closed tour) until it is the last but one. Closed tours succeed from the centre, where Roth's tie-break leads back:
there 69 to 100 % of the walks closed on squares of 6x6 to 200x200, from the corner of a large board none.
Restarts for a closed tour therefore begin near the centre and anywhere by turns, and the tour is then written from
the start that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import NamedTuple

from heuristic.tours_grid import start_of
from heuristic.tours_run import Event, drive
from heuristic.tours_search import OrderedSearch, TieBreak
from heuristic.tours_squirrel_cull import reason_against
from problems import (
    Answer,
    Board,
    InputError,
    KnightTour,
    Limits,
    Path,
    Result,
    Square,
    UnsupportedProblem,
    Watcher,
)
from problems.errors import shown


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

    Raises `InputError` for a negative number of restarts and for values that are no member of their kind.
    """

    ties: TieBreak = TieBreak.ROTH
    dead_end: DeadEnd = DeadEnd.RESTART
    restarts: int = 10_000

    def __post_init__(self) -> None:
        for value, kind, name in ((self.ties, TieBreak, "ties"), (self.dead_end, DeadEnd, "dead_end")):
            if not isinstance(value, kind):
                raise InputError(f"one of {', '.join(kind)}", shown(value), where=name)
        if not isinstance(self.restarts, int) or isinstance(self.restarts, bool) or self.restarts < 0:
            raise InputError("a number of restarts of 0 or more", shown(self.restarts), where="restarts")


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
    started = perf_counter()
    _check_ties(problem, parameters.ties)
    search = _Walks(problem, parameters, seed)
    return drive(
        search,
        problem,
        method="warnsdorff",
        edition=edition,
        limits=limits,
        seed=seed,
        watch=watch,
        started=started,
    )


def walks(problem: KnightTour, ties: TieBreak, seeds: Sequence[int]) -> tuple[Walk, ...]:
    """Walk once for each seed, without restarts or backtracking, in one kernel call; for success rates.

    Each walk is the one that `run` takes with that seed and `DeadEnd.STOP`. Raises as `run` does.
    """
    from heuristic.kernels.random import seeded

    _check_ties(problem, ties)
    for seed in seeds:
        seeded(seed)
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

    def longest(self) -> Path:
        """Return the longest path so far; a closed tour from the start that was asked for."""
        path = super().longest()
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
            return self._grid.index(central[self._draw(len(central))])
        while (square := board.square_at(self._draw(board.rows * board.cols))) not in board:
            pass
        return self._grid.index(square)

    def _draw(self, bound: int) -> int:
        from heuristic.kernels.random import below

        return int(below(self._rng, bound))


def _central(board: Board) -> list[Square]:
    """Return the one, two or four squares in the middle of the rectangle."""
    rows = sorted({(board.rows - 1) // 2, board.rows // 2})
    cols = sorted({(board.cols - 1) // 2, board.cols // 2})
    return [(row, col) for row in rows for col in cols]
