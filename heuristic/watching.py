"""Showing improvements to whoever watches, without letting that slow the search down."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from problems import Answer, Improvement, Watcher

SHARE = 0.1
"""The part of a run's time that watching it may take."""

ALLOWANCE = 0.1
"""The seconds that watching may take before that: on ordinary boards every improvement is shown."""


class Audience:
    """Shows improvements to a watcher within its share of the time; without a watcher it does nothing.

    An improvement that comes when the share is used up waits, and gives way to a better one; only when it is
    shown is its state made. The last one is always shown. The trajectory and the trace know nothing of it.
    """

    def __init__(self, watch: Watcher | None) -> None:
        self._watch = watch
        self._began = perf_counter()
        self._used = 0.0
        self._waiting: tuple[Improvement, Callable[[], Answer]] | None = None

    def improved(self, improvement: Improvement, state: Callable[[], Answer]) -> None:
        """Show an improvement, now or later; `state` must give its state until the next one."""
        if self._watch is not None:
            self._waiting = improvement, state
            self.catch_up()

    def catch_up(self) -> None:
        """Show the improvement that waits, if there is time for it again."""
        if self._waiting is not None and self._used <= ALLOWANCE + SHARE * (perf_counter() - self._began):
            self.close()

    def close(self) -> None:
        """Show the improvement that waits, if there is one."""
        if self._waiting is None or self._watch is None:
            return
        began = perf_counter()
        improvement, state = self._waiting
        self._watch(improvement, state())
        self._waiting = None
        self._used += perf_counter() - began
