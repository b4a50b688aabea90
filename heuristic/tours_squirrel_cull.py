"""Squirrel and Cull's move orders: a tie-break with which Warnsdorff's rule tours almost every square board.

Source: Douglas Squirrel and Paul Cull, "A Warnsdorff-Rule Algorithm for Knight's Tours on Square Chessboards"
(Oregon State University REU, 1996). The table is the published one, taken from public transcriptions that agree
with each other where they are complete, not from the paper's own page. The tour starts in the top left corner. The
eight moves are numbered clockwise from (2 up, 1 right); ties go to the move that comes first in the current order;
when the knight enters the switch square, the next order takes over. Orders and switch squares depend on the side m
mod 8 (for m = 5 mod 8 one switch square on m mod 16).

Run here, the table tours every m = 5..1000 but 74, the exception that the paper names (it ran 5..200). The order
for m = 74 is ours, not the paper's: the fifth order is replaced by 12345678, found by search over the orders of
that phase.
"""

from __future__ import annotations

from problems import KnightTour, Square

SMALLEST = 5
"""The smallest side for which the orders are defined."""

STEPS: dict[str, Square] = {
    "1": (-2, 1), "2": (-1, 2), "3": (1, 2), "4": (2, 1), "5": (2, -1), "6": (1, -2), "7": (-1, -2), "8": (-2, -1),
}  # fmt: skip
"""The moves by their number in the paper, as `(row, col)` steps."""

_ORDERS: dict[int, tuple[str, ...]] = {
    0: ("34261578", "87642135", "51867342", "51342678", "21435678"),
    1: ("34261578", "87642135", "51324678", "32481765"),
    2: ("34261578", "87642135", "54132678", "52431678", "85647123", "15746823"),
    3: ("34625718", "42681357", "86512347", "51867342", "61825437", "71642538"),
    4: ("34261578", "87642135", "51867342", "51342678", "86753421", "78563421"),
    5: ("34261578", "87642135", "51324678", "15234678"),
    6: ("34261578", "87642135", "54132678", "52431678", "85647123", "12453678"),
    7: ("34625718", "42681357", "86512347", "51867342", "61825437", "61357284"),
}
"""The move orders by the side mod 8, in the order in which they take over from each other."""

_ORDERS_OF_74 = (*_ORDERS[2][:4], "12345678", _ORDERS[2][5])


def reason_against(problem: KnightTour) -> str | None:
    """Return why the orders are not defined for a problem, or None."""
    board = problem.board
    if board.missing or not board.is_square or board.rows < SMALLEST:
        return f"a {board} board"
    if problem.closed:
        return "a closed tour"
    if problem.end is not None:
        return f"the end {board.name(problem.end)}"
    if problem.start not in (None, (0, 0)):
        return f"the start {board.name(problem.start)}" if problem.start else None
    return None


def move_orders(side: int) -> tuple[tuple[Square, ...], ...]:
    """Return the orders for a board of this side, each the eight steps in the order that decides ties."""
    orders = _ORDERS_OF_74 if side == 74 else _ORDERS[side % 8]
    return tuple(tuple(STEPS[number] for number in order) for order in orders)


def switch_squares(side: int) -> tuple[Square, ...]:
    """Return the squares that end each order but the last; on small boards some are off the board."""
    m = side
    table: dict[int, tuple[Square, ...]] = {
        0: ((m - 1, m - 2), (2, 2), (m - 8, 1), (7, m - 3)),
        1: ((m - 1, m - 2), (2, 2), (m - 6, (m + 9) // 2)),
        2: ((6, 1), (3, 1), (m - 15, 4), (10, m - 2), (5, (m - 6) // 2)),
        3: ((m - 1, m - 2), (m - 6, m), (2, 5), (m - 10, 3), ((m + 1) // 2, m - 2)),
        4: ((m - 1, m - 2), (2, 2), (m - 8, 1), (10, m - 5), (13, (m + 2) // 2)),
        5: ((m - 1, m - 2), (2, 2), (m - 2, (m - 5) // 2 if m % 16 == 5 else (m - 13) // 2)),
        6: ((6, 1), (3, 1), (m - 10, 1), (10, m - 2), (3, (m + 8) // 2)),
        7: ((m - 1, m - 2), (m - 6, m), (2, 5), (m - 6, 3), ((m + 1) // 2, m - 2)),
    }
    # The paper counts rows and columns from 1.
    return tuple((row - 1, col - 1) for row, col in table[m % 8])
