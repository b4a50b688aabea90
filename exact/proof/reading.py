"""Readers of what a certificate says. Nothing of it is trusted: every value is taken out through these.

`Fault` is raised with the first thing that is wrong, as one sentence. What a file says is repeated in it only as
`quoted` gives it, so no file can make a check print lines of its own. Sizes are bounded before work is done.
"""

from __future__ import annotations

import json
from typing import Any

from problems import Board, Square

MAX_INTEGER = 10**18
"""The largest absolute value of an integer in a certificate."""
MAX_JSON = 8 * 2**20
"""The largest JSON text that is read, in bytes."""
MAX_VALUES = 700_000
"""The most arrays and objects that a JSON text may hold: what costs memory, up to some 250 bytes each."""
MAX_ANSWER = 500_000
"""The most squares that the board of an enclosed answer may have (queens: the most queens)."""

_MOST_QUOTED = 80


class Fault(Exception):
    """The first thing that is wrong with a certificate, in one sentence."""


class TooLarge(Fault):
    """A certificate, or a board, beyond the sizes that are read."""


def quoted(value: object) -> str:
    """Return what a file says in a form that is safe to print: ASCII, on one line, at most 80 characters."""
    return ascii(value)[:_MOST_QUOTED]


def parse(text: bytes, name: str) -> Any:
    """Return the JSON value in `text`, the contents of the file `name`; `Fault` if it is none, or too large."""
    if len(text) > MAX_JSON:
        raise TooLarge(f"{name} has {len(text)} bytes, more than {MAX_JSON}")
    if (values := text.count(b"[") + text.count(b"{")) > MAX_VALUES:
        raise TooLarge(f"{name} has {values} arrays and objects, more than {MAX_VALUES}")
    try:
        return json.loads(
            text.decode("ascii"),
            parse_int=_integer,
            parse_float=_no_number,
            parse_constant=_no_number,
            object_pairs_hook=_no_repeats,
        )
    except RecursionError:
        raise Fault(f"{name} is nested too deeply") from None
    except UnicodeDecodeError:
        raise Fault(f"{name} is no ASCII text") from None
    except ValueError as error:
        raise Fault(f"{name} is no JSON: {error}") from None


def _integer(digits: str) -> int:
    if len(digits) > len(str(-MAX_INTEGER)) or abs(int(digits)) > MAX_INTEGER:
        raise ValueError(f"{quoted(digits)} is beyond {MAX_INTEGER}")
    return int(digits)


def _no_number(name: str) -> None:
    raise ValueError(f"{quoted(name)} is no integer")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key is given twice among {quoted([key for key, _ in pairs])}")
    return found


def fields(value: Any, keys: set[str] | None, what: str) -> dict[str, Any]:
    """Return the JSON object, which must have exactly these keys (any, for None)."""
    if not isinstance(value, dict):
        raise Fault(f"{what} is no JSON object")
    if keys is not None and set(value) != keys:
        raise Fault(f"{what} has the keys {quoted(sorted(value))}, not {', '.join(sorted(keys))}")
    return value


def items(value: Any, what: str) -> list[Any]:
    """Return the JSON array."""
    if not isinstance(value, list):
        raise Fault(f"{what} is no JSON array")
    return value


def integer(value: Any, what: str, least: int = 0) -> int:
    """Return the integer, which must be at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise Fault(f"{what} is {quoted(value)}, not an integer of {least} or more")
    return value


def text(value: Any, what: str) -> str:
    """Return the string."""
    if not isinstance(value, str):
        raise Fault(f"{what} is no string")
    return value


def square(value: Any, what: str, rows: int, cols: int) -> Square:
    """Return the square that `[row, col]` states, which must be in the rectangle of `rows` x `cols`."""
    if not isinstance(value, list) or len(value) != 2:
        raise Fault(f"{what}: {quoted(value)} is no [row, col]")
    row, col = integer(value[0], f"{what}: row"), integer(value[1], f"{what}: column")
    if row >= rows or col >= cols:
        raise Fault(f"{what}: {quoted((row, col))} is not on the {rows}x{cols} board")
    return row, col


def squares(value: Any, what: str, rows: int, cols: int) -> tuple[Square, ...]:
    """Return the squares of an array, which must all be different and in the rectangle."""
    # In the rectangle first: a set of numbers made to collide takes quadratic time.
    found = tuple(square(item, what, rows, cols) for item in items(value, what))
    if len(set(found)) < len(found):
        raise Fault(f"{what}: a square is given twice")
    return found


def squares_on(board: Board, value: Any, what: str) -> tuple[Square, ...]:
    """Return the squares of an array, which must all be different and on the board."""
    found = squares(value, what, board.rows, board.cols)
    for item in found:
        if item in board.missing:
            raise Fault(f"{what}: {item} is missing from the board")
    return found
