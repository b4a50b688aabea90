"""How to count tours by two frontiers: the order of the vertices and what each step has to know. No numpy here.

The vertices are ordered column by column along the longer side. One frontier processes the first half of them,
the other one, from the far end, decides the edges within the second half; the vertices of the second half that
the first half touches are where they meet. States that no completion exists for pile up in the second half of
a single frontier (on 6x7 nine in ten at the end), which is why two are far fewer states.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from exact.tour_model import TourModel, tour_model
from problems import KnightTour, Square

WIDEST = 19
"""Most slots for which a mate table always fits into 64 bits (see `exact.search.tours_frontier`)."""

Slots = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a frontier: what `tours_frontier.advance` has to know besides the states."""

    kept: Slots
    fresh: Slots
    here: int
    stays: bool
    near: Slots
    left: Slots
    forced: int
    last: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How to count: the steps from the front, those from the back, and the number of slots where they meet.

    Without steps from the back, the front alone counts.
    """

    front: tuple[Step, ...]
    back: tuple[Step, ...]
    meeting: int

    @property
    def width(self) -> int:
        """The most slots that a table has."""
        return max(len(step.left) - (not step.stays) for step in self.front + self.back)


def best_plan(problem: KnightTour) -> Plan:
    """Return the narrower of the plans along the columns and along the rows."""
    model = tour_model(problem)
    return min((_plan(model, by_rows) for by_rows in (False, True)), key=lambda plan: plan.width)


def _plan(model: TourModel, by_rows: bool) -> Plan:
    def place(vertex: int) -> Square:
        row, col = model.squares[vertex]
        return (row, col) if by_rows else (col, row)

    order = [*sorted(range(len(model.squares)), key=place), *range(len(model.squares), model.order)]
    rank = {vertex: position for position, vertex in enumerate(order)}
    near: list[set[int]] = [set() for _ in order]
    for u, v in model.edges:
        near[rank[u]].add(rank[v])
        near[rank[v]].add(rank[u])
    dummy = len(model.squares)
    forced = {rank[g.candidates[0]]: dummy for g in model.ends if len(g.candidates) == g.number == 1}
    board = model.problem.board
    line = board.cols if by_rows else board.rows
    return _meeting_plan(near, forced, None if model.problem.closed else dummy, (line + 1) // 2)


def _boundary(near: list[set[int]], middle: int) -> set[int]:
    """Return the vertices from `middle` on that those before are joined to."""
    return {w for v in range(middle) for w in near[v] if w >= middle}


def _meeting_plan(near: list[set[int]], forced: dict[int, int], dummy: int | None, reach: int) -> Plan:
    """Return the plan that meets within `reach` steps of half the vertices, where the boundary is narrowest."""
    order = len(near)
    boundaries = {
        i: _boundary(near, i) for i in range(max(1, order // 2 - reach), min(order, order // 2 + reach) + 1)
    }
    middle = min(boundaries, key=lambda i: (len(boundaries[i]), abs(2 * i - order)))
    boundary = boundaries[middle]
    front = _steps(near, range(middle), range(order), (), forced)
    # The dummy vertex is joined to squares all over the board: last of all, or not at all where it is a slot.
    back = [v for v in reversed(range(middle, order)) if v != dummy]
    if dummy is not None and dummy >= middle and dummy not in boundary:
        back.append(dummy)
    return Plan(front, _steps(near, back, range(middle, order), boundary, forced), len(boundary))


def _steps(
    near: list[set[int]], sequence: Sequence[int], within: range, boundary: Collection[int], forced: dict[int, int]
) -> tuple[Step, ...]:
    """Return the steps that process the vertices of `sequence`, with edges `within` a set of vertices.

    The vertices of `boundary` stay, with any number of edges, and have slots at the end.
    """
    steps = []
    waiting = set(within)
    frontier: list[int] = []
    for position, vertex in enumerate(sequence):
        waiting.remove(vertex)
        joinable = near[vertex] & waiting
        slots = sorted({*frontier, vertex, *joinable, *(boundary if position == len(sequence) - 1 else ())})
        slot = {v: j for j, v in enumerate(slots)}
        stays = vertex in boundary
        steps.append(
            Step(
                kept=tuple(slot[v] for v in frontier),
                fresh=tuple(slot[v] for v in slots if v not in frontier),
                here=slot[vertex],
                stays=stays,
                near=tuple(slot[v] for v in sorted(joinable)),
                left=tuple(2 if v in boundary else len(near[v] & waiting) for v in slots),
                forced=slot.get(forced.get(vertex, -1), -1),
                last=not boundary and waiting <= slot.keys(),
            )
        )
        frontier = [v for v in slots if v != vertex or stays]
    return tuple(steps)
