"""Knight covers as set-cover instances in arrays, whole or split into independent parts."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heuristic.kernels.knights_tables import (
    Ints,
    Numbering,
    Squares,
    Table,
    attacks,
    conflicts,
    covers,
    numbering,
)
from problems import Board, KnightCover

Numbers = NDArray[np.integer]


class Instance(NamedTuple):
    """Sites, where a knight may stand, and targets, which have to be covered, both numbered from 0.

    `reach` lists the targets of each site, `covered_by` the sites of each target, `conflicts` for each site
    those that must not hold a knight beside it; each is a table of rows and the number of entries in a row.
    """

    reach: Squares
    reach_degree: Ints
    covered_by: Squares
    covered_by_degree: Ints
    conflicts: Squares
    conflicts_degree: Ints


class Part(NamedTuple):
    """An independent part of a cover: its instance, and the board's number of each of its sites."""

    instance: Instance
    sites: Numbers

    @property
    def fewest(self) -> int:
        """A number of sites that no cover can go below: targets over the most that one site reaches."""
        targets = len(self.instance.covered_by_degree)
        return -(-targets // max(1, int(self.instance.reach_degree.max(initial=0))))


@cache
def warm() -> None:
    """Have what `split` needs imported, once, so that no run's clock counts it."""
    problem = KnightCover(Board(3, 4))
    split(whole(problem, numbering(problem.board)))


def whole(problem: KnightCover, squares: Numbering) -> Part:
    """Return the whole problem as one part."""
    attacked = attacks(squares)
    covered = covers(problem, squares, attacked)
    return Part(Instance(*covered, *covered, *conflicts(problem, attacked)), np.arange(squares.size))


def split(part: Part) -> tuple[Part, ...]:
    """Return the connected components that have targets, ordered by their least site."""
    labels = _components(part.instance)
    sites = len(part.instance.reach_degree)
    targets_of = _grouped(labels[sites:])
    return tuple(
        Part(_restricted(part.instance, members, targets_of[label]), part.sites[members])
        for label, members in _grouped(labels[:sites]).items()
        if label in targets_of
    )


def _components(instance: Instance) -> NDArray[np.int32]:
    """Return the component of each site, then of each target."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    sites, targets = len(instance.reach_degree), len(instance.covered_by_degree)
    near = np.arange(instance.reach.shape[1]) < instance.reach_degree[:, None]
    beside = np.arange(instance.conflicts.shape[1]) < instance.conflicts_degree[:, None]
    ends = np.concatenate(
        (sites + instance.reach[near].astype(np.int64), instance.conflicts[beside].astype(np.int64))
    )
    starts = np.concatenate(
        [np.repeat(np.arange(sites), degree) for degree in (instance.reach_degree, instance.conflicts_degree)]
    )
    nodes = sites + targets
    graph = coo_array((np.ones(len(starts), np.bool_), (starts, ends)), shape=(nodes, nodes))
    _, labels = connected_components(graph, directed=False)
    return labels


def _grouped(labels: NDArray[np.int32]) -> dict[int, Numbers]:
    """Return the positions of each label, ascending; labels in the order of their first position."""
    order = np.argsort(labels, kind="stable")
    bounds = np.flatnonzero(np.diff(labels[order])) + 1
    groups = [group for group in np.split(order, bounds) if len(group)]
    return {int(labels[group[0]]): group for group in sorted(groups, key=lambda group: int(group[0]))}


def _restricted(instance: Instance, sites: Numbers, targets: Numbers) -> Instance:
    site_number = np.zeros(len(instance.reach_degree), np.uint32)
    site_number[sites] = np.arange(len(sites))
    target_number = np.zeros(len(instance.covered_by_degree), np.uint32)
    target_number[targets] = np.arange(len(targets))
    return Instance(
        *_renumbered(Table(instance.reach, instance.reach_degree), sites, target_number),
        *_renumbered(Table(instance.covered_by, instance.covered_by_degree), targets, site_number),
        *_renumbered(Table(instance.conflicts, instance.conflicts_degree), sites, site_number),
    )


def _renumbered(table: Table, rows: Numbers, number: Squares) -> Table:
    return Table(number[table.squares[rows]], table.degree[rows])
