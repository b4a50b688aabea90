"""One study at a time on a store: a lock that the kernel takes back from a process that is killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from problems import InputError


@contextlib.contextmanager
def exclusive(store: Path) -> Iterator[None]:
    """Hold the lock of a store for the time of the `with` block.

    The lock is that of the file itself, whatever links lead to it. Raises `InputError` if another process holds
    it, if there is a directory at its place, or if the lock file next to it cannot be made.
    """
    path = _lock_of(store)
    descriptor = _locked(path, store)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _lock_of(store: Path) -> Path:
    try:
        file = store.resolve()
    except (OSError, RuntimeError):
        raise InputError("a file for the store", "links that lead round in circles", where=str(store)) from None
    if file.is_dir():
        raise InputError("a file for the store", "a directory", where=str(store))
    return file.with_name(f"{file.name}.lock")


def _locked(path: Path, store: Path) -> int:
    """Return a descriptor that holds the lock; `path` names the same file then."""
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            got = (error.strerror or "an error").lower()
            raise InputError("a directory to write the store to", got, where=str(store)) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise InputError(
                "a store that no other process is writing",
                "one that a running study holds",
                where=str(store),
                hint="wait for that study, or give another --store",
            ) from None
        # The file may have been removed by its last holder between the open and the lock.
        with contextlib.suppress(OSError):
            if os.stat(path).st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        os.close(descriptor)
