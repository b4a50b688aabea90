"""From a file, a stream or bytes to clean text: sizes, encodings, line ends.

The text that leaves this module has `\\n` line ends, no byte order mark and no control characters but tabs: other
ones, the colours of a terminal among them, are refused, since a colour may be all that tells a piece. Typographic
variants of digits' neighbours (full-width brackets and commas, minus signs) are plain ASCII.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from typing import BinaryIO

from problems.errors import InputError, shown

MAX_BYTES = 64 * 1024 * 1024
"""The largest text that is read, in bytes."""

MAX_SEPARATORS = 20_000_000
"""The most blanks, commas, semicolons and line ends in a list: pairs of four million squares have 16 million."""

_CHUNK = 1 << 20
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]")
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_PLAIN = str.maketrans(
    {
        "\u00a0": " ", "\u3000": " ", "\u2009": " ", "\u202f": " ", "\ufeff": None, "\u200b": None,
        "\ufe0e": None, "\ufe0f": None, "\u2212": "-", "\u2013": "-", "\u2014": "-", "，": ",", "、": ",",
        "；": ";", "：": ":", "（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}", "×": "x",
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2028": "\n", "\u2029": "\n",
    }
)  # fmt: skip


def read_bytes(path: str | os.PathLike[str], stream: BinaryIO | None = None) -> bytes:
    """Return the bytes of a file, or of `stream` (by default standard input) when the path is `-`.

    Raises `InputError` for a file that is missing, no file, unreadable or over MAX_BYTES.
    """
    if os.fspath(path) == "-":
        return _within_limit(stream or sys.stdin.buffer, "standard input")
    where = os.fspath(path)
    try:
        # Directories and large files get a line of their own. A named pipe is waited for, as any program does.
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise InputError("a file", "a directory", where=where)
        if status.st_size > MAX_BYTES:
            raise _too_large(f"{status.st_size} bytes", where)
        with open(path, "rb") as file:
            return _within_limit(file, where)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("a file that can be read", reason.lower(), where=where) from None


def _within_limit(stream: BinaryIO, where: str) -> bytes:
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _too_large("more", where)
    return data


def _too_large(size: str, where: str) -> InputError:
    return InputError(f"a text of at most {MAX_BYTES} bytes", size, where=where)


def clean_text(data: bytes | str) -> str:
    """Return the text of `data` in a plain form; `InputError` if it is empty, binary or in no known encoding."""
    text = decode(data) if isinstance(data, bytes) else data
    if len(text) > MAX_BYTES:
        raise _too_large(f"{len(text)} characters", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = text.translate(_PLAIN)
    if "\0" in text:
        raise InputError("text", "binary data")
    text = text.rstrip("\x1a")
    control = _CONTROL.search(text)
    if control is not None:
        raise _has_control(text, control)
    if not text or text.isspace():
        raise InputError("an answer", "an empty text" if not text else "blanks only")
    return text


def _has_control(text: str, control: re.Match[str]) -> InputError:
    line = text.count("\n", 0, control.start()) + 1
    if control[0] == "\x1b":
        hint = "print it without colours"
        return InputError("plain text", "a terminal's escape sequence", where=f"line {line}", hint=hint)
    return InputError("plain text", f"the control character {control[0]!r}", where=f"line {line}")


def require_few_numbers(text: str, most: int) -> None:
    """Raise `InputError` for more than `most` numbers, before memory is spent on them."""
    if len(text) <= 2 * most:
        return
    commas = str.maketrans(",;[](){}", " " * 8)
    count = 0
    for start in range(0, len(text), _CHUNK):
        count += len(text[start : start + _CHUNK].translate(commas).split())
    # A number that is cut in two counts twice.
    if count - len(text) // _CHUNK - 1 > most:
        raise InputError(f"at most {most} numbers", f"about {count}", where="answer")


def require_countable(text: str) -> None:
    """Raise `InputError` for a list with too many parts, before memory is spent on them."""
    if len(text) > MAX_SEPARATORS and sum(map(text.count, " ,;\n\t")) > MAX_SEPARATORS:
        raise InputError(f"a list of at most {MAX_SEPARATORS} separators", "more", where="answer")


def decode(data: bytes) -> str:
    """Return the text of UTF-8 bytes, or UTF-16 ones with a byte order mark; `InputError` for others."""
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in data:
        raise InputError("text", "binary data", where=f"byte {data.index(0)}")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        got = f"binary data or another encoding ({shown(data[error.start : error.start + 4])})"
        raise InputError(
            "UTF-8 text" if encoding != "utf-16" else "UTF-16 text", got, where=f"byte {error.start}"
        ) from None
