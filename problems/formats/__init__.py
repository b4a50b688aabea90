"""Every form in which people write answers, read and written: text, JSON and drawing.

`read` and `read_path` turn a text into a problem and an answer; `parse_instance` and `parse_square` read the short
texts of a command line; the `to_…` functions write.
"""

from problems.formats.candidates import Coordinates, Reading
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
