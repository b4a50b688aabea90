"""Bounds by weights on all parts of a cover at once: jobs for `exact.proof.branching`, and what came of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from exact.child import Job
from exact.cover import CoverPart, PartClass
from exact.proof.weights import Part, Tree
from problems import Board, Placement


@dataclass(frozen=True, slots=True)
class Effort:
    """How many linear relaxations may be solved: to grow a tree (None for no limit), and to make it smaller.

    `polishing` is the deterministic time for each step that makes a leaf of a small tree handier; 0 for none.
    """

    growing: int | None
    improving: int
    polishing: float = 0.0


THOROUGH = Effort(growing=None, improving=3_000)
"""For whoever asks for weights: until there is a tree."""

PROMPT = Effort(growing=30_000, improving=3_000)
"""For whoever takes any proof: 17x17 needs 26,000, some 100 seconds; DRAT proofs of such boards take longer."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree that proves a part's bound, its number of leaves, and the relaxations that were solved."""

    tree: Tree
    leaves: int
    relaxations: int


Outcome = Grown | Placement | None
"""A tree, a cover that is smaller than the bound, or None where the effort did not suffice."""


def growth_job(part: CoverPart, board: Board, bound: int, effort: Effort) -> Job:
    """Return the job that grows a tree for one part."""
    return Job("exact.proof.branching:grow", (part, board, bound, effort))


def weighting_job(part: CoverPart) -> Job:
    """Return the job that finds one weighting for a part; its value is the bound and the weighting."""
    return Job("exact.proof.linear:weighting", (part,))


def proved_part(cls: PartClass, bound: int, grown: Grown) -> Part:
    """Return a part, and those like it, with its proved bound."""
    return Part(cls.part.targets, cls.symmetries, bound, grown.tree)


_MOST_REMEMBERED = 16
_remembered: OrderedDict[Job, Grown] = OrderedDict()


def remember(job: Job, tree: Grown) -> None:
    """Keep what a growth job came to, for whoever needs it again in this process: it would come to the same."""
    _remembered[job] = tree
    if len(_remembered) > _MOST_REMEMBERED:
        _remembered.popitem(last=False)


def outcomes(jobs: Sequence[Job], run: Callable[[Sequence[Job]], Sequence[Any]]) -> list[Outcome]:
    """Return the outcomes of growth jobs, by `run` for those whose tree is not remembered."""
    known: dict[Job, Outcome] = {job: _remembered[job] for job in jobs if job in _remembered}
    if missing := [job for job in jobs if job not in known]:
        known |= zip(missing, run(missing), strict=True)
    return [known[job] for job in jobs]
