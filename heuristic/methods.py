"""The table of heuristic methods: what there is, what each supports, and how it is called.

A method is a row. To add one: write its module, add its row, add its test. A heuristic can only say FEASIBLE
(with a checked answer) or UNKNOWN (with its best state): it never proves anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from heuristic import (
    knights_annealing,
    knights_genetic,
    knights_greedy_cover,
    knights_local_search,
    queens_annealing,
    queens_genetic,
    queens_genetic_single,
    queens_hill_climbing,
    queens_min_conflicts,
    queens_steepest_ascent,
    tours_backtracking,
    tours_divide,
    tours_greedy,
    tours_grid,
    tours_warnsdorff,
)
from heuristic.checks import check_seed
from problems import (
    Answer,
    InputError,
    KnightCover,
    KnightTour,
    Limits,
    Problem,
    Queens,
    Result,
    Status,
    UnsupportedProblem,
    Watcher,
    WrongAnswer,
    checked,
)


class Run(Protocol):
    """Run a method once on a problem.

    `parameters` is an instance of the row's parameter dataclass; `edition` one of the row's editions;
    `initial` a state to start from (None: the method makes its own); `watch` is called with improvements.
    The same seed gives the same trajectory.
    """

    def __call__(
        self,
        problem: Any,
        *,
        limits: Limits,
        seed: int,
        edition: str,
        parameters: Any,
        initial: Answer | None,
        watch: Watcher | None,
    ) -> Result:
        """Return FEASIBLE with an answer, or UNKNOWN with the best state."""


@dataclass(frozen=True, slots=True)
class HeuristicMethod:
    """One heuristic for one kind of problem.

    `parameters` is its frozen parameter dataclass, which checks itself. `editions` starts with the default.
    `effort` names the counter of `Counters` that measures its work; `accepts_initial` says whether it can
    start from a given state. `supports` returns None, or the reason why a problem is out of its reach.
    """

    name: str
    problem: type
    summary: str
    run: Run
    parameters: type
    editions: tuple[str, ...]
    effort: str
    accepts_initial: bool
    supports: Callable[[Problem], str | None]


METHODS: tuple[HeuristicMethod, ...] = (
    HeuristicMethod(
        "genetic",
        KnightCover,
        "the document's genetic algorithm: one individual, guided swaps (needs --knights K, rule total)",
        knights_genetic.run,
        knights_genetic.GeneticParameters,
        knights_genetic.EDITIONS,
        "evolutions",
        accepts_initial=True,
        supports=knights_genetic.supports,
    ),
    HeuristicMethod(
        "greedy-cover",
        KnightCover,
        "each knight where it covers most, ties drawn; redundant ones taken out",
        knights_greedy_cover.run,
        knights_greedy_cover.GreedyParameters,
        knights_greedy_cover.EDITIONS,
        "iterations",
        accepts_initial=False,
        supports=knights_greedy_cover.supports,
    ),
    HeuristicMethod(
        "local-search",
        KnightCover,
        "weights on squares that are hard to cover (RWLS); looks for ever fewer knights",
        knights_local_search.run,
        knights_local_search.LocalSearchParameters,
        knights_local_search.EDITIONS,
        "steps",
        accepts_initial=True,
        supports=knights_local_search.supports,
    ),
    HeuristicMethod(
        "annealing",
        KnightCover,
        "simulated annealing, cooled again and again; with --knights K for K, else for ever fewer",
        knights_annealing.run,
        knights_annealing.AnnealingParameters,
        knights_annealing.EDITIONS,
        "steps",
        accepts_initial=True,
        supports=knights_annealing.supports,
    ),
    HeuristicMethod(
        "hill-climbing",
        Queens,
        "the document's hill climbing: fewest queens attacked, worse moves too, 500 steps",
        queens_hill_climbing.run,
        queens_hill_climbing.HillClimbingParameters,
        queens_hill_climbing.EDITIONS,
        "steps",
        accepts_initial=True,
        supports=queens_hill_climbing.supports,
    ),
    HeuristicMethod(
        "steepest-ascent",
        Queens,
        "the textbook's hill climbing: attacking pairs, until no move is better; sideways limit",
        queens_steepest_ascent.run,
        queens_steepest_ascent.SteepestAscentParameters,
        queens_steepest_ascent.EDITIONS,
        "steps",
        accepts_initial=True,
        supports=queens_steepest_ascent.supports,
    ),
    HeuristicMethod(
        "genetic",
        Queens,
        "the document's two-parent genetic algorithm with local search",
        queens_genetic.run,
        queens_genetic.TwoParentParameters,
        queens_genetic.EDITIONS,
        "iterations",
        accepts_initial=True,
        supports=queens_genetic.supports,
    ),
    HeuristicMethod(
        "genetic-single",
        Queens,
        "the document's single-parent genetic algorithm: swaps of the worst gene",
        queens_genetic_single.run,
        queens_genetic_single.SingleParentParameters,
        queens_genetic_single.EDITIONS,
        "iterations",
        accepts_initial=True,
        supports=queens_genetic_single.supports,
    ),
    HeuristicMethod(
        "min-conflicts",
        Queens,
        "greedy start, then repairs of one attacked queen at a time; a million queens in seconds",
        queens_min_conflicts.run,
        queens_min_conflicts.MinConflictsParameters,
        queens_min_conflicts.EDITIONS,
        "steps",
        accepts_initial=True,
        supports=queens_min_conflicts.supports,
    ),
    HeuristicMethod(
        "annealing",
        Queens,
        "simulated annealing: swaps of two columns, slower cooling after each reheating",
        queens_annealing.run,
        queens_annealing.AnnealingParameters,
        queens_annealing.EDITIONS,
        "steps",
        accepts_initial=True,
        supports=queens_annealing.supports,
    ),
    HeuristicMethod(
        "backtracking",
        KnightTour,
        "the document's depth-first search, moves in its order; open or closed",
        tours_backtracking.run,
        tours_backtracking.BacktrackingParameters,
        ("printed", "described"),
        "nodes",
        accepts_initial=False,
        supports=tours_grid.supports,
    ),
    HeuristicMethod(
        "greedy",
        KnightTour,
        "backtracking, fewest ways on first: on the empty board (printed) or unvisited ones (described)",
        tours_greedy.run,
        tours_greedy.GreedyParameters,
        ("printed", "described"),
        "nodes",
        accepts_initial=False,
        supports=tours_grid.supports,
    ),
    HeuristicMethod(
        "warnsdorff",
        KnightTour,
        "Warnsdorff's rule with a choice of tie-breaks; restarts, backtracking or neither when stuck",
        tours_warnsdorff.run,
        tours_warnsdorff.WarnsdorffParameters,
        ("described",),
        "nodes",
        accepts_initial=False,
        supports=tours_grid.supports,
    ),
    HeuristicMethod(
        "divide-and-conquer",
        KnightTour,
        "closed tours of large boards from small ones (Parberry); an even number of squares, sides of 5 or more",
        tours_divide.run,
        tours_divide.DivideParameters,
        ("described",),
        "nodes",
        accepts_initial=False,
        supports=tours_divide.supports,
    ),
)
"""Every heuristic, grouped by problem, in the order in which `provemate methods` lists them."""


def find(name: str, problem: Problem) -> HeuristicMethod:
    """Return the method of that name for the problem; `UnsupportedProblem` lists those there are."""
    rows = [row for row in METHODS if isinstance(problem, row.problem)]
    for row in rows:
        if row.name == name:
            if reason := row.supports(problem):
                raise UnsupportedProblem(f"a problem that {name} supports", reason, where="--method")
            return row
    names = ", ".join(row.name for row in rows)
    raise UnsupportedProblem(f"a heuristic for {problem.name} ({names})", repr(name), where="--method")


def run(
    problem: Problem,
    name: str,
    *,
    limits: Limits,
    seed: int,
    edition: str | None = None,
    parameters: Any = None,
    initial: Answer | None = None,
    watch: Watcher | None = None,
) -> Result:
    """Run a heuristic once and check what it returns.

    The seconds, those of `limits` and of the result, begin when everything is imported and compiled and end
    before the check, which takes some two seconds a million squares and is not cut short. Raises `InputError`
    for an unknown edition, a seed outside 0..2**64-1, or an initial state where none is accepted, and
    `WrongAnswer` (a bug in the method) if the answer does not pass `problems`' checker or a proof is claimed.
    """
    check_seed(seed)
    method = find(name, problem)
    chosen = method.editions[0] if edition is None else edition
    if chosen not in method.editions:
        raise InputError(f"an edition of {name} ({', '.join(method.editions)})", repr(edition), where="--edition")
    if initial is not None and not method.accepts_initial:
        raise InputError(f"no initial state: {name} makes its own", "one", where="--initial")
    result = method.run(
        problem,
        limits=limits,
        seed=seed,
        edition=chosen,
        parameters=method.parameters() if parameters is None else parameters,
        initial=initial,
        watch=watch,
    )
    if result.status not in (Status.FEASIBLE, Status.UNKNOWN) or result.bound is not None:
        raise WrongAnswer(f"{name} is a heuristic and cannot claim {result.status} or a bound")
    return checked(result)
