"""A progress line on standard error while long work runs, when that is a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType

from problems import Answer, Improvement

_TICK_SECONDS = 0.25


def terminal_size() -> os.terminal_size:
    """Return columns and lines of the terminal that standard error is, 80 x 24 where it does not say."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        size = os.terminal_size((0, 0))
    return os.terminal_size((size.columns or 80, size.lines or 24))


class Progress:
    """Show `label`, the seconds gone by and the best value so far; silent when quiet or not on a terminal."""

    def __init__(self, label: str, *, quiet: bool) -> None:
        self.label = label
        self.active = not quiet and sys.stderr.isatty()
        self.news = ""
        self.began = time.monotonic()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Progress:
        if self.active:
            self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.active:
            self.stop.set()
            self.thread.join()
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()

    def watch(self, improvement: Improvement, state: Answer) -> None:
        """Take in an improvement: the next tick shows it."""
        self.news = f", best so far {improvement.value}"

    def say(self, news: str) -> None:
        """Show this text beside the label from the next tick on."""
        self.news = f", {news}"

    def _tick(self) -> None:
        while not self.stop.wait(_TICK_SECONDS):
            seconds = time.monotonic() - self.began
            line = f"{self.label}: {seconds:.1f} s{self.news}"
            sys.stderr.write(f"\r\x1b[2K{line[: terminal_size().columns - 1]}")
            sys.stderr.flush()
