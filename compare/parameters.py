"""A method's parameter dataclass from text or TOML values: every name and type checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from problems import InputError
from problems.errors import shown


def parse(kind: type, settings: Mapping[str, Any], *, where: str = "--parameter") -> Any:
    """Return `kind(**settings)` with values converted to the fields' types.

    Values may be text (from a command line) or already typed (from TOML). Raises `InputError` for a name that
    is no field (the message lists those there are) and for a value that does not fit.
    """
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    for name in settings:
        if name not in names:
            listed = ", ".join(names) or "none"
            raise InputError(f"a parameter of this method ({listed})", shown(name), where=where)
    return kind(**{name: convert(hints[name], value, f"{where} {name}") for name, value in settings.items()})


def convert(hint: Any, value: Any, where: str) -> Any:
    """Return a value, text or typed, as a field's annotated type; `InputError` where it does not fit."""
    if isinstance(hint, UnionType):
        options = get_args(hint)
        if NoneType in options and (value is None or value in ("none", "None")):
            return None
        hint = next(option for option in options if option is not NoneType)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _member(hint, value, where)
    if hint is bool:
        return _boolean(value, where)
    if hint is tuple or get_origin(hint) is tuple:
        items = value.split(",") if isinstance(value, str) else list(value)
        return tuple(convert((get_args(hint) or (int,))[0], item, where) for item in items)
    if isinstance(value, bool):
        raise InputError(f"a value of type {hint.__name__}", shown(value), where=where)
    try:
        converted = hint(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"a value of type {hint.__name__}", shown(value), where=where) from error
    if hint is int and isinstance(value, float) and converted != value:
        raise InputError("a whole number", shown(value), where=where)
    return converted


def _member(hint: type[Enum], value: Any, where: str) -> Enum:
    for member in hint:
        if value in (member, member.value, member.name):
            return member
    listed = ", ".join(str(member.value) for member in hint)
    raise InputError(f"one of {listed}", shown(value), where=where)


def _boolean(value: Any, where: str) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if str(value).lower() not in words:
        raise InputError("true or false", shown(value), where=where)
    return words[str(value).lower()]
