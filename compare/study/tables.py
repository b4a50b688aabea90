"""A store's rows as lists and pandas tables, for analyses of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compare.study.plan import Engine, Heuristic, Player
from compare.study.rows import RunRow
from compare.study.store import Store

if TYPE_CHECKING:
    import pandas as pd


def read_runs(store: str | Path) -> list[RunRow]:
    """Return every row of a store, in the plan's order; raises `InputError` if there is no store."""
    with Store.open(store) as opened:
        return opened.rows()


def runs_frame(store: str | Path) -> pd.DataFrame:
    """Return a table with a line a run: the columns of `RunRow` and those of its task and entry.

    From the plan come `problem`, `instance`, `squares`, `goal`, `kind` (heuristic, engine, program), and the
    budgets `budget_seconds`, `budget_evaluations`, `budget_memory`. Answers are JSON texts.
    """
    import pandas as pd

    with Store.open(store) as opened:
        names, rows = opened.table("run_rows")
        plan, optima = opened.plan(), opened.optima()
    frame = pd.DataFrame(rows, columns=names)
    frame["solved"] = frame["solved"].astype(bool)
    pairs = []
    for task, entry in plan.pairs():
        optimum = optima.get(task.name)
        pairs.append(
            {
                "task": task.name,
                "entry": entry.label,
                "problem": task.problem.name,
                "instance": task.instance,
                "squares": task.problem.board.size,
                "goal": task.goal(None if optimum is None else optimum.value),
                "kind": _kind(entry.player),
                "budget_seconds": entry.budget.seconds,
                "budget_evaluations": entry.budget.evaluations,
                "budget_memory": entry.budget.memory,
            }
        )
    return frame.merge(pd.DataFrame(pairs), on=["task", "entry"], how="left", validate="many_to_one")


def improvements_frame(store: str | Path) -> pd.DataFrame:
    """Return a table with a line an improvement: task, entry, run, position, effort, value, seconds."""
    import pandas as pd

    with Store.open(store) as opened:
        names, rows = opened.table("improvement_rows")
    return pd.DataFrame(rows, columns=names)


def _kind(player: Player) -> str:
    if isinstance(player, Heuristic):
        return "heuristic"
    return "engine" if isinstance(player, Engine) else "program"
