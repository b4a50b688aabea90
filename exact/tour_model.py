"""Knight's tours as Hamiltonian cycles: vertices, edges, degree clauses and cuts. Imports no solver.

A closed tour is a Hamiltonian cycle of the knight graph; an open one becomes a cycle through a dummy vertex
that is joined to the squares where the tour may start or end. The formula has one variable an undirected edge
and says that every square has exactly two edges of the cycle. Its models are the 2-factors: disjoint cycles.
A cut, added for a component of a 2-factor, says that some edge leaves that set of squares. A set of cuts with
which the formula is unsatisfiable proves that there is no tour: every clause of it holds for every tour.

Everything is deterministic. Vertices are the squares in row-major order, the dummy vertex last; edges are
pairs `(u, v)` with u < v in lexicographic order, and the edge with index i has variable i + 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from problems import KnightTour, Path, Square, colour

Clause = tuple[int, ...]
Edge = tuple[int, int]

WRITTEN_OUT = 90
"""Most candidates for the ends of a tour for which their number is written out without auxiliary variables."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Exactly `number` (1 or 2) of the `candidates` (vertices, ascending) are ends of the open tour."""

    candidates: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class TourModel:
    """The graph in which a tour is a Hamiltonian cycle.

    Vertex v < len(squares) is the square `squares[v]`; an open tour has one more, the dummy vertex.
    `edges` are those of the graph, `ends` say how the dummy vertex may be joined (empty for a closed tour).
    """

    problem: KnightTour
    squares: tuple[Square, ...]
    edges: tuple[Edge, ...]
    ends: tuple[Ends, ...]

    @property
    def order(self) -> int:
        """The number of vertices, the dummy vertex included."""
        return len(self.squares) + (not self.problem.closed)

    def incident(self) -> tuple[tuple[int, ...], ...]:
        """Return for each vertex the indices of its edges, ascending."""
        lists: list[list[int]] = [[] for _ in range(self.order)]
        for index, (u, v) in enumerate(self.edges):
            lists[u].append(index)
            lists[v].append(index)
        return tuple(map(tuple, lists))


def tour_model(problem: KnightTour) -> TourModel:
    """Return the graph of the problem, without regard to whether it has a tour."""
    board = problem.board
    squares = tuple(board.squares())
    vertex = {square: index for index, square in enumerate(squares)}
    ends = () if problem.closed else _ends(problem, vertex)
    dummy = len(squares)
    may_end = {candidate for group in ends for candidate in group.candidates}
    edges: list[Edge] = []
    for index, square in enumerate(squares):
        edges.extend((index, other) for move in board.knight_moves(square) if (other := vertex[move]) > index)
        if index in may_end:
            edges.append((index, dummy))
    return TourModel(problem, squares, tuple(edges), ends)


def _ends(problem: KnightTour, vertex: dict[Square, int]) -> tuple[Ends, ...]:
    """Return where the tour may start and end: colours alternate along it, so their numbers decide."""
    given = [square for square in (problem.start, problem.end) if square is not None]
    fixed = tuple(Ends((vertex[square],), 1) for square in given)
    if len(given) == 2:
        return fixed
    by_colour = [tuple(v for square, v in vertex.items() if colour(square) == c) for c in (0, 1)]
    surplus = len(by_colour[0]) - len(by_colour[1])
    if not given:
        if surplus == 0:
            return (Ends(by_colour[0], 1), Ends(by_colour[1], 1))
        return (Ends(by_colour[0 if surplus > 0 else 1], 2),)
    # An even number of squares: the ends differ in colour. An odd one: they are of the same, larger colour.
    other = by_colour[1 - colour(given[0]) if surplus % 2 == 0 else colour(given[0])]
    return (*fixed, Ends(tuple(v for v in other if v != vertex[given[0]]), 1))


def degree_clauses(model: TourModel) -> Iterator[Clause]:
    """Yield the clauses whose models, projected on the edge variables, are the 2-factors of the graph.

    Vertex by vertex: "at least two" over the edges less one, "at most two" over triples. The ends of an open
    tour likewise, but by a counter with auxiliary variables (after those of the edges) for more than
    `WRITTEN_OUT` candidates; the edges determine these, so they multiply no models.
    """
    incident = model.incident()
    for edges in incident[: len(model.squares)]:
        yield from _exactly([index + 1 for index in edges], 2)
    top = len(model.edges)
    variable = {edge: index + 1 for index, edge in enumerate(model.edges)} if model.ends else {}
    dummy = len(model.squares)
    for group in model.ends:
        literals = [variable[candidate, dummy] for candidate in group.candidates]
        if len(literals) <= WRITTEN_OUT:
            yield from _exactly(literals, group.number)
        else:
            yield from _counted(literals, group.number, top)
            top += len(literals) * (group.number + 1)


def _exactly(literals: Sequence[int], number: int) -> Iterator[Clause]:
    """Yield clauses, without auxiliary variables, that say that exactly `number` of the literals are true."""
    if len(literals) < number:
        yield ()
        return
    yield from combinations(literals, len(literals) - number + 1)
    for several in combinations(literals, number + 1):
        yield tuple(-literal for literal in several)


def _counted(literals: Sequence[int], number: int, top: int) -> Iterator[Clause]:
    """Yield the same by a counter: variable `top + 1 + i * (number + 1) + j` is "more than j of literals 0..i"."""
    width = number + 1
    for i, literal in enumerate(literals):
        for j in range(width):
            here = top + 1 + i * width + j
            before = [here - width] if i else []
            if i == 0 and j > 0:
                yield (-here,)
                continue
            # here <=> before or step, where step is: this literal, and more than j - 1 of those before.
            step = [literal, here - width - 1] if j else [literal]
            yield from ((-earlier, here) for earlier in before)
            yield (*(-part for part in step), here)
            yield from ((-here, *before, part) for part in step)
    last = top + 1 + (len(literals) - 1) * width
    yield (last + number - 1,)
    yield (-(last + number),)


def cut_clauses(model: TourModel, cuts: Sequence[Collection[int]]) -> Iterator[Clause]:
    """Yield for each cut, a set of vertices, the clause that some edge leaves it; two do, as degrees are even.

    True of every tour for a proper, non-empty set of vertices.
    """
    incident = model.incident() if cuts else ()
    for cut in cuts:
        inside = frozenset(cut)
        leaving = {
            i
            for v in inside
            for i in incident[v]
            if (model.edges[i][0] in inside) != (model.edges[i][1] in inside)
        }
        yield tuple(i + 1 for i in sorted(leaving))


def cycles(model: TourModel, chosen: Iterable[int]) -> list[list[int]]:
    """Return the cycles that the chosen edges (indices) form, each as its vertices in cyclic order.

    A cycle starts at its least vertex, in the direction of the smaller neighbour; cycles come in the order of
    their least vertices. Raises `ValueError` unless every vertex has degree 2.
    """
    neighbours: list[list[int]] = [[] for _ in range(model.order)]
    for index in chosen:
        u, v = model.edges[index]
        neighbours[u].append(v)
        neighbours[v].append(u)
    if any(len(pair) != 2 for pair in neighbours):
        raise ValueError("expected two edges at every vertex")
    found = []
    seen = [False] * model.order
    for first in range(model.order):
        if not seen[first]:
            found.append(_walk(neighbours, first))
            for vertex in found[-1]:
                seen[vertex] = True
    return found


def _walk(neighbours: list[list[int]], first: int) -> list[int]:
    cycle = [first]
    previous, here = first, min(neighbours[first])
    while here != first:
        cycle.append(here)
        a, b = neighbours[here]
        previous, here = here, b if a == previous else a
    return cycle


def sides(model: TourModel, components: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the components as cuts: sorted, without the dummy vertex (its component is replaced by the rest).

    Two components have the same boundary, so they give one cut.
    """
    dummy = len(model.squares)
    cuts = []
    for component in components:
        inside = set(component)
        if dummy in inside:
            inside = set(range(dummy)) - inside
        cuts.append(tuple(sorted(inside)))
    return cuts if len(components) > 2 else cuts[:1]


def path_of(model: TourModel, cycle: Sequence[int]) -> Path:
    """Return a Hamiltonian cycle as the path that answers the problem, in canonical form.

    Open tours run from `start` to `end` where given, else from the smaller end. Closed ones begin at `start`,
    else at the least square, in the direction of the smaller neighbour.
    """
    problem = model.problem
    if problem.closed:
        first = 0 if problem.start is None else cycle.index(model.squares.index(problem.start))
        turned = [*cycle[first:], *cycle[:first]]
        if len(turned) > 2 and turned[1] > turned[-1]:
            turned = [turned[0], *reversed(turned[1:])]
    else:
        first = cycle.index(len(model.squares))
        turned = [*cycle[first + 1 :], *cycle[:first]]
        ends = (model.squares[turned[0]], model.squares[turned[-1]])
        if ends[1] == problem.start or ends[0] == problem.end or (_free(problem) and turned[0] > turned[-1]):
            turned.reverse()
    return tuple(model.squares[vertex] for vertex in turned)


def _free(problem: KnightTour) -> bool:
    return problem.start is None and problem.end is None


def undirected(path: Path, closed: bool) -> Path:
    """Return the one way in which an undirected tour is written: the least of its paths."""
    if not closed:
        return min(path, path[::-1])
    first = path.index(min(path))
    turned = path[first:] + path[:first]
    return min(turned, turned[:1] + turned[:0:-1])
