"""Every form in which people write answers, read and written: text, JSON and drawing.

`read` and `read_path` turn a text into a problem and an answer; `parse_instance` and `parse_square` read the short
texts of a command line; the `to_…` functions write. What is read:

- drawn boards, compact or with separators, frames and labels; 0/1 matrices; lists of strings; FEN;
- permutations and bare digits: the column of each row from the top, from 1 if there is no 0;
- pairs, `row,col` from the top left (the default) or `x,y` from the bottom left (`--coordinates xy`), 0-based
  (`rc1` and `xy1`: 1-based); row-major indices (`--coordinates index`), 0-based (`index1`: 1-based); square names;
- step matrices from 0 or 1, in lines or brackets of any language; TSPLIB tours; our own JSON;
- a size such as `8`, `8 8` or `8x8`, or the number of squares, in front of any of these;
- words above and below any of these, left out with a note; the squares of a drawing named again below it.

A text that reads in several ways is read in the default way, with a note, if the verdict is the same in all of
them, and refused otherwise, with the option that decides. Some ways are unusual (pairs from 1 that fit from 0
too): a right answer in the default way stands beside them, with a note. Several answers in one text are refused.
"""

from problems.formats.candidates import Reading
from problems.formats.coordinates import Coordinates
from problems.formats.instances import parse_board, parse_instance, parse_square
from problems.formats.reading import read, read_path
from problems.formats.records import KEYS, board_text, result_from_json, result_json, to_json, violations_json
from problems.formats.source import MAX_BYTES
from problems.formats.svg import to_svg
from problems.formats.write import (
    Labels,
    to_fen,
    to_indices,
    to_names,
    to_pairs,
    to_permutation,
    to_text,
    to_tsplib,
)

__all__ = [
    "KEYS", "MAX_BYTES", "Coordinates", "Labels", "Reading", "board_text", "parse_board", "parse_instance",
    "parse_square", "read", "read_path", "result_from_json", "result_json", "to_fen", "to_indices", "to_json",
    "to_names", "to_pairs", "to_permutation", "to_svg", "to_text", "to_tsplib", "violations_json",
]  # fmt: skip
