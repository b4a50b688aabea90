"""Checking that a formula is the one it should be, and that a DRAT proof refutes it. Finds no answers.

Every added clause must have the RUP property (assume it false, propagate units, reach a conflict), so that it
follows from the formula; the RAT property, which only preserves satisfiability, is not needed by the solvers
used here and not accepted. Deleting clauses never makes such a proof wrong, so deletions only save time.
Two checkers that share no code: MiniSat's unit propagation, fast, and `dratify`, in Python, given a time limit.
Source: Wetzler, Heule, Hunt, DRAT-trim: efficient checking and trimming using expressive clausal proofs, 2014.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from exact.proof.claims import Fault
from exact.proof.encoder import Clause

SLOW_CHECKER_SECONDS = 60.0
"""How long `dratify` may take over one proof before the fast checker's word alone must do."""

_TRIAL_SECONDS = 3.0
"""How long `dratify` runs before its time for the whole proof is estimated."""

FAST = "unit propagation in MiniSat 2.2"
SLOW = "dratify"

Step = tuple[bool, Clause]
"""A line of a proof: whether the clause is added (else it is deleted), and the clause."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in conjunctive normal form over the variables 1 to `top`."""

    top: int
    clauses: tuple[Clause, ...]


def read_formula(text: bytes, derived: Iterable[Clause], comments: Iterable[str], name: str) -> Formula:
    """Return the formula in a DIMACS file, which must be the derived comments, a header and the derived clauses.

    Only as much is derived as the file has, so a huge board in a small file costs nothing.
    """
    lines = _lines(text, name)
    for comment in comments:
        if (line := next(lines, "")) != f"c {comment}":
            raise Fault(f"{name}: {line[:60]!r} stands where the problem gives the comment {comment!r}")
    header = next(lines, "").split(" ")
    clauses: list[Clause] = []
    expected = iter(derived)
    for line in lines:
        clause = _literals(line, name)
        if (wanted := next(expected, None)) != clause:
            shown = "no further clause" if wanted is None else repr(" ".join(map(str, (*wanted, 0))))
            raise Fault(f"{name}: clause {len(clauses) + 1} is {line[:60]!r}, the problem gives {shown}")
        clauses.append(clause)
    if next(expected, None) is not None:
        raise Fault(f"{name}: the problem gives more than the {len(clauses)} clauses of the file")
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    if header != ["p", "cnf", str(top), str(len(clauses))]:
        raise Fault(f"{name}: the header is not 'p cnf {top} {len(clauses)}'")
    return Formula(top, tuple(clauses))


def read_proof(text: bytes, name: str) -> tuple[Step, ...]:
    """Return the steps of a text DRAT file, one a line; `Fault` for anything else or without an empty clause."""
    steps = tuple(_step(line, name) for line in _lines(text, name))
    if (True, ()) not in steps:
        raise Fault(f"{name}: the proof never adds the empty clause")
    return steps


def _lines(text: bytes, name: str) -> Iterator[str]:
    try:
        return iter(text.decode("ascii").splitlines())
    except UnicodeDecodeError:
        raise Fault(f"{name} is no ASCII text") from None


def _step(line: str, name: str) -> Step:
    return (False, _literals(line[2:], name)) if line.startswith("d ") else (True, _literals(line, name))


def _literals(line: str, name: str) -> Clause:
    try:
        numbers = tuple(map(int, line.split(" ")))
    except ValueError:
        numbers = ()
    if not numbers or numbers[-1] != 0 or 0 in numbers[:-1]:
        raise Fault(f"{name}: {line[:60]!r} is no clause that ends in 0")
    return numbers[:-1]


def check_refutation(
    formula: Formula, text: bytes, name: str, seconds: float = SLOW_CHECKER_SECONDS
) -> tuple[str, ...]:
    """Return the names of the checkers that followed the proof to the empty clause; `Fault` where one fails.

    `seconds` is what the slow checker may take. The fast one always runs to the end.
    """
    steps = read_proof(text, name)
    for number, (_, clause) in enumerate(steps, 1):
        if any(abs(literal) > formula.top for literal in clause):
            raise Fault(f"{name}: step {number} has a variable that the formula does not have")
    _check_fast(formula.clauses, steps, name)
    return (FAST, SLOW) if _check_slow(formula, steps, name, seconds) else (FAST,)


def _check_fast(clauses: Sequence[Clause], steps: Sequence[Step], name: str) -> None:
    from pysat.solvers import Minisat22

    with Minisat22(bootstrap_with=clauses) as propagator:
        for number, (added, clause) in enumerate(steps, 1):
            if not added or _is_tautology(clause):
                continue
            if propagator.propagate([-literal for literal in clause])[0]:
                raise Fault(f"{name}: step {number} does not follow from the clauses before it ({FAST})")
            if not clause:
                return
            propagator.add_clause(clause)


def _is_tautology(clause: Clause) -> bool:
    return any(-literal in clause for literal in clause)


def _check_slow(formula: Formula, steps: Sequence[Step], name: str, seconds: float) -> bool:
    """Whether the slow checker came to the end, and agreed, within `seconds`; `Fault` where it disagrees.

    It gives up as soon as it sees that it would take longer: later steps take no less time than earlier ones.
    """
    from dratify import CNF, DRATChecker, from_dimacs

    began = time.monotonic()
    cnf = CNF(formula.top)
    for clause in formula.clauses:
        cnf.add([from_dimacs(literal) for literal in clause])
    checker = DRATChecker(cnf, check_rat=False)
    for number, (added, clause) in enumerate(steps):
        spent = time.monotonic() - began
        if spent > seconds or (spent > _TRIAL_SECONDS and spent * len(steps) > seconds * number):
            return False
        if not checker.check_step("a" if added else "d", [from_dimacs(literal) for literal in clause]):
            raise Fault(f"{name}: step {number + 1} does not follow from the clauses before it ({SLOW})")
        if added and not clause:
            return True
    return True
