"""Where things stand in a TOML text: the line of every table and key.

`tomllib` reads values and forgets lines; messages about a plan need them. This scanner assumes a text that
`tomllib` accepts, and finds statements only: keys inside inline tables stand on their statement's line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]
"""The way to a value: keys, and 0-based indices into arrays of tables."""

_TOKEN = re.compile(
    r"""
      (?P<string>\"{3}(?:[^\\]|\\.)*?\"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n)
    | (?P<punctuation>[\[\]{}=.,])
    | (?P<space>[ \t\r]+)
    | (?P<bare>[^\s\[\]{}=.,\#"']+)
    """,
    re.VERBOSE | re.DOTALL,
)


class LineIndex:
    """The 1-based line of every statement in a TOML text."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {(): 1}
        self._table: Path = ()
        self._counts: dict[Path, int] = {}
        for line, tokens in _statements(text):
            self._take(line, tokens)

    def line(self, *path: str | int) -> int:
        """Return the line of the value at `path`, or of the nearest thing around it that has one."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def _take(self, line: int, tokens: list[str]) -> None:
        if tokens[:2] == ["[", "["]:
            table = self._resolved(_keys(tokens[2:]))
            index = self._counts[table] = self._counts.get(table, -1) + 1
            self._lines.setdefault(table, line)
            self._table = (*table, index)
            self._lines[self._table] = line
        elif tokens[0] == "[":
            self._table = self._resolved(_keys(tokens[1:]))
            self._lines.setdefault(self._table, line)
        else:
            path = self._table
            for key in _keys(tokens):
                path = (*path, key)
                self._lines.setdefault(path, line)

    def _resolved(self, keys: list[str]) -> Path:
        """Return the path a table header means: under arrays of tables, their latest element."""
        path: Path = ()
        for position, key in enumerate(keys):
            path = (*path, key)
            if path in self._counts and position < len(keys) - 1:
                path = (*path, self._counts[path])
        return path


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and tokens of each header and of each `key = value`."""
    line, depth, began, valued = 1, 0, 1, False
    tokens: list[str] = []
    for match in _TOKEN.finditer(text + "\n"):
        kind, token = match.lastgroup, match[0]
        if kind == "newline" and (not valued or depth == 0):
            if tokens:
                yield began, tokens
            tokens, depth, valued = [], 0, False
        elif kind in ("string", "punctuation", "bare"):
            if not tokens:
                began = line
            tokens.append(token)
            valued |= token == "="
            if valued:
                depth += (token in "[{") - (token in "]}")
        line += token.count("\n")


def _keys(tokens: list[str]) -> list[str]:
    """Return the dotted key at the front of the tokens, up to `=` or `]`."""
    keys: list[str] = []
    for token in tokens:
        if token in ("=", "]"):
            break
        if token != ".":
            keys.append(token[1:-1] if token[0] in "\"'" else token)
    return keys
