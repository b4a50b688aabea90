"""Texts that hold nothing but whole numbers: how they are laid out in rows.

Rows are innermost brackets (Python, JSON, C, NumPy), parts between semicolons (MATLAB), lines, or the pairs of
`1,0 2,0`. Everything here is linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from problems.errors import InputError, shown
from problems.formats.source import require_countable

MAX_DIGITS = 9

_WRAPPED = re.compile(
    r"(?:[A-Za-z_]\w{0,40}\s{0,9}=\s{0,9})?(?:(?:np|numpy)\.)?(?:(?:as)?array|matrix)?\s{0,9}(?=[\[({])"
)
_TAIL = re.compile(r",\s*dtype\s*=\s*['\"]?[<>|=]?[\w.]+['\"]?\s*\)\s*$")
_FLOAT = re.compile(r"(?<=[0-9])\.0*(?![0-9.])")
_FOREIGN = re.compile(r"[^0-9\s,;()\[\]{}\-]|-(?![0-9])|[0-9]-")
_GIANT = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
_GROUP = re.compile(r"\[[^\[\](){}]*\]|\([^\[\](){}]*\)|\{[^\[\](){}]*\}")
_GAP = re.compile(r",\s*[,;]")
_PAIR = re.compile(r"-?[0-9]+,-?[0-9]+,?")
_BRACKETS = "[](){}"
_BARE = str.maketrans("[](){},;", "        ")
_GROUP_A_LINE = str.maketrans("[({,;])}", "     " + "\n" * 3)
_CLOSER = {"[": "]", "(": ")", "{": "}"}
_MAX_DEPTH = 3
_DEEP = re.compile(rf"(?:[\[({{]\s{{0,20}}){{{_MAX_DEPTH + 1}}}")


@dataclass(frozen=True, slots=True)
class Layout:
    """The numbers in reading order, and how many of them stand in each row.

    `nested` says that brackets or pair commas mark the rows, so that no line break does. `lead` holds one or two
    numbers that stand before the bracketed groups or pairs; `lines` the line numbers of the rows, 1-based, where
    rows are lines.
    """

    flat: list[int]
    widths: list[int]
    nested: bool = False
    lead: tuple[int, ...] = ()
    lines: Sequence[int] = ()

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.widths)

    @property
    def width(self) -> int | None:
        """The common length of the rows, None if they differ."""
        first = self.widths[0]
        return first if self.widths.count(first) == len(self.widths) else None

    @property
    def rows(self) -> list[list[int]]:
        """The rows, each as a list of its numbers."""
        ends = list(accumulate(self.widths))
        return [self.flat[end - width : end] for width, end in zip(self.widths, ends, strict=True)]

    def require_width(self) -> int:
        """Return the common length of the rows; `InputError` naming the first row that is torn."""
        width = self.width
        return torn(self.widths, self.lines) if width is None else width

    def without_first_row(self) -> Layout:
        """Return the layout of the other rows."""
        return replace(self, flat=self.flat[self.widths[0] :], widths=self.widths[1:], lines=self.lines[1:])


def _laid_out(parts: Iterable[str], nested: bool = False, lead: Sequence[str] = ()) -> Layout:
    """Return the layout of rows given as texts, the empty ones left out."""
    words: list[str] = []
    widths: list[int] = []
    for part in parts:
        row = part.split()
        if row:
            words += row
            widths.append(len(row))
    return Layout(list(map(int, words)), widths, nested, tuple(map(int, lead)))


def torn(widths: Sequence[int], lines: Sequence[int] = (), hint: str = "") -> int:
    """Raise `InputError` for the first of the rows whose width is not the usual one; return it if all agree."""
    counts = Counter(widths)
    usual = max(counts, key=lambda width: (counts[width], width == widths[0]))
    for number, width in enumerate(widths):
        if width != usual:
            where = f"line {lines[number]}" if lines else f"row {number + 1}"
            raise InputError(f"{usual} cells as in the other rows", str(width), where=where, hint=hint)
    return usual


def without_wrapping(text: str) -> str:
    """Return the text without what surrounds a list: `x = `, `np.array(`, `, dtype=int64)`."""
    text = text.strip()
    head = _WRAPPED.match(text)
    return _TAIL.sub(")", text[head.end() :]) if head is not None and head[0] else text


def plain_numbers(text: str) -> str | None:
    """Return the text without what surrounds its numbers (`x = `, `np.array(`), None if it holds other things."""
    text = without_wrapping(text).rstrip().rstrip(";,").rstrip()
    if "." in text:
        text = _FLOAT.sub("", text)
    return None if _FOREIGN.search(text) else text


def parse_layout(text: str) -> Layout:
    """Return the rows of a text that `plain_numbers` let through; `InputError` for torn brackets and giants."""
    require_countable(text)
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
    if _DEEP.search(text):
        raise InputError(f"brackets at most {_MAX_DEPTH} deep", "more", where="answer")
    outside, groups = _GROUP.subn(" ", text)
    outermost, lists = _GROUP.subn(" ", outside)
    if any(bracket in _GROUP.sub(" ", outermost) for bracket in _BRACKETS):
        raise _torn_brackets(text)
    if lists > 1:
        raise InputError("one answer", "a list of several", where="answer")
    start = min(text.find(bracket) for bracket in "[({" if bracket in text)
    lead = text[:start].replace(",", " ").split()
    beside = outside.translate(_BARE).split()
    if beside != lead or len(lead) > 2:
        raise InputError("all numbers in brackets, or none", shown(" ".join(beside[:5])), where="answer")
    if groups == 1:
        group = _GROUP.findall(text)[0][1:-1]
        return _laid_out((part.translate(_BARE) for part in _rows_in_brackets(group)), lists > 0, lead)
    parts = text[start:].replace("\n", " ").translate(_GROUP_A_LINE).split("\n")
    return _laid_out(parts, True, lead)


def _rows_in_brackets(group: str) -> list[str]:
    # MATLAB ends a row at a semicolon or at the end of a line; Python wraps its lists anywhere, after a comma, and
    # NumPy without one.
    if ";" in group:
        return group.split(";")
    lines = [line for line in group.translate(_BARE).split("\n") if line.strip()]
    if len({len(line.split()) for line in lines}) > 1 or re.search(r",[ \t]*\n", group):
        return [group]
    return lines


def _torn_brackets(text: str) -> InputError:
    """Return the error for brackets that are not in pairs, or that are nested too deep."""
    closers: list[str] = []
    for match in re.finditer(r"[\[\](){}]", text):
        bracket = match[0]
        if bracket in _CLOSER:
            closers.append(_CLOSER[bracket])
            if len(closers) > _MAX_DEPTH:
                return InputError(f"brackets at most {_MAX_DEPTH} deep", "more", where="answer")
        elif not closers or closers.pop() != bracket:
            return InputError("brackets in pairs", f"a {bracket!r} that closes none", where="answer")
    return InputError(f"a closing {closers[-1]!r}" if closers else "brackets in pairs", "none", where="answer")


def _unbracketed(text: str) -> Layout:
    pairs = _comma_pairs(text)
    if pairs is not None:
        return pairs
    text = text.replace(",", " ")
    if ";" in text and _semicolons_end_rows(text):
        return _laid_out(text.replace("\n", ";").split(";"))
    lines = text.replace(";", " ").split("\n")
    layout = _laid_out(lines)
    full = (
        range(1, len(lines) + 1)
        if len(lines) == layout.height
        else [n for n, x in enumerate(lines, 1) if x.strip()]
    )
    return replace(layout, lines=full)


def _semicolons_end_rows(text: str) -> bool:
    """Whether semicolons stand between rows, as in MATLAB, and not between the cells of several lines."""
    lines = [line for line in text.split("\n") if ";" in line]
    return "\n" not in text or any(len(part.split()) > 1 for line in lines for part in line.split(";"))


def _comma_pairs(text: str) -> Layout | None:
    """Return the pairs of a text such as `1,0 2,0 3,0`, after one or two single numbers; None if it has others."""
    tokens = text.replace(";", " ").split()
    lead = 0
    while lead < min(2, len(tokens)) and "," not in tokens[lead]:
        lead += 1
    if lead == len(tokens) or "," not in tokens[lead].rstrip(","):
        return None
    if not all(_PAIR.fullmatch(token) for token in tokens[lead:]):
        return None
    flat = list(map(int, ",".join(tokens[lead:]).replace(",", " ").split()))
    return Layout(flat, [2] * (len(tokens) - lead), True, tuple(map(int, tokens[:lead])))
