"""The store: claims, takeovers, results, and what it refuses."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import ludoport
from ludoport.errors import LudoportError
from ludoport.studies.engine import store as store_module
from ludoport.studies.engine.commit import PACKAGE, commit, digest
from ludoport.studies.engine.jobs import Job, seed_of, slug
from ludoport.studies.engine.store import ATTEMPTS, Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.workers import here, is_dead, worker_name

JOBS = (
    Job("train/a", "train", {"minutes": 1}, 5),
    Job("train/b", "train", {"minutes": 1}, 6),
    Job("transfer/a/b", "transfer", {}, 7, ("train/a",)),
    Job("evaluate/a/b", "evaluate", {}, 8, ("transfer/a/b", "train/b")),
)
RESULT = {"wins": 1}


def claimed(store: Store, worker: str = "elsewhere:1:x") -> str | None:
    entry = store.claim(worker)
    return None if entry is None else entry.job.id


def test_order_of_work(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS)
        assert claimed(store) == "train/a"
        assert claimed(store) == "train/b"
        assert claimed(store) is None, "the others need something that is not done"
        assert store.finish("train/a", "elsewhere:1:x", RESULT, 2.0)
        assert claimed(store) == "transfer/a/b"
        assert store.finish("transfer/a/b", "elsewhere:1:x", RESULT, 2.0)
        assert claimed(store) is None
        assert not store.over(), "train/b is still at work"
        assert store.finish("train/b", "elsewhere:1:x", {"wins": 3}, 2.0)
        assert claimed(store) == "evaluate/a/b"
        assert store.results(JOBS[3]) == {"transfer/a/b": RESULT, "train/b": {"wins": 3}}
        assert store.finish("evaluate/a/b", "elsewhere:1:x", RESULT, 2.5)
        assert store.over()
        assert store.seconds() == 8.5
        assert store.counts()["train"] == {"done": 2}


def test_shares_and_games(tmp_path: Path) -> None:
    """Workers with a share leave the other jobs alone; a worker stays with its game while there are jobs of a kind."""

    def job(name: str, size: str, **params: str) -> Job:
        return Job(name, "evaluate", {"game": "Hex", "options": [f"Board Size/{size}"], **params})

    jobs = [job("a", "3x3"), job("b", "4x4"), job("c", "3x3"), job("d", "3x3", against="uct:5")]
    with Store(tmp_path) as store:
        store.enter([*jobs, Job("e", "train", {"game": "Hex", "options": []})])
        first = store.claim("elsewhere:1:x", share="networks")
        assert first is not None
        assert first.job.id == "a"
        following = store.claim("elsewhere:1:x", share="networks", like=first.job)
        assert following is not None
        assert following.job.id == "c"
        order = [store.claim("elsewhere:1:x", share="networks", like=first.job) for _ in range(3)]
        assert [entry and entry.job.id for entry in order] == ["b", "e", None]
        fixed = store.claim("elsewhere:1:x", share="fixed opponents")
        assert fixed is not None
        assert fixed.job.id == "d"


def test_entries_keep_everything(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS)
        store.claim("elsewhere:1:x", "abc123")
        store.beat("elsewhere:1:x", "epoch 3")
        entry = store.entry("train/a")
        assert (entry.job, entry.state, entry.note, entry.commit) == (JOBS[0], "running", "epoch 3", "abc123")
        assert [e.job for e in store.entries()] == list(JOBS)
        store.fail("train/a", "elsewhere:1:x", "no such game")
        assert store.entry("train/a").error == "no such game"
        with pytest.raises(LudoportError, match="no job `train/c`"):
            store.entry("train/c")


def test_running_again_does_only_what_is_missing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS)
        store.claim("elsewhere:1:x")
        store.finish("train/a", "elsewhere:1:x", RESULT, 1.0)
        store.claim("elsewhere:1:x")
        store.fail("train/b", "elsewhere:1:x", "the disk was full")
    with Store(tmp_path) as store:
        store.enter(JOBS)
        assert store.entry("train/a").result == RESULT
        assert [claimed(store), claimed(store)] == ["train/b", "transfer/a/b"], "what failed may try again"


def test_only_what_is_wanted(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS)
        store.enter(JOBS[:1])
        assert [claimed(store), claimed(store)] == ["train/a", None]
        assert store.counts() == {"train": {"running": 1}}
        store.enter(JOBS)
        assert claimed(store) == "train/b"


def test_dead_worker_is_replaced_at_once(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    dead = f"{here()}:{child.pid}:x"
    assert is_dead(dead)
    assert not is_dead(worker_name())
    assert not is_dead(f"elsewhere/1:{child.pid}:x"), "nobody knows about processes of other machines"
    with Store(tmp_path) as store:
        store.enter(JOBS[:1])
        assert claimed(store, dead) == "train/a"
        assert claimed(store, worker_name()) == "train/a"
        assert not store.finish("train/a", dead, {"wins": 0}, 1.0), "the job is somebody else's now"
        assert store.entry("train/a").state == "running"
        assert store.entry("train/a").attempts == 2


def test_silent_worker_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS[:1])
        assert claimed(store, "elsewhere:1:x") == "train/a"
        assert claimed(store, "elsewhere:2:y") is None
        monkeypatch.setattr(store_module, "SILENCE", -1.0)
        assert claimed(store, "elsewhere:2:y") == "train/a"


def test_clocks_of_other_machines_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker lives as long as its number grows, whatever clocks say."""
    now = [0.0]
    monkeypatch.setattr("ludoport.studies.engine.watch.time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.time", lambda: 1e9 - 300 * now[0])
    with Store(tmp_path) as busy, Store(tmp_path, create=False) as idle:
        busy.enter(JOBS[:1])
        assert claimed(busy, "elsewhere:1:x") == "train/a"
        for _ in range(20):
            now[0] += 30
            busy.beat("elsewhere:1:x")
            assert claimed(idle, "elsewhere:2:y") is None
        now[0] += 50
        assert claimed(idle, "elsewhere:2:y") is None, "silent, but not for long enough"
        now[0] += 50
        assert claimed(idle, "elsewhere:2:y") == "train/a"


def test_who_comes_later_judges_by_what_it_has_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "LOOK", 0.0)
    with Store(tmp_path) as store:
        store.enter(JOBS[:1], "elsewhere:1:c")
        store.claim("elsewhere:1:x")
    with Store(tmp_path) as store:
        assert store.busy()
        monkeypatch.setattr(store_module, "SILENCE", 0.02)
        assert not store.busy(sure=True)
    with Store(tmp_path) as store:
        monkeypatch.setattr(store_module, "SILENCE", -1.0)
        assert claimed(store, worker_name()) == "train/a"
        monkeypatch.setattr(store_module, "SILENCE", 60.0)
        assert store.busy(sure=True), "a worker of this machine is known to be alive"


def test_job_that_kills_its_workers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "SILENCE", -1.0)
    with Store(tmp_path) as store:
        store.enter(JOBS)
        store.enter(JOBS[:1])
        for _ in range(ATTEMPTS):
            assert claimed(store) == "train/a"
        assert claimed(store) is None
        assert store.entry("train/a").state == "failed"
        assert f"{ATTEMPTS} workers died" in (store.entry("train/a").error or "")
        assert store.over()


def test_interrupted_job_does_not_count(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS[:1])
        for _ in range(ATTEMPTS + 2):
            assert claimed(store) == "train/a"
            store.release("train/a", "elsewhere:1:x")
        assert store.entry("train/a").attempts == 0


def test_two_stores_of_one_file(tmp_path: Path) -> None:
    with Store(tmp_path) as first, Store(tmp_path, create=False) as second:
        first.enter(JOBS)
        assert [claimed(first), claimed(second), claimed(first)] == ["train/a", "train/b", None]


def test_other_study_in_the_folder(tmp_path: Path) -> None:
    facts = {"name": "variants/hex", "preset": "tiny", "seed": 1}
    with Store(tmp_path) as store:
        store.claim_study({**facts, "commit": "abc"}, tuple(facts))
        store.claim_study({**facts, "commit": "def"}, tuple(facts))
        assert store.facts()["commit"] == "abc", "what was first is kept"
        with pytest.raises(LudoportError, match="holds the study variants/hex with preset tiny, not paper"):
            store.claim_study({**facts, "preset": "paper"}, tuple(facts))
        with pytest.raises(LudoportError, match="with seed 1, not 2"):
            store.claim_study({**facts, "seed": 2}, tuple(facts))
        store.enter(JOBS)
        other = Job("train/a", "train", {"minutes": 2}, 5)
        with pytest.raises(LudoportError, match="job train/a differs in minutes"):
            store.enter([other])
        assert store.entry("train/b").state == "waiting", "nothing changed"


def test_file_of_a_newer_version(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS)
    base = sqlite3.connect(tmp_path / FILE)
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(LudoportError, match=r"written by a newer Ludoport \(format 99"):
        Store(tmp_path)


def test_files_that_are_no_study(tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="holds no study"):
        Store(tmp_path, create=False)
    base = sqlite3.connect(tmp_path / FILE)
    base.execute("CREATE TABLE other (x)")
    base.commit()
    base.close()
    with pytest.raises(LudoportError, match="a database, but not of a study"):
        Store(tmp_path)
    (tmp_path / FILE).write_bytes(b"some text that is no database" * 40)
    with pytest.raises(LudoportError, match="not a database"):
        Store(tmp_path)


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LudoportError, match="cannot be written"):
        Store(tmp_path / "file" / "study")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(LudoportError, match=r"cannot be written \(Permission denied\)"):
        Store(tmp_path)


def test_settled_store_is_one_file(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(JOBS)
        store.settle()
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    before = (tmp_path / FILE).read_bytes()
    assert before[18] == 1, "no write-ahead log"
    with Store(tmp_path, create=False) as store:
        assert len(store.entries()) == len(JOBS)
    assert (tmp_path / FILE).read_bytes() == before, "readers leave it as it is"


def test_names() -> None:
    assert slug("Hex", "11×11 Misere") == "hex-11x11-misere"
    assert seed_of(1, "train/a") == seed_of(1, "train/a") != seed_of(2, "train/a")
    assert 0 <= seed_of(1, "x") < 2**31


def test_edited_programs_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    before = digest(tmp_path)
    assert digest(tmp_path) == before
    (tmp_path / "a.py").write_text("x = 2")
    assert digest(tmp_path) != before
    assert commit()
    assert Path(ludoport.__file__).parent == PACKAGE, "the whole program, not a part of it"
