from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compare.study.toml_lines import LineIndex

TEXT = '''\
# a comment with [brackets] and "quotes"
title = "x = [1]"
text = """
[not.a.table]
a = 1
"""
list = [
    1,  # one ]
    "two",
]
plain.dotted."quoted key" = 2
[budget]
seconds = 1
[[tasks]]
name = 'a # b'
[[tasks]]
name = "b"
options = { deep = { deeper = 1 } }
[[tasks.claims]]
value = 3
[[tasks.claims]]
value = 4
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("text",), 3),
        (("list",), 7),
        (("plain", "dotted", "quoted key"), 11),
        (("budget",), 12),
        (("budget", "seconds"), 13),
        (("tasks",), 14),
        (("tasks", 0, "name"), 15),
        (("tasks", 1), 16),
        (("tasks", 1, "name"), 17),
        (("tasks", 1, "options", "deep", "deeper"), 18),
        (("tasks", 1, "claims", 0, "value"), 20),
        (("tasks", 1, "claims", 1), 21),
        (("tasks", 1, "claims", 1, "value"), 22),
        (("tasks", 1, "missing"), 16),
        (("nothing", "at", "all"), 1),
    ],
)
def test_every_statement_is_found_on_its_line(path: tuple[str | int, ...], line: int) -> None:
    assert tomllib.loads(TEXT)
    assert LineIndex(TEXT).line(*path) == line


KEYS = st.from_regex(r"[a-z]{1,4}", fullmatch=True)
VALUES = st.sampled_from(["1", '"[x]"', "'a = 1'", "[1,\n 2]", '"""\nb = 2\n"""', "{ c = 1 }", "1.5 # [c]"])


@given(st.lists(st.tuples(KEYS, VALUES), max_size=8, unique_by=lambda pair: pair[0]), st.integers(0, 3))
def test_lines_of_keys_among_values_of_every_kind(pairs: list[tuple[str, str]], blanks: int) -> None:
    lines, expected = ["\n" * blanks], {}
    for key, value in pairs:
        expected[key] = "".join(lines).count("\n") + 1
        lines.append(f"{key} = {value}\n")
    text = "".join(lines)
    assert list(tomllib.loads(text)) == list(expected)
    index = LineIndex(text)
    assert {key: index.line(key) for key in expected} == expected
