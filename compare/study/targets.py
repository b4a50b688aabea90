"""The minima that targets such as `optimum + 1` refer to."""

from __future__ import annotations

from compare.study.plan import Plan, TargetKind, Task
from compare.study.store import Optimum, Store
from problems import InputError, KnightCover, Limits, Status

PROOF_SECONDS = 60.0
"""How long a minimum may take to prove before a study asks for it in the plan."""

PLAN_SOURCE = "the plan"
"""The source of an optimum that the plan states: nobody has proved it here."""


def settle_optima(plan: Plan, store: Store) -> dict[str, int]:
    """Return the minimum of every task whose target needs it; those not yet in the store are put there.

    Raises `InputError` where a problem has no answer at all, or its minimum can neither be looked up nor
    proved within PROOF_SECONDS.
    """
    known = store.optima()
    for task in plan.tasks:
        if task.target.kind is TargetKind.OPTIMUM and task.name not in known:
            known[task.name] = optimum_of(task)
            store.note_optimum(task.name, known[task.name])
    return {name: optimum.value for name, optimum in known.items()}


def optimum_of(task: Task) -> Optimum:
    """Return a task's minimum: the plan's, one the referee knows or proves, or the engines' proof."""
    if task.optimum is not None:
        return Optimum(task.optimum, PLAN_SOURCE)
    import exact
    from compare.bounds import knight_bounds

    assert isinstance(task.problem, KnightCover)
    bounds = knight_bounds(task.problem)
    if bounds.infeasible:
        raise InputError("a problem that has an answer", f"{bounds.source}", where=task.name)
    if bounds.lower is not None and bounds.lower == bounds.upper:
        return Optimum(bounds.lower, bounds.source or "the referee")
    result = exact.solve(task.problem, limits=Limits(seconds=PROOF_SECONDS))
    if result.status is Status.OPTIMAL and result.objective is not None:
        return Optimum(result.objective, f"{result.engine}, run for this study")
    raise InputError(
        "a minimum that can be proved",
        f"none within {PROOF_SECONDS:g} s",
        where=task.name,
        hint="give optimum = … in its [[tasks]] table, or another target",
    )
