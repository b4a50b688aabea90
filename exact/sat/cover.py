"""Covers as clauses, with a counter whose shape follows the board. Imports no solver.

What makes the refutation of "k - 1 knights" fast is where the counter's partial sums lie. A totalizer that
halves the board along its longer side, and the halves again, counts knights in compact blocks, and "this
block needs so many" is what the solver learns. Measured on one half of the total cover, CaDiCaL 1.9.5, against
Sinz's counter over the squares row by row: 17x17 0.6 s and 5, 20x20 0.4 and 14, 22x22 1.1 and 68, 24x24 3 and
420; ordinary cover 12x12: 0.6 and 28.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exact.cover import CoverPart, split, whole
from exact.sat.formula import Formula, Tree
from problems import KnightCover, Square


@dataclass(frozen=True, slots=True)
class CoverFormula:
    """The clauses of a cover without any limit on the knights.

    `knights[i]` is the variable of the i-th site; sites of one orbit share it. Output j of `outputs` is implied
    when more than j knights stand: its negation allows at most j.
    """

    formula: Formula
    knights: tuple[int, ...]
    outputs: tuple[int, ...]


def encode(part: CoverPart, most: int, orbits: Sequence[int] | None = None) -> CoverFormula:
    """Return the formula of the covers of a part, able to tell numbers of knights up to `most`.

    With `orbits` (for each site the number of the orbit it is in), only of those covers that hold an orbit
    wholly or not at all.
    """
    formula = Formula()
    numbers = range(len(part.sites)) if orbits is None else orbits
    knights = tuple(formula.variable(number) for number in numbers)
    _add_rules(formula, part, knights)
    seats: dict[int, Square] = {}
    for variable, site in zip(knights, part.sites, strict=True):
        seats.setdefault(variable, site)
    tree = _multiplied(bisection(tuple(seats), seats.__getitem__), knights)
    return CoverFormula(formula, knights, formula.tree_counter(tree, most))


def encode_whole(problem: KnightCover, most: int) -> CoverFormula:
    """Return the formula of the covers of the whole board with at most `most` knights.

    The variables of the squares come first, in row-major order. Each independent part has a counter of its own,
    and their sums are limited.
    """
    formula, board = Formula(), whole(problem)
    knights = tuple(formula.variable(site) for site in board.sites)
    _add_rules(formula, board, knights)
    variable_of = dict(zip(board.sites, knights, strict=True))
    site_of = dict(zip(knights, board.sites, strict=True))
    trees = [
        bisection([variable_of[site] for site in part.sites], site_of.__getitem__)
        for part in split(problem)
        if part.sites
    ]
    outputs: tuple[int, ...] = ()
    if trees:
        outputs = formula.tree_counter(_joined(trees), most + 1)
    if most < len(outputs):
        formula.add(-outputs[most])
    return CoverFormula(formula, knights, outputs)


def _add_rules(formula: Formula, part: CoverPart, knights: Sequence[int]) -> None:
    """Add the clauses of the targets and the conflicts, each once."""
    for clause in dict.fromkeys(tuple(sorted({knights[site] for site in cover})) for cover in part.covers):
        formula.at_least_one(clause)
    for one, other in dict.fromkeys(tuple(sorted((knights[a], knights[b]))) for a, b in part.conflicts):
        formula.add(*dict.fromkeys((-one, -other)))


def bisection(literals: Sequence[int], seat: Callable[[int], Square]) -> Tree:
    """Return a tree of the literals (one or more) that halves the area they sit on along its longer side."""
    if len(literals) == 1:
        return literals[0]
    rows, cols = zip(*map(seat, literals), strict=True)
    axis = 0 if max(rows) - min(rows) >= max(cols) - min(cols) else 1
    ordered = sorted(literals, key=lambda literal: (seat(literal)[axis], seat(literal)[1 - axis]))
    middle = len(ordered) // 2
    return (bisection(ordered[:middle], seat), bisection(ordered[middle:], seat))


def _joined(trees: Sequence[Tree]) -> Tree:
    """Return one tree of all (one or more), as shallow as can be: boards fall into hundreds of parts."""
    if len(trees) == 1:
        return trees[0]
    middle = len(trees) // 2
    return (_joined(trees[:middle]), _joined(trees[middle:]))


def _multiplied(tree: Tree, knights: Sequence[int]) -> Tree:
    """Return the tree with each variable a leaf as often as there are sites that share it."""
    times: dict[int, int] = {}
    for variable in knights:
        times[variable] = times.get(variable, 0) + 1

    def multiplied(node: Tree) -> Tree:
        if not isinstance(node, int):
            return (multiplied(node[0]), multiplied(node[1]))
        leaf: Tree = node
        for _ in range(times[node] - 1):
            leaf = (leaf, node)
        return leaf

    return multiplied(tree)
