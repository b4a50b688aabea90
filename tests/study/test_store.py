from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compare.study import Plan, RunEnding, RunRow, Store, merge_stores, read_runs, study_status
from compare.study.lock import exclusive
from compare.study.machine import Machine, this_machine
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
        assert store.machines() == {this_machine().host: this_machine()}
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
        assert set(store.machines()) == {this_machine().host, "b"}
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
