"""What is asked of parameters and seeds, the same for every method: each check raises a one-line `InputError`."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from problems import InputError
from problems.errors import shown

MOST = 10**12
"""The largest whole number that a parameter may be: compiled code counts in 64 bits, products included."""

Choice = TypeVar("Choice", bound=StrEnum)


def whole(value: object, least: int, name: str, most: int = MOST) -> None:
    """Raise `InputError` unless a parameter is a whole number from `least` to `most`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"a whole number of {least} or more", shown(value), where=name)
    if value > most:
        raise InputError(f"a whole number of {most} at most", shown(value), where=name)


def number(value: object, name: str) -> None:
    """Raise `InputError` unless a parameter is a finite number."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise InputError("a finite number", shown(value), where=name)


def probability(value: object, name: str) -> None:
    """Raise `InputError` unless a parameter is a number from 0 to 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InputError("a probability from 0 to 1", shown(value), where=name)


def choice(kind: type[Choice], value: Any, name: str) -> Choice:
    """Return the member of an enumeration for its value; `InputError` lists the values."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"one of {', '.join(kind)}", shown(value), where=name) from None


def check_seed(seed: object) -> None:
    """Raise `InputError` unless the seed is an integer of 0..2**64-1, also where no random number is drawn."""
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
        raise InputError("a seed between 0 and 2**64 - 1", shown(seed), where="--seed")
