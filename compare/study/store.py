"""The store: one SQLite file with the plan, the machines, a row a run and its improvements.

Every commit is on the disk when it returns (write-ahead log, full synchronisation), so whatever is killed
afterwards, a row that was counted is there. Run identities are unique by the schema.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compare.study.machine import Machine
from compare.study.plan import Plan, RunKey
from compare.study.plan_reading import parse_plan
from compare.study.players import Programs
from compare.study.rows import FAILURES, RunEnding, RunRow, kept
from problems import Improvement, InputError, Status
from problems.errors import shown

FORMAT = "provemate study 1"

_SCHEMA = """
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE machines (host TEXT PRIMARY KEY, facts TEXT NOT NULL);
CREATE TABLE optima (task TEXT PRIMARY KEY, value INTEGER NOT NULL, source TEXT NOT NULL);
CREATE TABLE pairs (id INTEGER PRIMARY KEY, task TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (task, entry));
CREATE TABLE runs (
    pair INTEGER NOT NULL REFERENCES pairs, run INTEGER NOT NULL, seed INTEGER NOT NULL,
    status TEXT NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL, solved INTEGER NOT NULL, valid INTEGER,
    objective INTEGER, bound INTEGER, value INTEGER, effort INTEGER, effort_name TEXT, counters TEXT NOT NULL,
    seconds REAL NOT NULL, cpu_seconds REAL, peak_mib REAL, load REAL,
    solved_seconds REAL, solved_effort INTEGER,
    answer TEXT, answer_digest TEXT, engine TEXT, host TEXT NOT NULL,
    PRIMARY KEY (pair, run)
) WITHOUT ROWID;
CREATE TABLE improvements (
    pair INTEGER NOT NULL, run INTEGER NOT NULL, position INTEGER NOT NULL,
    effort INTEGER NOT NULL, value INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (pair, run, position)
) WITHOUT ROWID;
CREATE VIEW run_rows AS SELECT task, entry, runs.* FROM runs JOIN pairs ON pairs.id = runs.pair;
"""

_COLUMNS = (
    "run", "seed", "status", "ending", "reason", "solved", "valid", "objective", "bound", "value", "effort",
    "effort_name", "counters", "seconds", "cpu_seconds", "peak_mib", "load", "solved_seconds", "solved_effort",
    "answer", "answer_digest", "engine", "host",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Optimum:
    """A task's proven minimum and who proved it."""

    value: int
    source: str


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did: rows taken over, rows that were there already, and those of them whose answers differ."""

    added: int
    present: int
    different: int


class Store:
    """An open store. Use it from one thread, close it, or use it in a `with` statement."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(cls, path: str | Path, plan: Plan) -> Store:
        """Return the store of this plan at `path`, made if there is none.

        Raises `InputError` if there is something else at `path`, the store of another plan above all.
        """
        store = cls(Path(path), _connect(Path(path), "rwc"))
        with store._or_closed():
            if not store._value("SELECT count(*) FROM sqlite_master"):
                store._initialise(plan)
            store._check_format()
            if store.digest() != plan.digest():
                raise InputError(
                    "a store of this plan",
                    f"one of another plan ({shown(store.plan().title)})",
                    where=str(path),
                    hint="give another --store",
                )
        return store

    @classmethod
    def open(cls, path: str | Path) -> Store:
        """Return the store at `path`; raises `InputError` if there is none."""
        if not Path(path).is_file():
            raise InputError("a store of a study", "no file", where=str(path))
        store = cls(Path(path), _connect(Path(path), "rw"))
        with store._or_closed():
            store._check_format()
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; everything committed is in it."""
        self._connection.close()

    def digest(self) -> str:
        """Return the digest of the store's plan."""
        return str(self._value("SELECT value FROM study WHERE key = 'digest'"))

    def plan(self) -> Plan:
        """Return the plan; its outside programs need not be there."""
        text = str(self._value("SELECT value FROM study WHERE key = 'plan'"))
        return parse_plan(text, source=str(self.path), programs=Programs.MAY_BE_MISSING)

    def workers(self) -> int:
        """Return how many runs went on at a time when the study ran last, 1 if it never did."""
        return int(self._value("SELECT value FROM study WHERE key = 'workers'") or 1)

    def note_workers(self, workers: int) -> None:
        """Note how many runs go on at a time."""
        with self._transaction() as execute:
            execute("INSERT OR REPLACE INTO study VALUES ('workers', ?)", (str(workers),))

    def machines(self) -> dict[str, Machine]:
        """Return the machines that took part, by host."""
        rows = self._connection.execute("SELECT host, facts FROM machines ORDER BY host")
        return {host: Machine(**json.loads(facts)) for host, facts in rows}

    def optima(self) -> dict[str, Optimum]:
        """Return the proven minima that targets refer to, by task."""
        rows = self._connection.execute("SELECT task, value, source FROM optima")
        return {task: Optimum(value, source) for task, value, source in rows}

    def note_optimum(self, task: str, optimum: Optimum) -> None:
        """Keep a task's proven minimum."""
        with self._transaction() as execute:
            execute("INSERT OR REPLACE INTO optima VALUES (?, ?, ?)", (task, optimum.value, optimum.source))

    def done(self) -> set[RunKey]:
        """Return the identities of the runs that have their row."""
        rows = self._connection.execute("SELECT task, entry, run FROM run_rows")
        return {RunKey(task, entry, run) for task, entry, run in rows}

    def failures(self) -> int:
        """Return the number of rows in which something went wrong (see `rows.FAILURES`)."""
        marks = ", ".join("?" * len(FAILURES))
        return int(self._value(f"SELECT count(*) FROM runs WHERE ending IN ({marks})", tuple(FAILURES)))

    def add(self, rows: Sequence[RunRow], machines: Iterable[Machine] = ()) -> int:
        """Write rows in one commit, on the disk when this returns; return how many were not there yet."""
        added = 0
        with self._transaction() as execute:
            for machine in machines:
                facts = json.dumps(machine.as_dict())
                execute("INSERT OR IGNORE INTO machines VALUES (?, ?)", (machine.host, facts))
            for row in rows:
                pair = self._pair(row.task, row.entry)
                marks = ", ".join("?" * (1 + len(_COLUMNS)))
                statement = f"INSERT OR IGNORE INTO runs (pair, {', '.join(_COLUMNS)}) VALUES ({marks})"
                fresh = execute(statement, (pair, *_values(row))).rowcount
                added += fresh
                if fresh:
                    for position, (effort, value, seconds) in enumerate(_triples(row.trace)):
                        values = (pair, row.run, position, effort, value, seconds)
                        execute("INSERT INTO improvements VALUES (?, ?, ?, ?, ?, ?)", values)
        return added

    def rows(self) -> list[RunRow]:
        """Return every row, ordered by task and entry as in the plan, and run."""
        traces: dict[tuple[int, int], list[Improvement]] = {}
        query = "SELECT pair, run, effort, value, seconds FROM improvements ORDER BY pair, run, position"
        for pair, run, effort, value, seconds in self._connection.execute(query):
            traces.setdefault((pair, run), []).append(Improvement(effort, value, seconds))
        query = f"SELECT task, entry, pair, {', '.join(_COLUMNS)} FROM run_rows ORDER BY pair, run"
        return [
            _row(task, entry, values, tuple(traces.get((pair, values[0]), ())))
            for task, entry, pair, *values in self._connection.execute(query)
        ]

    def table(self, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the column names and rows of `run_rows` or `improvement_rows`, for tables of one's own."""
        queries = {
            "run_rows": f"SELECT task, entry, {', '.join(_COLUMNS)} FROM run_rows ORDER BY pair, run",
            "improvement_rows": (
                "SELECT task, entry, run, position, effort, value, seconds FROM improvements "
                "JOIN pairs ON pairs.id = improvements.pair ORDER BY pair, run, position"
            ),
        }
        cursor = self._connection.execute(queries[name])
        return [column[0] for column in cursor.description], cursor.fetchall()

    def merge(self, source: Store) -> Merged:
        """Take over the rows of another store of the same plan; raises `InputError` if its plan is another."""
        if source.digest() != self.digest():
            raise InputError("stores of the same plan", "one of another plan", where=str(source.path))
        mine = {row.key: row.answer_digest for row in self.rows()}
        theirs = source.rows()
        present = [row for row in theirs if row.key in mine]
        optima = self.optima()
        for task, optimum in source.optima().items():
            if task not in optima:
                self.note_optimum(task, optimum)
        added = self.add([row for row in theirs if row.key not in mine], source.machines().values())
        return Merged(added, len(present), sum(mine[row.key] != row.answer_digest for row in present))

    def _initialise(self, plan: Plan) -> None:
        with self._transaction() as execute:
            if self._value("SELECT count(*) FROM sqlite_master"):
                return
            for statement in _SCHEMA.split(";"):
                if statement.strip():
                    execute(statement)
            facts = {"format": FORMAT, "plan": plan.text, "digest": plan.digest()}
            for item in facts.items():
                execute("INSERT INTO study VALUES (?, ?)", item)
            for pair, (task, entry) in enumerate(plan.pairs()):
                execute("INSERT INTO pairs VALUES (?, ?, ?)", (pair, task.name, entry.label))

    def _check_format(self) -> None:
        found = None
        with contextlib.suppress(sqlite3.OperationalError):
            found = self._value("SELECT value FROM study WHERE key = 'format'")
        if found != FORMAT:
            got = "an SQLite file of another kind" if found is None else shown(found)
            raise InputError(f"a store of a study ({FORMAT})", got, where=str(self.path))

    def _pair(self, task: str, entry: str) -> int:
        return int(self._value("SELECT id FROM pairs WHERE task = ? AND entry = ?", (task, entry)))

    def _value(self, query: str, parameters: tuple[Any, ...] = ()) -> Any:
        row = self._connection.execute(query, parameters).fetchone()
        return None if row is None else row[0]

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise InputError("a store that can be written", str(error), where=str(self.path)) from None

    @contextlib.contextmanager
    def _or_closed(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            self.close()
            raise InputError("a store of a study", str(error), where=str(self.path)) from None
        except BaseException:
            self.close()
            raise


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    try:
        # SQLite would take a short file of another kind for an empty one of its own, and write over it.
        if path.is_file() and _head(path) not in (b"", b"SQLite format 3\0"):
            raise InputError("a store of a study", "a file of another kind", where=str(path))
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection
    except (OSError, sqlite3.DatabaseError) as error:
        raise InputError("a store of a study", str(error), where=str(path)) from None


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def _triples(trace: Iterable[Improvement]) -> Iterator[tuple[int, int, float]]:
    for improvement in trace:
        yield int(improvement.effort), int(improvement.value), float(improvement.seconds)


def _values(row: RunRow) -> tuple[Any, ...]:
    answer = kept(row.answer)
    texts = {
        "status": row.status.value,
        "ending": row.ending.value,
        "counters": json.dumps(dict(row.counters)),
        "answer": None if answer is None else json.dumps(answer, separators=(",", ":")),
    }
    return tuple(texts[name] if name in texts else getattr(row, name) for name in _COLUMNS)


def _row(task: str, entry: str, values: Sequence[Any], trace: tuple[Improvement, ...]) -> RunRow:
    named = dict(zip(_COLUMNS, values, strict=True))
    answer, valid = named.pop("answer"), named.pop("valid")
    return RunRow(
        task=task,
        entry=entry,
        status=Status(named.pop("status")),
        ending=RunEnding(named.pop("ending")),
        counters=json.loads(named.pop("counters")),
        solved=bool(named.pop("solved")),
        valid=None if valid is None else bool(valid),
        answer=None if answer is None else tuple((row, col) for row, col in json.loads(answer)),
        trace=trace,
        **named,
    )
