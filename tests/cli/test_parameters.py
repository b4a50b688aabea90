"""Parameters from text and from TOML: every name and type is checked, nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from compare.parameters import parse
from problems import InputError


class Colour(Enum):
    DARK = "dark"
    LIGHT = "light"


@dataclass(frozen=True)
class Parameters:
    steps: int = 5
    rate: float = 0.5
    in_place: bool = False
    colour: Colour = Colour.DARK
    sizes: tuple[int, ...] = (1,)
    limit: int | None = None


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Parameters()),
        ({"steps": "7"}, Parameters(steps=7)),
        ({"steps": 7.0}, Parameters(steps=7)),
        ({"rate": "1e-3"}, Parameters(rate=0.001)),
        ({"rate": 1}, Parameters(rate=1.0)),
        ({"in_place": "yes"}, Parameters(in_place=True)),
        ({"in_place": True}, Parameters(in_place=True)),
        ({"colour": "light"}, Parameters(colour=Colour.LIGHT)),
        ({"sizes": "1,2,3"}, Parameters(sizes=(1, 2, 3))),
        ({"sizes": [4, 5]}, Parameters(sizes=(4, 5))),
        ({"limit": "none"}, Parameters()),
        ({"limit": "3"}, Parameters(limit=3)),
    ],
)
def test_text_and_typed_values_are_read(settings: dict[str, Any], expected: Parameters) -> None:
    assert parse(Parameters, settings) == expected


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"stepz": "7"}, "steps, rate, in_place, colour, sizes, limit"),
        ({"steps": "seven"}, "int"),
        ({"steps": 7.5}, "whole number"),
        ({"steps": True}, "int"),
        ({"rate": "high"}, "float"),
        ({"in_place": "perhaps"}, "true or false"),
        ({"colour": "red"}, "dark, light"),
        ({"sizes": "1,x"}, "int"),
        ({"limit": "x"}, "int"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as refusal:
        parse(Parameters, settings)
    assert "\n" not in str(refusal.value)
