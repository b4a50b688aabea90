"""Queens by our own exhaustive search: counting, listing in order, completing, and one placement by formula.

Answers of `solve` and `enumerate_all` are not checked here but by `exact.dispatch`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import permutations

from exact.search.meter import Meter
from problems import Counters, Ending, InputError, Limits, Placement, Queens, Result, Status, checked
from problems.errors import shown
from problems.queens import shared_lines

NAME = "search"
MAX_MASK = 63
"""The largest board that is counted and listed: rows are 64-bit words."""
MAX_COMPLETION = 10_000
"""The largest board on which given queens are completed: a byte a square."""

_MASK_CHUNK = 4_000_000
"""Nodes between two looks at the clock, some 40 ms."""
_COMPLETION_CHUNK = 50_000_000
"""Squares touched between two looks at the clock; a node touches 8n."""


def supports(problem: Queens) -> str | None:
    """Return None, or why the search cannot decide the problem."""
    if problem.given and problem.n > MAX_COMPLETION:
        return f"given queens on a board of more than {MAX_COMPLETION} rows"
    return None


def solve(problem: Queens, *, limits: Limits, seed: int) -> Result:
    """Place the queens: by a formula when none is given, else by exhaustive search with restarts.

    The formula is that of E. Pauls (Deutsche Schachzeitung, 1874) as B. Bernhardsson states it (SIGART
    Bulletin, 1991); it takes time proportional to n for every n of 4 or more. `seed` orders the search for a
    completion. INFEASIBLE is exhaustive. Raises `InputError` for a problem that `supports` refuses.
    """
    if reason := supports(problem):
        raise InputError("a problem within reach of the search", reason, where="--engine", hint="use sat")
    meter = Meter(limits, max(1, _COMPLETION_CHUNK // (8 * problem.n + 1)))
    if clash := clashing(problem):
        return _decided(problem, meter, None, clash)
    if not problem.given and problem.n >= 4:
        return _decided(problem, meter, placement(constructed(problem.n)))
    if not problem.given:
        tiny = next((c for c in permutations(range(problem.n)) if not any(shared_lines(placement(c)))), None)
        if tiny is None:
            return _decided(problem, meter, None, "all permutations of the columns were tried")
        return _decided(problem, meter, placement(tiny))
    _warm_completion()
    meter.restart_clock()
    columns, exhausted = _completion(problem, meter, seed)
    if columns is not None:
        return _decided(problem, meter, placement(columns))
    return _decided(problem, meter, None, _exhausted(meter) if exhausted else None)


def enumerate_all(problem: Queens, *, limits: Limits, seed: int, keep: int, classes: bool) -> Result:
    """Count the placements, up to symmetry as well with `classes`, and keep the first `keep` in sorted order.

    Boards of up to 63 rows, `InputError` beyond. `count` and `classes` are totals only with `complete`; when a
    limit is reached, `count` says how many were found and `classes` is None. With given queens, classes are
    those of the completions (see `queens_masks.count_completions`). The seed has no effect.
    """
    _check_mask(problem)
    meter = Meter(limits, _MASK_CHUNK)
    if clash := clashing(problem):
        return _enumerated(problem, meter, (), 0, 0 if classes else None, explanation=clash)
    if problem.n <= 1:
        only = (placement([0] * problem.n),)
        return _enumerated(problem, meter, only, 1, 1 if classes else None, keep=keep)
    from exact.search.queens_masks import Listing, count_classes, count_completions, count_solutions, warm

    warm()
    meter.restart_clock()
    listing = Listing(problem, meter)
    first = tuple(placement(columns) for columns in listing.take(max(keep, 1)))
    count, complete, number = len(first), listing.exhausted, None
    if classes and problem.given:
        count, number, complete = count_completions(problem, meter)
    elif not complete and meter.ending is None:
        count, complete = count_solutions(problem, meter)
    if classes and not problem.given and complete:
        number = count_classes(problem.n, count)
    return _enumerated(problem, meter, first, max(count, len(first)), number, keep=keep, complete=complete)


def solution_at(problem: Queens, index: int, *, limits: Limits) -> Result:
    """Return the placement number `index`, counted from 1 in lexicographic order of row -> column.

    Boards of up to 63 rows. Raises `InputError` when there are fewer placements, naming their number; a limit
    that is reached first leaves UNKNOWN, with the number of placements passed in `count`.
    """
    _check_mask(problem)
    if index < 1:
        raise InputError("the number of a placement, from 1 on", shown(index), where="--index")
    meter = Meter(limits, _MASK_CHUNK)
    passed, columns = _nth(problem, index, meter)
    if columns is not None:
        return checked(_decided(problem, meter, placement(columns)))
    if meter.ending is not None:
        return _enumerated(problem, meter, (), passed, None, complete=False)
    there_are = f"a number from 1 to {passed}" if passed else "no number, since there is no placement"
    raise InputError(there_are, shown(index), where="--index")


def _nth(problem: Queens, index: int, meter: Meter) -> tuple[int, list[int] | None]:
    """Return how many placements were seen, and the columns of the one asked for if it was reached."""
    if clashing(problem):
        return 0, None
    if problem.n <= 1:
        return 1, [0] * problem.n if index == 1 else None
    from exact.search.queens_masks import Listing, warm

    warm()
    meter.restart_clock()
    listing = Listing(problem, meter)
    listing.skip(index - 1)
    columns = next(listing.take(1), None)
    return listing.passed, columns


def placement(columns: Iterable[int]) -> Placement:
    """Return the squares of row -> column."""
    return tuple(enumerate(columns))


def clashing(problem: Queens) -> str | None:
    """Return the sentence that says which given queens attack each other, None if none do."""
    violation = next(shared_lines(problem.given), None)
    if violation is None:
        return None
    names = ", ".join(map(problem.board.name, violation.squares))
    return f"the given queens {names} share a {violation.kind.removeprefix('same-')}"


def constructed(n: int) -> list[int]:
    """Return a placement, row -> column, in time proportional to n; for n of 4 or more."""
    if n % 2:
        return [*constructed(n - 1), n - 1]
    half = n // 2
    if n % 6 != 2:
        return [*range(1, n, 2), *range(0, n, 2)]
    top = [(2 * row + half - 1) % n for row in range(half)]
    return top + [n - 1 - column for column in reversed(top)]


@cache
def _warm_completion() -> None:
    _completion(Queens(4, ((0, 1),)), Meter(Limits(), 1), 0)


def _completion(problem: Queens, meter: Meter, seed: int) -> tuple[list[int] | None, bool]:
    """Search in random orders, each time with twice the nodes; return the columns, or whether there are none.

    The nodes of an attempt grow without end, so that the search is exhaustive.
    """
    import numpy as np

    from exact.search.queens_completion import Verdict, begin, complete, place

    n, rng = problem.n, np.random.default_rng(seed)
    given, attackers, free = np.full(n, -1, np.int64), np.zeros((n, n), np.int8), np.full(2 * n, n, np.int64)
    for row, col in problem.given:
        given[row] = col
        place(attackers, free, row, col, 1)
    allowance = 20 * n + 1_000
    while True:
        ties, values = rng.permutation(2 * n), rng.permutation(n)
        columns, path, occupied = given.copy(), np.empty((n + 1, 2), np.int64), np.zeros(2 * n, np.int8)
        state = (attackers.copy(), free.copy(), columns, ties, values, occupied, path)
        begin(state[1], columns, ties, occupied, path)
        depth, left = 0, allowance
        while left > 0:
            verdict, nodes, depth = complete(*state, depth, min(left, meter.chunk))
            left -= nodes
            going_on = meter.spend(nodes)
            if verdict == Verdict.SOLVED:
                return columns.tolist(), False
            if verdict == Verdict.EXHAUSTED:
                return None, True
            if not going_on:
                return None, False
        allowance *= 2


def _check_mask(problem: Queens) -> None:
    if problem.n > MAX_MASK:
        raise InputError(f"a board of at most {MAX_MASK} rows to count", str(problem.n), where="--engine search")


def _exhausted(meter: Meter) -> str:
    return f"exhaustive search, {meter.nodes} queens placed"


def _decided(problem: Queens, meter: Meter, answer: Placement | None, explanation: str | None = None) -> Result:
    """Return FEASIBLE with an answer, INFEASIBLE with an explanation, else UNKNOWN."""
    status = Status.FEASIBLE if answer is not None else Status.INFEASIBLE if explanation else Status.UNKNOWN
    undecided = meter.ending if status is Status.UNKNOWN else None
    return Result(
        method=NAME,
        engine=NAME,
        problem=problem,
        status=status,
        ending=undecided or Ending.FINISHED,
        seconds=meter.seconds,
        answer=answer,
        counters=Counters(nodes=meter.nodes),
        explanation=explanation,
    )


def _enumerated(
    problem: Queens,
    meter: Meter,
    first: tuple[Placement, ...],
    count: int,
    classes: int | None,
    *,
    keep: int = 0,
    complete: bool = True,
    explanation: str | None = None,
) -> Result:
    """Return what an enumeration found: totals if it is complete."""
    status = Status.FEASIBLE if count else Status.INFEASIBLE if complete else Status.UNKNOWN
    if status is Status.INFEASIBLE and explanation is None:
        explanation = _exhausted(meter)
    return Result(
        method=NAME,
        engine=NAME,
        problem=problem,
        status=status,
        ending=Ending.FINISHED if complete else meter.ending or Ending.CRASHED,
        seconds=meter.seconds,
        answer=first[0] if first else None,
        answers=first[:keep],
        count=count,
        classes=classes if complete else None,
        complete=complete,
        counters=Counters(nodes=meter.nodes),
        explanation=explanation,
    )
