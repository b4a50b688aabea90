"""Formulas in conjunctive normal form, and the encodings that the models share. Imports no solver.

Variables are positive integers, literals variables or their negatives. Every variable, auxiliary ones
included, comes from the formula's own counter, so no two encodings can collide.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations

Clause = tuple[int, ...]
"""Literals of which at least one is true."""

Tree = int | tuple["Tree", "Tree"]
"""A binary tree whose leaves are literals."""

_PAIRWISE_UP_TO = 6
"""Longest list for which at-most-one is written pair by pair; longer ones use a sequential counter."""


class Formula:
    """Clauses and the pool that their variables come from."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self.top = 0
        self._variables: dict[Hashable, int] = {}

    def variable(self, key: Hashable) -> int:
        """Return the variable that stands for `key`, a new one at the first call."""
        if key not in self._variables:
            self._variables[key] = self.fresh()
        return self._variables[key]

    def fresh(self) -> int:
        """Return a new auxiliary variable."""
        self.top += 1
        return self.top

    def add(self, *literals: int) -> None:
        """Add a clause; with no literals, the contradiction."""
        self.clauses.append(literals)

    def at_least_one(self, literals: Iterable[int]) -> None:
        """Demand that one of the literals or more is true."""
        self.clauses.append(tuple(literals))

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Demand that no two of the literals are true.

        Pair by pair, or by a sequential counter for long lists. Auxiliaries are not determined by the
        literals: project enumerations on the problem's variables.
        """
        if len(literals) <= _PAIRWISE_UP_TO:
            self.clauses.extend((-a, -b) for a, b in combinations(literals, 2))
        else:
            self.at_most(literals, 1)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Demand that one of the literals is true and no other."""
        self.at_least_one(literals)
        self.at_most_one(literals)

    def at_most(self, literals: Sequence[int], most: int) -> None:
        """Demand that at most `most` of the literals are true, by a sequential counter (Sinz, CP 2005).

        `most` below 0 gives the contradiction; `most` from the number of literals on adds nothing.
        """
        if most < 0:
            self.add()
        elif most == 0:
            self.clauses.extend((-literal,) for literal in literals)
        elif most < len(literals):
            self._sinz(literals, most)

    def _sinz(self, literals: Sequence[int], most: int) -> None:
        """Write Sinz's counter: `row[j]` is implied when more than j of the literals so far are true."""
        row: list[int] = []
        for position, literal in enumerate(literals):
            if len(row) == most:
                self.add(-literal, -row[most - 1])
            if position == len(literals) - 1:
                return
            row = self._next_row(row, literal, most)

    def tree_counter(self, tree: Tree, most: int) -> tuple[int, ...]:
        """Return outputs: output `j` (0-based, j < min(most, n)) is implied when more than j literals are true.

        Assuming or adding the negation of output j demands that at most j literals are true; the outputs may also
        be true when they need not be. A totalizer: a count a subtree (Bailleux, Boufkhad, CP 2003).
        The tree decides how well the solver does: subtrees of literals that share many clauses give counts
        that are worth learning about. At each node, `most` outputs are the limit. A literal that is the leaf of
        several branches counts as often; one that is the whole tree is its own output.
        """
        if isinstance(tree, int):
            return (tree,)[:most]
        left, right = self.tree_counter(tree[0], most), self.tree_counter(tree[1], most)
        outputs = tuple(self.fresh() for _ in range(min(len(left) + len(right), most)))
        for i in range(len(left) + 1):
            for j in range(min(len(right), most - i) + 1):
                if i + j:
                    inputs = (
                        left[i - 1 : i] if not j else right[j - 1 : j] if not i else (left[i - 1], right[j - 1])
                    )
                    self.add(*(-literal for literal in inputs), outputs[i + j - 1])
        return outputs

    def _next_row(self, row: list[int], literal: int, most: int) -> list[int]:
        """Return the counter's outputs after one more literal."""
        width = min(len(row) + 1, most)
        following = [self.fresh() for _ in range(width)]
        for j in range(width):
            if j < len(row):
                self.add(-row[j], following[j])
            if j == 0:
                self.add(-literal, following[0])
            elif j <= len(row):
                self.add(-literal, -row[j - 1], following[j])
        return following
