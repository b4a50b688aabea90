"""Certificates printed for a person: boards with weights to check by hand, case by case; counting arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from exact.proof.archive import Certificate
from exact.proof.checker import answer_of
from exact.proof.claims import NAMES_OF_SYMMETRIES, ClaimKind, ProofKind, dump, problem_json, sentence
from exact.proof.counting import Combination, check_combination, read_combination
from exact.proof.reading import fields, items, squares_on
from exact.proof.weights import IDENTITY, Case, Cases, NodeId, Part, Weighting, orbit, read_parts, walk
from problems import Answer, Board, KnightCover, KnightTour, Rule, Square, Symmetry

_MOST_DRAWN = 400
"""The most squares a board may have, missing ones included, to be drawn."""


def explain(certificate: Certificate) -> str:
    """Return the proof in words and boards. The certificate must be one that checks."""
    stated = dump(problem_json(certificate.problem)).decode("ascii")
    lines = [f"Claim: {sentence(certificate.problem, certificate.claim)}.", f"Problem: {stated}", ""]
    lines += _EXPLANATIONS[certificate.proof](certificate)
    if certificate.claim.kind is ClaimKind.MINIMUM:
        lines += _enclosed(certificate)
    return "\n".join(lines).rstrip() + "\n"


def _enclosed(certificate: Certificate) -> Iterator[str]:
    answer = _answer(certificate)
    yield f"And {len(answer)} knights are enough:"
    yield ""
    yield from drawn(certificate.problem.board, _knight_marks(answer).get)
    yield ""


def _answer(certificate: Certificate) -> Answer:
    answer = answer_of(certificate)
    assert answer is not None
    return answer


def _knight_marks(answer: Answer) -> dict[Square, str]:
    return dict.fromkeys(answer, "N")


def drawn(board: Board, mark: Callable[[Square], str | None]) -> Iterator[str]:
    """Yield the board as text, row by row from the top, with row numbers and column letters; a dot for no mark."""
    if board.rows * board.cols > _MOST_DRAWN:
        yield f"(the {board} board is not drawn)"
        return
    marks = {square: mark(square) or "." for square in board.squares()}
    width = max(len(text) for text in (*marks.values(), board.name((0, board.cols - 1)).rstrip("0123456789")))
    for row in range(board.rows):
        cells = (marks.get((row, col), "").rjust(width) for col in range(board.cols))
        yield f"{board.rows - row:>4}  {' '.join(cells)}"
    letters = (board.name((0, col)).rstrip("0123456789").rjust(width) for col in range(board.cols))
    yield f"      {' '.join(letters)}"


# Weights


def _weights(certificate: Certificate) -> Iterator[str]:
    problem = certificate.problem
    assert isinstance(problem, KnightCover)
    parts = read_parts(problem.board, certificate.json("bound.json"))
    total = sum(part.bound * len(part.images) for part in parts)
    if sum(len(part.images) for part in parts) > 1:
        yield "No knight covers squares of two different parts, so what the parts need adds up:"
        yield " + ".join(str(part.bound) for part in parts for _ in part.images) + f" = {total}."
        yield ""
    for number, part in enumerate(parts, 1):
        yield from _part(problem, part, number)
    yield f"Together at least {total} knights."
    yield ""


def _part(problem: KnightCover, part: Part, number: int) -> Iterator[str]:
    leaves = [name for name, node, _ in walk(problem, part) if isinstance(node, Weighting)]
    first = problem.board.name(part.targets[0]) if part.targets else "none"
    yield f"Part {number}: the {len(part.targets)} squares with {first} need at least {part.bound} knights."
    others = [_symmetry(symmetry) for symmetry in part.images if symmetry != IDENTITY]
    if others:
        yield f"So do their images under {_listed(others)}."
    yield _how(problem, len(leaves))
    yield ""
    numbers = {name: count for count, name in enumerate(leaves, 1)}
    for name, node, case in walk(problem, part):
        if isinstance(node, Cases):
            yield from _distinction(problem, node, name)
        else:
            yield from _leaf(problem, part, node, case, name, f"{numbers[name]} of {len(leaves)}")


def _how(problem: KnightCover, leaves: int) -> str:
    verb = "attacks" if problem.rule is Rule.TOTAL else "occupies and attacks"
    how = (
        f"Numbers are weights. No knight {verb} squares of more weight together than the unit;\n"
        "each square must be covered, so there are at least (all weights) / unit knights."
    )
    if leaves == 1:
        return how
    return (
        f"{how}\nIn each of the {leaves} cases, N is a knight that stands there: it counts in full, what it "
        "covers has no weight;\nx is a square without a knight, which may see more weight than the unit."
    )


def _distinction(problem: KnightCover, node: Cases, name: NodeId) -> Iterator[str]:
    board = problem.board
    here = board.name(node.square)
    images = sorted(orbit(board, node) - {node.square})
    one, other = (_label((*name, choice)) for choice in (1, 2))
    knight, none = f"a knight on {here}", f"no knight on {here}"
    if not images:
        yield f"{one}: {knight if node.knight else none}. {other}: {none if node.knight else knight}."
    else:
        names = _listed([board.name(square) for square in images])
        everywhere = f"{'no knight' if node.knight else 'knights'} on {here}, {names}"
        yield f"{one}: {knight if node.knight else none}; by symmetry this stands for {names} ({_group(node)})."
        yield f"{other}: {everywhere}."
    yield ""


def _group(node: Cases) -> str:
    return ", ".join(_symmetry(symmetry) for symmetry in node.symmetries)


def _label(name: NodeId) -> str:
    return "Case " + ".".join(map(str, name))


def _leaf(
    problem: KnightCover, part: Part, leaf: Weighting, case: Case, name: NodeId, number: str
) -> Iterator[str]:
    title = f"{_label(name)} (board {number})" if name else "The weighting"
    total, knights = sum(leaf.weights.values()), len(case.knights)
    standing = f"{knights} + " if knights else ""
    yield (
        f"{title}: unit {leaf.unit}, weights {total}; at least {standing}{total}/{leaf.unit} knights, "
        f"so {part.bound} or more."
    )
    yield ""
    yield from drawn(problem.board, lambda square: _mark(leaf, case, square))
    yield ""


def _mark(leaf: Weighting, case: Case, square: Square) -> str | None:
    weight = str(leaf.weights[square]) if square in leaf.weights else ""
    if square in case.knights:
        return f"{weight}N"
    return f"{weight}x" if square in case.empty else weight or None


def _symmetry(symmetry: Symmetry) -> str:
    return NAMES_OF_SYMMETRIES[symmetry].replace("-", " ")


def _listed(names: Sequence[str], most: int = 24) -> str:
    shown = list(names[:most])
    if len(names) > most:
        return ", ".join(shown) + f" and {len(names) - most} more"
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]


# Counting


def _counting(certificate: Certificate) -> Iterator[str]:
    problem = certificate.problem
    assert isinstance(problem, KnightTour)
    combination = read_combination(problem.board, certificate.json("combination.json"))
    result = check_combination(problem, combination)
    unknowns = "whether a tour makes each possible move"
    ends = "" if problem.closed else ", and whether it has an end at each square"
    yield f"The unknowns are 0 or 1: {unknowns}{ends}. Every tour satisfies:"
    yield from _degree_lines(problem, combination)
    for name, factor, meaning in (
        ("ends", combination.ends, "there are 2 ends"),
        ("start", combination.start, "the start is an end"),
        ("end", combination.end, "the given end is an end"),
    ):
        if factor:
            yield f"  {factor:+d} times: {meaning} ({name})."
    for cut in combination.cuts:
        names = _listed([problem.board.name(square) for square in cut.squares], 12)
        yield f"  {cut.multiplier:+d} times: it crosses the border of {{{names}}} at least twice (ends count)."
    yield (
        f"Added up: the left side is at most {result.reachable} whatever the unknowns are, "
        f"but should be at least {result.required}. So there is no such tour."
    )


def _degree_lines(problem: KnightTour, combination: Combination) -> Iterator[str]:
    if not combination.degrees:
        return
    factors = dict(combination.degrees)
    yield "  the moves (and ends) at a square are 2 together, at each square times the number drawn there:"
    yield ""
    yield from drawn(problem.board, lambda square: f"{factors[square]:+d}" if square in factors else None)
    yield ""


# Others


def _witness(certificate: Certificate) -> Iterator[str]:
    problem = certificate.problem
    answer = _answer(certificate)
    yield "The answer:"
    yield ""
    if not answer:
        yield "(nothing)"
    elif isinstance(problem, KnightTour):
        steps = {square: str(step) for step, square in enumerate(answer, 1)}
        yield from drawn(problem.board, steps.get)
    else:
        letter = "N" if isinstance(problem, KnightCover) else "Q"
        yield from drawn(problem.board, dict.fromkeys(answer, letter).get)


def _unreachable(certificate: Certificate) -> Iterator[str]:
    named = squares_on(certificate.problem.board, certificate.json("unreachable.json"), "unreachable.json")
    names = _listed([certificate.problem.board.name(square) for square in named])
    yield f"No knight move leads to {names}, so nothing can attack there."


def _formulas(certificate: Certificate) -> Iterator[str]:
    for name, content in sorted(certificate.members.items()):
        if name.endswith(".drat"):
            lines = content.decode("ascii", "replace").splitlines()
            added = sum(not line.startswith("d") for line in lines)
            head = certificate.member(name.replace(".drat", ".cnf")).decode("ascii", "replace").splitlines()
            header = next((line.split() for line in head if line.startswith("p cnf")), ["", "", "?", "?"])
            yield (
                f"{name} derives the empty clause in {added} steps from {header[3]} clauses "
                f"on {header[2]} variables ({name.replace('.drat', '.cnf')})."
            )
    yield "These are proofs for programs (drat-trim reads them), not for people."
    yield ""


def _cuts(certificate: Certificate) -> Iterator[str]:
    board = certificate.problem.board
    cuts = items(fields(certificate.json("cuts.json"), None, "cuts.json").get("cuts"), "cuts")
    yield f"The formula: every square has two moves of the tour, which leaves each of {len(cuts)} sets of squares:"
    for cut in cuts:
        names = _listed([board.name(square) for square in squares_on(board, cut, "a cut")])
        yield f"  {{{names}}}"
    yield from _formulas(certificate)


_EXPLANATIONS: dict[ProofKind, Callable[[Certificate], Iterator[str]]] = {
    ProofKind.WITNESS: _witness,
    ProofKind.UNREACHABLE: _unreachable,
    ProofKind.WEIGHTS: _weights,
    ProofKind.COUNTING: _counting,
    ProofKind.DRAT: _formulas,
    ProofKind.CUTS: _cuts,
    ProofKind.LIST: _formulas,
}
