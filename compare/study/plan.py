"""What a study is: tasks, entries, budgets, targets, and the identity and seed of every run.

Plain frozen data. `compare.study.plan_reading` makes it from TOML; nothing here runs anything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass, replace
from enum import StrEnum
from typing import Any

from problems import KnightCover, Problem
from problems.formats import Coordinates

SEED_BITS = 31
"""Seeds are below 2**31, which every solver and every `srand` takes."""


class TargetKind(StrEnum):
    """What a run has to reach to count as a success."""

    OPTIMUM = "optimum"
    NUMBER = "number"
    FIRST_VALID = "first valid"


@dataclass(frozen=True, slots=True)
class Target:
    """The optimum plus `number`, the objective `number` itself, or any valid answer (`number` is 0)."""

    kind: TargetKind
    number: int = 0

    def __str__(self) -> str:
        if self.kind is TargetKind.OPTIMUM:
            return f"optimum + {self.number}" if self.number else "optimum"
        return str(self.number) if self.kind is TargetKind.NUMBER else "first valid"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use: wall-clock seconds, evaluations (as the method counts), MiB; None: no limit."""

    seconds: float | None = None
    evaluations: int | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A problem and the target on it.

    `problem` has no `at_most`: the target decides it. `instance` is the size as in the plan. `optimum` is
    the proven minimum where the plan gives it, else it is looked up or proved before the study runs.
    """

    name: str
    instance: str
    problem: Problem
    target: Target
    optimum: int | None = None

    def goal(self, optimum: int | None) -> int | None:
        """Return the objective to reach, given the proven optimum; None where any valid answer will do."""
        match self.target.kind:
            case TargetKind.OPTIMUM if optimum is not None:
                return optimum + self.target.number
            case TargetKind.NUMBER:
                return self.target.number
            case _:
                return None

    def posed(self, goal: int | None) -> Problem:
        """Return the problem with the goal as its limit, as it is put to a heuristic."""
        if isinstance(self.problem, KnightCover) and goal is not None:
            return replace(self.problem, at_most=goal)
        return self.problem


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A heuristic from `heuristic.methods` with its edition and an instance of its parameter dataclass."""

    method: str
    edition: str
    parameters: Any


@dataclass(frozen=True, slots=True)
class Engine:
    """An exact engine (or `auto`), which proves the optimum or decides the target."""

    engine: str


@dataclass(frozen=True, slots=True)
class Program:
    """An outside program: a command line with placeholders such as `{rows}`, `{knights}` and `{seed}`.

    `coordinates` says how it writes squares, where its output leaves that open.
    """

    command: str
    coordinates: Coordinates | None = None


Player = Heuristic | Engine | Program


class ClaimKind(StrEnum):
    """What a claimed figure is about; efforts are in the method's own unit."""

    MEAN_EFFORT = "mean-effort"
    EFFORT = "effort"
    EFFORT_RATIO = "effort-ratio"
    SECONDS = "seconds"
    SUCCESS_RATE = "success-rate"
    DISTINCT_ANSWERS = "distinct-answers"
    OBJECTIVE = "objective"


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that somebody states for an entry on a task, to be held against what is measured.

    `runs` is how many runs the figure is drawn from, `values` those runs' efforts where they are known,
    `against` the other entry of a ratio (theirs divided by this entry's), `source` who says so.
    """

    what: ClaimKind
    value: float
    task: str
    runs: int | None = None
    values: tuple[float, ...] = ()
    against: str | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One contestant: who plays, on which tasks, how often, within what budget, and what is claimed for it."""

    label: str
    player: Player
    tasks: tuple[str, ...]
    runs: int
    budget: Budget
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class RunKey:
    """The identity of a run: task, entry and number (from 0). It is unique in a study, on any machine."""

    task: str
    entry: str
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A whole study. `text` is the TOML it was read from."""

    title: str
    question: str
    seed: int
    tasks: tuple[Task, ...]
    entries: tuple[Entry, ...]
    text: str

    def task(self, name: str) -> Task:
        """Return the task of that name."""
        return next(task for task in self.tasks if task.name == name)

    def entry(self, label: str) -> Entry:
        """Return the entry of that label."""
        return next(entry for entry in self.entries if entry.label == label)

    def pairs(self) -> Iterator[tuple[Task, Entry]]:
        """Yield every task with every entry that plays on it, in the plan's order."""
        for task in self.tasks:
            for entry in self.entries:
                if task.name in entry.tasks:
                    yield task, entry

    def size(self) -> int:
        """Return the number of runs."""
        return sum(entry.runs for _, entry in self.pairs())

    def seed_of(self, key: RunKey) -> int:
        """Return the seed of a run: it depends on the plan's seed and the run's identity, on nothing else."""
        identity = json.dumps([self.seed, key.task, key.entry, key.run])
        digest = hashlib.sha256(identity.encode()).digest()
        return int.from_bytes(digest[:8]) >> (64 - SEED_BITS)

    def digest(self) -> str:
        """Return a SHA-256 over everything that decides the runs; titles, claims and layout do not count."""
        content = {
            "seed": self.seed,
            "tasks": [_plain(task) for task in self.tasks],
            "entries": [_plain(replace(entry, claims=())) for entry in self.entries],
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return dataclasses as JSON data, each with the name of its type."""
    if is_dataclass(value) and not isinstance(value, type):
        fields = {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
        return {"type": type(value).__name__, **fields}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(_plain(item) for item in value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
