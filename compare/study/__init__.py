"""Comparative studies: a plan -> isolated runs -> a store that survives every kill -> rows for the statistics."""

from compare.study.plan import Plan, RunKey
from compare.study.plan_faults import Fault, PlanError
from compare.study.plan_reading import SHIPPED, load_plan, parse_plan
from compare.study.rows import RunEnding, RunRow
from compare.study.runner import Summary, run_study
from compare.study.schedule import Share
from compare.study.status import PairStatus, StudyStatus, merge_stores, study_status
from compare.study.store import Merged, Optimum, Store
from compare.study.tables import improvements_frame, read_runs, runs_frame

__all__ = [
    "SHIPPED", "Fault", "Merged", "Optimum", "PairStatus", "Plan", "PlanError", "RunEnding", "RunKey", "RunRow",
    "Share", "Store", "StudyStatus", "Summary", "improvements_frame", "load_plan", "merge_stores", "parse_plan",
    "read_runs", "run_study", "runs_frame", "study_status",
]  # fmt: skip
