"""Lists of squares as numbers: permutations, pairs and row-major indices.

Conventions. Pairs are `row,col` from the top left (the default) or `x,y` from the bottom left; both 0-based,
and 1-based where only that fits or is asked for. A permutation gives the column of each row, from the top.
Index lists are row-major. `[r, c]` and `r,c` mean the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from problems.board import Board, Square
from problems.errors import InputError, shown
from problems.formats.candidates import (
    Candidate,
    Question,
    need_board,
    queens_board,
    refuse_coordinates,
)
from problems.formats.coordinates import Coordinates


def is_permutation(values: Sequence[int], base: int) -> bool:
    """Whether the values are base, base + 1, … in some order."""
    count = len(values)
    return not count or (min(values) == base and max(values) == base + count - 1 and len(set(values)) == count)


def permutation(values: Sequence[int], question: Question, note: str = "") -> Candidate:
    """Return the reading as the columns of the queens, row by row; with no 0 among them they count from 1."""
    board, notes = queens_board(len(values), 0, question)
    base = 0 if 0 in values or (values and min(values) < 0) else 1
    columns = values if base == 0 else [value - 1 for value in values]
    squares = tuple(enumerate(columns))
    side = "any board" if board is None else f"--board {board}"
    if base and max(values) < len(values):
        notes += ("columns counted from 1, since there is no 0; counted from 0 the verdict is the same",)
    return Candidate(f"permutation, {base}-based", squares, board, side, notes=(*notes, note) if note else notes)


def pairs(
    values: Sequence[int], question: Question, board: Board | None = None, note: str = ""
) -> list[Candidate]:
    """Return the readings of numbers two by two as `row,col` and as `x,y`, on the given or spanned board.

    Raises `InputError` for an odd number of numbers, and if `--coordinates` asks for no pairs.
    """
    if len(values) % 2:
        raise InputError("an even number of coordinates", f"{len(values)} numbers", where="pairs")
    refuse_coordinates(question, f"{len(values) // 2} pairs", Coordinates.RC, Coordinates.XY)
    firsts, seconds = values[0::2], values[1::2]
    orders = (Coordinates.RC, Coordinates.XY) if question.order is None else (question.order,)
    if question.order is None and _only_rows_first_fits(firsts, seconds, board or question.board):
        orders = (Coordinates.RC,)
        fit = "pairs read as row,col: as x,y (--coordinates xy) some squares are off the board"
        note = f"{note}; {fit}" if note else fit
    ways = [
        _boards_of_pairs(*((firsts, seconds) if order is Coordinates.RC else (seconds, firsts)), question, board)
        for order in orders
    ]
    same = len(orders) == 2 and not question.fixes_squares and ways[0] == [_turned(way) for way in ways[1]]
    candidates = []
    for order, bases in zip(orders, ways, strict=True):
        for number, (side, base, notes) in enumerate(bases):
            asked = order.counted_from(base) if len(bases) > 1 else order
            candidate = _in_order(firsts, seconds, side, base, order, asked)
            candidate = replace(candidate.noting(*notes, *((note,) if note else ())), unusual=number > 0)
            if same and number == 0:
                # The two readings are mirror images of each other, and no square is singled out.
                candidate = candidate.noting(
                    "pairs read as row,col; as x,y (--coordinates xy) the verdict is the same"
                )
            candidates.append(candidate)
        if same:
            break
    return sorted(candidates, key=lambda candidate: candidate.unusual)


def _only_rows_first_fits(firsts: Sequence[int], seconds: Sequence[int], board: Board | None) -> bool:
    """Whether the pairs lie on the board as row,col, from 0 or from 1, and leave it as x,y."""
    if board is None or board.is_square or not firsts:
        return False
    lowest = min(min(firsts), min(seconds))
    extra = int(lowest >= 1)
    down, across = max(firsts) - extra, max(seconds) - extra
    fits = lowest >= 0 and down < board.rows and across < board.cols
    return fits and not (down < board.cols and across < board.rows)


_Way = tuple[Board | None, int, tuple[str, ...]]


def _turned(way: _Way) -> _Way:
    board, base, notes = way
    if board is None:
        return way
    return Board(board.cols, board.rows, frozenset((c, r) for r, c in board.missing)), base, notes


def _in_order(
    firsts: Sequence[int],
    seconds: Sequence[int],
    board: Board | None,
    base: int,
    order: Coordinates,
    asked: Coordinates,
) -> Candidate:
    squares: tuple[Square, ...]
    if order is Coordinates.XY:
        top = (0 if board is None else board.rows) - 1 + base
        squares = tuple((top - y, x - base) for x, y in zip(firsts, seconds, strict=True))
    elif base:
        squares = tuple((row - 1, col - 1) for row, col in zip(firsts, seconds, strict=True))
    else:
        squares = tuple(zip(firsts, seconds, strict=True))
    name = "row,col pairs" if order is Coordinates.RC else "x,y pairs"
    return Candidate(f"{name}, {base}-based", squares, board, f"--coordinates {asked}")


def _boards_of_pairs(
    rows: Sequence[int], cols: Sequence[int], question: Question, board: Board | None
) -> list[_Way]:
    """Return the board, the base (0 or 1) and what was assumed; a second way if the pairs fit from 1 as well."""
    board = board or question.board
    wanted = None if question.coordinates is None else question.coordinates.base
    lowest = min(min(rows, default=0), min(cols, default=0))
    highest = (max(rows, default=-1), max(cols, default=-1))
    if board is not None:
        if wanted is not None:
            return [(board, wanted, ())]
        fits_from_0 = highest[0] < board.rows and highest[1] < board.cols
        fits_from_1 = lowest >= 1 and highest[0] <= board.rows and highest[1] <= board.cols
        from_1 = (board, 1, ("pairs counted from 1",))
        if fits_from_1 and not fits_from_0:
            return [from_1]
        return [(board, 0, ()), from_1] if fits_from_1 else [(board, 0, ())]
    if question.name == "queens":
        base = int(lowest >= 1 and max(highest) == len(rows)) if wanted is None else wanted
        side, notes = queens_board(len(rows), max(highest) + 1 - base, question)
        return [(side, base, notes)]
    if question.name == "knights" or not rows:
        raise need_board("a list of squares")
    base = int(min(rows) >= 1 and min(cols) >= 1) if wanted is None else wanted
    board = bounding_board(highest[0] + 1 - base, highest[1] + 1 - base)
    return [(board, base, (f"board {board} taken from the squares; --board says otherwise",))]


def bounding_board(rows: int, cols: int) -> Board:
    """Return the board that a path's squares span; `InputError` where they span none."""
    if rows < 1 or cols < 1:
        raise need_board("a path off every board")
    return Board(rows, cols)


def indices(values: Sequence[int], question: Question, board: Board) -> list[Candidate]:
    """Return the readings as row-major indices: 0-based, 1-based where only that fits, both where both do."""
    size = board.rows * board.cols
    wanted = None if question.coordinates is None else question.coordinates.base
    fits_from_1 = bool(values) and min(values) >= 1 and max(values) <= size
    bases: tuple[int, ...] = (0,)
    if wanted is not None:
        bases = (wanted,)
    elif fits_from_1:
        bases = (1,) if max(values) == size else (0, 1)
    found = []
    for number, base in enumerate(bases):
        squares = tuple(divmod(value - base, board.cols) for value in values)
        asked = Coordinates.INDEX.counted_from(base) if len(bases) > 1 else Coordinates.INDEX
        form = f"row-major indices, {base}-based"
        found.append(Candidate(form, squares, board, f"--coordinates {asked}", unusual=number > 0))
    return found


def queens_from_flat(values: Sequence[int], question: Question) -> list[Candidate]:
    """Return the readings of a plain list of numbers as queens: permutation, pairs or indices, or with n first."""
    count = len(values)
    if question.order is Coordinates.INDEX:
        return _fitting(_led_indices(values, question) + _all_indices(values, question), question)
    if question.coordinates is not None:
        led = count % 2 == 1 and values[0] == (count - 1) // 2
        return pairs(values[1:] if led else values, question)
    found = _led_pairs(values, question) or _flat_pairs(values, question)
    if not found or not _one_a_line(found[0]):
        after_n = _led_columns(values, question)
        # An n and a permutation of n columns are no permutation of n + 1, unless n counts on.
        only = bool(after_n) and not is_permutation(values, 0)
        found += after_n if only else _columns(values, question) + after_n
    if not found:
        side = _square_board(count, question)
        if _are_columns(values, side.rows):
            return [_faulty_columns(values, side, question)]
        if min(values) >= 0 and max(values) <= side.rows**2:
            return _fitting(_all_indices(values, question) + _led_indices(values, question), question)
        raise InputError(
            f"columns of {count} queens, from 0 or from 1",
            shown(next(value for value in values if not 0 <= value <= side.rows**2)),
            where="answer",
            hint="give one placement, its columns with blanks between them",
        )
    if turned := _turned_permutations(found, question):
        found = [replace(c, option="") for c in found] + turned
    return _fitting(found, question)


def _are_columns(values: Sequence[int], n: int) -> bool:
    """Whether the numbers can only be meant as columns: all but two indices of queens at peace are above n."""
    outside = sum(value > n for value in values)
    return min(values) >= 0 and max(values) <= n * n and outside <= min(len(values) // 2, n - 3)


def _faulty_columns(values: Sequence[int], board: Board, question: Question) -> Candidate:
    """Return the reading of columns some of which are off the board or missing."""
    found = permutation(values, question)
    base = int(0 not in values)
    outside = [value for value in values if value - base >= board.cols]
    if not outside:
        return found
    sized = "" if question.board is not None else "; --board says otherwise"
    return found.noting(f"columns from {base}: there is no column {outside[0]} on the {board} board{sized}")


def _turned_permutations(found: list[Candidate], question: Question) -> list[Candidate]:
    """Return the readings of columns from the bottom row, and of rows column by column, where that matters."""
    if not question.fixes_squares:
        return []
    more: list[Candidate] = []
    for candidate in found:
        if not candidate.form.startswith("permutation") or candidate.board is None:
            continue
        last = candidate.board.rows - 1
        for how, squares in (
            ("columns from the bottom row", [(last - row, col) for row, col in candidate.squares]),
            ("rows from the top, column by column", [(col, row) for row, col in candidate.squares]),
            ("rows from the bottom, column by column", [(last - col, row) for row, col in candidate.squares]),
        ):
            form = f"{candidate.form}, {how}"
            more.append(
                replace(candidate, form=form, squares=tuple(squares), option="write square names", unusual=True)
            )
    return more


def _fitting(found: list[Candidate], question: Question) -> list[Candidate]:
    """Return the readings with as many queens as the given board has rows, which settles what numbers can be."""
    if question.board is None:
        return found
    return [c for c in found if len(c.squares) == question.board.rows] or found


def _all_indices(values: Sequence[int], question: Question) -> list[Candidate]:
    board = _square_board(len(values), question)
    return _sized(indices(values, question, board), question)


def _led_indices(values: Sequence[int], question: Question) -> list[Candidate]:
    """Return the readings of n and the row-major indices of n queens; none for other numbers."""
    rest = values[1:]
    if not rest or values[0] != len(rest) or not all(0 <= value <= len(rest) ** 2 for value in rest):
        return []
    found = indices(rest, question, _square_board(len(rest), question))
    return [c.noting("the first number taken as n") for c in _sized(found, question)]


def _sized(found: list[Candidate], question: Question) -> list[Candidate]:
    """Return the candidates with the board as the option where none was given, and the base where two share it."""
    if question.board is not None:
        return found
    bases = [f" {candidate.option}" if len(found) > 1 else "" for candidate in found]
    return [replace(c, option=f"--board {c.board}{base}") for c, base in zip(found, bases, strict=True)]


def _square_board(count: int, question: Question) -> Board:
    return question.board or Board(max(count, 1), max(count, 1))


def _one_a_line(candidate: Candidate) -> bool:
    """Whether the squares have all rows and all columns: no list of columns looks like that by accident."""
    rows, cols = [row for row, _ in candidate.squares], [col for _, col in candidate.squares]
    return len(rows) > 1 and is_permutation(rows, 0) and is_permutation(cols, 0)


def _columns(values: Sequence[int], question: Question) -> list[Candidate]:
    fits = all(0 <= value <= len(values) for value in values) and not (0 in values and len(values) in values)
    return [permutation(values, question)] if fits else []


def _led_columns(values: Sequence[int], question: Question) -> list[Candidate]:
    rest = values[1:]
    if len(rest) < 1 or values[0] != len(rest) or not (is_permutation(rest, 0) or is_permutation(rest, 1)):
        return []
    return [permutation(rest, question, "the first number taken as n")]


def _led_pairs(values: Sequence[int], question: Question) -> list[Candidate]:
    n, odd = divmod(len(values), 2)
    if not odd or n < 1 or values[0] != n or not all(0 <= value <= n for value in values):
        return []
    return pairs(values[1:], question, note="the first number taken as n")


def _flat_pairs(values: Sequence[int], question: Question) -> list[Candidate]:
    n, odd = divmod(len(values), 2)
    if odd or n < 2 or not all(0 <= value <= n for value in values) or (0 in values and n in values):
        return []
    return pairs(values, question)


def path_from_flat(values: Sequence[int], question: Question) -> list[Candidate]:
    """Return the readings of a plain list of numbers as a path: indices or pairs, with a count in front or not."""
    if question.order in (Coordinates.RC, Coordinates.XY):
        return pairs(values, question)
    board = question.board
    if len(values) == 1 and board is None:
        board = Board(1, 1)
    found: list[Candidate] = []
    if question.coordinates is None and len(values) % 2 == 0 and not _counts_up(values):
        found = _fitting_pairs(values, question)
    if board is None and not found:
        raise need_board(f"a list of {len(values)} numbers")
    if board is not None and (not found or question.order is Coordinates.INDEX):
        found = indices(values, question, board) + found
        if values[0] == len(values) - 1 == board.rows * board.cols:
            # A square more than the board has cannot be meant.
            return [_uncounted(candidate, values[0]) for candidate in indices(values[1:], question, board)]
    return found


def _uncounted(candidate: Candidate, number: int) -> Candidate:
    return replace(
        candidate.noting(f"the first number taken as the number of squares, {number}"),
        option=f"leave out the first number, {number}, if it is no square",
    )


def _counts_up(values: Sequence[int]) -> bool:
    return is_permutation(values, 0) or is_permutation(values, 1)


def _fitting_pairs(values: Sequence[int], question: Question) -> list[Candidate]:
    """Return the pair readings whose squares are different and on the board, or fill one if none was given."""
    if len(set(zip(values[0::2], values[1::2], strict=True))) < len(values) // 2:
        return []
    found = pairs(values, question)
    if question.board is None and any(c.board is None or c.board.size != len(values) // 2 for c in found):
        return []
    return [c for c in found if _on_board(c)]


def knights_from_flat(values: Sequence[int], question: Question) -> list[Candidate]:
    """Return the readings of a plain list of numbers as knights: pairs, indices or a 0/1 board row by row."""
    board = question.board
    if board is None:
        raise need_board(f"a list of {len(values)} numbers")
    led = _led_squares(values, question, board)
    if question.order is Coordinates.INDEX:
        # Who has said that these are indices means the first one too, unless that is wrong.
        first, *others = indices(values, question, board)
        first = replace(first, option="") if led else first
        return [first, *others, *(replace(c, unusual=True) for c in led)]
    if question.coordinates is not None:
        counted = len(values) % 2 == 1 and values[0] in (len(values) // 2, *_side(board))
        return pairs(values[1:] if counted else values, question)
    found: list[Candidate] = []
    if len(values) % 2 == 0:
        found += pairs(values, question)
    elif values[0] in _side(board) and len(values) > 1:
        found += pairs(values[1:], question, note="the first number taken as the board's side")
    elif values[0] == len(values) // 2 and len(values) > 1:
        found += pairs(values[1:], question, note="the first number taken as the number of pairs")
    if not any(_on_board(c) for c in found):
        found = []
    if min(values) >= 0 and max(values) <= board.rows * board.cols:
        found += indices(values, question, board)
    if len(values) == board.rows * board.cols and set(values) <= {0, 1}:
        found.append(marked_cells(values, board, "0/1 board in one row"))
    elif found:
        found += led
    if not found:
        raise InputError(f"squares on the {board} board", shown(list(values[:8])), where="answer")
    return found


def _side(board: Board) -> tuple[int, ...]:
    return (board.rows,) if board.is_square else ()


def _led_squares(values: Sequence[int], question: Question, board: Board) -> list[Candidate]:
    """Return the readings as a number of squares or a side, and the indices after it; none for other numbers."""
    rest = values[1:]
    if len(rest) < 2 or values[0] not in (len(rest), *_side(board)):
        return []
    if min(rest) < 0 or max(rest) > board.rows * board.cols:
        return []
    return [_uncounted(candidate, values[0]) for candidate in indices(rest, question, board)]


def _on_board(candidate: Candidate) -> bool:
    return candidate.board is not None and all(square in candidate.board for square in candidate.squares)


def marked_cells(cells: Sequence[int], board: Board, form: str) -> Candidate:
    """Return the placement of a 0/1 matrix given row by row."""
    cols = board.cols
    return Candidate(form, tuple(divmod(index, cols) for index, value in enumerate(cells) if value), board)
