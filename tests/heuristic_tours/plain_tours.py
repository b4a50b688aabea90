"""The tour searches once more, slow and simple, from their description alone: the kernels are held against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from problems import Board, KnightTour, Path, Square

# (column, row) steps in the document's order.
DOCUMENT_STEPS = ((-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1))

Order = Callable[[Board, set[Square], list[Square]], list[Square]]


def moves(board: Board, square: Square) -> list[Square]:
    targets = [(square[0] + dy, square[1] + dx) for dx, dy in DOCUMENT_STEPS]
    return [target for target in targets if target in board]


def plain(board: Board, visited: set[Square], targets: list[Square]) -> list[Square]:
    return targets


def static_degree(board: Board, visited: set[Square], targets: list[Square]) -> list[Square]:
    return sorted(targets, key=lambda square: len(moves(board, square)))


def unvisited_degree(board: Board, visited: set[Square], targets: list[Square]) -> list[Square]:
    return sorted(targets, key=lambda square: sum(s not in visited for s in moves(board, square)))


def search(problem: KnightTour, start: Square, order: Order) -> tuple[int, Path | None]:
    """Return the squares entered until the first open tour from `start`, or until all is tried, and the tour."""
    board, visited, path, nodes = problem.board, {start}, [start], 1
    untried: list[Iterator[Square]] = [iter(order(board, visited, moves(board, start)))]
    while untried:
        if len(path) == board.size:
            return nodes, tuple(path)
        following = next((square for square in untried[-1] if square not in visited), None)
        if following is None:
            untried.pop()
            visited.remove(path.pop())
        else:
            nodes += 1
            visited.add(following)
            path.append(following)
            untried.append(iter(order(board, visited, moves(board, following))))
    return nodes, None


def walk(board: Board, start: Square, pick: Callable[[list[Square]], Square]) -> Path:
    """Return the walk by Warnsdorff's rule, `pick` choosing among the squares with the fewest ways on."""
    path, visited = [start], {start}
    while targets := [square for square in moves(board, path[-1]) if square not in visited]:
        ways = [sum(s not in visited for s in moves(board, square)) for square in targets]
        path.append(pick([square for square, way in zip(targets, ways, strict=True) if way == min(ways)]))
        visited.add(path[-1])
    return tuple(path)


@cache
def all_tours(board: Board) -> set[Path]:
    """Return all directed open tours of a small board."""
    paths: list[Path] = [(square,) for square in board.squares()]
    while paths and len(paths[0]) < board.size:
        paths = [(*p, s) for p in paths for s in board.knight_moves(p[-1]) if s not in p]
    return set(paths)
