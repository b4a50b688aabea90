"""Reading tables with every fault noted, none raised: a plan's faults are named all at once, with their lines."""

from __future__ import annotations

import difflib
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from compare.study.toml_lines import LineIndex
from problems.errors import InputError, shown

_NOT_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's control characters, lone surrogates, line and paragraph separators."""


_BLANKS = str.maketrans("\t\r\n", "   ")


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
        """Return a string that is not empty; of control characters it may have tabs and line breaks."""
        expected = "a text without control characters"
        value: str | None = self._fitting(
            key, expected, lambda v: _is_text(v) and is_one_line(" ".join(v.split()))
        )
        return value

    def line(self, key: str) -> str | None:
        """Return a string that is not empty and one line."""
        value: str | None = self._fitting(key, "a text of one line", lambda v: _is_text(v) and is_one_line(v))
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

    def number(self, key: str, most: float = sys.float_info.max) -> float | None:
        """Return a positive number up to `most`."""
        expected = "a positive number" + (f" up to {most:,.0f}" if most < sys.float_info.max else "")
        value = self._fitting(key, expected, lambda v: _is_number(v) and 0 < v <= most)
        return None if value is None else float(value)

    def share(self, key: str) -> float | None:
        """Return a number from 0 to 1."""
        value = self._fitting(key, "a number from 0 to 1", lambda v: _is_number(v) and 0 <= v <= 1)
        return None if value is None else float(value)

    def figures(self, key: str) -> tuple[float, ...]:
        """Return a list of finite numbers of 0 or more, empty if there is none."""
        expected = "a list of numbers, finite and 0 or more"
        value = self._fitting(key, expected, lambda v: _is_list(v, lambda item: _is_number(item) and item >= 0))
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
    """Whether it is a number that is finite as a float."""
    return isinstance(value, (int, float)) and type(value) is not bool and abs(value) <= sys.float_info.max


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_one_line(text: str) -> bool:
    """Whether a text has no line breaks and no other control characters."""
    return not any(unicodedata.category(character) in _NOT_IN_A_LINE for character in text)


def _is_list(value: object, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and bool(value) and all(map(fits, value))


def nearest(value: object, choices: Sequence[str]) -> str:
    """Return '; did you mean …?' where one of the choices is close to the value, else nothing."""
    close = difflib.get_close_matches(str(value), choices, n=1)
    return f"; did you mean {close[0]}?" if close else ""
