"""Lower bounds on knight covers by weights on squares, checked with integers alone.

A *weighting* gives some squares of a part whole weights such that no knight covers squares of more weight than
the `unit`. A placement that covers them all then has at least (sum of weights) / unit knights: it is a solution of
the linear relaxation's dual, scaled. Where one weighting is not enough, a tree of cases (this square has a knight,
or has none) ends in weightings, each for the knights that are fixed there. Cases that are images of each other
under symmetries of the case are stated once. Bounds of parts add up when no knight covers squares of two parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exact.proof.claims import NAMES_OF_SYMMETRIES, SYMMETRY_NAMES, squares_json
from exact.proof.encoder import sites
from exact.proof.reading import Fault, TooLarge, fields, integer, items, quoted, square, squares_on
from problems import Board, KnightCover, Rule, Square, Symmetry

MAX_SQUARES = 40_000
"""The largest board, in squares, for which weights are read."""

MAX_DEPTH = 200
"""The most cases, one within the other, that are read; the trees found so far are 40 deep at most."""

MAX_DECIDED = 5_000_000
"""The most squares decided, added up over all nodes of all trees: what checking takes time for."""

IDENTITY = Symmetry(False, False, False)

NodeId = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Weighting:
    """A leaf: weights of squares, positive integers; no free knight covers more than `unit` of them."""

    unit: int
    weights: Mapping[Square, int]


@dataclass(frozen=True, slots=True)
class Cases:
    """A branch: first case, `square` (up to the symmetries) has a knight or none; second case, the opposite.

    With `knight`, the first case is a knight on `square` and the second no knight on it or any of its images;
    without, the first is no knight on `square` and the second knights on it and all of its images. Each of
    `symmetries` maps the part, and the squares decided before, onto themselves.
    """

    square: Square
    knight: bool
    symmetries: tuple[Symmetry, ...]
    first: Tree
    second: Tree


Tree = Weighting | Cases


@dataclass(frozen=True, slots=True)
class Part:
    """Squares to cover, a lower bound on the knights it takes, and the symmetries to parts like it.

    `images` includes the identity; each of the parts they lead to needs at least `bound` knights.
    """

    targets: tuple[Square, ...]
    images: tuple[Symmetry, ...]
    bound: int
    tree: Tree


@dataclass(frozen=True, slots=True)
class Case:
    """The squares decided on the way to a node: knights stand on `knights` and not on `empty`."""

    knights: frozenset[Square]
    empty: frozenset[Square]


def check_bound(problem: KnightCover, parts: Sequence[Part]) -> int:
    """Return the lower bound that the parts prove together; `Fault` with the first thing that is wrong."""
    check_parts(problem, parts)
    trees = _Trees(problem)
    for number, part in enumerate(parts, 1):
        trees.check(part, f"part {number}")
    return sum(part.bound * len(part.images) for part in parts)


def check_parts(problem: KnightCover, parts: Sequence[Any]) -> None:
    """Check that parts and their images are on the board and that no knight covers squares of two of them."""
    board = problem.board
    seen: dict[Square, int] = {}
    symmetries = board.symmetries()
    for number, part in enumerate(parts, 1):
        if IDENTITY not in part.images or len(set(part.images)) < len(part.images):
            raise Fault(f"part {number}: its images do not include the identity, or are not all different")
        for image in part.images:
            if image not in symmetries:
                raise Fault(
                    f"part {number}: {NAMES_OF_SYMMETRIES[image]} does not map the {board} board onto itself"
                )
            reached = sites(problem, [image.apply(target, board.rows, board.cols) for target in part.targets])
            for site in reached:
                if site in seen:
                    raise Fault(
                        f"a knight on {board.name(site)} covers squares of part {seen[site]} and of part {number}"
                    )
            seen.update(dict.fromkeys(reached, number))


def walk(problem: KnightCover, part: Part) -> Iterator[tuple[NodeId, Tree, Case]]:
    """Yield the nodes of the part's tree with what is decided there, first cases first.

    A node is named by the choices (1 or 2) that lead to it. Nothing is checked here.
    """
    waiting: list[tuple[NodeId, Tree, Case]] = [((), part.tree, Case(frozenset(), frozenset()))]
    while waiting:
        name, node, case = waiting.pop()
        yield name, node, case
        if isinstance(node, Cases):
            first, second = _decided(problem, node, case)
            waiting.append(((*name, 2), node.second, second))
            waiting.append(((*name, 1), node.first, first))


def orbit(board: Board, node: Cases) -> frozenset[Square]:
    """Return the square of a branch and its images under the branch's symmetries."""
    images = {symmetry.apply(node.square, board.rows, board.cols) for symmetry in node.symmetries}
    return frozenset(images | {node.square})


def _decided(problem: KnightCover, node: Cases, case: Case) -> tuple[Case, Case]:
    one, all_ = frozenset({node.square}), orbit(problem.board, node)
    if node.knight:
        return placed(problem, case, one), Case(case.knights, case.empty | all_)
    return Case(case.knights, case.empty | one), placed(problem, case, all_)


def placed(problem: KnightCover, case: Case, knights: frozenset[Square]) -> Case:
    """Return the case with more knights; where knights must not attack each other, attacked squares stay empty."""
    empty = case.empty
    if problem.rule is Rule.INDEPENDENT:
        empty = empty.union(*(problem.attacks(knight) for knight in knights))
    return Case(case.knights | knights, empty)


class _Trees:
    """Checks the trees of one problem, and adds up what that takes."""

    def __init__(self, problem: KnightCover) -> None:
        self._problem = problem
        self._symmetries = frozenset(problem.board.symmetries())
        self._decided = 0

    def check(self, part: Part, where: str) -> None:
        """Check that every leaf of the part's tree proves its bound; `Fault` where one does not."""
        free = frozenset(sites(self._problem, part.targets))
        targets = frozenset(part.targets)
        kept = frozenset(s for s in self._symmetries if _maps_onto_itself(s, self._problem.board, targets))
        for name, node, case in walk(self._problem, part):
            place = f"{where}, case {'.'.join(map(str, name))}" if name else where
            self._decided += len(case.knights) + len(case.empty)
            if self._decided > MAX_DECIDED:
                raise TooLarge(f"{place}: the trees decide more than {MAX_DECIDED} squares")
            if isinstance(node, Weighting):
                _check_weighting(self._problem, part, targets, node, case, place)
            else:
                _check_cases(self._problem, free, kept, node, case, place)


def _check_cases(
    problem: KnightCover,
    free: frozenset[Square],
    kept: frozenset[Symmetry],
    node: Cases,
    case: Case,
    place: str,
) -> None:
    """Check a branch; `kept` are the symmetries that map the board and the targets onto themselves."""
    board = problem.board
    if node.square not in free:
        raise Fault(f"{place}: no knight on {node.square} covers a square of the part")
    for symmetry in node.symmetries:
        if symmetry not in kept or not all(
            _maps_onto_itself(symmetry, board, squares) for squares in (case.knights, case.empty)
        ):
            raise Fault(f"{place}: {NAMES_OF_SYMMETRIES[symmetry]} is no symmetry of the case")
    if node.square in case.knights or node.square in case.empty:
        raise Fault(f"{place}: {board.name(node.square)} is decided already")
    for decided in _decided(problem, node, case):
        if decided.knights & decided.empty:
            raise Fault(f"{place}: knights of a case attack each other")


def _maps_onto_itself(symmetry: Symmetry, board: Board, squares: frozenset[Square]) -> bool:
    return all(symmetry.apply(item, board.rows, board.cols) in squares for item in squares)


def _check_weighting(
    problem: KnightCover, part: Part, targets: frozenset[Square], leaf: Weighting, case: Case, place: str
) -> None:
    board = problem.board
    covered = {target for knight in case.knights for target in problem.covers(knight)}
    load: dict[Square, int] = {}
    for target, weight in leaf.weights.items():
        if target not in targets:
            raise Fault(f"{place}: {target} has a weight but is no square of the part")
        if target in covered:
            raise Fault(f"{place}: {board.name(target)} has a weight but a knight of the case covers it")
        for site in problem.covers(target):
            load[site] = load.get(site, 0) + weight
    for site, weight in sorted(load.items()):
        if weight > leaf.unit and site not in case.empty:
            raise Fault(f"{place}: a knight on {board.name(site)} covers squares of weight {weight} > {leaf.unit}")
    total = sum(leaf.weights.values()) + leaf.unit * len(case.knights)
    if total <= leaf.unit * (part.bound - 1):
        raise Fault(
            f"{place}: the weights and knights come to {total}/{leaf.unit}, not more than {part.bound - 1}"
        )


# JSON


def parts_json(parts: Sequence[Part]) -> dict[str, Any]:
    """Return the parts as the JSON data of `bound.json`."""
    return {"parts": [{**frame_json(part), "bound": part.bound, "tree": _tree_json(part.tree)} for part in parts]}


def frame_json(part: Any) -> dict[str, Any]:
    """Return a part's targets and images as JSON data."""
    return {"targets": squares_json(part.targets), "images": [NAMES_OF_SYMMETRIES[s] for s in part.images]}


def _tree_json(tree: Tree) -> dict[str, Any]:
    if isinstance(tree, Weighting):
        return {
            "unit": tree.unit,
            "weights": [[*target, weight] for target, weight in sorted(tree.weights.items())],
        }
    return {
        "square": list(tree.square),
        "first": "knight" if tree.knight else "empty",
        "symmetries": [NAMES_OF_SYMMETRIES[s] for s in tree.symmetries],
        "cases": [_tree_json(tree.first), _tree_json(tree.second)],
    }


def read_parts(board: Board, data: Any) -> tuple[Part, ...]:
    """Return the parts that JSON data states; `Fault` if it states none."""
    check_size(board)
    parts = []
    for number, item in enumerate(read_list(board, data, "bound.json"), 1):
        where = f"part {number}"
        values = fields(item, {"targets", "images", "bound", "tree"}, where)
        targets, images = read_frame(board, values, where)
        tree = _read_tree(board, values["tree"], where, MAX_DEPTH)
        parts.append(Part(targets, images, integer(values["bound"], where), tree))
    return tuple(parts)


def read_list(board: Board, data: Any, name: str) -> list[Any]:
    """Return the list of parts in the file `name`; `Fault` for none, but for a board without squares."""
    parts = items(fields(data, {"parts"}, name)["parts"], "parts")
    if board.size and not parts:
        raise Fault(f"{name} has no parts, the board has squares")
    return parts


def check_size(board: Board) -> None:
    """Raise `TooLarge` for a board too large for weights."""
    if board.size > MAX_SQUARES:
        raise TooLarge(f"the board has more than {MAX_SQUARES} squares, too many for weights")


def read_frame(
    board: Board, values: Mapping[str, Any], where: str
) -> tuple[tuple[Square, ...], tuple[Symmetry, ...]]:
    """Return the targets and images in a part's JSON object."""
    targets = squares_on(board, values["targets"], f"{where}: targets")
    return targets, read_symmetries(values["images"], f"{where}: images")


def read_symmetries(data: Any, where: str) -> tuple[Symmetry, ...]:
    """Return the symmetries with the names in a JSON array, which must all be different."""
    names = items(data, where)
    if len(names) > len(SYMMETRY_NAMES):
        raise Fault(f"{where}: {len(names)} symmetries, more than there are")
    for name in names:
        if not isinstance(name, str) or name not in SYMMETRY_NAMES:
            raise Fault(f"{where}: {quoted(name)} is no symmetry, which are {', '.join(SYMMETRY_NAMES)}")
    if len(set(names)) < len(names):
        raise Fault(f"{where}: a symmetry is named twice")
    return tuple(SYMMETRY_NAMES[name] for name in names)


def _read_tree(board: Board, data: Any, where: str, depth: int) -> Tree:
    """Return the tree, recursively; `Fault` for one that is deeper than `depth`."""
    if not isinstance(data, dict) or "cases" not in data:
        return _read_weighting(board, data, where)
    if not depth:
        raise TooLarge(f"{where}: more than {MAX_DEPTH} cases, one within the other")
    values = fields(data, {"square", "first", "symmetries", "cases"}, f"{where}: a case distinction")
    if values["first"] not in ("knight", "empty"):
        raise Fault(f"{where}: a first case is neither 'knight' nor 'empty'")
    cases = items(values["cases"], f"{where}: cases")
    if len(cases) != 2:
        raise Fault(f"{where}: a case distinction has {len(cases)} cases, not 2")
    return Cases(
        square(values["square"], where, board.rows, board.cols),
        values["first"] == "knight",
        read_symmetries(values["symmetries"], where),
        _read_tree(board, cases[0], where, depth - 1),
        _read_tree(board, cases[1], where, depth - 1),
    )


def _read_weighting(board: Board, data: Any, where: str) -> Weighting:
    values = fields(data, {"unit", "weights"}, f"{where}: a weighting")
    weights: dict[Square, int] = {}
    for item in items(values["weights"], f"{where}: weights"):
        if not isinstance(item, list) or len(item) != 3:
            raise Fault(f"{where}: a weight is no [row, col, weight]")
        target = square(item[:2], where, board.rows, board.cols)
        if target in weights:
            raise Fault(f"{where}: {target} has two weights")
        weights[target] = integer(item[2], f"{where}: a weight", 1)
    return Weighting(integer(values["unit"], f"{where}: a unit", 1), weights)
