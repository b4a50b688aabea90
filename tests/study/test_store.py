from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from compare.study import (
    PairStatus,
    Plan,
    RunEnding,
    RunKey,
    RunRow,
    Store,
    StudyStatus,
    merge_stores,
    read_runs,
    runs_frame,
    study_status,
)
from compare.study.lock import exclusive
from compare.study.machine import Machine, this_machine
from compare.study.rows import FAILURES
from compare.study.store import Optimum
from problems import Improvement, InputError, Status


def row(run: int, **changes: object) -> RunRow:
    plain = RunRow(
        task="knights 8x8",
        entry="genetic (printed)",
        run=run,
        seed=run + 100,
        status=Status.FEASIBLE,
        ending=RunEnding.FINISHED,
        seconds=0.5,
        host="here",
        solved=True,
        valid=True,
        objective=14,
        effort=7,
        effort_name="evolutions",
        counters={"evolutions": 7},
        answer=((0, 1), (2, 3)),
        answer_digest="abc",
        trace=(Improvement(0, 60, 0.1), Improvement(7, 64, 0.2)),
    )
    return replace(plain, **changes)


def test_rows_come_back_as_they_went(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    rows = [
        row(2),
        row(0, ending=RunEnding.TIME, reason="1 s", solved=False, valid=None, answer=None, trace=(), effort=None),
        row(1, ending=RunEnding.MEMORY, status=Status.UNKNOWN, valid=False, cpu_seconds=0.25, peak_mib=12.5),
    ]
    with Store.create(store_path, knights_plan(3)) as store:
        assert store.add(rows, [this_machine()]) == 3
        assert store.add(rows) == 0
    with Store.open(store_path) as store:
        assert store.rows() == sorted(rows, key=lambda row: row.run)
        assert store.machines() == (this_machine(),)
        assert store.plan() == knights_plan(3)
        assert store.failures() == 1
    assert not store_path.with_name("study.sqlite-wal").exists()


def test_an_identity_has_one_row_whoever_writes(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    with Store.create(store_path, knights_plan(3)) as store:
        store.add([row(0), row(0, effort=8)])
        assert [found.effort for found in store.rows()] == [7]


def test_a_store_of_another_plan_is_refused(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    Store.create(store_path, knights_plan(3)).close()
    Store.create(store_path, knights_plan(3)).close()
    with pytest.raises(InputError, match="one of another plan") as caught:
        Store.create(store_path, knights_plan(4))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"not SQLite at all, but long enough to look like a header" * 40, b"x"])
def test_what_is_no_store_is_refused(
    content: bytes, knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    store_path.write_bytes(content)
    for opening in (lambda: Store.open(store_path), lambda: Store.create(store_path, knights_plan(1))):
        with pytest.raises(InputError, match="expected a store of a study"):
            opening()
    assert store_path.read_bytes() == content


def test_other_sqlite_files_and_missing_ones_are_refused(
    knights_plan: Callable[[int], Plan], store_path: Path, tmp_path: Path
) -> None:
    with sqlite3.connect(store_path) as other:
        other.execute("CREATE TABLE study (key TEXT)")
    other.close()
    with pytest.raises(InputError, match="an SQLite file of another kind"):
        Store.create(store_path, knights_plan(1))
    with pytest.raises(InputError, match="no file"):
        Store.open(tmp_path / "missing.sqlite")
    with pytest.raises(InputError):
        Store.create(tmp_path / "no" / "such" / "folder.sqlite", knights_plan(1))


def test_stores_of_one_plan_merge(knights_plan: Callable[[int], Plan], tmp_path: Path) -> None:
    plan, paths = knights_plan(6), [tmp_path / name for name in ("a.sqlite", "b.sqlite", "c.sqlite")]
    with Store.create(paths[0], plan) as one, Store.create(paths[1], plan) as two:
        one.add([row(0), row(1), row(2)], [this_machine()])
        two.add([row(2, answer_digest="other"), row(3), row(1)], [Machine("b", "", "", 1, 1, "", {}, None)])
        two.note_optimum("knights 8x8", Optimum(14, "somebody"))
    merged = merge_stores(paths[2], paths[:2])
    assert (merged.added, merged.present, merged.different) == (4, 2, 1)
    assert [found.run for found in read_runs(paths[2])] == [0, 1, 2, 3]
    assert read_runs(paths[2])[3].trace == row(3).trace
    with Store.open(paths[2]) as store:
        assert {machine.host for machine in store.machines()} == {this_machine().host, "b"}
        assert store.optima() == {"knights 8x8": Optimum(14, "somebody")}
    Store.create(tmp_path / "d.sqlite", knights_plan(7)).close()
    with pytest.raises(InputError, match="another plan"):
        merge_stores(paths[2], [tmp_path / "d.sqlite"])


def test_status_counts_what_is_there_and_estimates_the_rest(
    knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    with Store.create(store_path, knights_plan(10)) as store:
        assert study_status(store_path).seconds_left == 10 * 30.0
        store.add([row(0), row(1, ending=RunEnding.CRASHED, solved=False, seconds=1.5)])
        store.note_workers(2)
    status = study_status(store_path)
    (pair,) = status.pairs
    assert (pair.done, pair.solved, pair.failed, pair.left, pair.mean_seconds) == (2, 1, 1, 8, 1.0)
    assert status.seconds_left == 8 * 1.0 / 2
    assert status.lines()[-1] == "  2 of 10 runs done, 1 failed, 8 left (about 4 s)"
    assert status.as_dict()["pairs"][0]["left"] == 8


def test_an_estimate_is_no_less_than_the_longest_run(
    knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    with Store.create(store_path, knights_plan(1)) as store:
        store.note_workers(2)
    assert study_status(store_path).lines()[-1] == "  0 of 1 runs done, 0 failed, 1 left (at most 30 s)"
    left = [PairStatus("t", "e", 10, 10 - count, 0, 0, mean, count * each) for mean, count, each in (
        (3.0, 2, 3.0), (7.0, 1, 7.0))]  # fmt: skip
    assert StudyStatus("s", tuple(left), 4).seconds_left == 7.0
    assert StudyStatus("s", tuple(left), 1).seconds_left == 13.0
    unknown = [replace(pair, mean_seconds=None) for pair in left]
    assert StudyStatus("s", tuple(unknown), 4).seconds_left == 13 / 4 + 7 * 3 / 4
    assert StudyStatus("s", (), 4).seconds_left == 0.0


def test_a_store_is_locked_by_one_at_a_time(store_path: Path) -> None:
    with (
        exclusive(store_path),
        pytest.raises(InputError, match="one that a running study holds"),
        exclusive(store_path),
    ):
        pass
    with exclusive(store_path):
        pass
    assert list(store_path.parent.iterdir()) == []


def test_the_lock_is_that_of_the_file_whatever_links_lead_to_it(store_path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.sqlite"
    link.parent.mkdir()
    store_path.touch()
    link.symlink_to(store_path)
    for first, second in ((store_path, link), (link, store_path)):
        with (
            exclusive(first),
            pytest.raises(InputError, match="one that a running study holds"),
            exclusive(second),
        ):
            pass
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(InputError, match="round in circles"), exclusive(link):
        pass


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_directory_is_no_store(name: str) -> None:
    with pytest.raises(InputError, match="expected a file for the store, got a directory"), exclusive(Path(name)):
        pass


@pytest.mark.parametrize(
    "changes",
    [
        {"effort": 10**26},
        {"solved_effort": -(2**63) - 1},
        {"seconds": float("nan")},
        {"cpu_seconds": [1]},
        {"reason": "lone \udc80 surrogate"},
        {"counters": {"a": object()}},
        {"seconds": None},
        {"trace": (Improvement(1, 2, 0.1), Improvement(10**26, 3, 0.2))},
        {"host": "h\udc80"},
    ],
)
def test_a_row_that_cannot_be_stored_is_a_row_that_says_so_and_costs_no_other(
    changes: dict[str, object], knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    with Store.create(store_path, knights_plan(3)) as store:
        assert store.add([row(0), row(1, **changes), row(2)]) == 3
    first, odd, last = read_runs(store_path)
    assert (first, last) == (row(0), row(2))
    assert (odd.key, odd.seed, odd.ending, odd.solved, odd.trace) == (
        row(1).key,
        101,
        RunEnding.CRASHED,
        False,
        (),
    )
    assert odd.reason.startswith("its row cannot be stored: ")


def damage_page(path: Path, table: str) -> None:
    """Overwrite the page where a table begins."""
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def damage_cell(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


DAMAGES: dict[str, Callable[[Path], None]] = {
    "page of runs": lambda path: damage_page(path, "runs"),
    "page of improvements": lambda path: damage_page(path, "improvements"),
    "page of pairs": lambda path: damage_page(path, "pairs"),
    "page of study": lambda path: damage_page(path, "study"),
    "ending": lambda path: damage_cell(path, "UPDATE runs SET ending = 'eaten'"),
    "status": lambda path: damage_cell(path, "UPDATE runs SET status = 'EATEN'"),
    "counters": lambda path: damage_cell(path, "UPDATE runs SET counters = '{'"),
    "list of counters": lambda path: damage_cell(path, "UPDATE runs SET counters = '[1]'"),
    "answer": lambda path: damage_cell(path, "UPDATE runs SET answer = '[[1, 2], [3]]'"),
    "no UTF-8": lambda path: damage_cell(path, "UPDATE runs SET reason = CAST(x'ff' AS TEXT)"),
    "seconds": lambda path: damage_cell(path, "UPDATE runs SET seconds = 'long'"),
    "effort": lambda path: damage_cell(path, "UPDATE runs SET effort = 1.5"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_store_is_named_in_one_line(
    name: str, knights_plan: Callable[[int], Plan], store_path: Path, tmp_path: Path
) -> None:
    with Store.create(store_path, knights_plan(3)) as store:
        store.add([row(0), row(1)], [this_machine()])
    DAMAGES[name](store_path)
    for use in (study_status, read_runs, lambda path: merge_stores(tmp_path / "merged.sqlite", [path])):
        with pytest.raises(InputError, match="expected a store of a study") as caught:
            use(store_path)
        assert "\n" not in str(caught.value)
        assert str(store_path) in str(caught.value)


def test_damaged_machines_and_tables_are_named_in_one_line(
    knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    with Store.create(store_path, knights_plan(3)) as store:
        store.add([row(0)], [this_machine()])
    damage_cell(store_path, """UPDATE machines SET facts = '{"host": 1}'""")
    with Store.open(store_path) as store, pytest.raises(InputError, match="a store of a study that is whole"):
        store.machines()
    damage_page(store_path, "runs")
    with pytest.raises(InputError, match="a store of a study that is whole"):
        runs_frame(store_path)


def test_a_full_disk_is_called_so(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    with Store.create(store_path, knights_plan(1000)) as store:
        store.add([row(0)])
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(InputError, match="expected a store that can be written, got a full disk; make room"):
            store.add([row(run, reason="x" * 3000) for run in range(1, 1000)])
        assert [found.run for found in store.rows()] == [0]
        store._connection.execute("PRAGMA max_page_count = 100000")
        assert store.add([row(1)]) == 1


@pytest.fixture
def archive() -> Iterator[Path]:
    """A directory that an ordinary user can read and not write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield folder
        folder.chmod(0o700)


def as_a_reader(read: Callable[[], object]) -> int:
    """Return 0 if an ordinary user can do it, 1 if that raises `InputError`."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            read()
            code = 0
        except InputError:
            code = 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_store_in_an_archive_can_be_read(
    knights_plan: Callable[[int], Plan], store_path: Path, archive: Path
) -> None:
    with Store.create(store_path, knights_plan(3)) as store:
        store.add([row(0), row(1)])
        # As a study leaves it that is killed: with a log that is not yet in the file.
        for name in ("study.sqlite", "study.sqlite-wal"):
            shutil.copyfile(store_path.with_name(name), archive / f"killed-{name}")
    copy = Path(shutil.copyfile(store_path, archive / "study.sqlite"))
    for file in archive.iterdir():
        file.chmod(0o444)
    archive.chmod(0o555)
    assert as_a_reader(lambda: (study_status(copy), read_runs(copy))) == 0
    assert as_a_reader(lambda: copy.with_name("new").touch()) == 2  # else this test shows nothing
    assert as_a_reader(lambda: read_runs(archive / "killed-study.sqlite")) in (0, 1)


def test_machines_are_kept_once_for_each_set_of_facts(
    knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    machine = Machine("a", "Linux", "x86", 2, 1000, "CPython 3.11", {"ortools": "9.12"}, 0.5)
    upgraded = replace(machine, versions={"ortools": "9.13"})
    namesake = replace(machine, cores=64)
    with Store.create(store_path, knights_plan(1)) as store:
        for seen in (machine, replace(machine, load=7.5), upgraded, machine, namesake, upgraded):
            store.add([], [seen])
        assert store.machines() == (machine, upgraded, namesake)


def test_rows_of_what_the_plan_does_not_have_are_refused_not_dropped(
    knights_plan: Callable[[int], Plan], store_path: Path
) -> None:
    with Store.create(store_path, knights_plan(1)) as store:
        store.add([row(0)])
    damage_cell(store_path, "UPDATE pairs SET entry = 'another label'")
    with pytest.raises(InputError, match="rows of 'another label' on 'knights 8x8', which its plan does not have"):
        study_status(store_path)


@pytest.mark.parametrize(
    ("endings", "left"),
    [({RunEnding.CRASHED}, [0, 2, 3]), ({RunEnding.CRASHED, RunEnding.MEMORY}, [0, 3]), (set(), [0, 1, 2, 3])],
)
def test_failed_rows_can_be_dropped_and_it_is_noted(
    endings: Collection[RunEnding],
    left: list[int],
    knights_plan: Callable[[int], Plan],
    store_path: Path,
    tmp_path: Path,
) -> None:
    kinds = (RunEnding.FINISHED, RunEnding.CRASHED, RunEnding.MEMORY, RunEnding.TIME)
    with Store.create(store_path, knights_plan(4)) as store:
        store.add([row(run, ending=ending) for run, ending in enumerate(kinds)])
        assert store.drop(endings) == 4 - len(left)
        assert [found.run for found in store.rows()] == left
        dropped = {row(run).key: kinds[run] for run in range(4) if run not in left}
        assert store.redone() == dropped
        assert store.add([row(run) for run in range(4)]) == 4 - len(left)
        assert store.drop({RunEnding.WRONG_ANSWER}) == 0
    merge_stores(tmp_path / "merged.sqlite", [store_path])
    with Store.open(tmp_path / "merged.sqlite") as merged:
        assert merged.redone() == dropped
        assert (
            set(dropped) <= merged.done() == {RunKey("knights 8x8", "genetic (printed)", run) for run in range(4)}
        )


def test_only_failures_can_be_dropped(knights_plan: Callable[[int], Plan], store_path: Path) -> None:
    with Store.create(store_path, knights_plan(1)) as store:
        store.add([row(0, ending=RunEnding.TIME)])
        for ending in set(RunEnding) - FAILURES:
            with pytest.raises(InputError, match=r"endings that are failures \(crashed, memory, "):
                store.drop([ending])
        assert len(store.rows()) == 1
