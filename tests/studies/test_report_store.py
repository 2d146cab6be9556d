from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from ludoport.commands.report import report
from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.reports import find_folder
from ludoport.studies.soemers.report.stores import report_stores
from tests.studies.report_cells import HEX, hex_cells


def make_store(folder: Path, name: str = "variants/hex", *, played: bool = True, table: str = "Hex") -> Path:
    """A folder with a study that has two cells, of which one was played."""
    facts: dict[str, Any] = {"name": name, "preset": "tiny", "seed": 7, "config": {}, "commit": "first"}
    facts["tables"] = [asdict(replace(HEX, table=table))]
    cells = [replace(cell, table=table) for cell in hex_cells()[:2]]
    jobs = []
    for cell in cells:
        params = {"cell": {key: getattr(cell, key) for key in ("table", "setting", "source", "target")}}
        jobs.append(Job(cell.job, "evaluate", {**params, "games": 100, "simulations": 32}, needs=("train/hex-7x7",)))
    learning = {"training": "tiny", "minutes": 0.5}
    jobs.insert(0, Job("train/hex-7x7", "train", learning))
    with Store(folder) as store:
        store.claim_study({**facts, "machine": "two cores"}, ("name",))
        store.enter(jobs)
        if played:
            entry = store.claim("somebody", "0123456789ab")
            assert entry is not None
            learned = {"epochs": 4, "seconds": 30.5, "games": 1234, "parameters": 5678, "device": "cpu"}
            store.finish(entry.job.id, "somebody", learned, 30)
            entry = store.claim("somebody", "0123456789ab")
            assert entry is not None
            counts = {key: getattr(cells[0], key) for key in ("wins", "draws", "losses")}
            store.finish(
                entry.job.id, "somebody", {**counts, "source_epochs": 4, "target_epochs": 2, "unfinished": 3}, 60
            )
    return folder


@pytest.mark.slow
def test_a_store_becomes_a_report(tmp_path: Path) -> None:
    folder = make_store(tmp_path / "study")
    page = report_stores([folder], tmp_path / "out")
    results = json.loads(page.with_name("results.json").read_text(encoding="utf-8"))
    assert results["facts"]["commit"] == "0123456789ab"
    assert results["facts"]["minutes"] == 1.5
    assert results["facts"]["seeds"] == [7]
    assert results["facts"]["command"] == "ludoport study variants/hex --preset tiny --seed 7"
    (cell,) = results["cells"]
    assert (cell["percentage"], cell["source_epochs"], cell["job"]) == (80, 4, "evaluate/7×7-9×9")
    text = page.with_name("report.md").read_text(encoding="utf-8")
    assert "1 of 12 cells have been played" in text
    assert "Networks learned for 30 seconds with the preset `tiny`. 100 games a pair, 32 simulations a move." in text
    assert "which count as draws: 3." in text
    assert "| hex-7x7 | 4 | 30 | 1,234 | 5,678 | cpu |" in text


def test_studies_are_found_by_folder_name_and_store(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    folder = make_store(runs / "variants-hex-tiny", played=False)
    make_store(runs / "line-tiny", "line", played=False)
    assert find_folder("variants/hex", runs=runs) == folder
    assert find_folder(str(folder)) == folder
    assert find_folder(str(folder / FILE)) == folder
    assert find_folder("variants/hex", folder / FILE) == folder
    assert find_folder("variants/hex", folder) == folder


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("variants/hexx", "unknown study `variants/hexx`; did you mean `variants/hex`"),
        ("shogi", "holds no study shogi; run `ludoport study shogi` first"),
        ("chessplus", "holds no study chessplus; run `ludoport study chessplus` first"),
        ("demo", "holds no study demo; run `ludoport demo` first"),
        ("line", "2 folders hold the study line; choose one with --store"),
    ],
)
def test_studies_that_cannot_be_found(tmp_path: Path, name: str, sentence: str) -> None:
    make_store(tmp_path / "one", "line", played=False)
    make_store(tmp_path / "two", "line", played=False)
    with pytest.raises(LudoportError, match=sentence):
        find_folder(name, runs=tmp_path)


def test_a_store_of_another_study_or_none(tmp_path: Path) -> None:
    folder = make_store(tmp_path / "line", "line", played=False)
    with pytest.raises(LudoportError, match="holds the study line, not shogi"):
        find_folder("shogi", folder / FILE)
    with pytest.raises(LudoportError, match="holds no study"):
        find_folder("shogi", tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_nothing_played_yet(tmp_path: Path) -> None:
    folder = make_store(tmp_path / "study", played=False)
    with pytest.raises(LudoportError, match="nothing of the study variants/hex was played yet"):
        report_stores([folder], tmp_path / "out")


@pytest.mark.slow
def test_the_command_writes_into_the_folder_of_the_study(tmp_path: Path) -> None:
    folder = make_store(tmp_path / "study")
    command = typer.Typer()
    command.command()(report)
    answer = CliRunner().invoke(command, ["variants/hex", "--store", str(folder)])
    assert answer.exit_code == 0
    assert str(folder / "report" / "report.html") in answer.stdout
    assert (folder / "report" / "report.html").is_file()


def test_several_studies_make_one_report(tmp_path: Path) -> None:
    first = make_store(tmp_path / "hex")
    second = make_store(tmp_path / "diagonal", "variants/diagonal-hex", table="Diagonal Hex")
    command = typer.Typer()
    command.command()(report)
    arguments = [str(first), str(second), "--out", str(tmp_path / "out"), "--no-plots", "--json"]
    answer = CliRunner().invoke(command, arguments)
    assert answer.exit_code == 0
    results = json.loads(Path(json.loads(answer.stdout)["results"]).read_text(encoding="utf-8"))
    assert [cell["table"] for cell in results["cells"]] == ["Hex", "Diagonal Hex"]
    assert results["facts"]["name"] == "variants/hex, variants/diagonal-hex"
    assert results["facts"]["minutes"] == 3
    assert not (tmp_path / "out" / "figures").exists()


def test_studies_that_cannot_be_reported_together(tmp_path: Path) -> None:
    first, second = make_store(tmp_path / "a"), make_store(tmp_path / "b")
    with pytest.raises(LudoportError, match="several of these studies have the table Hex"):
        report_stores([first, second], tmp_path / "out")
    for studies, store in ((["published", str(first)], None), (["published"], first), ([str(first)] * 2, first)):
        with pytest.raises(LudoportError, match=r"reported alone|the folder of one study"):
            report(studies, tmp_path / "out", store)
