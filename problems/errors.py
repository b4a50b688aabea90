"""What is said when the input is wrong: one line, with what was expected, what came and what to do."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input from a user: one line that names what was expected, what came, where, and the remedy.

    The command line prints it on standard error and exits with 2; a library user sees a `ValueError`.
    """

    def __init__(self, expected: str, got: str, *, where: str = "", hint: str = "") -> None:
        self.expected = expected
        self.got = got
        self.where = where
        self.hint = hint
        place = f"{where}: " if where else ""
        remedy = f"; {hint}" if hint else ""
        super().__init__(_one_line(f"{place}expected {expected}, got {got}{remedy}"))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.expected, self.got, self.where, self.hint))


class AmbiguousInput(InputError):
    """A text that can be read in two ways with different verdicts; the hint names the deciding option."""


class UnsupportedProblem(InputError):
    """A method was asked for a problem that it does not support."""


class WrongAnswer(RuntimeError):
    """A method returned an answer that the checker of `problems` rejects: a bug, never shown."""


def _rebuild(kind: type[InputError], expected: str, got: str, where: str, hint: str) -> InputError:
    return kind(expected, got, where=where, hint=hint)


def _one_line(text: str) -> str:
    """Return `text` with control characters and line breaks shown as escapes, so that it stays one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def shown(value: object, limit: int = 60) -> str:
    """Return `repr(value)` cut to about `limit` characters, for use in an error line."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
