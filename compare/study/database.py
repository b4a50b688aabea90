"""Opening the SQLite file of a store, to write it or only to read it, wherever it lies."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from problems import InputError

_NOT_WRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def connect(path: Path) -> sqlite3.Connection:
    """Open a database to write it, made if there is none: what is committed is on the disk.

    Raises `InputError` for a file of another kind, and one that cannot be opened.
    """
    _check_head(path)
    try:
        connection = _opened(path, "mode=rwc")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection
    except sqlite3.DatabaseError as error:
        raise InputError("a store of a study", str(error), where=str(path)) from None


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database to read it; it may lie where nothing can be written, as archives do.

    Raises `InputError` if there is none, for a file of another kind, and one that cannot be read.
    """
    if not path.is_file():
        raise InputError("a store of a study", "no file", where=str(path))
    _check_head(path)
    try:
        return _readable(path, "mode=rw")
    except sqlite3.DatabaseError as error:
        # Readers of a write-ahead log keep notes beside it; where none can be written, no log comes either.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NOT_WRITABLE:
            raise InputError("a store of a study", str(error), where=str(path)) from None
    try:
        return _readable(path, "mode=ro" if _log_of(path) else "mode=ro&immutable=1")
    except sqlite3.DatabaseError as error:
        hint = "copy it, and the -wal file beside it, to a directory that can be written" if _log_of(path) else ""
        raise InputError("a store that can be read", str(error), where=str(path), hint=hint) from None


def _readable(path: Path, options: str) -> sqlite3.Connection:
    connection = _opened(path, options)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _opened(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, isolation_level=None, timeout=30)


def _log_of(path: Path) -> bool:
    """Whether there is a write-ahead log with something in it."""
    log = path.resolve().with_name(f"{path.resolve().name}-wal")
    return log.is_file() and log.stat().st_size > 0


def _check_head(path: Path) -> None:
    """Raise `InputError` for a file of another kind: SQLite would take a short one for empty and write over it."""
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        got = (error.strerror or "an error").lower()
        raise InputError("a store of a study", got, where=str(path)) from None
    if head not in (b"", b"SQLite format 3\0"):
        raise InputError("a store of a study", "a file of another kind", where=str(path))
