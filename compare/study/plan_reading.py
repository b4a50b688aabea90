"""TOML -> `Plan`: the tasks, the entries and their claims, every fault noted with its line."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import TypeVar

from compare.study.plan import (
    Budget,
    Entry,
    Plan,
    Player,
    Target,
    TargetKind,
    Task,
)
from compare.study.plan_claims import against_fault, note_unplayed, read_claim
from compare.study.plan_faults import Fault, Notes, PlanError, Table, nearest
from compare.study.players import Programs, placeholders_of, read_player, reason_against
from compare.study.stated import reason_against_optimum
from compare.study.toml_lines import LineIndex
from problems import Board, InputError, KnightCover, KnightTour, Problem, Queens, Rule
from problems.board import Square
from problems.errors import shown
from problems.formats.instances import parse_instance, parse_square

SHIPPED: tuple[str, ...] = ("documents", "quick", "speed")
"""The plans that come with the project."""

MAX_PLAN_BYTES = 1_000_000
MAX_RUNS = 1_000_000
"""The most runs of one entry on one task."""

MAX_SECONDS = 315_360_000.0
"""The longest time limit of a run: ten years of 365 days. Solvers refuse much longer ones."""

_TARGET = re.compile(r"optimum(?:\s*\+\s*(\d{1,6}))?")
_SYNTAX_LINE = re.compile(r"\(at line (\d+), column \d+\)")
Number = TypeVar("Number", int, float)

_PROBLEMS = ("knights", "queens", "tour")


def load_plan(source: str | Path) -> Plan:
    """Return the plan of a TOML file or of a shipped name (`documents`, `quick`, `speed`).

    Raises `PlanError` with every fault of the plan, `InputError` for a file that cannot be read.
    """
    if str(source) in SHIPPED:
        text = (resources.files("compare.study") / "plans" / f"{source}.toml").read_text("utf-8")
        return parse_plan(text, source=f"{source}.toml")
    return parse_plan(_file_text(Path(source)), source=str(source))


def _file_text(path: Path) -> str:
    expected = f"a plan: a TOML file, or one of {', '.join(SHIPPED)}"
    try:
        if path.stat().st_size > MAX_PLAN_BYTES:
            raise InputError(expected, f"{path.stat().st_size} bytes", where=str(path))
        return path.read_text("utf-8-sig")  # some editors put a byte order mark in front
    except OSError as error:
        raise InputError(expected, (error.strerror or "nothing").lower(), where=str(path)) from None
    except UnicodeDecodeError:
        raise InputError(expected, "bytes that are not UTF-8", where=str(path)) from None


def parse_plan(text: str, *, source: str = "plan", programs: Programs = Programs.MUST_EXIST) -> Plan:
    """Return the plan of a TOML text; `source` names it in faults. Raises `PlanError` with every fault."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = _SYNTAX_LINE.search(str(error))
        line = int(found[1]) if found else len(text.splitlines()) or 1
        raise PlanError(source, [Fault(line, f"not TOML: {_SYNTAX_LINE.sub('', str(error)).strip()}")]) from None
    notes = Notes(LineIndex(text))
    plan = _plan(Table(data, notes), text, programs)
    if notes.faults:
        raise PlanError(source, notes.faults)
    return plan


def _plan(top: Table, text: str, programs: Programs) -> Plan:
    title = top.line("title") or "Study"
    question = top.text("question") or ""
    seed = top.integer("seed", least=0)
    if "seed" not in top:
        top.fault("no seed: give one, such as seed = 1")
    runs = _given(top, "runs", top.integer("runs", most=MAX_RUNS), 1)
    budget = _budget(top.table("budget"), Budget())
    tasks = _tasks(top.tables("tasks"), programs)
    if "tasks" not in top:
        top.fault("no tasks: give at least one under [[tasks]]")
    entries = [_entry(table, tasks, runs, budget, programs) for table in top.tables("entries")]
    if "entries" not in top:
        top.fault("no entries: give at least one under [[entries]]")
    top.finish()
    found = tuple(entry for entry in entries if entry is not None)
    _check_labels(top, entries)
    return Plan(title=title, question=question, seed=seed or 0, tasks=tuple(tasks), entries=found, text=text)


def _budget(table: Table, default: Budget) -> Budget:
    seconds = _given(table, "seconds", table.number("seconds", MAX_SECONDS), 1.0)
    evaluations = _given(table, "evaluations", table.integer("evaluations"), 1)
    memory = table.integer("memory")
    table.finish()
    return Budget(
        default.seconds if seconds is None else seconds,
        default.evaluations if evaluations is None else evaluations,
        default.memory if memory is None else memory,
    )


def _given(table: Table, key: str, value: Number | None, stand_in: Number) -> Number | None:
    """Return the value; where a faulty one is given, a stand-in, so that it is not called missing as well."""
    return stand_in if value is None and key in table else value


def _tasks(tables: list[Table], programs: Programs) -> list[Task]:
    tasks: list[Task] = []
    for table in tables:
        for task in _tasks_of(table, programs):
            if any(task.name == other.name for other in tasks):
                table.fault(f"a second task named {shown(task.name)}; give it a name of its own")
            else:
                tasks.append(task)
    return tasks


def _tasks_of(table: Table, programs: Programs) -> list[Task]:
    """Return the tasks of one [[tasks]] table: one an instance."""
    kind = table.choice("problem", _PROBLEMS)
    if "problem" not in table:
        table.fault(f"no problem: one of {', '.join(_PROBLEMS)}")
    name, target, optimum = table.line("name"), _target(table, kind), table.integer("optimum")
    single = table.line("instance")
    instances = table.texts("instances") or ((single,) if single else ())
    if ("instance" in table) == ("instances" in table):
        table.fault('give either instance = "8x8" or instances = ["8x8", "10x10"]')
    options = _options(table, kind)
    table.finish()
    tasks = []
    for instance in instances if kind else ():
        try:
            problem, suffix = _problem(kind or "", instance, options)
        except InputError as error:
            table.fault(str(error), "instance" if "instance" in table else "instances")
            continue
        plain = f"{kind} {instance}{suffix}"
        own = plain if name is None else name if len(instances) == 1 else f"{name} {instance}"
        if target is not None:
            tasks.append(task := Task(own, instance, problem, target, optimum))
            if programs is Programs.MUST_EXIST and (reason := reason_against_optimum(task)) is not None:
                table.fault(reason, "optimum")
    return tasks


def _target(table: Table, kind: str | None) -> Target | None:
    value = table.raw("target")
    if value is None:
        return Target(TargetKind.OPTIMUM if kind == "knights" else TargetKind.FIRST_VALID)
    if value == TargetKind.FIRST_VALID.value:
        return Target(TargetKind.FIRST_VALID)
    if kind != "knights":
        table.fault(f"target: expected 'first valid' for {kind}, got {shown(value)}", "target")
    elif isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return Target(TargetKind.NUMBER, value)
    elif isinstance(value, str) and (match := _TARGET.fullmatch(value.strip())):
        return Target(TargetKind.OPTIMUM, int(match[1] or 0))
    else:
        expected = "'optimum', 'optimum + 1', 'first valid' or a number of knights"
        table.fault(f"target: expected {expected}, got {shown(value)}", "target")
    return None


def _options(table: Table, kind: str | None) -> dict[str, object]:
    if kind == "knights":
        return {"rule": table.choice("rule", [rule.value for rule in Rule]) or Rule.TOTAL.value}
    if kind == "tour":
        return {"closed": bool(table.boolean("closed")), "start": table.raw("start"), "end": table.raw("end")}
    return {}


def _problem(kind: str, instance: str, options: dict[str, object]) -> tuple[Problem, str]:
    """Return the problem and what its options add to its name; raises `InputError`."""
    board = parse_instance(instance, kind)
    if not isinstance(board, Board):
        if board == 0:
            raise InputError("one queen or more", instance, where="instance")
        return Queens(board), ""
    if kind == "knights":
        rule = Rule(str(options["rule"]))
        return KnightCover(board, rule), "" if rule is Rule.TOTAL else f" {rule.value}"
    start, end = (_square(board, options[key], key) for key in ("start", "end"))
    closed = bool(options["closed"])
    words = ["closed"] * closed
    words += [f"{word} {board.name(square)}" for word, square in (("from", start), ("to", end)) if square]
    return KnightTour(board, start, end, closed), "".join(f" {word}" for word in words)


def _square(board: Board, value: object, key: str) -> Square | None:
    if value is None:
        return None
    if isinstance(value, str):
        return parse_square(value, board, key)
    if isinstance(value, list) and len(value) == 2 and all(type(item) is int for item in value):
        return (value[0], value[1])
    raise InputError('a square, as "a1" or [row, column]', shown(value), where=key)


def _entry(table: Table, tasks: list[Task], runs: int | None, budget: Budget, programs: Programs) -> Entry | None:
    label = table.line("label")
    own_runs = _given(table, "runs", table.integer("runs", most=MAX_RUNS), 1)
    own_budget = _budget(table.table("budget"), budget)
    chosen = _entry_tasks(table, tasks)
    player, default_label, kind_key = read_player(table, chosen, programs)
    claims = [read_claim(claim, tasks) for claim in table.tables("claims")]
    table.finish()
    if own_runs is None and runs is None:
        table.fault("no number of runs: give runs = 100 here or at the top")
    _check_budget(table, kind_key, own_budget)
    if player is None:
        return None
    entry = Entry(
        label=label or default_label,
        player=player,
        tasks=_playable(table, player, label or default_label, chosen),
        runs=own_runs or runs or 1,
        budget=own_budget,
        claims=tuple(claim for claim in claims if claim is not None),
    )
    if programs is Programs.MUST_EXIST:
        note_unplayed(table, claims, entry)
    return entry


def _check_budget(table: Table, kind: str, budget: Budget) -> None:
    if kind == "method" and budget.seconds is None and budget.evaluations is None:
        table.fault("no budget: give seconds or evaluations under [budget] or here")
    elif kind in ("engine", "command") and budget.seconds is None:
        table.fault(f"no budget: an entry with {kind} needs seconds, under [budget] or here")
    command = table.data.get("command")
    if isinstance(command, str) and "evaluations" in placeholders_of(command) and budget.evaluations is None:
        table.fault("command: {evaluations} needs a budget of evaluations", "command")


def _playable(table: Table, player: Player, label: str, chosen: list[Task]) -> tuple[str, ...]:
    """Return the names of the chosen tasks that the player can play; note a fault where it should and cannot."""
    reasons = {task.name: reason_against(player, task) for task in chosen}
    names = tuple(name for name, reason in reasons.items() if reason is None)
    if "tasks" in table:
        for name, reason in reasons.items():
            if reason is not None:
                table.fault(f"{label} cannot play {shown(name)}: {reason}", "tasks")
    elif chosen and not names:
        first = chosen[0].name
        table.fault(f"{label} can play none of the tasks; {shown(first)}: {reasons[first]}")
    return names


def _entry_tasks(table: Table, tasks: list[Task]) -> list[Task]:
    names = table.texts("tasks")
    if not names:
        return tasks
    known = {task.name: task for task in tasks}
    for name in names:
        if name not in known:
            hint = nearest(name, list(known)) or f"; there are: {', '.join(known) or 'none'}"
            table.fault(f"unknown task {shown(name)}{hint}", "tasks")
    return [known[name] for name in known if name in names]


def _check_labels(top: Table, entries: list[Entry | None]) -> None:
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if entry is None:
            continue
        if entry.label in seen:
            top.notes.add(f"a second entry labelled {shown(entry.label)}; give it a label", "entries", index)
        seen.add(entry.label)
        for number, claim in enumerate(entry.claims):
            if (text := against_fault(claim, entries)) is not None:
                top.notes.add(text, "entries", index, "claims", number, "against")
