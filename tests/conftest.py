"""Reference data for all tests: published and computed values, and answers as people paste them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def known_values() -> dict[str, Any]:
    return json.loads((DATA / "known_values.json").read_text())
