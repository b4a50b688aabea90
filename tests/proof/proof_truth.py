"""What is true of tiny problems, by exhaustive search apart from the project; small certificates to spoil."""

from __future__ import annotations

import importlib
from functools import cache
from itertools import permutations
from unittest import mock

from exact import proof
from exact.child import Outcome
from exact.proof import Claim, ClaimKind
from problems import Board, Ending, KnightCover, KnightTour, Problem, Queens, Rule

MOST_SQUARES = 25


def is_true(problem: Problem, claim: Claim) -> bool | None:
    """Whether the claim is true; None where the problem is too large to say."""
    if isinstance(problem, KnightCover):
        return _true_of_knights(problem, claim)
    if isinstance(problem, Queens):
        return _true_of_queens(problem, claim)
    return _true_of_tours(problem, claim)


def _true_of_knights(problem, claim):
    if problem.board.size > MOST_SQUARES:
        return None
    fewest = fewest_knights(problem.board, problem.rule)
    limit = problem.at_most
    if claim.kind is ClaimKind.MINIMUM:
        return limit is None and fewest == claim.value
    if claim.kind is ClaimKind.AT_LEAST:
        return fewest is None or fewest >= claim.value
    if claim.kind is ClaimKind.ALL:
        return (
            limit is None and fewest is not None and number_of_covers(problem.board, problem.rule) == claim.value
        )
    exists = fewest is not None and (limit is None or fewest <= limit)
    return exists == (claim.kind is ClaimKind.EXISTS)


def _covers(board, rule, square):
    return [*board.knight_moves(square), *([] if rule is Rule.TOTAL else [square])]


@cache
def fewest_knights(board, rule):
    """The fewest knights, or None if there is no cover."""
    return next((size for size in range(board.size + 1) if any(True for _ in covers(board, rule, size))), None)


@cache
def number_of_covers(board, rule):
    return len(set(covers(board, rule, fewest_knights(board, rule))))


def covers(board, rule, most):
    """Yield covers of at most so many knights, all minimal ones included: cover the first gap in every way."""
    squares = tuple(board.squares())
    options = {square: _covers(board, rule, square) for square in squares}

    def extend(chosen, covered, banned):
        gap = next((square for square in squares if square not in covered), None)
        if gap is None:
            yield frozenset(chosen)
            return
        if len(chosen) == most:
            return
        seen = set()
        for knight in options[gap]:
            attacked = set(board.knight_moves(knight))
            if knight not in banned and not (rule is Rule.INDEPENDENT and attacked & set(chosen)):
                yield from extend([*chosen, knight], covered | set(options[knight]), banned | seen)
            seen.add(knight)

    return extend([], frozenset(), frozenset())


@cache
def number_of_queens(n, given):
    return sum(
        len({r + c for r, c in enumerate(cols)}) == n
        and len({r - c for r, c in enumerate(cols)}) == n
        and all(cols[r] == c for r, c in given)
        for cols in permutations(range(n))
    )


def _true_of_queens(problem, claim):
    if problem.n > 7:
        return None
    count = number_of_queens(problem.n, problem.given)
    if claim.kind is ClaimKind.ALL:
        return count == claim.value
    return claim.kind is (ClaimKind.EXISTS if count else ClaimKind.NONE)


def _true_of_tours(problem, claim):
    if problem.board.size > MOST_SQUARES:
        return None
    return claim.kind is (ClaimKind.EXISTS if has_tour(problem) else ClaimKind.NONE)


@cache
def has_tour(problem):
    """Whether there is a tour: extend paths, never past a square that is left with too few ways."""
    board, size = problem.board, problem.board.size
    squares = tuple(board.squares())
    bit = {square: 1 << number for number, square in enumerate(squares)}
    moves = {square: tuple(board.knight_moves(square)) for square in squares}
    near = {square: sum(bit[move] for move in moves[square]) for square in squares}
    starts = squares[:1] if problem.closed else squares if problem.start is None else (problem.start,)
    dead = set()

    def reach(first, here, left):
        if not left:
            return (first in moves[here] and size > 2) if problem.closed else problem.end in (None, here)
        if (here, left) in dead or (problem.end is not None and not left & bit[problem.end]):
            return False
        loose = 0
        for square in squares:
            if left & bit[square]:
                ways = (near[square] & (left | bit[here] | (bit[first] if problem.closed else 0))).bit_count()
                if not ways:
                    return False
                loose += ways == 1
        # One way is enough for the last square of an open tour alone.
        if loose > (not problem.closed):
            return False
        if any(reach(first, move, left & ~bit[move]) for move in moves[here] if left & bit[move]):
            return True
        dead.add((here, left))
        return False

    everything = sum(bit.values())
    for start in starts:
        dead.clear()
        if reach(start, start, everything & ~bit[start]):
            return True
    return False


SMALL_PROBLEMS = (
    (KnightCover(Board(4, 4)), "weights"),
    (KnightCover(Board(5, 5)), "weights"),
    (KnightCover(Board(5, 5), Rule.ORDINARY), "weights"),
    (KnightCover(Board(4, 5), Rule.INDEPENDENT), "weights"),
    (KnightCover(Board(4, 5), Rule.TOTAL, at_most=5), "weights"),
    (KnightCover(Board(4, 4)), "sat"),
    (KnightCover(Board(3, 4), Rule.ORDINARY), "sat"),
    (KnightCover(Board(4, 4), Rule.INDEPENDENT, at_most=3), "sat"),
    (KnightCover(Board(4, 4), at_most=6), "auto"),
    (KnightCover(Board(3, 3)), "auto"),
    (Queens(5), "auto"),
    (Queens(3), "sat"),
    (Queens(4, ((0, 0),)), "sat"),
    (KnightTour(Board(3, 4)), "auto"),
    (KnightTour(Board(4, 4), closed=True), "counting"),
    (KnightTour(Board(3, 5)), "counting"),
    (KnightTour(Board(3, 3)), "counting"),
    (KnightTour(Board(5, 5), closed=True), "counting"),
    (KnightTour(Board(5, 5), start=(0, 1)), "counting"),
    (KnightTour(Board(3, 6), closed=True), "sat"),
    (KnightTour(Board(4, 4), closed=True), "sat"),
    (KnightTour(Board(3, 4), start=(0, 0), end=(0, 2)), "sat"),
)
"""Problems that are small enough to say what is true of them, with the engine of their certificates."""

LISTED_PROBLEMS = (
    Queens(4),
    Queens(5),
    Queens(3),
    KnightCover(Board(4, 4)),
    KnightCover(Board(3, 4), Rule.ORDINARY),
)


def run_here(jobs, *, limits):
    """Do what `exact.child.run_jobs` does, in this process."""
    outcomes = []
    for job in jobs:
        module, _, name = job.function.partition(":")
        value = getattr(importlib.import_module(module), name)(*job.arguments, lambda message: None)
        outcomes.append(Outcome(Ending.FINISHED, 0.0, value))
    return tuple(outcomes)


def small_certificates():
    """A certificate for each of the small problems, and the complete lists; made in this process, to save time."""
    with mock.patch("exact.proof.making.run_jobs", run_here):
        return _small_certificates()


def _small_certificates():
    made = [proof.certify(problem, engine=engine) for problem, engine in SMALL_PROBLEMS]
    made.append(proof.certify_bound(KnightCover(Board(4, 4))))
    return made + [proof.certify_list(problem) for problem in LISTED_PROBLEMS]
