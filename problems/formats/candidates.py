"""What was asked, the ways a text can be read, and the choice between them.

Every recogniser of this package returns *candidates*: plausible readings, the documented default first.
`decide` compares their verdicts. Readings that agree leave the default with a note; readings that differ
raise `AmbiguousInput`, which names the options that decide. Nothing is guessed in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap

from problems import coercion
from problems.board import Answer, Board, Square, require_board
from problems.coercion import choice, truth, whole
from problems.errors import AmbiguousInput, InputError, shown
from problems.formats.coordinates import Coordinates
from problems.formats.instances import parse_square
from problems.knights import KnightCover, Rule
from problems.queens import MAX_QUEENS, Queens
from problems.result import PROBLEMS, Problem
from problems.tours import KnightTour, is_knight_move
from problems.violation import Violation


@dataclass(frozen=True, slots=True)
class Question:
    """What the reader was told beside the text; None where it was told nothing."""

    name: str
    board: Board | None = None
    rule: Rule | None = None
    at_most: int | None = None
    closed: bool | None = None
    start: Square | str | None = None
    end: Square | str | None = None
    given: Sequence[Square | str] = ()
    coordinates: Coordinates | None = None

    def __post_init__(self) -> None:
        if self.name not in PROBLEMS:
            raise InputError("knights, queens or tour", shown(self.name), where="problem")
        self._coerce()
        if self.name == "queens" and self.board is not None and not self.board.is_square:
            raise InputError("a square board", str(self.board), where="--board")

    def _coerce(self) -> None:
        """Make enumerations of their names and tuples of lists; `InputError` for what is neither."""
        if self.board is not None:
            require_board(self.board)
        if self.rule is not None:
            object.__setattr__(self, "rule", choice(Rule, self.rule, "--rule"))
        if self.coordinates is not None:
            object.__setattr__(self, "coordinates", choice(Coordinates, self.coordinates, "--coordinates"))
        if self.closed is not None:
            object.__setattr__(self, "closed", truth(self.closed, "--closed"))
        if self.at_most is not None and whole(self.at_most) is None:
            raise InputError("a whole number", shown(self.at_most), where="--at-most")
        for name in ("start", "end"):
            given = getattr(self, name)
            if given is not None and not isinstance(given, str):
                object.__setattr__(self, name, coercion.square(given, f"--{name}"))
        if isinstance(self.given, str):
            raise InputError("a list of squares", shown(self.given), where="given queens", hint="split it")
        given = tuple(s if isinstance(s, str) else coercion.square(s, "given queens") for s in self.given)
        object.__setattr__(self, "given", given)

    @property
    def order(self) -> Coordinates | None:
        """The order and origin that `coordinates` asks for, whatever the base."""
        return None if self.coordinates is None else self.coordinates.order

    @property
    def fixes_squares(self) -> bool:
        """Whether some square is singled out, so that turning the answer round may change the verdict."""
        holes = self.board is not None and bool(self.board.missing)
        return holes or self.start is not None or self.end is not None or bool(self.given)

    def problem(self, board: Board | None) -> Problem:
        """Return the problem on `board`; None is the board of no queens."""
        if self.name == "queens":
            given = () if board is None else tuple(_square(s, board, "given queens") for s in self.given)
            return Queens(0 if board is None else board.rows, tuple(s for s in given if s is not None))
        if board is None:
            raise need_board("an empty answer")
        if self.name == "knights":
            return KnightCover(board, self.rule or Rule.TOTAL, self.at_most)
        start, end = _square(self.start, board, "--start"), _square(self.end, board, "--end")
        return KnightTour(board, start, end, bool(self.closed))


def _square(square: Square | str | None, board: Board, where: str) -> Square | None:
    return parse_square(square, board, where) if isinstance(square, str) else square


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read a text. `option` is what the user would say to ask for it.

    An `unusual` way is offered beside the documented one, for `decide` to refuse what is wrong in the one and
    right in the other.
    """

    form: str
    squares: Answer
    board: Board | None
    option: str = ""
    faults: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()
    unusual: bool = False

    def noting(self, *notes: str) -> Candidate:
        """Return this candidate with more notes."""
        return replace(self, notes=self.notes + notes)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read: the problem with its board, and the answer as given, duplicates and all.

    `form` names the form that was recognised. `violations` are faults that only the form shows: for a step
    matrix `repeated-step` (with the squares) and `missing-step`, whose `position` is the step number as
    written in the text. `notes` say what was assumed and which option would say otherwise.
    """

    problem: Problem
    answer: Answer
    form: str
    violations: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()


def decide(question: Question, candidates: Sequence[Candidate]) -> Reading:
    """Return the first candidate as a reading if all have one verdict, else raise `AmbiguousInput`.

    An unusual candidate weighs only where the first one is wrong: a right answer in the documented form stands.
    """
    (first, problem), *others = _possible(question, candidates)
    others = [
        (c, p) for c, p in others if (c.board, c.squares, c.faults) != (first.board, first.squares, first.faults)
    ]
    if not others:
        return Reading(problem, first.squares, first.form, first.faults, first.notes)
    verdict = _verdict(problem, first)
    differing: list[Candidate] = []
    for other, its_problem in others:
        theirs = _verdict(its_problem, other)
        if theirs != verdict and (not other.unusual or (theirs[0] and not verdict[0])):
            raise _ambiguous((first, verdict), (other, theirs))
        if theirs[0] != verdict[0]:
            differing.append(other)
    notes = first.notes
    if same := [c for c, _ in others if c not in differing]:
        notes += (f"read as {first.form}; as {_ways(same)} the verdict is the same",)
    if differing:
        notes += (f"read as {first.form}, the usual form; as {_ways(differing)} it would be wrong",)
    return Reading(problem, first.squares, first.form, first.faults, notes)


def _ways(candidates: Sequence[Candidate]) -> str:
    return ", ".join(f"{c.form}{f' ({c.option})' if c.option else ''}" for c in candidates)


def _possible(question: Question, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Problem]]:
    """Return the candidates with their problems; those on boards that do not hold the start and so on are none."""
    found: list[tuple[Candidate, Problem]] = []
    fault: InputError | None = None
    for candidate in candidates:
        try:
            found.append((candidate, question.problem(candidate.board)))
        except InputError as error:
            fault = fault or error
    if fault is not None and not found:
        raise fault
    return found


def _verdict(problem: Problem, candidate: Candidate) -> tuple[bool, int]:
    """Return whether the answer is right, and the number of pieces where that matters (else 0)."""
    pieces = len(set(candidate.squares)) if isinstance(problem, KnightCover) else 0
    return (_is_right(problem, candidate), pieces)


def _is_right(problem: Problem, candidate: Candidate) -> bool:
    # The cheap tests come first: a reading of a large text is mostly refuted by its length.
    if candidate.faults:
        return False
    if isinstance(problem, Queens) and len(candidate.squares) != problem.n:
        return False
    if isinstance(problem, KnightTour) and len(candidate.squares) != problem.board.size:
        return False
    if candidate.board is not None and not all(square in candidate.board for square in candidate.squares):
        return False
    if isinstance(problem, KnightTour) and not all(starmap(is_knight_move, pairwise(candidate.squares))):
        return False
    return not problem.violations(candidate.squares)


def _ambiguous(
    one: tuple[Candidate, tuple[bool, int]], other: tuple[Candidate, tuple[bool, int]]
) -> AmbiguousInput:
    (first, (first_right, first_pieces)), (second, (second_right, second_pieces)) = one, other
    names = [first.form, second.form]
    if first.board != second.board:
        names = [f"{first.form} on {first.board}", f"{second.form} on {second.board}"]
    if first_right == second_right:
        got = f"{names[0]} with {first_pieces} pieces or {names[1]} with {second_pieces}"
    else:
        word = {True: "right", False: "wrong"}
        got = f"one that is {word[first_right]} as {names[0]} but {word[second_right]} as {names[1]}"
    options = [c.option for c in (first, second) if c.option]
    hint = ", or ".join(f"say {option}" if option.startswith("--") else option for option in options)
    return AmbiguousInput("an answer with one reading", got, hint=hint)


def need_board(what: str) -> AmbiguousInput:
    """Return the error for a text that does not say how large the board is."""
    return AmbiguousInput("the size of the board", f"{what} without it", hint="say --board RxC, e.g. --board 8x8")


def queens_board(count: int, box: int, question: Question) -> tuple[Board | None, tuple[str, ...]]:
    """Return the board of `count` queens whose squares need `box` rows or columns, and what was assumed.

    Without a given board it is as large as there are queens, or as large as the squares ask for.
    """
    if question.board is not None:
        return question.board, ()
    if count < box <= MAX_QUEENS:
        return Board(box, box), (f"{count} queens taken to be on a {box}x{box} board; --board says otherwise",)
    return (Board(count, count) if count else None), ()


def label_order(numbers: Sequence[int]) -> int:
    """Return 1 where numbers beside the rows count downwards, -1 where they count upwards, 0 where they do not."""
    steps = {b - a for a, b in pairwise(numbers)}
    return steps.pop() if steps in ({1}, {-1}) else 0


def turned_by_labels(found: Sequence[Candidate], order: int, question: Question) -> list[Candidate]:
    """Return the readings upside down, where labels count the other way than the squares that were given.

    Names count rows from the bottom, pairs from the top; `order` is that of `label_order`.
    """
    given = [s for s in (question.start, question.end, *question.given) if s is not None]
    named = any(isinstance(square, str) and square[:1].isalpha() for square in given)
    if order == 0 or not given or (order < 0) == named:
        return []
    return [
        replace(
            candidate,
            form=f"{candidate.form} as its labels count",
            squares=tuple((candidate.board.rows - 1 - row, col) for row, col in candidate.squares),
            option="turn the board so that its first row is at the " + ("bottom" if named else "top"),
        )
        for candidate in found
        if candidate.board is not None and not candidate.board.missing
    ]


def mirrored(found: Sequence[Candidate]) -> list[Candidate]:
    """Return the readings left to right, for labels that count the columns from the right."""
    return [
        replace(
            candidate,
            form=f"{candidate.form}, its columns as labelled",
            squares=tuple((row, candidate.board.cols - 1 - col) for row, col in candidate.squares),
            option="turn the board so that its first column is on the left",
        )
        for candidate in found
        if candidate.board is not None and not candidate.board.missing
    ]


def refuse_coordinates(question: Question, form: str, *allowed: Coordinates, base: int | None = None) -> None:
    """Raise `InputError` if `--coordinates` asks for something else than the text's form (counted from `base`)."""
    wanted = question.coordinates
    if wanted is None or (wanted.order in allowed and (base is None or wanted.base in (None, base))):
        return
    asked = {
        Coordinates.XY: "x,y pairs",
        Coordinates.RC: "row,col pairs",
        Coordinates.INDEX: "row-major indices",
        Coordinates.NAMES: "square names",
    }[wanted.order]
    counted = "" if wanted.base is None else f" counted from {wanted.base}"
    raise InputError(asked + counted, form, where=f"--coordinates {wanted}")
