"""Writers of the standard forms: lines of ASCII text, without line ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exact.export.linear import Model, Relation, Terms
from exact.sat.formula import Formula

_TERMS_A_LINE = 10
"""LP readers allow no more than some hundreds of characters in a line."""

_SENSE = {Relation.AT_LEAST: "G", Relation.EQUAL: "E", Relation.AT_MOST: "L"}


def dimacs(formula: Formula, comments: Iterable[str]) -> Iterator[str]:
    """Yield DIMACS CNF."""
    for comment in comments:
        yield f"c {comment}"
    yield f"p cnf {formula.top} {len(formula.clauses)}"
    for clause in formula.clauses:
        yield " ".join(map(str, (*clause, 0)))


def opb(model: Model) -> Iterator[str]:
    """Yield OPB, the form of the pseudo-Boolean competitions; all variables must be decisions.

    Variable i of the model (from 0) is x{i + 1}; comments give its name.
    """
    yield f"* #variable= {len(model.variables)} #constraint= {len(model.constraints)}"
    yield f"* {model.title}"
    for number, variable in enumerate(model.variables, 1):
        yield f"* x{number} {variable.name}"
    if model.objective is not None:
        yield f"min: {_opb_sum(model.objective)} ;"
    for constraint in model.constraints:
        terms, relation, right = constraint.terms, constraint.relation, constraint.right
        if relation is Relation.AT_MOST:
            terms, relation, right = tuple((-c, v) for c, v in terms), Relation.AT_LEAST, -right
        yield f"{_opb_sum(terms)} {relation} {right} ;"


def _opb_sum(terms: Terms) -> str:
    return " ".join(f"{coefficient:+d} x{variable + 1}" for coefficient, variable in terms) or "0 x1"


def lp(model: Model) -> Iterator[str]:
    """Yield CPLEX's LP form."""
    yield f"\\ {model.title}"
    yield "Minimize"
    yield from _lp_sum(" obj:", model.objective or (), model)
    yield "Subject To"
    for number, constraint in enumerate(model.constraints, 1):
        *rows, last = _lp_sum(f" c{number}:", constraint.terms, model)
        yield from rows
        yield f"{last} {constraint.relation} {constraint.right}"
    general = [variable for variable in model.variables if (variable.low, variable.high) != (0, 1)]
    yield "Bounds"
    yield from (f" {variable.low} <= {variable.name} <= {variable.high}" for variable in general)
    for title, kind in (("Binary", set(model.variables) - set(general)), ("General", set(general))):
        if kind:
            yield title
            yield from (f" {variable.name}" for variable in model.variables if variable in kind)
    yield "End"


def _lp_sum(label: str, terms: Terms, model: Model) -> Iterator[str]:
    """Yield a sum over as many lines as it needs; an empty one as zero times some variable."""
    shown = [f"{coefficient:+d} {model.variables[variable].name}" for coefficient, variable in terms]
    if not shown and model.variables:
        shown = [f"0 {model.variables[0].name}"]
    for start in range(0, max(len(shown), 1), _TERMS_A_LINE):
        head = label if not start else "   "
        yield " ".join((head, *shown[start : start + _TERMS_A_LINE]))


def mps(model: Model) -> Iterator[str]:
    """Yield free-form MPS, with all variables integer."""
    yield f"* {model.title}"
    yield "NAME model"
    yield "ROWS"
    yield " N obj"
    for number, constraint in enumerate(model.constraints, 1):
        yield f" {_SENSE[constraint.relation]} c{number}"
    yield "COLUMNS"
    yield " MARKER1 'MARKER' 'INTORG'"
    for variable, entries in zip(model.variables, _columns(model), strict=True):
        # A column without entries still has to be there.
        yield from (f" {variable.name} {row} {c}" for row, c in entries or (("obj", 0),))
    yield " MARKER2 'MARKER' 'INTEND'"
    yield "RHS"
    for number, constraint in enumerate(model.constraints, 1):
        if constraint.right:
            yield f" rhs c{number} {constraint.right}"
    yield "BOUNDS"
    for variable in model.variables:
        yield f" LO bound {variable.name} {variable.low}"
        yield f" UP bound {variable.name} {variable.high}"
    yield "ENDATA"


def _columns(model: Model) -> list[list[tuple[str, int]]]:
    """Return for each variable its rows and coefficients."""
    columns: list[list[tuple[str, int]]] = [[] for _ in model.variables]
    rows = [("obj", model.objective or ())]
    rows += [(f"c{number}", constraint.terms) for number, constraint in enumerate(model.constraints, 1)]
    for name, terms in rows:
        for coefficient, variable in terms:
            columns[variable].append((name, coefficient))
    return columns
