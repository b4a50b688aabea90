"""Reading tables with every fault noted, none raised: a plan's faults are named all at once, with their lines."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from compare.study.toml_lines import LineIndex
from problems.errors import InputError, shown


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong with a plan, and the 1-based line where it stands."""

    line: int
    text: str


class PlanError(InputError):
    """A plan that cannot be run; `faults` has all that is wrong with it, and `str` gives a line to each."""

    def __init__(self, source: str, faults: Sequence[Fault]) -> None:
        self.source = source
        self.faults = tuple(sorted(set(faults)))
        super().__init__("a valid plan", f"{len(self.faults)} faults", where=source)

    def __str__(self) -> str:
        return "\n".join(f"{self.source}:{fault.line}: {fault.text}" for fault in self.faults)

    def __reduce__(self) -> tuple[object, ...]:
        return (PlanError, (self.source, self.faults))


@dataclass(slots=True)
class Notes:
    """The faults found so far, and where things stand in the text."""

    lines: LineIndex
    faults: list[Fault] = field(default_factory=list)

    def add(self, text: str, *path: str | int) -> None:
        """Note a fault at the line of `path`."""
        self.faults.append(Fault(self.lines.line(*path), text))


class Table:
    """A TOML table that is being read: getters note faults and return None for what is missing or wrong."""

    def __init__(self, data: dict[str, Any], notes: Notes, *path: str | int) -> None:
        self.data = data
        self.notes = notes
        self.path = path
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def fault(self, text: str, key: str | None = None) -> None:
        """Note a fault at the line of the key, or of the table."""
        self.notes.add(text, *self.path, *(() if key is None else (key,)))

    def raw(self, key: str) -> Any:
        """Return the value as it stands, None if there is none."""
        self._known.add(key)
        return self.data.get(key)

    def text(self, key: str) -> str | None:
        """Return a string that is not empty."""
        value: str | None = self._fitting(key, "a text", lambda v: isinstance(v, str) and bool(v.strip()))
        return value

    def boolean(self, key: str) -> bool | None:
        """Return true or false."""
        value: bool | None = self._fitting(key, "true or false", lambda v: isinstance(v, bool))
        return value

    def integer(self, key: str, least: int = 1, most: int = 10**15) -> int | None:
        """Return a whole number from `least` to `most`."""
        expected = f"a whole number from {least} to {most}"
        value: int | None = self._fitting(key, expected, lambda v: type(v) is int and least <= v <= most)
        return value

    def number(self, key: str) -> float | None:
        """Return a positive, finite number."""
        value = self._fitting(key, "a positive number", lambda v: _is_number(v) and 0 < v < float("inf"))
        return None if value is None else float(value)

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return a list of numbers, empty if there is none."""
        value = self._fitting(key, "a list of numbers", lambda v: _is_list(v, _is_number))
        return tuple(float(item) for item in value or ())

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings, empty if there is none."""
        value = self._fitting(key, "a list of texts", lambda v: _is_list(v, lambda item: isinstance(item, str)))
        return tuple(value or ())

    def choice(self, key: str, choices: Sequence[str]) -> str | None:
        """Return one of the choices."""
        hint = nearest(self.data.get(key), choices)
        value: str | None = self._fitting(key, f"one of {', '.join(choices)}", lambda v: v in choices, hint)
        return value

    def table(self, key: str) -> Table:
        """Return the table under the key, an empty one if there is none."""
        value = self._fitting(key, "a table", lambda v: isinstance(v, dict))
        return Table(value or {}, self.notes, *self.path, key)

    def tables(self, key: str) -> list[Table]:
        """Return the array of tables under the key."""
        expected = f"tables, each under [[{key}]]"
        value = self._fitting(key, expected, lambda v: _is_list(v, lambda item: isinstance(item, dict)))
        return [Table(item, self.notes, *self.path, key, index) for index, item in enumerate(value or ())]

    def finish(self) -> None:
        """Note every key that no getter asked for."""
        for key in self.data:
            if key not in self._known:
                choices = sorted(self._known)
                hint = nearest(key, choices) or f"; known here: {', '.join(choices)}"
                self.fault(f"unknown key {shown(key)}{hint}", key)

    def _fitting(self, key: str, expected: str, fits: Callable[[Any], bool], hint: str = "") -> Any:
        value = self.raw(key)
        if value is None or fits(value):
            return value
        self.fault(f"{key}: expected {expected}, got {shown(value)}{hint}", key)
        return None


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _is_list(value: object, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and bool(value) and all(map(fits, value))


def nearest(value: object, choices: Sequence[str]) -> str:
    """Return '; did you mean …?' where one of the choices is close to the value, else nothing."""
    close = difflib.get_close_matches(str(value), choices, n=1)
    return f"; did you mean {close[0]}?" if close else ""
