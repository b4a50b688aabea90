"""Texts that hold nothing but whole numbers: how they are laid out in rows.

Rows are innermost brackets (Python, JSON, C, NumPy), parts between semicolons (MATLAB), lines, or the pairs of
`1,0 2,0`. Everything here is linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from problems.errors import InputError, shown

MAX_DIGITS = 9

_WRAPPED = re.compile(
    r"(?:[A-Za-z_]\w{0,40}\s{0,9}=\s{0,9})?(?:(?:np|numpy)\.)?(?:(?:as)?array|matrix)?\s{0,9}(?=[\[({])"
)
_TAIL = re.compile(r",\s*dtype\s*=\s*[\w.]+\s*\)\s*$")
_FLOAT = re.compile(r"(?<=[0-9])\.0*(?![0-9.])")
_FOREIGN = re.compile(r"[^0-9\s,;()\[\]{}\-]|-(?![0-9])|[0-9]-")
_GIANT = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
_GROUP = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_GAP = re.compile(r",\s*[,;]")
_SEVERAL = re.compile(r"[\])}]\s*[\])}][\s,]*[\[({]\s*[\[({]")
_NO_BRACKETS = str.maketrans("[](){},;", "        ")
_CLOSER = {"[": "]", "(": ")", "{": "}"}
_MAX_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of numbers. `nested` says that brackets or pair commas mark the rows, so that no line break does.

    `lead` holds one or two numbers that stand before the bracketed groups or pairs; `lines` the line numbers of
    the rows, 1-based, where rows are lines.
    """

    rows: list[list[int]]
    nested: bool = False
    lead: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()

    @property
    def flat(self) -> list[int]:
        """All numbers in reading order."""
        if len(self.rows) == 1:
            return self.rows[0]
        return [value for row in self.rows for value in row]

    @property
    def width(self) -> int | None:
        """The common length of the rows, None if they differ."""
        widths = set(map(len, self.rows))
        return widths.pop() if len(widths) == 1 else None

    def require_width(self) -> int:
        """Return the common length of the rows; `InputError` naming the first row that is torn."""
        width = self.width
        if width is not None:
            return width
        return torn([len(row) for row in self.rows], self.lines)


def torn(widths: list[int], lines: tuple[int, ...] = (), hint: str = "") -> int:
    """Raise `InputError` for the first of the rows whose width is not the usual one; return it if all agree."""
    counts = Counter(widths)
    usual = max(counts, key=lambda width: (counts[width], width == widths[0]))
    for number, width in enumerate(widths):
        if width != usual:
            where = f"line {lines[number]}" if lines else f"row {number + 1}"
            raise InputError(f"{usual} cells as in the other rows", str(width), where=where, hint=hint)
    return usual


def plain_numbers(text: str) -> str | None:
    """Return the text without what surrounds its numbers (`x = `, `np.array(`), None if it holds other things."""
    text = text.strip()
    head = _WRAPPED.match(text)
    if head is not None and head[0]:
        text = _TAIL.sub(")", text[head.end() :])
    text = text.rstrip().rstrip(";,").rstrip()
    if "." in text:
        text = _FLOAT.sub("", text)
    return None if _FOREIGN.search(text) else text


def parse_layout(text: str) -> Layout:
    """Return the rows of a text that `plain_numbers` let through; `InputError` for torn brackets and giants."""
    giant = _GIANT.search(text)
    if giant is not None:
        raise InputError(
            f"numbers of at most {MAX_DIGITS} digits",
            shown(text[giant.start() : giant.start() + 40]),
            where="answer",
        )
    if _GAP.search(text):
        raise InputError("a number between two separators", "none", where="answer")
    if any(bracket in text for bracket in "[({"):
        return _bracketed(text)
    if any(bracket in text for bracket in "])}"):
        raise InputError("an opening bracket for each closing one", "none", where="answer")
    return _unbracketed(text)


def _bracketed(text: str) -> Layout:
    _check_brackets(text)
    groups = _GROUP.findall(text)
    outside = _GROUP.sub(" ", text)
    lead = re.split(r"[\[({]", text, maxsplit=1)[0].replace(",", " ").split()
    beside = outside.translate(_NO_BRACKETS).split()
    if beside != lead or len(lead) > 2:
        raise InputError("all numbers in brackets, or none", shown(" ".join(beside[:5])), where="answer")
    nested = len(groups) > 1 or any(bracket in outside for bracket in "[({")
    if len(groups) > 1 or (";" not in groups[0] and "\n" not in groups[0]):
        rows = [_numbers(group) for group in groups]
    elif ";" in groups[0]:
        rows = [_numbers(part) for part in groups[0].split(";")]
    else:
        rows = _lines_in_brackets(groups[0])
    return Layout([row for row in rows if row], nested, tuple(map(int, lead)))


def _lines_in_brackets(group: str) -> list[list[int]]:
    # MATLAB ends a row at the end of a line; Python wraps its lists anywhere, after a comma, and NumPy without.
    lines = [line for line in group.split("\n") if line.strip()]
    rows = [_numbers(line) for line in lines]
    if any(line.rstrip().endswith(",") for line in lines) or len(set(map(len, rows))) > 1:
        return [[value for row in rows for value in row]]
    return rows


def _numbers(text: str) -> list[int]:
    return list(map(int, text.replace(",", " ").replace(";", " ").split()))


def _check_brackets(text: str) -> None:
    open_brackets: list[str] = []
    answers = 0
    for bracket in re.findall(r"[\[\](){}]", text):
        if bracket in _CLOSER:
            open_brackets.append(_CLOSER[bracket])
            if len(open_brackets) > _MAX_DEPTH:
                raise InputError(f"brackets at most {_MAX_DEPTH} deep", "more", where="answer")
        elif not open_brackets or open_brackets.pop() != bracket:
            raise InputError("brackets in pairs", f"a {bracket!r} that closes none", where="answer")
        elif len(open_brackets) == 0:
            answers += 1
    if open_brackets:
        raise InputError(f"a closing {open_brackets[-1]!r}", "the end of the text", where="answer")
    if _SEVERAL.search(text):
        raise InputError("one answer", "a list of several", where="answer")


def _unbracketed(text: str) -> Layout:
    pairs = _comma_pairs(text)
    if pairs is not None:
        return pairs
    rows: list[list[int]] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split(";"):
            row = _numbers(part)
            if row:
                rows.append(row)
                lines.append(number)
    return Layout(rows, lines=tuple(lines))


def _comma_pairs(text: str) -> Layout | None:
    """Return the pairs of a text such as `1,0 2,0 3,0`, after one or two single numbers; None if it has others."""
    tokens = text.replace(";", " ").split()
    lead = 0
    while lead < min(2, len(tokens)) and "," not in tokens[lead]:
        lead += 1
    if lead == len(tokens) or "," not in tokens[lead].rstrip(","):
        return None
    rows = [token.rstrip(",").split(",") for token in tokens[lead:]]
    if any(len(row) != 2 or not row[0] or not row[1] for row in rows):
        return None
    return Layout([[int(a), int(b)] for a, b in rows], True, tuple(map(int, tokens[:lead])))
