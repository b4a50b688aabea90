"""Published minima, quoted with their source, for boards that are too large to prove in passing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from problems import KnightCover


@dataclass(frozen=True, slots=True)
class Published:
    """A minimum from the literature and its source, such as `OEIS A261752`."""

    minimum: int
    source: str


def minimum(problem: KnightCover) -> Published | None:
    """Return the published minimum for a square board without missing squares, or None where there is none.

    Sources: OEIS A261752 (total, to n = 32 as proved in the literature), A006075 (ordinary),
    A342576 (independent).
    """
    board = problem.board
    if not board.is_square or board.missing:
        return None
    table = _tables()[problem.rule.value]
    value = table["values"].get(str(board.rows))
    return None if value is None else Published(value, f"OEIS {table['oeis']}")


@cache
def _tables() -> dict[str, Any]:
    text = resources.files("compare").joinpath("published.json").read_text(encoding="utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables
