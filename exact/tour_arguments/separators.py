"""Find few squares without which a board falls into many pieces. Imports no solver.

Removing squares that a tour passes can only cut the tour once a square, so such a set proves that there is no
tour. The search is a search only: it looks at sets that the
board's symmetries map to themselves, then climbs from the neighbours of squares with few moves, on small boards.
"""

from __future__ import annotations

from collections.abc import Iterator

from problems import Board, Square

MOST_SQUARES = 64
"""Largest board, in squares, on which separators are looked for."""

_MOST_ORBITS = 10
_MOST_SQUARES_TO_CLIMB = 28
_FEW_MOVES = 3
_PATIENCE = 8


def find_separator(board: Board, ends: tuple[Square, ...], slack: int) -> tuple[Square, ...] | None:
    """Return k squares that leave more pieces than k + slack less the `ends` among them; None if not found.

    The squares come sorted. None means nothing: the search is incomplete.
    """
    if not 2 < board.size <= MOST_SQUARES:
        return None
    graph = _Graph(board, ends, slack)
    for removed in _candidates(graph):
        if graph.excess(removed) > 0:
            return graph.squares_of(removed)
    return None


class _Graph:
    """The knight graph with sets of squares as bit masks."""

    def __init__(self, board: Board, ends: tuple[Square, ...], slack: int) -> None:
        self.board = board
        self.squares = tuple(board.squares())
        index = {square: i for i, square in enumerate(self.squares)}
        self.near = [sum(1 << index[move] for move in board.knight_moves(square)) for square in self.squares]
        self.all = (1 << len(self.squares)) - 1
        self.ends = sum(1 << index[square] for square in set(ends))
        self.slack = slack

    def squares_of(self, mask: int) -> tuple[Square, ...]:
        return tuple(square for i, square in enumerate(self.squares) if mask >> i & 1)

    def excess(self, removed: int) -> int:
        """Return by how many the pieces without `removed` exceed what a tour allows."""
        if not removed:
            return -len(self.squares)
        return (
            self._pieces(self.all & ~removed)
            - removed.bit_count()
            - self.slack
            + (removed & self.ends).bit_count()
        )

    def _pieces(self, rest: int) -> int:
        number = 0
        while rest:
            number += 1
            front = rest & -rest
            rest ^= front
            while front:
                square = front & -front
                reached = self.near[square.bit_length() - 1] & rest
                front = (front ^ square) | reached
                rest ^= reached
        return number

    def orbits(self) -> list[int]:
        """Return the orbits of the squares under the symmetries that keep the ends, as masks."""
        rows, cols = self.board.rows, self.board.cols
        index = {square: i for i, square in enumerate(self.squares)}
        ends = set(self.squares_of(self.ends))
        keeping = [s for s in self.board.symmetries() if {s.apply(end, rows, cols) for end in ends} == ends]
        orbits = {sum({1 << index[s.apply(square, rows, cols)] for s in keeping}) for square in self.squares}
        return sorted(orbits)


def _candidates(graph: _Graph) -> Iterator[int]:
    orbits = graph.orbits()
    if len(orbits) <= _MOST_ORBITS:
        for choice in range(1, 1 << len(orbits)):
            yield sum(orbit for i, orbit in enumerate(orbits) if choice >> i & 1)
    if len(graph.squares) <= _MOST_SQUARES_TO_CLIMB:
        for removed in sorted({near for near in graph.near if near.bit_count() <= _FEW_MOVES}):
            yield from _climb(graph, removed)


def _climb(graph: _Graph, removed: int) -> Iterator[int]:
    """Yield sets on a walk that toggles the best square each time, never one toggled lately (a tabu search)."""
    lately: list[int] = []
    tenure = min(6, len(graph.squares) // 2)
    yield removed
    for _ in range(_PATIENCE):
        moves = [bit for i in range(len(graph.squares)) if (bit := 1 << i) not in lately]
        best = max(moves, key=lambda bit: graph.excess(removed ^ bit))
        removed ^= best
        lately = [*lately, best][-tenure:]
        yield removed
