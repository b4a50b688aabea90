"""What one search has spent, and whether a limit has ended it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from problems import Ending, Limits


@dataclass(slots=True)
class Meter:
    """The nodes and wall-clock seconds spent on one call, and which limit ended it, if one did.

    Searches work in chunks of at most `chunk_nodes` nodes and ask after each. Threads may share a meter.
    """

    limits: Limits
    chunk_nodes: int
    nodes: int = 0
    ending: Ending | None = None
    _began: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since the call began."""
        return time.monotonic() - self._began

    @property
    def chunk(self) -> int:
        """How many nodes may be spent before the next `spend`, at least 1."""
        left = self.chunk_nodes if self.limits.nodes is None else self.limits.nodes - self.nodes
        return max(1, min(self.chunk_nodes, left))

    def restart_clock(self) -> None:
        """Count the seconds from now on: what came before was compiling."""
        self._began = time.monotonic()

    def spend(self, nodes: int) -> bool:
        """Take down nodes spent; False when a limit is reached and the work must stop."""
        with self._lock:
            self.nodes += nodes
            if self.ending is None:
                self.ending = self._limit_reached()
            return self.ending is None

    def cancel(self) -> None:
        """Let every search that shares the meter stop at its next look."""
        self.ending = Ending.CANCELLED

    def _limit_reached(self) -> Ending | None:
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            return Ending.NODES
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            return Ending.TIME
        return None
