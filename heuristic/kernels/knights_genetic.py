"""The inner loop of the genetic knights: what an evolution looks at is kept up to date, not computed anew.

For each square the number of its attackers and the sum of their genes' indices: where there is one attacker,
the sum names it. For each gene the number of squares that it alone attacks. The unattacked squares as bits,
so that they come in row-major order and the choice among the candidates is that of the plain program.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.kernels.knights_tables import Ints, Numbering, Squares, attacks, numbering, packed
from heuristic.kernels.random import State, below, seeded
from problems import Board

Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

FITNESS, CANDIDATES = 0, 1
"""Places in `Individual.totals`: squares attacked; non-edge attackers of the unattacked, with multiplicity."""

_ONE, _SIX, _LOW_6, _S58 = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(58)
_SEQUENCE = 0x03F79D71B4CB0A89
_DE_BRUIJN = np.uint64(_SEQUENCE)
_BIT = np.argsort([(_SEQUENCE << bit) % 2**64 >> 58 for bit in range(64)])
"""The number of a single bit, by the top six bits of its product with a de Bruijn sequence."""


class Arena(NamedTuple):
    """The board: attackers of each square, those that are no edge squares, and all non-edge squares."""

    squares: Squares
    degree: Ints
    inner_squares: Squares
    inner_degree: Ints
    inner: Squares


class Individual(NamedTuple):
    """The genes, all that is derived from them, the undo log, and the random state."""

    genes: Squares
    attackers: Longs
    owners: Squares
    sole: Longs
    unattacked: Words
    totals: Longs
    undo: Longs
    redundant: Squares
    random: State


def arena(squares: Numbering) -> Arena:
    """Return the tables of a board."""
    attacked = attacks(squares)
    height, width = squares.grid.shape
    on_edge = (squares.rows % (height - 1 or 1) == 0) | (squares.cols % (width - 1 or 1) == 0)
    unused = np.arange(attacked.squares.shape[1]) >= attacked.degree[:, None]
    inner = packed(np.where(unused | on_edge[attacked.squares], -1, attacked.squares.view(np.int32)))
    return Arena(*attacked, *inner, np.flatnonzero(~on_edge).astype(np.uint32))


def individual(size: int, knights: int, most_swaps: int, seed: int) -> Individual:
    """Return an individual without knights on a board of `size` squares; `settle` places them."""
    return Individual(
        genes=np.zeros(knights, np.uint32),
        attackers=np.zeros(size, np.int64),
        owners=np.zeros(size, np.uint32),
        sole=np.zeros(knights, np.int64),
        unattacked=np.zeros((size + 63) // 64, np.uint64),
        totals=np.zeros(2, np.int64),
        undo=np.zeros((most_swaps, 2), np.int64),
        redundant=np.zeros(knights, np.uint32),
        random=seeded(seed),
    )


@cache
def warm() -> None:
    """Have the code compiled or loaded, once, so that no run's clock counts it."""
    squares = numbering(Board(4, 4))
    board, one = arena(squares), individual(squares.size, 2, 1, 0)
    draw(board, one)
    settle(board, one)
    evolve(board, one, 1, 1, True, 1, squares.size)


def fitness(one: Individual) -> int:
    """Return the number of squares that are attacked."""
    return int(one.totals[FITNESS])


@njit(cache=True, nogil=True)
def draw(arena: Arena, one: Individual) -> None:
    """Fill the genes with random non-edge squares."""
    for gene in range(one.genes.shape[0]):
        one.genes[gene] = arena.inner[below(one.random, arena.inner.shape[0])]


@njit(cache=True, nogil=True)
def settle(arena: Arena, one: Individual) -> None:
    """Work out everything that is derived from the genes."""
    one.attackers[:] = 0
    one.owners[:] = 0
    one.sole[:] = 0
    one.unattacked[:] = 0
    one.totals[:] = 0
    for square in range(arena.degree.shape[0]):
        one.unattacked[square >> 6] |= _ONE << np.uint64(square & 63)
        one.totals[CANDIDATES] += arena.inner_degree[square]
    for gene in range(one.genes.shape[0]):
        _attach(arena, one, gene)


@njit(cache=True, nogil=True)
def evolve(
    arena: Arena, one: Individual, fewest: int, most: int, in_place: bool, evolutions: int, best: int
) -> int:
    """Make evolutions until the fitness is above `best`, at most `evolutions`; return how many were made."""
    for made in range(1, evolutions + 1):
        before = one.totals[FITNESS]
        swaps = fewest if fewest == most else fewest + below(one.random, most - fewest + 1)
        for swap in range(swaps):
            gene = _redundant(one)
            square = _candidate(arena, one)
            one.undo[swap, 0] = gene
            one.undo[swap, 1] = one.genes[gene]
            _move(arena, one, gene, square)
        if one.totals[FITNESS] > best:
            return made
        if not in_place and one.totals[FITNESS] < before:
            for swap in range(swaps - 1, -1, -1):
                _move(arena, one, one.undo[swap, 0], one.undo[swap, 1])
    return evolutions


@njit(cache=True, nogil=True)
def _redundant(one: Individual) -> int:
    """Return a random gene among those that are the sole attacker of no square; any gene if there is none."""
    found = 0
    for gene in range(one.genes.shape[0]):
        one.redundant[found] = gene
        found += one.sole[gene] == 0
    if found == 0:
        return below(one.random, one.genes.shape[0])
    return one.redundant[below(one.random, found)]  # type: ignore[no-any-return]


@njit(cache=True, nogil=True)
def _candidate(arena: Arena, one: Individual) -> int:
    """Return a random square among the attackers of the unattacked squares, with multiplicity."""
    if one.totals[FITNESS] == arena.degree.shape[0]:
        return arena.inner[below(one.random, arena.inner.shape[0])]  # type: ignore[no-any-return]
    if one.totals[CANDIDATES] > 0:
        place = below(one.random, one.totals[CANDIDATES])
        return _listed(one.unattacked, arena.inner_squares, arena.inner_degree, place)
    everything = 0
    for square in range(arena.degree.shape[0]):
        if one.attackers[square] == 0:
            everything += arena.degree[square]
    return _listed(one.unattacked, arena.squares, arena.degree, below(one.random, everything))


@njit(cache=True, nogil=True)
def _listed(chosen: Words, squares: Squares, degree: Ints, place: int) -> int:
    """Return the entry at `place` in the lists of the chosen squares, one after the other."""
    for word in range(chosen.shape[0]):
        bits = chosen[word]
        while bits:
            lowest = bits & (~bits + _ONE)
            square = (word << 6) + _BIT[(lowest * _DE_BRUIJN) >> _S58]
            if place < degree[square]:
                return squares[square, place]  # type: ignore[no-any-return]
            place -= degree[square]
            bits ^= lowest
    raise AssertionError("the place is beyond the end of the lists")


@njit(cache=True, nogil=True)
def _move(arena: Arena, one: Individual, gene: int, square: int) -> None:
    _detach(arena, one, gene)
    one.genes[gene] = square
    _attach(arena, one, gene)


@njit(cache=True, nogil=True)
def _attach(arena: Arena, one: Individual, gene: int) -> None:
    square = one.genes[gene]
    gained, fixed = 0, 0
    for i in range(arena.degree[square]):
        target = arena.squares[square, i]
        others = one.attackers[target]
        owner = one.owners[target]
        one.attackers[target] = others + 1
        one.owners[target] = owner + gene
        if others == 0:
            one.unattacked[target >> _SIX] ^= _ONE << (target & _LOW_6)
            fixed += arena.inner_degree[target]
            gained += 1
        elif others == 1:
            one.sole[owner] -= 1
    one.sole[gene] += gained
    one.totals[FITNESS] += gained
    one.totals[CANDIDATES] -= fixed


@njit(cache=True, nogil=True)
def _detach(arena: Arena, one: Individual, gene: int) -> None:
    square = one.genes[gene]
    lost, opened = 0, 0
    for i in range(arena.degree[square]):
        target = arena.squares[square, i]
        others = one.attackers[target] - 1
        owner = one.owners[target] - gene
        one.attackers[target] = others
        one.owners[target] = owner
        if others == 0:
            one.unattacked[target >> _SIX] ^= _ONE << (target & _LOW_6)
            opened += arena.inner_degree[target]
            lost += 1
        elif others == 1:
            one.sole[owner] += 1
    one.sole[gene] -= lost
    one.totals[FITNESS] -= lost
    one.totals[CANDIDATES] += opened
