"""Who plays: reading and checking an entry's heuristic, exact engine or outside program."""

from __future__ import annotations

import shlex
import shutil
import string
import sys
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, get_args, get_type_hints

from compare.parameters import convert
from compare.study.plan import Engine, Heuristic, Player, Program, TargetKind, Task
from compare.study.plan_faults import Table, is_one_line, nearest
from problems import InputError, KnightCover, Problem, Queens, UnsupportedProblem
from problems.errors import shown
from problems.formats import Coordinates


class Programs(Enum):
    """Whether outside programs have to be there: to run a plan, yes; to read a stored one, no."""

    MUST_EXIST = "must exist"
    MAY_BE_MISSING = "may be missing"


def read_player(table: Table, tasks: Sequence[Task], programs: Programs) -> tuple[Player | None, str, str]:
    """Return the player (None if it is faulty), its default label, and the key that names it.

    The tasks the entry may play on decide which method a name means that exists for several problems.
    """
    keys = [key for key in ("method", "engine", "command") if key in table]
    if len(keys) != 1:
        for key in ("method", "engine", "command", "edition", "parameters", "coordinates"):
            table.raw(key)
        table.fault("an entry needs exactly one of method, engine and command")
        return None, "entry", ""
    if keys == ["method"]:
        return *_heuristic(table, tasks), "method"
    if keys == ["engine"]:
        return *_engine(table), "engine"
    return *_program(table, tasks, programs), "command"


def _heuristic(table: Table, tasks: Sequence[Task]) -> tuple[Heuristic | None, str]:
    from heuristic.methods import METHODS

    name = table.choice("method", list(dict.fromkeys(row.name for row in METHODS)))
    edition, given = table.text("edition"), table.table("parameters")
    label = _label(name or "entry", edition, given.data)
    rows = [row for row in METHODS if row.name == name]
    if len(rows) > 1:
        rows = [row for row in rows if any(isinstance(task.problem, row.problem) for task in tasks)]
    if len(rows) != 1:
        if name is not None and tasks:
            table.fault(f"{name}: name tasks of one problem, since methods of several problems are called so")
        return None, label
    row = rows[0]
    if edition is not None and edition not in row.editions:
        hint = nearest(edition, row.editions)
        table.fault(f"edition: {name} has {', '.join(row.editions)}, got {shown(edition)}{hint}", "edition")
        return None, label
    parameters = read_parameters(given, row.parameters)
    if parameters is None:
        return None, label
    return Heuristic(row.name, edition or row.editions[0], parameters), label


def _label(name: str, edition: str | None, parameters: dict[str, Any]) -> str:
    settings = [edition] if edition else []
    settings += [f"{key}={value}" for key, value in parameters.items()]
    return f"{name} ({', '.join(settings)})" if settings else name


def read_parameters(table: Table, kind: type) -> Any:
    """Return an instance of a method's parameter dataclass, None if the table has faults (they are noted)."""
    hints = get_type_hints(kind)
    known = {item.name: item for item in fields(kind)}
    values: dict[str, Any] = {}
    faults = 0
    for key, value in table.data.items():
        try:
            if key not in known:
                hint = nearest(key, list(known)) or f"; there are: {', '.join(known) or 'none'}"
                raise InputError("a parameter of the method", shown(key) + hint)
            values[key] = convert(hints[key], _no_text_for_numbers(value, hints[key]), "parameters")
        except InputError as error:
            table.fault(f"{key}: expected {error.expected}, got {error.got}", key)
            faults += 1
    required = [f.name for f in known.values() if f.default is MISSING and f.default_factory is MISSING]
    for name in required:
        if name not in table.data:
            table.fault(f"parameter {name} is missing")
            faults += 1
    if faults:
        return None
    try:
        return kind(**values)
    except InputError as error:
        table.fault(f"parameters: {error}")
        return None


def _no_text_for_numbers(value: Any, hint: Any) -> Any:
    """Return the value; a text where a number belongs is a fault in TOML, which has numbers of its own."""
    takes_text = any(isinstance(h, type) and issubclass(h, (str, Enum)) for h in (hint, *get_args(hint)))
    if isinstance(value, str) and not takes_text:
        raise InputError("a value without quotes", shown(value))
    return value


def _engine(table: Table) -> tuple[Engine | None, str]:
    from exact import ENGINES

    name = table.choice("engine", ENGINES)
    return (Engine(name), name) if name else (None, "entry")


def _program(table: Table, tasks: Sequence[Task], programs: Programs) -> tuple[Program | None, str]:
    command = table.text("command")
    coordinates = table.choice("coordinates", [item.value for item in Coordinates])
    if command is None:
        return None, "entry"
    try:
        words = shlex.split(command)
        fields = _fields_of(command)
    except ValueError as error:
        table.fault(f"command: {error}: {shown(command)}; {_OWN_BRACES}", "command")
        return None, "entry"
    # As it is written: an interpreter's path is another on another machine, and the label is the runs' identity.
    label = " ".join(" ".join(words[:2] or [command]).split())
    faults = [fault for field in fields if (fault := _fault_of(*field))]
    is_unknown = programs is Programs.MAY_BE_MISSING or (faults and "{" in words[0])
    missing = None if is_unknown else _missing(words, tasks)
    if missing is not None:
        faults.append(f"there is no program {shown(missing)}")
    if not is_one_line(label):
        faults.append(f"a text of one line as its first words, got {shown(label)}")
    for fault in faults:
        table.fault(f"command: {fault}", "command")
    return (None if faults else Program(command, Coordinates(coordinates) if coordinates else None)), label


_OWN_BRACES = "braces that are the program's own are doubled: {{ and }}"


def _fields_of(command: str) -> list[tuple[str, str, str | None]]:
    """Return name, format and conversion of all that stands in braces, word by word as it will be filled in."""
    found = [field for word in shlex.split(command) for field in string.Formatter().parse(word)]
    return [(name, form or "", conversion) for _, name, form, conversion in found if name is not None]


def _fault_of(name: str, form: str, conversion: str | None) -> str:
    """Return what is wrong with a placeholder, '' if nothing is."""
    if name not in PLACEHOLDERS:
        return f"unknown {shown(f'{{{name}}}')}; there are {_braced(PLACEHOLDERS)}; {_OWN_BRACES}"
    if form or conversion:
        whole = f"{{{name}{f'!{conversion}' if conversion else ''}{f':{form}' if form else ''}}}"
        return f"expected a plain {{{name}}}, got {shown(whole)}"
    return ""


def placeholders_of(command: str) -> set[str]:
    """Return the names of a command's placeholders; of a command that cannot be read, none."""
    try:
        return {name for name, _, _ in _fields_of(command)}
    except ValueError:
        return set()


def _missing(words: Sequence[str], tasks: Sequence[Task]) -> str | None:
    """Return the program that is not there for some task, None if all are there or only a run can tell."""
    if not words:
        return ""
    names = {name for _, name, _, _ in string.Formatter().parse(words[0]) if name is not None}
    known = [{**placeholder_values(task.problem, None), "python": sys.executable} for task in tasks]
    fitting = [values for values in known if names <= values.keys()] if names else [{}]
    programs = [words[0].format(**values) for values in fitting]
    return next((program for program in programs if shutil.which(program) is None), None)


PLACEHOLDERS: dict[str, str] = {
    "rows": "rows of the board",
    "cols": "columns of the board",
    "n": "side of a square board, or the number of queens",
    "knights": "knights allowed: the target",
    "rule": "total, ordinary or independent",
    "start": "name of the first square, such as a1",
    "end": "name of the last square",
    "seed": "the run's seed, below 2**31",
    "run": "the run's number, from 0",
    "seconds": "the budget in seconds",
    "evaluations": "the budget in evaluations",
    "python": "the Python interpreter that runs the study",
}
"""What a command may contain in braces, and what takes its place."""


def _braced(names: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def placeholder_values(problem: Problem, goal: int | None) -> dict[str, str]:
    """Return what stands for the placeholders that the problem decides; those it cannot fill are left out."""
    if isinstance(problem, Queens):
        return {"rows": str(problem.n), "cols": str(problem.n), "n": str(problem.n)}
    board = problem.board
    values = {"rows": str(board.rows), "cols": str(board.cols)}
    if board.is_square:
        values["n"] = str(board.rows)
    if isinstance(problem, KnightCover):
        values["rule"] = problem.rule.value
        if goal is not None:
            values["knights"] = str(goal)
    else:
        ends = {"start": problem.start, "end": problem.end}
        values |= {key: board.name(square) for key, square in ends.items() if square is not None}
    return values


def reason_against(player: Player, task: Task) -> str | None:
    """Return why the player cannot play the task, None if it can."""
    limited = task.target.kind is not TargetKind.FIRST_VALID
    # The optimum is not known before the study runs; any limit tells whether one is supported.
    stand_in = task.problem.board.size if limited and not isinstance(task.problem, Queens) else None
    posed = task.posed(task.goal(stand_in) if limited else None)
    match player:
        case Program():
            names = placeholders_of(player.command)
            filled = placeholder_values(task.problem, stand_in).keys()
            free = {"seed", "run", "seconds", "evaluations", "python"}
            unfilled = sorted(names - filled - free)
            return f"it gives nothing for {_braced(unfilled)}" if unfilled else None
        case Engine():
            return _engine_reason(player.engine, posed)
        case Heuristic():
            from heuristic import methods

            try:
                row = methods.find(player.method, posed)
            except UnsupportedProblem as error:
                return str(error)
            fits = isinstance(player.parameters, row.parameters) and player.edition in row.editions
            return None if fits else f"its parameters are for another problem than {posed.name}"


def _engine_reason(engine: str, problem: Problem) -> str | None:
    import exact

    try:
        if engine == exact.AUTO:
            exact.choose(problem)
        elif exact.find(engine, problem).solve is None:
            return f"{engine} cannot solve {problem.name}"
    except UnsupportedProblem as error:
        return str(error)
    return None
