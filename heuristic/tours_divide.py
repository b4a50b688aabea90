"""Closed tours of large boards by divide and conquer, in time linear in the squares.

Source: Ian Parberry, "An efficient algorithm for the Knight's tour problem", Discrete Applied Mathematics 73
(1997): a board of 12 or more rows and columns is cut into four as evenly as the parity allows, each quarter gets
a structured tour (`tours_tiles`), one edge of each at the common corner is taken out and four others put in.
That serves the boards of Parberry's theorem, n x n and n x (n + 2) for even n >= 6 and n x (n + 1) for n >= 6.

Ours, to serve every board that has a closed tour and no side under five (Cull and De Curtins 1978): a board too
long for quarters is cut in two, and an edge on either side of the seam is exchanged for two across it.
A closed tour is an open one from any square, so open tours without a fixed end, or without a fixed start, are
served as well. The construction makes no choices: the seed is not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from heuristic.budget import Budget
from heuristic.tours_run import node_budget
from heuristic.tours_tiles import LARGEST, SMALLEST, tile
from problems import (
    Answer,
    Board,
    Counters,
    Ending,
    Improvement,
    KnightTour,
    Limits,
    Path,
    Problem,
    Result,
    Square,
    Status,
    Watcher,
    WrongAnswer,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 1 << 16
"""Squares written between two looks at the clock: some 10 ms."""

AROUND_MOVES = ((-1, -3, -2, -1), (-3, 1, -1, 0), (0, 2, 1, 0), (2, -2, 0, -1))
"""The edges that joining four quarters takes out, as (row, col, row, col) from their common corner.

Upper left, upper right, lower right, lower left; the end of one is a move from the beginning of the next. The
second and the fourth are moves from a quarter's corner, which every tour contains.
"""


@dataclass(frozen=True, slots=True)
class DivideParameters:
    """Nothing to choose: the construction is fixed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which tiles lie where and how they are joined, inner joins first; rows as the kernels take them."""

    tiles: tuple[tuple[int, int, int], ...]
    sizes: tuple[tuple[int, int], ...]
    joins: tuple[tuple[int, int, int, int], ...]


def supports(problem: Problem) -> str | None:
    """Return why a problem is out of reach: holes, an odd number of squares, a side under five, both ends."""
    if not isinstance(problem, KnightTour):
        return "another problem"
    board = problem.board
    if board.missing:
        return f"a board with missing squares ({board})"
    if board.size % 2:
        return f"an odd number of squares ({board}), which no closed tour visits"
    if min(board.rows, board.cols) < SMALLEST:
        return f"a side under {SMALLEST} ({board})"
    if problem.start is not None and problem.end is not None:
        return "a given start together with a given end"
    return None


def run(
    problem: KnightTour,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: DivideParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Construct a closed tour and write it from the start, or towards the end, that was asked for.

    A node is a square written; a limit under the number of squares gives UNKNOWN and the part written. The clock
    is looked at after the plan, after the joins and while the tour is written; these two stages take a tenth of a
    second a million squares and are not cut.
    """
    warm()
    budget = node_budget(limits)
    path = construct(problem, budget)
    nodes, solved = len(path), len(path) == problem.board.size
    trace: list[Improvement] = []
    if path:
        trace.append(Improvement(nodes, nodes, budget.seconds))
        if watch is not None:
            watch(trace[0], path)
    return Result(
        method="divide-and-conquer",
        problem=problem,
        status=Status.FEASIBLE if solved else Status.UNKNOWN,
        ending=(not solved and budget.ending) or Ending.FINISHED,
        seconds=budget.seconds,
        edition=edition,
        answer=path if solved else None,
        best=None if solved else path or None,
        counters=Counters(nodes=nodes),
        seed=seed,
        trace=tuple(trace),
    )


@cache
def warm() -> None:
    """Have the code compiled or loaded, once, so that no run's clock counts it."""
    construct(KnightTour(Board(12, 12)), node_budget(Limits()))


def construct(problem: KnightTour, budget: Budget) -> Path:
    """Return a closed tour, written as a supported problem wants, or what the budget leaves of it."""
    rows, cols = problem.board.rows, problem.board.cols
    plan = divide(rows, cols)
    if budget.time_is_up:
        return ()
    links = _linked(plan, problem.board)
    first = problem.board.index(problem.end or problem.start or (0, 0))
    path = _written(links, first, cols, budget)
    return path if problem.end is None else path[::-1]


def _linked(plan: Plan, board: Board) -> NDArray[np.int32]:
    """Return the two neighbours of each square on the tour that the plan makes, as `tours_join` has them."""
    import numpy as np

    from heuristic.kernels.tours_join import join_tiles, place_tiles

    tours, bounds = _tours(plan.sizes)
    links = np.empty((board.size, 2), np.int32)
    joins = np.array(plan.joins, np.int64).reshape(-1, 4)
    place_tiles(links, board.cols, np.array(plan.tiles, np.int64), tours, bounds)
    if join_tiles(links, board.cols, joins, np.array(AROUND_MOVES, np.int64)) < len(joins):
        raise WrongAnswer(f"divide-and-conquer could not join its tiles on {board}")
    return links


def _written(links: NDArray[np.int32], first: int, cols: int, budget: Budget) -> Path:
    """Return the tour from a square on, as far as the budget goes."""
    import numpy as np

    from heuristic.kernels.tours_join import walk_links

    numbers = walk_links(links, first, min(budget.most, len(links)))
    squares: list[Square] = []
    while len(squares) < len(numbers) and not budget.time_is_up:
        rows, columns = np.divmod(numbers[len(squares) : len(squares) + CHUNK], cols)
        squares += zip(rows.tolist(), columns.tolist(), strict=True)
    budget.spent = len(squares)
    return tuple(squares)


def divide(rows: int, cols: int) -> Plan:
    """Cut a board into tiles; `rows * cols` is even and no side is under five."""
    from heuristic.kernels.tours_join import ABOVE, AROUND, BESIDE

    sizes: dict[tuple[int, int], int] = {}
    tiles: list[tuple[int, int, int]] = []
    joins: list[tuple[int, int, int, int]] = []
    open_boards = [(0, 0, rows, cols)]
    while open_boards:
        top, left, height, width = open_boards.pop()
        if min(height, width) < LARGEST and max(height, width) <= LARGEST:
            tiles.append((top, left, sizes.setdefault((height, width), len(sizes))))
            continue
        quarters = min(height, width) >= LARGEST
        uppers = _halves(height) if quarters or height > LARGEST else (height,)
        lefts = _halves(width) if quarters or width > LARGEST else (width,)
        middle, centre = top + uppers[0], left + lefts[0]
        if len(uppers) == 2 and len(lefts) == 2:
            joins.append((AROUND, middle, centre, 0))
        elif len(lefts) == 2:
            joins.append((BESIDE, top, centre, height))
        else:
            joins.append((ABOVE, middle, left, width))
        for at_row, part_height in zip((top, middle), uppers, strict=False):
            open_boards += [
                (at_row, at_col, part_height, part_width)
                for at_col, part_width in zip((left, centre), lefts, strict=False)
            ]
    # A board is met before its parts, so the reverse order joins the parts first.
    return Plan(tuple(tiles), tuple(sizes), tuple(reversed(joins)))


def _halves(side: int) -> tuple[int, int]:
    """Return two parts, both even if the side is, as nearly equal as that allows."""
    less = side // 2 - (side % 4 == 2)
    return less, side - less


def _tours(sizes: tuple[tuple[int, int], ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tiles' tours below each other, shape (squares, 2), and where each begins and ends."""
    import numpy as np

    tours: list[Any] = []
    for rows, cols in sizes:
        tour = tile(rows, cols)
        if tour is None:
            raise WrongAnswer(f"divide-and-conquer has no tile of {rows}x{cols}")
        tours.append(np.array(tour, np.int64))
    bounds = np.cumsum([0, *(len(tour) for tour in tours)])
    return np.concatenate(tours), bounds.astype(np.int64)
