"""Reference data for all tests: published and computed values, and answers as people paste them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

DATA = Path(__file__).parent / "data"


# A slow machine is no failure. In CI the examples are the same every time; elsewhere each run draws new ones.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.fixture(scope="session")
def known_values() -> dict[str, Any]:
    return json.loads((DATA / "known_values.json").read_text())


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return what gives the heuristics a clock that goes so many seconds further each time it is looked at."""

    def tick(seconds: float) -> None:
        looks = count()
        monkeypatch.setattr("heuristic.budget.perf_counter", lambda: next(looks) * seconds)

    return tick
