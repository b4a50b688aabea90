"""The store: one SQLite file with the plan, the machines, a row a run and its improvements.

Every commit is on the disk when it returns (write-ahead log, full synchronisation), so whatever is killed
afterwards, a row that was counted is there. Run identities are unique by the schema.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compare.study.database import connect, connect_to_read
from compare.study.machine import Machine
from compare.study.plan import Plan, RunKey
from compare.study.plan_reading import parse_plan
from compare.study.players import Programs
from compare.study.rows import FAILURES, RunEnding, RunRow
from compare.study.stored_rows import COLUMNS, row_of, stand_in, triples_of, values_of
from problems import Improvement, InputError
from problems.errors import shown

FORMAT = "provemate study 1"

Execute = Callable[..., sqlite3.Cursor]
"""Called with a statement and its values inside a transaction."""

_MACHINES = "SELECT facts FROM machines ORDER BY host, rowid"

_SCHEMA = """
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE machines (host TEXT NOT NULL, facts TEXT NOT NULL, UNIQUE (host, facts));
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

_MAKE_ROOM = "make room, then run the same command again"

_UNSTORABLE = (
    OverflowError, ValueError, TypeError, sqlite3.InterfaceError, sqlite3.ProgrammingError, sqlite3.DataError,
    sqlite3.IntegrityError,
)  # fmt: skip
"""What SQLite and JSON say of values that they cannot hold."""


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
        store = cls(Path(path), connect(Path(path)))
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
        """Return the store at `path`, to read it; raises `InputError` if there is none."""
        store = cls(Path(path), connect_to_read(Path(path)))
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
        """Return the plan; its outside programs need not be there.

        Raises `InputError` if the store has rows of what is not in the plan, as this version reads it.
        """
        text = str(self._value("SELECT value FROM study WHERE key = 'plan'"))
        plan = parse_plan(text, source=str(self.path), programs=Programs.MAY_BE_MISSING)
        planned = {(task.name, entry.label) for task, entry in plan.pairs()}
        strangers = [
            pair for pair in self._all("SELECT task, entry FROM pairs ORDER BY id") if pair not in planned
        ]
        if strangers:
            task, entry = strangers[0]
            got = f"rows of {shown(entry)} on {shown(task)}, which its plan does not have"
            raise InputError("a store whose rows are those of its plan", got, where=str(self.path))
        return plan

    def workers(self) -> int:
        """Return how many runs went on at a time when the study ran last, 1 if it never did."""
        with self._whole():
            return int(self._value("SELECT value FROM study WHERE key = 'workers'") or 1)

    def note_workers(self, workers: int) -> None:
        """Note how many runs go on at a time."""
        with self._transaction() as execute:
            execute("INSERT OR REPLACE INTO study VALUES ('workers', ?)", (str(workers),))

    def machines(self) -> tuple[Machine, ...]:
        """Return the machines that took part, by host and in the order they came.

        A host is there once for each set of facts: other versions after an upgrade, or two of one name.
        """
        with self._whole():
            return tuple(Machine(**json.loads(facts)) for (facts,) in self._all(_MACHINES))

    def optima(self) -> dict[str, Optimum]:
        """Return the proven minima that targets refer to, by task."""
        rows = self._all("SELECT task, value, source FROM optima")
        return {task: Optimum(value, source) for task, value, source in rows}

    def note_optimum(self, task: str, optimum: Optimum) -> None:
        """Keep a task's proven minimum."""
        with self._transaction() as execute:
            execute("INSERT OR REPLACE INTO optima VALUES (?, ?, ?)", (task, optimum.value, optimum.source))

    def done(self) -> set[RunKey]:
        """Return the identities of the runs that have their row."""
        return {
            RunKey(task, entry, run) for task, entry, run in self._all("SELECT task, entry, run FROM run_rows")
        }

    def failures(self) -> int:
        """Return the number of rows in which something went wrong (see `rows.FAILURES`)."""
        marks = ", ".join("?" * len(FAILURES))
        return int(self._value(f"SELECT count(*) FROM runs WHERE ending IN ({marks})", tuple(FAILURES)))

    def redone(self) -> dict[RunKey, RunEnding]:
        """Return the runs whose failed rows were dropped to be made again, and how those had ended."""
        with self._whole():
            text = self._value("SELECT value FROM study WHERE key = 'redone'")
            return {
                RunKey(task, entry, run): RunEnding(ending)
                for task, entry, run, ending in json.loads(text or "[]")
            }

    def drop(self, endings: Collection[RunEnding]) -> int:
        """Drop the failed rows of these endings, so that they are made again; return how many there were.

        What was dropped is noted (see `redone`). Raises `InputError` for an ending that is no failure: dropping
        runs that a limit ended would make a method better than it is.
        """
        for ending in endings:
            if ending not in FAILURES:
                failures = ", ".join(sorted(FAILURES))
                raise InputError(f"endings that are failures ({failures})", shown(ending.value), where="redo")
        marks = ", ".join("?" * len(endings))
        query = f"SELECT task, entry, run, ending, pair FROM run_rows WHERE ending IN ({marks})"
        rows = self._all(query, tuple(endings))
        if rows:
            redone = self.redone() | {RunKey(task, entry, run): RunEnding(e) for task, entry, run, e, _ in rows}
            with self._transaction() as execute:
                self._note_redone(execute, redone)
                for *_, run, _, pair in rows:
                    execute("DELETE FROM improvements WHERE pair = ? AND run = ?", (pair, run))
                    execute("DELETE FROM runs WHERE pair = ? AND run = ?", (pair, run))
        return len(rows)

    def add(self, rows: Sequence[RunRow], machines: Iterable[Machine] = ()) -> int:
        """Write rows in one commit, on the disk when this returns; return how many were not there yet.

        For a row with values that cannot be stored there will be one that says so.
        """
        added = 0
        with self._transaction() as execute:
            for machine in machines:
                self._add_machine(execute, machine)
            for row in rows:
                pair = self._pair(row.task, row.entry)
                execute("SAVEPOINT one_row")
                try:
                    added += _insert(execute, pair, row)
                except _UNSTORABLE as error:
                    execute("ROLLBACK TO one_row")
                    added += _insert(execute, pair, stand_in(row, error))
                execute("RELEASE one_row")
        return added

    def rows(self) -> list[RunRow]:
        """Return every row, ordered by task and entry as in the plan, and run."""
        traces: dict[tuple[int, int], list[Improvement]] = {}
        query = "SELECT pair, run, effort, value, seconds FROM improvements ORDER BY pair, run, position"
        for pair, run, effort, value, seconds in self._all(query):
            traces.setdefault((pair, run), []).append(Improvement(effort, value, seconds))
        query = f"SELECT task, entry, pair, {', '.join(COLUMNS)} FROM run_rows ORDER BY pair, run"
        with self._whole():
            return [
                row_of(task, entry, values, tuple(traces.get((pair, values[0]), ())))
                for task, entry, pair, *values in self._all(query)
            ]

    def table(self, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the column names and rows of `run_rows` or `improvement_rows`, for tables of one's own."""
        queries = {
            "run_rows": f"SELECT task, entry, {', '.join(COLUMNS)} FROM run_rows ORDER BY pair, run",
            "improvement_rows": (
                "SELECT task, entry, run, position, effort, value, seconds FROM improvements "
                "JOIN pairs ON pairs.id = improvements.pair ORDER BY pair, run, position"
            ),
        }
        with self._whole():
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
        if redone := source.redone():
            with self._transaction() as execute:
                self._note_redone(execute, redone | self.redone())
        added = self.add([row for row in theirs if row.key not in mine], source.machines())
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
        if self._value("SELECT count(*) FROM sqlite_master WHERE name = 'study'"):
            found = self._format()
        if found != FORMAT:
            got = "an SQLite file of another kind" if found is None else shown(found)
            raise InputError(f"a store of a study ({FORMAT})", got, where=str(self.path))

    def _format(self) -> Any:
        with self._whole():
            try:
                row = self._connection.execute("SELECT value FROM study WHERE key = 'format'").fetchone()
            except sqlite3.OperationalError:  # a table of that name with other columns
                return None
        return None if row is None else row[0]

    def _pair(self, task: str, entry: str) -> int:
        return int(self._value("SELECT id FROM pairs WHERE task = ? AND entry = ?", (task, entry)))

    def _add_machine(self, execute: Execute, machine: Machine) -> None:
        """Keep a machine's facts unless they are there; how busy it was when first seen is none of them."""
        facts = {**machine.as_dict(), "load": None}
        known = [json.loads(text) for (text,) in self._all(_MACHINES)]
        if facts not in [{**other, "load": None} for other in known]:
            execute("INSERT OR IGNORE INTO machines VALUES (?, ?)", (machine.host, json.dumps(machine.as_dict())))

    def _note_redone(self, execute: Execute, redone: Mapping[RunKey, RunEnding]) -> None:
        listed = sorted([key.task, key.entry, key.run, ending.value] for key, ending in redone.items())
        execute("INSERT OR REPLACE INTO study VALUES ('redone', ?)", (json.dumps(listed),))

    def _value(self, query: str, parameters: tuple[Any, ...] = ()) -> Any:
        rows = self._all(query, parameters)
        return rows[0][0] if rows else None

    def _all(self, query: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._whole():
            return self._connection.execute(query, parameters).fetchall()

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        """Say in one line that the file is damaged where reading it fails."""
        try:
            yield
        except InputError:
            raise
        except (sqlite3.DatabaseError, ValueError, TypeError, KeyError) as error:
            hint = "take a copy of it from before the damage, or run the study into another --store"
            raise InputError(
                "a store of a study that is whole", str(error), where=str(self.path), hint=hint
            ) from None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Execute]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
            except BaseException:
                # A full disk ends the transaction by itself; its error is the one to tell.
                with contextlib.suppress(sqlite3.OperationalError):
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL
            got = "a full disk" if full else str(error)
            hint = _MAKE_ROOM if full else ""
            raise InputError("a store that can be written", got, where=str(self.path), hint=hint) from None

    @contextlib.contextmanager
    def _or_closed(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise


def _insert(execute: Execute, pair: int, row: RunRow) -> int:
    """Write a row and its improvements; return 1, or 0 if there is a row of that run already."""
    marks = ", ".join("?" * (1 + len(COLUMNS)))
    statement = (
        f"INSERT INTO runs (pair, {', '.join(COLUMNS)}) VALUES ({marks}) ON CONFLICT (pair, run) DO NOTHING"
    )
    if not execute(statement, (pair, *values_of(row))).rowcount:
        return 0
    for position, (effort, value, seconds) in enumerate(triples_of(row.trace)):
        values = (pair, row.run, position, effort, value, seconds)
        execute("INSERT INTO improvements VALUES (?, ?, ?, ?, ?, ?)", values)
    return 1
