"""Backtracking with a greedy move order: the fourth document's improvement of its search, made iterative.

The moves from a square are sorted, stably, by how many ways lead on from their target; otherwise it is the
search of `tours_backtracking`. What counts as a way on is where the program and the prose differ:

- `printed` counts the moves on the empty board, visited squares included, so the order never changes: 313 nodes
  for 6x6 from row 1, column 2.
- `described` counts moves to unvisited squares, Warnsdorff's rule: 36 nodes, which is no backtracking at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristic.tours_grid import DOCUMENT_ORDER, check_order
from heuristic.tours_run import drive, node_budget
from heuristic.tours_search import FixedSearch, OrderedSearch, TieBreak, warm_fixed, warm_ordered
from problems import Answer, KnightTour, Limits, Result, Watcher


@dataclass(frozen=True, slots=True)
class GreedyParameters:
    """`order`: the moves 0 to 7 of the document's drawing in the order that decides between equals.

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
    parameters: GreedyParameters,
    initial: Answer | None,
    watch: Watcher | None,
) -> Result:
    """Search for a tour from the start, `(0, 0)` if none is given; the seed is not used.

    UNKNOWN, with the longest path as `best`, at a limit or when everything has been tried in vain.
    """
    search: FixedSearch | OrderedSearch
    if edition == "printed":
        warm_fixed()
        budget = node_budget(limits)
        search = FixedSearch(problem, parameters.order, by_degree=True)
    else:
        warm_ordered()
        budget = node_budget(limits)
        search = OrderedSearch(problem, TieBreak.FIRST, 0, order=parameters.order, backtrack=True)
    return drive(
        search,
        problem,
        method="greedy",
        edition=edition,
        budget=budget,
        seed=seed,
        watch=watch,
    )
