"""Checking that a formula is the one it should be, and that a DRAT proof refutes it. Finds no answers.

Every added clause must have the RUP property (assume it false, propagate units, reach a conflict), so that it
follows from the formula; the RAT property, which only preserves satisfiability, is not needed by the solvers
used here and not accepted. Deletions are read and not obeyed: a clause that follows stays true, and both checkers
then judge the same steps by the same clauses.
Two checkers that share no code: MiniSat's unit propagation, fast, and `dratify`, in Python, given a time limit.
Source: Wetzler, Heule, Hunt, DRAT-trim: efficient checking and trimming using expressive clausal proofs, 2014.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from exact.proof.encoder import Clause, largest_variable
from exact.proof.reading import Fault, TooLarge, quoted

SLOW_CHECKER_SECONDS = 60.0
"""How long `dratify` may take over one proof before the fast checker's word alone must do."""

MAX_SLOW_CLAUSES = 300_000
"""The largest formula, in clauses, that `dratify` is given: it takes some 2 KiB of memory for each."""

_TRIAL_SECONDS = 3.0
"""How long `dratify` follows a proof before its time for the whole proof is estimated."""

MAX_LINE = 2**20
"""The longest line of a formula or a proof, in bytes."""

FAST = "unit propagation in MiniSat 2.2"
SLOW = "dratify"

Step = tuple[int, Clause]
"""A clause that a proof adds, and the number of its line, from 1."""

_CLAUSE = re.compile(rb"(?:-?[1-9][0-9]{0,18} )*0")
_HEADER = re.compile(r"p cnf (?:0|[1-9][0-9]*) (?:0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in conjunctive normal form over the variables 1 to `top`."""

    top: int
    clauses: tuple[Clause, ...]


def read_formula(text: bytes, derived: Iterable[Clause], comments: Iterable[str], name: str) -> Formula:
    """Return the formula in a DIMACS file, which must be the derived comments, a header and the derived clauses.

    The derived formula is held against the file as text, line by line, so only what is expected is ever stored,
    and only as much is derived as the file has: a huge board in a small file costs nothing.
    """
    lines = _lines(text, name)
    for comment in comments:
        if (line := next(lines, b"")) != f"c {comment}".encode("ascii"):
            raise Fault(f"{name}: {_shown(line)} stands where the problem gives the comment {comment!r}")
    header = _shown(next(lines, b""))
    if not _HEADER.fullmatch(header[1:-1]):
        raise Fault(f"{name}: {header} stands where the header 'p cnf VARIABLES CLAUSES' should be")
    clauses: list[Clause] = []
    expected = iter(derived)
    for line in lines:
        wanted = next(expected, None)
        if wanted is None:
            raise Fault(
                f"{name}: clause {len(clauses) + 1} is {_shown(line)}, the problem gives no further clause"
            )
        if line != (text_of := " ".join(map(str, (*wanted, 0))).encode("ascii")):
            shown = _shown(text_of)
            raise Fault(f"{name}: clause {len(clauses) + 1} is {_shown(line)}, the problem gives {shown}")
        clauses.append(wanted)
    if next(expected, None) is not None:
        raise Fault(f"{name}: the problem gives more than the {len(clauses)} clauses of the file")
    top = largest_variable(clauses)
    if header != (wanted_header := f"'p cnf {top} {len(clauses)}'"):
        raise Fault(f"{name}: the header is {header}, not {wanted_header}")
    return Formula(top, tuple(clauses))


def _shown(line: bytes) -> str:
    return quoted(line.decode("ascii"))


def steps(text: bytes, top: int, name: str) -> Iterator[Step]:
    """Yield the steps of a text DRAT file that add a clause, read one at a time: a proof may be long.

    Deletions, and clauses that hold whatever the variables are, are passed over; literals given twice are given
    once. `Fault` for anything that is no DRAT, for variables above `top`, where the empty clause is not added,
    and where anything follows it. The caller must go on to the end to hear of that.
    """
    lines = enumerate(_lines(text, name), 1)
    for number, line in lines:
        is_deletion = line.startswith(b"d ")
        clause = _literals(line[2:] if is_deletion else line, name)
        if any(abs(literal) > top for literal in clause):
            raise Fault(f"{name}: step {number} has a variable that the formula does not have")
        if is_deletion or not set(clause).isdisjoint(-literal for literal in clause):
            continue
        yield number, clause
        if not clause:
            break
    else:
        raise Fault(f"{name}: the proof never adds the empty clause")
    if next(lines, None) is not None:
        raise Fault(f"{name}: the proof goes on after it has added the empty clause in step {number}")


def _lines(text: bytes, name: str) -> Iterator[bytes]:
    """Yield the lines without the line feeds that end them; nothing else ends a line."""
    if not text.isascii():
        raise Fault(f"{name} is no ASCII text")
    for line in io.BytesIO(text):
        if len(line) > MAX_LINE:
            raise TooLarge(f"{name} has a line of more than {MAX_LINE} bytes")
        yield line.removesuffix(b"\n")


def _literals(line: bytes, name: str) -> Clause:
    if not _CLAUSE.fullmatch(line):
        raise Fault(f"{name}: {_shown(line)} is no clause that ends in 0")
    return tuple(dict.fromkeys(map(int, line.split(b" ")[:-1])))


def check_refutation(
    formula: Formula, text: bytes, name: str, seconds: float = SLOW_CHECKER_SECONDS
) -> tuple[str, ...]:
    """Return the names of the checkers that followed the proof to the empty clause; `Fault` where one fails.

    `seconds` is what the slow checker may take, 0 for no time. The fast one always runs to the end.
    """
    length = _check_fast(formula.clauses, steps(text, formula.top, name), name)
    followed = _check_slow(formula, steps(text, formula.top, name), length, name, seconds)
    return (FAST, SLOW) if followed else (FAST,)


def _check_fast(clauses: Sequence[Clause], proof: Iterable[Step], name: str) -> int:
    """Return the number of the last step, all being right; `Fault` where one does not follow."""
    from pysat.solvers import Minisat22

    number = 0
    with Minisat22(bootstrap_with=clauses) as propagator:
        for number, clause in proof:
            if propagator.propagate([-literal for literal in clause])[0]:
                raise Fault(f"{name}: step {number} does not follow from the clauses before it ({FAST})")
            if clause:
                propagator.add_clause(clause)
    return number


def _check_slow(formula: Formula, proof: Iterable[Step], length: int, name: str, seconds: float) -> bool:
    """Whether the slow checker came to the end, and agreed, within `seconds`; `Fault` where it disagrees.

    It gives up as soon as it sees that it would take longer: later steps take no less time than earlier ones.
    `length` is the number of the last step.
    """
    if seconds <= 0 or len(formula.clauses) > MAX_SLOW_CLAUSES:
        return False
    from dratify import CNF, DRATChecker, from_dimacs

    cnf = CNF(formula.top)
    for clause in formula.clauses:
        cnf.add([from_dimacs(literal) for literal in clause])
    checker = DRATChecker(cnf, check_rat=False, apply_deletions=False)
    began, done = time.monotonic(), 0
    for number, clause in proof:
        spent = time.monotonic() - began
        if spent > seconds or (done and spent > _TRIAL_SECONDS and spent * length > seconds * done):
            return False
        if not checker.check_step("a", [from_dimacs(literal) for literal in clause]):
            raise Fault(f"{name}: step {number} does not follow from the clauses before it ({SLOW})")
        done = number
    return True
