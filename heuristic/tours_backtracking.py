"""Backtracking: the fourth document's depth-first search, made iterative.

From each square the moves are tried in the document's order, visited squares are skipped, a square without a
way on is given back. A node is a square entered, the start included: 221,175 for 6x6 from row 1, column 2.

The document asks for a tour that returns to its start; its program stops at the first tour, closed or not.
Which of the two is sought is the problem's `closed`: a closed tour is a full path whose last square is a move
from the start. Its 6x6 tour happens to be closed. Apart from that, program and prose agree, so `printed` and
`described` are the same search.
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristic.tours_grid import DOCUMENT_ORDER, check_order
from heuristic.tours_run import drive, node_budget
from heuristic.tours_search import FixedSearch, warm_fixed
from problems import Answer, KnightTour, Limits, Result, Watcher


@dataclass(frozen=True, slots=True)
class BacktrackingParameters:
    """`order`: the moves 0 to 7 of the document's drawing in the order in which they are tried.

    Raises `InputError` unless it has each digit once.
    """

    order: str = DOCUMENT_ORDER

    def __post_init__(self) -> None:
        check_order(self.order)


def run(
    problem: KnightTour,
    *,
    limits: Limits,
    seed: int,
    edition: str,
    parameters: BacktrackingParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Search for a tour from the start, `(0, 0)` if none is given; the seed is not used.

    UNKNOWN, with the longest path as `best`, at a limit or when everything has been tried in vain.
    """
    warm_fixed()
    budget = node_budget(limits)
    search = FixedSearch(problem, parameters.order, by_degree=False)
    return drive(
        search,
        problem,
        method="backtracking",
        edition=edition,
        budget=budget,
        seed=seed,
        watch=watch,
    )
