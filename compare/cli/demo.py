"""`make demo`: the main job on the documents' own boards, then a small study, each command shown as typed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from compare.cli import DONE, WRONG, run

_BOARDS = Path("docs") / "boards"
_STORE = Path("build") / "demo" / "quick.db"
_PAGE = Path("build") / "demo" / "quick.html"

_STEPS: tuple[tuple[str, list[str], int], ...] = (
    (
        "A document says that 14 knights attack every square of the 8x8 board, and 22 those of the 10x10.\n"
        "Are these the fewest? Exact search decides, with a proof:",
        ["prove", "knights", "8x8"],
        DONE,
    ),
    ("", ["prove", "knights", "10x10", "--quiet"], DONE),
    (
        "Is the board that the document printed right, and is it optimal?",
        ["verify", "knights", str(_BOARDS / "document-8x8.txt")],
        DONE,
    ),
    ("", ["verify", "knights", str(_BOARDS / "document-10x10.txt"), "--quiet"], DONE),
    (
        "Elsewhere 12 knights are offered. They answer another question:",
        ["verify", "knights", str(_BOARDS / "twelve-knights.txt")],
        WRONG,
    ),
    ("How many placements of 14 are there?", ["count", "knights", "8x8", "--classes"], DONE),
    (
        "And how good are the documents' programs beside others? A study, every run in a process of its own:",
        ["study", "run", "quick", "--store", str(_STORE)],
        DONE,
    ),
    ("", ["study", "report", "--store", str(_STORE), "--output", str(_PAGE)], DONE),
)


def main() -> int:
    """Show every step and its outcome; 1 if some step ends otherwise than it should."""
    _STORE.parent.mkdir(parents=True, exist_ok=True)
    _STORE.unlink(missing_ok=True)  # one of an earlier version may be of another plan
    surprises = 0
    for text, arguments, expected in _STEPS:
        sys.stdout.write(f"\n{text}\n" if text else "\n")
        sys.stdout.write(f"$ provemate {shlex.join(arguments)}\n")
        sys.stdout.flush()
        surprises += run(arguments) != expected
        sys.stdout.flush()
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
