"""The depth-first searches that the tour methods share, as objects that `tours_run.drive` advances."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from heuristic.tours_grid import DOCUMENT_ORDER, padded, start_of
from heuristic.tours_run import Event
from problems import Board, KnightTour, Path, Square

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from heuristic.kernels.tours_ordered import Rule
    from heuristic.tours_grid import Grid


class TieBreak(StrEnum):
    """How Warnsdorff's rule decides between squares with equally few onward moves."""

    FIRST = "first"
    """The first in the fourth document's move order."""
    LAST = "last"
    """The last in that order."""
    RANDOM = "random"
    """One at random."""
    POHL = "pohl"
    """The one whose onward squares have the fewest onward moves together, then at random (Pohl 1967)."""
    ROTH = "roth"
    """The farthest from the centre of the board, then at random (Roth)."""
    SQUIRREL_CULL = "squirrel-cull"
    """The first in a move order that changes at certain squares (Squirrel and Cull 1996); square boards only."""

    @property
    def is_random(self) -> bool:
        """Whether two walks from the same square can differ."""
        return self in (TieBreak.RANDOM, TieBreak.POHL, TieBreak.ROTH)


class PathSearch:
    """What every search has: the padded board, the path it is on, the longest so far, the squares entered."""

    @property
    def restarts(self) -> int | None:
        """None: this search never begins anew."""
        return None

    def __init__(self, problem: KnightTour) -> None:
        import numpy as np

        from heuristic.kernels.tours_fixed import Aim, Trail

        size = problem.board.size
        self._grid = padded(problem.board)
        self._start = self._grid.index(start_of(problem))
        self._end = None if size == 1 else problem.end
        self._closed = problem.closed
        self._blocked = self._grid.blocked.copy()
        if self._end is not None:
            self._blocked[self._grid.index(self._end)] = 1
        self._aim = Aim(
            size - (self._end is not None), goal_of(self._grid, self._start, self._end, problem.closed)
        )
        self._trail = Trail(
            np.empty(size, np.int32), np.empty(size, np.int8), np.empty(size, np.int32), np.zeros(3, np.int64)
        )
        self._solved = False

    @property
    def nodes(self) -> int:
        """The squares entered so far; the start counts, and a given end once it is reached."""
        return int(self._trail.progress[1]) + self._reached_end

    @property
    def length(self) -> int:
        """The number of squares of the longest path so far."""
        return int(max(self._trail.progress[0], self._trail.progress[2])) + self._reached_end

    @property
    def _reached_end(self) -> bool:
        return self._solved and self._end is not None

    def longest(self) -> Path:
        """Return the longest path so far, the tour once it is found."""
        depth, _, best = self._trail.progress
        return self._written(self._trail.path[:depth] if depth > best else self._trail.best_path[:best])

    def told(self) -> Path:
        """Return the path of the last improvement; `longest` may have gone further since."""
        return self._written(self._trail.best_path[: self._trail.progress[2]])

    def _written(self, indices: NDArray[np.int32]) -> Path:
        """Return the squares of a path, with the end that a tour reaches at last."""
        path = self._grid.squares(indices)
        return path if self._end is None or not self._solved else (*path, self._end)

    def _told(self, status: int) -> Event:
        event = Event(status)
        self._solved = event is Event.SOLVED
        return event


def goal_of(grid: Grid, start: int, end: Square | None, closed: bool) -> int:
    """Return the square that the last but one must lead to, as a kernel index, or -1."""
    if end is not None:
        return grid.index(end)
    return start if closed else -1


class FixedSearch(PathSearch):
    """The moves of a square in the given order, or stably sorted by their targets' moves on the empty board."""

    def __init__(self, problem: KnightTour, order: str, *, by_degree: bool) -> None:
        from heuristic.kernels.tours_fixed import fixed_moves

        super().__init__(problem)
        grid, trail = self._grid, self._trail
        self._moves = fixed_moves(grid.blocked, grid.offsets(order), grid.reach, by_degree)
        self._blocked[self._start] = 1
        trail.path[0], trail.cursor[0] = self._start, 0
        trail.progress[:2] = 1

    def advance(self, node_limit: int) -> Event:
        """Search on until something happens or `nodes` is at the limit."""
        from heuristic.kernels.tours_fixed import search_fixed

        return self._told(search_fixed(self._moves, self._blocked, self._trail, self._aim, node_limit))


@cache
def warm_fixed() -> None:
    """Have the code of `FixedSearch` compiled or loaded, once, so that no run's clock counts it."""
    FixedSearch(KnightTour(Board(3, 4)), DOCUMENT_ORDER, by_degree=True).advance(2)


class OrderedSearch(PathSearch):
    """The moves of a square by Warnsdorff's rule, with or without backtracking."""

    def __init__(
        self, problem: KnightTour, ties: TieBreak, seed: int, *, order: str = DOCUMENT_ORDER, backtrack: bool
    ) -> None:
        import numpy as np

        from heuristic.kernels.random import seeded
        from heuristic.kernels.tours_fixed import count_free
        from heuristic.kernels.tours_ordered import Choices, Field

        super().__init__(problem)
        grid, size = self._grid, problem.board.size
        offsets = grid.offsets(order)
        self._free = count_free(self._blocked, offsets, grid.reach)
        self._field = Field(np.empty_like(self._blocked), np.empty_like(self._free), offsets)
        self._rule = rule_of(problem, grid, ties, offsets)
        self._choices = Choices(np.empty((size, 8), np.int8), np.empty(size, np.int8))
        self._rng = seeded(seed)
        self._backtrack = backtrack
        self.restart(self._start)

    def restart(self, start: int) -> None:
        """Put the knight on a square (a kernel index) of the empty board; nodes and longest path are kept."""
        from heuristic.kernels.tours_ordered import place_start

        self._aim = self._aim._replace(goal=goal_of(self._grid, start, self._end, self._closed))
        self._field.visited[:] = self._blocked
        self._field.free[:] = self._free
        place_start(self._field, self._rule, self._trail, self._choices, start)

    def advance(self, node_limit: int) -> Event:
        """Search on until something happens or `nodes` is at the limit."""
        from heuristic.kernels.tours_ordered import search_ordered

        status = search_ordered(
            self._field, self._rule, self._rng, self._trail, self._choices, self._aim, self._backtrack, node_limit
        )
        return self._told(status)

    def draw(self, bound: int) -> int:
        """Return a random whole number below `bound`."""
        from heuristic.kernels.random import below

        return int(below(self._rng, bound))

    def walk_lengths(self, seeds: Sequence[int]) -> list[int]:
        """Walk once for each seed, in one kernel call, and leave this search as it is.

        Returns the number of squares of each walk, a given end included, negative if it is no tour.
        """
        import numpy as np

        from heuristic.kernels.tours_ordered import walk_many

        lengths: NDArray[np.int64] = walk_many(
            np.array(seeds, np.uint64),
            self._blocked,
            self._free,
            self._field.offsets,
            self._rule,
            self._start,
            self._aim,
        )
        extra = self._end is not None
        return [length + extra if length > 0 else length for length in lengths.tolist()]


@cache
def warm_ordered() -> None:
    """Have the code of `OrderedSearch` compiled or loaded, once, so that no run's clock counts it."""
    search = OrderedSearch(KnightTour(Board(3, 4)), TieBreak.RANDOM, 0, backtrack=True)
    search.advance(2)
    search.draw(1)


def rule_of(problem: KnightTour, grid: Grid, ties: TieBreak, offsets: NDArray[np.int64]) -> Rule:
    """Return the kernel's form of a tie-break; Squirrel and Cull's needs a board on which it is defined."""
    import numpy as np

    from heuristic.kernels.tours_ordered import IN_ORDER, POHL, RANDOM, ROTH, Rule
    from heuristic.tours_squirrel_cull import move_orders, switch_squares

    codes = {TieBreak.RANDOM: RANDOM, TieBreak.POHL: POHL, TieBreak.ROTH: ROTH}
    orders = [list(range(8))] if ties is not TieBreak.LAST else [list(range(7, -1, -1))]
    switches: list[int] = []
    if ties is TieBreak.SQUIRREL_CULL:
        side, numbers = problem.board.rows, offsets.tolist()
        orders = [[numbers.index(r * grid.stride + c) for r, c in steps] for steps in move_orders(side)]
        switches = [grid.index(s) if s in problem.board else -1 for s in switch_squares(side)]
    distance = _distances(grid) if ties is TieBreak.ROTH else np.zeros(0, np.int64)
    return Rule(codes.get(ties, IN_ORDER), np.array(orders, np.int64), np.array(switches, np.int64), distance)


def _distances(grid: Grid) -> NDArray[np.int64]:
    """Return four times the squared distance of each square from the centre of the board."""
    import numpy as np

    rows, cols = np.divmod(np.arange(grid.blocked.size, dtype=np.int64), grid.stride)
    height, width = grid.blocked.size // grid.stride, grid.stride
    distances: NDArray[np.int64] = (2 * rows - (height - 1)) ** 2 + (2 * cols - (width - 1)) ** 2
    return distances
