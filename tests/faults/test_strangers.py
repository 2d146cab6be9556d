"""Folders and files of strangers: nothing in them runs Python or writes outside."""

from __future__ import annotations

import gc
import io
import json
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from ludoport.arena.specification import refuse_code
from ludoport.bench.study import fake_plan
from ludoport.errors import LudoportError
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.run import Run
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.packing import unpack
from ludoport.studies.engine.run import prepare
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.task import Task
from ludoport.studies.reports import write_reports

EVIL = "python:evil.py:choose"


@pytest.mark.parametrize("text", [EVIL, " Python : x.py:f", "PYTHON:x"])
def test_players_that_run_code(text: str) -> None:
    with pytest.raises(LudoportError, match="would run a Python file; why"):
        refuse_code(["uct:8", text], "a.toml", "why")


def test_a_run_names_a_python_opponent(tmp_path: Path) -> None:
    Run(tmp_path, TrainConfig(game="Hex", opponents=(EVIL,))).create()
    with pytest.raises(LudoportError, match=r"config.toml: the player `python:evil.py:choose` would run .* --set"):
        Run(tmp_path, TrainConfig(game="Hex"))
    Run(tmp_path, TrainConfig(game="Hex", opponents=(EVIL,)))  # the user named it


def test_lines_are_not_written_through_links(tmp_path: Path) -> None:
    run = Run(tmp_path / "run", TrainConfig(game="Hex"))
    run.create()
    (tmp_path / "mine").write_text("mine")
    (run.folder / "log.txt").symlink_to(tmp_path / "mine")
    with pytest.raises(LudoportError, match=r"log\.txt"):
        run.log("theirs")
    assert (tmp_path / "mine").read_text() == "mine"


def kept_results(folder: Path, **changed: object) -> Path:
    """A folder with the results of a report about one cell, some of its values changed."""
    names = {"source": "a", "target": "b", "setting": "zero-shot", "table": "Hex"}
    cell = {**names, "wins": 2, "draws": 0, "losses": 1, "source_epochs": 1, "target_epochs": 1, "job": "", **changed}
    order = {"table": "Hex", "rows": ["a"], "columns": ["b"], "settings": ["zero-shot"]}
    facts = {"name": "x", "preset": "tiny", "tables": [{**order, **{k: changed[k] for k in order if k in changed}}]}
    results = {"format": 1, "facts": {**facts, "learned": []}, "cells": [cell]}
    folder.mkdir()
    (folder / "results.json").write_text(json.dumps(results))
    return folder


def test_reports_replace_links(tmp_path: Path) -> None:
    """A report is written into the folder of a stranger; what links there lead to stays as it is."""
    folder, mine = kept_results(tmp_path / "theirs"), tmp_path / "mine"
    mine.write_text("mine")
    for name in ("report.html", "report.md", "cells.csv"):
        (folder / name).symlink_to(mine)
    write_reports([str(folder)], plots=False)
    assert mine.read_text() == "mine"
    assert "Hex" in (folder / "report.md").read_text()
    shutil.rmtree(folder / "tables")
    (folder / "tables").symlink_to(tmp_path)
    with pytest.raises(LudoportError, match="tables: a symbolic link"):
        write_reports([str(folder)], plots=False)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"wins": 10**15}, "more than 1,000,000 games"),
        ({"wins": "2"}, r"results\.json: results of the wrong shape"),
        ({"rows": [f"a{n}" for n in range(101)], "columns": ["b"] * 101}, "room for 10,000 cells"),
    ],
)
def test_results_that_ask_for_too_much(tmp_path: Path, changed: dict[str, object], says: str) -> None:
    with pytest.raises(LudoportError, match=says):
        write_reports([str(kept_results(tmp_path / "theirs", **changed))], plots=False)


def test_tables_with_long_names_have_files(tmp_path: Path) -> None:
    folder = kept_results(tmp_path / "theirs", table="x" * 5000)
    write_reports([str(folder)], plots=False)
    assert len(list((folder / "tables").iterdir())) == 3


@pytest.mark.parametrize("params", [{"against": EVIL}, {"settings": {"opponents": [EVIL]}}])
def test_a_job_names_a_python_opponent(tmp_path: Path, params: dict[str, object]) -> None:
    pytest.importorskip("torch")
    from ludoport.studies.engine.kinds import run_job

    with pytest.raises(LudoportError, match="would run a Python file"):
        run_job(Task(Job("x", "evaluate", params), tmp_path))


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "a/../../x", ""])
def test_jobs_stay_in_their_study(tmp_path: Path, name: str) -> None:
    prepare(fake_plan(2, 0.0), tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as base:
        base.execute("PRAGMA foreign_keys = OFF")
        base.execute("UPDATE jobs SET id = ? WHERE id = (SELECT min(id) FROM jobs)", (name,))
    with Store(tmp_path, create=False) as store, pytest.raises(LudoportError, match="leads out of the folder"):
        store.entries()


def test_networks_stay_in_their_study(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    (tmp_path / "x.safetensors").write_bytes(b"")
    task = Task(Job("x", "evaluate", needs=("a",)), folder, {"a": {"network": "../x.safetensors"}})
    with pytest.raises(LudoportError, match="outside the study"):
        task.network(0)


def _member(name: str, type: bytes, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = type, link
    return info


@pytest.mark.parametrize(
    "member",
    [
        _member("../x", tarfile.REGTYPE),
        _member("x", tarfile.SYMTYPE, "y"),
        _member("x", tarfile.LNKTYPE, "y"),
        _member("x", tarfile.FIFOTYPE),
        _member("x", tarfile.CHRTYPE),
    ],
    ids=["path", "symbolic link", "link", "pipe", "device"],
)
def test_packed_studies_hold_plain_files(tmp_path: Path, member: tarfile.TarInfo) -> None:
    (tmp_path / "packed").mkdir()
    with tarfile.open(tmp_path / "packed" / "1.tar", "w") as tar:
        tar.addfile(member, io.BytesIO())
    with pytest.raises(LudoportError, match=r"1\.tar"):
        unpack(tmp_path / "packed", tmp_path / "study")
    assert not list((tmp_path / "study").iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["packed", "study"]


def test_packed_studies_are_not_compressed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "1.tar", "w:gz") as tar:
        info = tarfile.TarInfo("bomb")
        info.size = 1_000_000
        tar.addfile(info, io.BytesIO(bytes(info.size)))
    with pytest.raises(LudoportError, match=r"1\.tar: cannot be unpacked"):
        unpack(tmp_path, tmp_path / "study")


def test_rulesheets_are_forgotten() -> None:
    from ludoport.gdl.fallback import _HOSTS, host

    text = "(role a) (init (p 1)) (legal a go) (<= terminal (true (p 2)))"
    first = host(text)
    assert host(text) is first
    del first
    gc.collect()
    assert text not in _HOSTS
