"""What a run leaves behind: one row, whatever became of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from compare.study.plan import RunKey
from problems import Answer, Improvement, KnightTour, Problem, Status

LONGEST_ANSWER = 20_000
"""The most squares of an answer that a row keeps; of a longer one it keeps the digest alone."""


class RunEnding(StrEnum):
    """Why a run ended: as `problems.Ending`, and what can only happen to those who are not believed."""

    FINISHED = "finished"
    TIME = "time"
    EVALUATIONS = "evaluations"
    NODES = "nodes"
    MEMORY = "memory"
    CRASHED = "crashed"
    WRONG_ANSWER = "wrong-answer"
    NO_ANSWER = "no-answer"
    UNREADABLE = "unreadable"
    OUTPUT_LIMIT = "output-limit"


FAILURES: frozenset[RunEnding] = frozenset(
    {
        RunEnding.CRASHED,
        RunEnding.MEMORY,
        RunEnding.WRONG_ANSWER,
        RunEnding.NO_ANSWER,
        RunEnding.UNREADABLE,
        RunEnding.OUTPUT_LIMIT,
    }
)
"""Endings in which something went wrong. A limit that is reached without success is no failure."""


LIMITS: frozenset[RunEnding] = frozenset({RunEnding.TIME, RunEnding.EVALUATIONS, RunEnding.NODES})
"""Endings after which more of the same work might have led to success. Memory is none: a run that needs more
than it may have does not succeed by running longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run, started and ended.

    `solved` says whether a right answer that meets the target was found within the limits; `solved_seconds` and
    `solved_effort` when it was found first (the run's total where nothing finer is known). A proof that there is
    none is the status INFEASIBLE, not a success (see `reached`). `status` is OPTIMAL or
    INFEASIBLE only by an exact engine's proof. `answer` is the best that the run had, right or not: `valid`
    says which (None: there is no answer), and `value` is the method's own measure of it. `effort` counts the
    run's work in the unit `effort_name`. `seconds` is wall-clock time, `cpu_seconds` that of the run and its
    descendants, `peak_mib` their largest resident memory, `load` the machine's load average at the end.
    """

    task: str
    entry: str
    run: int
    seed: int
    status: Status
    ending: RunEnding
    seconds: float
    host: str
    reason: str = ""
    solved: bool = False
    valid: bool | None = None
    objective: int | None = None
    bound: int | None = None
    value: int | None = None
    effort: int | None = None
    effort_name: str | None = None
    counters: Mapping[str, int] = field(default_factory=dict)
    cpu_seconds: float | None = None
    peak_mib: float | None = None
    load: float | None = None
    solved_seconds: float | None = None
    solved_effort: int | None = None
    answer: Answer | None = None
    answer_digest: str | None = None
    engine: str | None = None
    trace: tuple[Improvement, ...] = ()

    @property
    def key(self) -> RunKey:
        """The run's identity."""
        return RunKey(self.task, self.entry, self.run)

    @property
    def reached(self) -> bool:
        """Whether the target was reached; stores of earlier versions call a proof that it cannot be `solved`."""
        return self.solved and self.status is not Status.INFEASIBLE

    @property
    def is_over(self) -> bool:
        """Whether the run would not have reached its target with more work: it ended by itself, or went wrong."""
        return not self.reached and self.ending not in LIMITS

    @property
    def failed(self) -> bool:
        """Whether something went wrong, other than a limit being reached."""
        return self.ending in FAILURES


def digest_of(problem: Problem, answer: Answer | None) -> str | None:
    """Return a short SHA-256 of an answer, None for none; the order of a placement does not count."""
    if answer is None:
        return None
    squares = answer if isinstance(problem, KnightTour) else sorted(answer)
    return hashlib.sha256(json.dumps(squares, separators=(",", ":")).encode()).hexdigest()[:16]


def kept(answer: Answer | None) -> Answer | None:
    """Return the answer if a row keeps it, None if it is too long."""
    return None if answer is None or len(answer) > LONGEST_ANSWER else answer
