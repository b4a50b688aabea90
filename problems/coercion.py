"""Values as callers write them, made the types that the problems promise: NumPy's integers, lists of lists, texts.

Frozen dataclasses check nothing: `KnightCover(board, "total")` would be a cover whose rule is no `Rule`. Each
helper returns the value in the promised type or raises `InputError`; none of them guesses.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from problems.errors import InputError, shown

Choice = TypeVar("Choice", bound=StrEnum)


def whole(value: Any) -> int | None:
    """Return an integer of any type as an `int`; None for what is none: truth values, floats, texts."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def choice(kind: type[Choice], value: Any, where: str) -> Choice:
    """Return the member of `kind` that `value` is or names; `InputError` if there is none."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(" or ".join(kind), shown(value), where=where) from None


def truth(value: Any, where: str) -> bool:
    """Return a truth value, NumPy's too, as a `bool`; `InputError` for anything else, texts among them."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise InputError("True or False", shown(value), where=where)


def square(value: Any, where: str) -> tuple[int, int]:
    """Return a tuple or a list of two whole numbers as a square; `InputError` for anything else."""
    parts = None if isinstance(value, str | bytes | dict | set | frozenset) else _parts(value)
    if parts is not None and len(parts) == 2:
        row, col = map(whole, parts)
        if row is not None and col is not None:
            return (row, col)
    raise InputError("a square as (row, col)", shown(value), where=where)


def squares(values: Any, where: str) -> tuple[tuple[int, int], ...]:
    """Return squares of any kind and in any collection as a tuple of tuples; `InputError` for other things."""
    if type(values) is tuple and all(map(_is_square, values)):
        return values
    parts = None if isinstance(values, str | bytes | dict) else _parts(values)
    if parts is None:
        raise InputError("squares as (row, col)", shown(values), where=where)
    return tuple(square(value, where) for value in parts)


def _is_square(value: object) -> bool:
    return type(value) is tuple and len(value) == 2 and type(value[0]) is int and type(value[1]) is int


def _parts(value: Any) -> list[Any] | None:
    return list(value) if isinstance(value, Iterable) else None
