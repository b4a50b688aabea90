"""SAT solvers as this project runs them, through PySAT: one solver, its counters, projected enumeration.

Only children import this module (see `exact.child`): a call holds the interpreter lock and cannot be
interrupted, so their parents kill them at a limit. Encodings are in `exact.sat.formula`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pysat.solvers import Solver

from exact.child import Report
from exact.progress import Batches, Enumerated
from exact.sat.formula import Clause
from problems import Answer, Counters

DEFAULT_SOLVER = "cadical195"
"""CaDiCaL 1.9.5, the fastest of PySAT's on the covers and tours here."""


class Session:
    """An incremental solver: clauses may be added between calls. Close it, or use it in a `with` statement."""

    def __init__(self, clauses: Iterable[Clause] = (), solver: str = DEFAULT_SOLVER) -> None:
        self._solver = Solver(name=solver)
        self._calls = 0
        for clause in clauses:
            self._solver.add_clause(clause)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause; with no literals, the contradiction."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Return whether the clauses hold together with the assumptions. Raises if the solver does not say."""
        self._calls += 1
        satisfiable = self._solver.solve(assumptions=list(assumptions))
        if satisfiable is None:
            raise RuntimeError("the SAT solver returned no verdict")
        return bool(satisfiable)

    def solve_within(self, conflicts: int, assumptions: Sequence[int] = ()) -> bool | None:
        """Return what `solve` does, or None if the solver takes more conflicts than this before it knows."""
        self._calls += 1
        self._solver.conf_budget(conflicts)
        satisfiable = self._solver.solve_limited(assumptions=list(assumptions))
        return None if satisfiable is None else bool(satisfiable)

    def chosen(self, variables: Iterable[int]) -> tuple[int, ...]:
        """Return those of the variables that are true in the last model, in the order given."""
        model = self._solver.get_model()
        # A solver leaves out variables beyond the last one that occurs in a clause; they are free, hence false.
        return tuple(v for v in variables if v <= len(model) and model[v - 1] > 0)

    def counters(self) -> Counters:
        """Return the solver's own counts since it was made, and the number of calls."""
        statistics = self._solver.accum_stats() or {}
        return Counters(
            conflicts=statistics.get("conflicts"),
            decisions=statistics.get("decisions"),
            propagations=statistics.get("propagations"),
            restarts=statistics.get("restarts"),
            solver_calls=self._calls,
        )


Read = Callable[[frozenset[int]], Answer]
"""How to read an answer off a model: called with the problem variables that are true."""


def enumerate_answers(
    session: Session,
    variables: Sequence[int],
    *,
    read: Read,
    report: Report,
    block: Callable[[tuple[int, ...]], Clause] | None = None,
) -> Enumerated:
    """Find all models, projected on the problem's variables; report their answers in batches, as `Found`.

    Auxiliary variables do not multiply answers: each model is blocked on `variables` alone. `block`, given
    the true ones, may return a shorter clause that excludes this projection and no other one.
    """
    batches = Batches(report)
    while session.solve():
        chosen = session.chosen(variables)
        batches.add(read(frozenset(chosen)))
        session.add(block(chosen) if block else blocking(variables, chosen))
    batches.flush()
    return Enumerated(batches.count, complete=True, counters=session.counters())


def blocking(variables: Sequence[int], chosen: Iterable[int]) -> Clause:
    """Return the clause that excludes exactly the assignment in which just the chosen variables are true."""
    true = frozenset(chosen)
    return tuple(-v if v in true else v for v in variables)
