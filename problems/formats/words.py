"""A line of words beside an answer: may any of it belong to the answer?

A line is words only if no number is left in it but those of known things (times, counts of steps, a board's size)
and no cell of a board. A label such as `Path:` before squares is taken off, never the squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from problems.errors import InputError, shown
from problems.formats import names
from problems.formats.labels import counts
from problems.formats.layout import plain_numbers

_WORD = re.compile(r"[^\W\d_]{3,40}")
_FEWEST_LETTERS = 3
_LONGEST_LINE = 1000

_N = r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e[+-]?[0-9]{1,3})?(?![0-9.,]{0,1}[0-9])"
_SIZE = re.compile(r"(?<![\w.])([1-9][0-9]{0,8})\s?(?:x|X|\*|by)\s?([1-9][0-9]{0,8})(?![\w.*])")
# Our own prints begin with a headline and end with the method, which may tell many numbers.
_OWN_END = re.compile(r"\s*method [a-z-]{1,40}[ ;].* s")
_OWN_HEAD = re.compile(
    r"(?:[1-9][0-9]{0,6} queens?|the|(?:open|closed) tours of the) ?.*: (?:OPTIMAL|FEASIBLE|UNKNOWN)\b.*"
)
_COUNTED = (
    r"s|sec|secs|ms|seconds?|milliseconds?|minutes?|steps?|iterations?|generations?|restarts?|nodes?|solutions?"
    r"|attempts?|tries|queens?|knights?|squares|pieces|conflicts?|attacks?|backtracks?|evaluations?|times"
)
_MEASURED = (
    r"conflicts?|attacks?|attacking pairs|fitness|cost|score|energy|objective|(?:run)?time|elapsed|steps"
    r"|iterations?|generations?|seed|restarts|nodes|backtracks|evaluations|temperature|attempts?"
    r"|number of [a-z]{3,12}"
)
_HARMLESS = (
    re.compile(rf"\b(?:{_MEASURED})\b(?: taken| used| placed| value)?\s?[:=]?\s{{0,9}}{_N}(?:\s?/\s?{_N})?", re.I),
    re.compile(rf"(?<![\w.,-]){_N}[ -](?:{_COUNTED})\b", re.I),
    re.compile(r"^\W{0,4}(?:solution|attempt|board|answer) #?[0-9]{1,6}\s?:\W{0,4}$", re.I),
    re.compile(r"(?<!\w)[Nn][ -](?:queens?|knights?)\b"),
    re.compile(
        r"(?<![^\s(,;])['\"`]?[QqNnKkXx1*#♘♞♕♛●■]['\"`]?\s?(?:=|:|is|are|marks|means|represents|denotes|for)\s?"
        r"(?:an? |the )?(?:queen|knight|piece)s?\b",
        re.I,
    ),
    re.compile(
        r"(?<![^\s(,;])['\"`]?[.\-_0·]['\"`]?\s?(?:=|:|is|are|marks|means|represents|denotes|for)\s?"
        r"(?:an? |the )?(?:empty|blank|free)\b",
        re.I,
    ),
)
_NUMBER = re.compile(r"\W{0,9}[0-9]{1,9}\W{0,9}")
_DECORATED = re.compile(r"\s*([-=*#~_])\1{1,40}\s*([^\W\d_].*?)\s*\1{2,40}\s*")
_HEADING_MARK = re.compile(r"\s*(?:#{1,6}|//|[-*>•])\s+(?=[^\W\d_]{2})")

_STRONG = frozenset("QqNnKk♕♛♘♞.0XxOo@~●■█⬛◼")
_CELLS = _STRONG | frozenset("-_·∙⋅•*1#░▒▓□▪▫◻◽◾⬜▢:=%/|")
_BLANKS = re.compile(r"[\s|,;()\[\]{}'\"`]+")
_BLANKS_AND_SIGNS = re.compile(r"[\s|,;()\[\]{}'\"`=:<>]+")
_SHORT_WORDS = frozenset({"no", "on", "ok", "ox", "noon"})
_PACKED = 2

_LABEL = re.compile(r"\s*(?:[-*>#]{1,6}\s)?\W{0,2}([^\W\d_][\w ]{1,60})\*{0,2}\s?:\*{0,2}\s*(\S.*)")
_LABEL_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a all answer are at best board chromosome column columns configuration coordinates cols end ending final
        first found genome in individual is knight knights last list moves of on one output path permutation
        placement placements pos position positions queen queens result route sequence solution square squares
        start starting state the tour valid
        """,
    )
)


def is_wordy(line: str) -> bool:
    """Whether a line holds a word: letters that are neither pieces in a row nor labels."""
    return any(
        len(set(word[0].lower())) >= _FEWEST_LETTERS and not counts(tuple(word[0]))
        for word in _WORD.finditer(line[:_LONGEST_LINE])
    )


def sizes(line: str) -> Iterator[tuple[int, int]]:
    """Yield the sizes such as 8x8 that the line tells."""
    if _OWN_END.fullmatch(line) is None:
        yield from ((int(size[1]), int(size[2])) for size in _SIZE.finditer(line))


def require_words(line: str, number: int, neighbour: str = "") -> None:
    """Raise `InputError` for a line, the `number`th, any of which may belong to an answer.

    Beside a `neighbour` that is a single number, no number is harmless: it may be another of a list.
    """
    if _OWN_HEAD.fullmatch(line) or _OWN_END.fullmatch(line):
        return
    rest = line if len(line) <= _LONGEST_LINE else "0"
    for pattern in () if _NUMBER.fullmatch(neighbour) else (_SIZE, *_HARMLESS):
        rest = pattern.sub(" and", rest)
    digit = re.search(r"[0-9]", rest)
    if digit is None and not _has_cells(rest):
        return
    raise InputError(
        "words alone, or the answer alone, in a line",
        f"{shown(line.strip(), 40)} with {'a number' if digit else 'cells of a board'} among words",
        where=f"line {number}",
        hint="take the line out, or the words in it",
    )


def _has_cells(line: str) -> bool:
    decorated = _DECORATED.fullmatch(line)
    mark = _HEADING_MARK.match(line)
    line = decorated[2] if decorated else line[mark.end() if mark else 0 :]
    return any(_are_cells(separator.split(line)) for separator in (_BLANKS, _BLANKS_AND_SIGNS))


def _are_cells(tokens: list[str]) -> bool:
    """Whether some word is made of cells, or two words side by side are one each."""
    before = ""
    for token in tokens:
        cells = bool(token) and _CELLS.issuperset(token)
        if cells and len(token) >= _PACKED and token.lower() not in _SHORT_WORDS:
            return True
        if cells and len(token) == 1 and (token in _STRONG or before):
            return True
        before = token if cells else ""
    return False


def after_label(line: str) -> str | None:
    """Return the squares or numbers after a label such as `Path:`; None for other lines."""
    match = _LABEL.fullmatch(line)
    if match is None or not _LABEL_WORDS.issuperset(match[1].lower().split()):
        return None
    rest = match[2].strip().strip("`").strip()
    numbers = any(c.isdigit() for c in rest) and plain_numbers(rest) is not None
    return rest if numbers or names.looks_like_names(rest) or is_dictionary(rest) else None


_ITEM = r"\s{0,9}-?[0-9]{1,9}\s{0,9}:\s{0,9}-?[0-9]{1,9}\s{0,9}"
_DICTIONARY = re.compile(rf"\{{{_ITEM}(?:,{_ITEM})*,?\s*\}}")


def is_dictionary(text: str) -> bool:
    """Whether the text is a dictionary from numbers to numbers."""
    return _DICTIONARY.fullmatch(text.strip()) is not None


def dictionary_values(text: str) -> str | None:
    """Return the values of a dictionary whose keys count up from 0 or 1, as a list; None for others."""
    items = [item.split(":") for item in text.strip()[1:-1].strip().rstrip(",").split(",")]
    keys = [int(key) for key, _ in items]
    if keys[0] not in (0, 1) or keys != list(range(keys[0], keys[0] + len(keys))):
        return None
    return f"[{', '.join(value.strip() for _, value in items)}]"
