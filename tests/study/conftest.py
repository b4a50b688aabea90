from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from study_cases import KNIGHTS

from compare.study import Plan, parse_plan


@pytest.fixture
def knights_plan() -> Callable[[int], Plan]:
    """The document's genetic algorithm on 8x8: so many runs of about a millisecond."""
    return lambda runs: parse_plan(KNIGHTS.format(runs=runs))


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "study.sqlite"
