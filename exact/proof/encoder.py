"""Formulas derived from problems: short, deterministic, and written apart from every engine's own models.

Variables are numbered from 1; clauses are tuples of non-zero integers, as in DIMACS. What a formula says:

* knights: variable i is a knight on the i-th site of a part; a clause a target; `at_most` bounds their number;
* queens: variable row * n + col + 1 is a queen there; one in every row, no two in line;
* tours: a variable for each edge between two squares (in sorted order), for an open tour then one for each
  square that may be an end, as if it were linked to one square more, outside the board; degree two everywhere.

Every answer of a problem gives a model of its formula, so a refuted formula proves that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from exact.proof.reading import Fault
from problems import Board, KnightCover, KnightTour, Queens, Rule, Square

Clause = tuple[int, ...]


def at_most(variables: Sequence[int], limit: int, top: int) -> Iterator[Clause]:
    """Yield clauses that allow at most `limit` of the variables, with auxiliary variables from `top` + 1 on.

    The sequential counter: auxiliary (i, j), variable `top` + 1 + i * `limit` + j (i, j from 0), is true when
    more than j of the first i + 1 variables are. Numbers whose auxiliary could not be true stay unused.
    C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005.
    """
    if limit >= len(variables):
        return
    if limit == 0:
        yield from ((-variable,) for variable in variables)
        return
    for i, variable in enumerate(variables):
        row = top + 1 + i * limit
        before = row - limit
        if i >= limit:
            yield (-variable, 1 - row)
        if i == len(variables) - 1:
            return
        yield (-variable, row)
        for j in range(min(i, limit)):
            yield (-before - j, row + j)
            if j + 1 < limit:
                yield (-variable, -before - j, row + j + 1)


def sites(problem: KnightCover, targets: Iterable[Square]) -> tuple[Square, ...]:
    """Return the squares, sorted, from which a knight covers at least one of the targets."""
    return tuple(sorted({site for target in targets for site in problem.covers(target)}))


def knights(problem: KnightCover, targets: Sequence[Square], limit: int) -> Iterator[Clause]:
    """Yield the clauses that cover the targets with at most `limit` knights on their `sites`."""
    numbers = {site: number for number, site in enumerate(sites(problem, targets), 1)}
    for target in targets:
        yield tuple(numbers[site] for site in sorted(problem.covers(target)))
    if problem.rule is Rule.INDEPENDENT:
        for site, number in numbers.items():
            for other in problem.attacks(site):
                if site < other and other in numbers:
                    yield (-number, -numbers[other])
    yield from at_most(tuple(numbers.values()), limit, len(numbers))


def knights_map(problem: KnightCover, targets: Sequence[Square]) -> Iterator[str]:
    """Yield what the variables of `knights` mean, one a line; those that are left count knights."""
    for number, site in enumerate(sites(problem, targets), 1):
        yield f"{number} knight {problem.board.name(site)}"


def queens(problem: Queens) -> Iterator[Clause]:
    """Yield the clauses that put a queen in every row, no two in line, and the given ones where they are."""
    n = problem.n
    for row in range(n):
        yield tuple(range(row * n + 1, row * n + n + 1))
    for row in range(n):
        for col in range(n):
            for square in _in_line_after(row, col, n):
                yield (-queen_number(problem, (row, col)), -queen_number(problem, square))
    for square in problem.given:
        yield (queen_number(problem, square),)


def queens_map(problem: Queens) -> Iterator[str]:
    """Yield what the variables of `queens` mean, one a line."""
    if problem.n:
        for square in problem.board.squares():
            yield f"{queen_number(problem, square)} queen {problem.board.name(square)}"


def queen_number(problem: Queens, square: Square) -> int:
    """Return the variable of a queen on a square."""
    return square[0] * problem.n + square[1] + 1


def _in_line_after(row: int, col: int, n: int) -> Iterator[Square]:
    """Yield the squares after (row, col) in reading order that a queen there attacks."""
    yield from ((row, other) for other in range(col + 1, n))
    for down in range(row + 1, n):
        yield from ((down, c) for c in (col - (down - row), col, col + down - row) if 0 <= c < n)


Edge = tuple[Square, Square]


def edges(board: Board) -> tuple[Edge, ...]:
    """Return the pairs of squares that a knight move joins, each pair and the whole sorted."""
    return tuple(
        (square, other) for square in board.squares() for other in board.knight_moves(square) if square < other
    )


def possible_ends(problem: KnightTour) -> tuple[Square, ...]:
    """Return the squares where the problem lets an open tour begin or end, sorted; none for a closed tour."""
    if problem.closed:
        return ()
    if problem.start is not None and problem.end is not None:
        return tuple(sorted({problem.start, problem.end}))
    return tuple(problem.board.squares())


def check_tour_size(problem: KnightTour) -> None:
    """Raise `Fault` where there is a tour without a move, which degrees do not describe.

    These are the empty tour of a board without squares, open or closed, and the open tour of one square. A closed
    tour has three squares or more (see `problems.KnightTour`), so degrees refute those of one square and of two.
    """
    size = problem.board.size
    if size == 0 or (size == 1 and not problem.closed):
        raise Fault(f"on {size} square(s) a tour is not described by the degrees of its squares")


def tour(problem: KnightTour, cuts: Iterable[Sequence[Square]]) -> Iterator[Clause]:
    """Yield the clauses of degree two at every square, and one a cut: the tour leaves that set of squares."""
    incident, ends = _incidence(problem)
    for square in problem.board.squares():
        yield from _exactly_two(incident[square])
    if not problem.closed:
        yield from _exactly_two(tuple(ends.values()))
        yield from ((ends[square],) for square in (problem.start, problem.end) if square is not None)
    for cut in cuts:
        inside = set(cut)
        border = {n for square in cut for n, other in _links(problem, incident, square) if other not in inside}
        yield tuple(sorted(border))


def boundary(problem: KnightTour, cut: Sequence[Square]) -> Clause:
    """Return the clause of one cut."""
    return list(tour(problem, (cut,)))[-1]


def tour_map(problem: KnightTour) -> Iterator[str]:
    """Yield what the variables of `tour` mean, one a line."""
    name, numbered = problem.board.name, edges(problem.board)
    for number, (square, other) in enumerate(numbered, 1):
        yield f"{number} move {name(square)} {name(other)}"
    for number, square in enumerate(possible_ends(problem), len(numbered) + 1):
        yield f"{number} end {name(square)}"


def _incidence(problem: KnightTour) -> tuple[dict[Square, tuple[int, ...]], dict[Square, int]]:
    """Return the variables at each square, and the variables of the ends."""
    found: dict[Square, list[int]] = {square: [] for square in problem.board.squares()}
    numbered = edges(problem.board)
    for number, edge in enumerate(numbered, 1):
        for square in edge:
            found[square].append(number)
    ends = {square: number for number, square in enumerate(possible_ends(problem), len(numbered) + 1)}
    for square, number in ends.items():
        found[square].append(number)
    return {square: tuple(numbers) for square, numbers in found.items()}, ends


def _links(
    problem: KnightTour, incident: dict[Square, tuple[int, ...]], square: Square
) -> Iterator[tuple[int, Square | None]]:
    """Yield the variables at a square with where they lead: a square, or None for outside the board."""
    moves = problem.board.knight_moves(square)
    yield from zip(incident[square], (*moves, None), strict=False)


def _exactly_two(variables: tuple[int, ...]) -> Iterator[Clause]:
    """Yield clauses without auxiliaries: of any all but one, one is true; of any three, one is false."""
    yield from combinations(variables, len(variables) - 1) if variables else [()]
    yield from ((-a, -b, -c) for a, b, c in combinations(variables, 3))


def largest_variable(clauses: Iterable[Clause]) -> int:
    """Return the largest variable in the clauses, 0 for none: what the header of a DIMACS file states."""
    return max((abs(literal) for clause in clauses for literal in clause), default=0)


def dimacs(clauses: Sequence[Clause], comments: Iterable[str] = ()) -> bytes:
    """Return the clauses as a DIMACS file, `comments` at its head."""
    top = largest_variable(clauses)
    lines = [f"c {comment}" for comment in comments]
    lines.append(f"p cnf {top} {len(clauses)}")
    lines.extend(" ".join(map(str, (*clause, 0))) for clause in clauses)
    return ("\n".join(lines) + "\n").encode("ascii")
