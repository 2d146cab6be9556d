"""Studies of one's own: what is refused, where texts are found, and what happens when somebody edits them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludoport.errors import LudoportError
from ludoport.games import bundled
from ludoport.studies.catalogue import plan_study
from ludoport.studies.engine.cells import SETTINGS
from ludoport.studies.engine.plan import StudyPlan
from ludoport.studies.engine.run import prepare, run_study
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.task import Task
from ludoport.studies.engine.work import Place, work
from ludoport.studies.soemers.custom import _KEYS
from tests.docs.pages import ROOT, fences

PAIR = '[games.A]\ngame = "Hex"\noptions = ["Board Size/4x4"]\n[games.B]\ngame = "Hex"\noptions = ["Board Size/5x5"]\n'
TEXTS = 'settings = ["zero-shot"]\n[games.ours]\ngame = "texts/ours.lud"\n[games.Tic-Tac-Toe]\ngame = "Tic-Tac-Toe"\n'


def own(folder: Path, text: str) -> StudyPlan:
    folder.mkdir(exist_ok=True)
    (folder / "mine.toml").write_text(text)
    return plan_study(str(folder / "mine.toml"), "tiny")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A study with a text beside it."""
    (tmp_path / "study" / "texts").mkdir(parents=True)
    (tmp_path / "study" / "texts" / "ours.lud").write_bytes(bundled()["Tic-Tac-Toe"].read_bytes())
    return tmp_path / "study"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[games."Hex 4"]\ngame = "Hex"\n[games.Hex-4]\ngame = "Hex"', "`Hex 4` and `Hex-4` cannot be told apart"),
        ('[games."Hex 4"]\ngame = "Hex"\n[games.4]\ngame = "Hex"', "`Hex 4` and `4` cannot be told apart"),
        ('sources = ["A", "A"]\n' + PAIR, "`sources` has the game `A` twice"),
        ('targets = ["B", "A", "B"]\n' + PAIR, "`targets` has the game `B` twice"),
        ('sources = [["A"]]\n' + PAIR, "unknown game"),
        ("settings = []\n" + PAIR, "`settings` is empty; choose from zero-shot"),
        ('[games.A]\ngame = "Hex"\noptions = "Board Size/5x5"', "options, a list of texts"),
        ('[games.A]\ngame = "nowhere.lud"', "there is no text .*nowhere.lud"),
        ("seed = " + "9" * 9000, "4300"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(LudoportError, match=rf"mine\.toml: .*{reason}"):
        own(tmp_path, text)


def test_texts_lie_beside_the_study(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = own(texts, TEXTS)
    (job,) = (job for job in plan.jobs if job.id == "train/texts-ours.lud-ours")
    assert job.params["game"] == str((texts / "texts" / "ours.lud").resolve())
    assert len(job.params["text"]) == 16
    (bundled,) = (job for job in plan.jobs if job.id == "train/tic-tac-toe")
    assert "text" not in bundled.params
    monkeypatch.chdir(texts / "texts")
    assert plan_study("../mine.toml", "tiny").jobs == plan.jobs, "wherever the command is given"


def test_edited_text_is_noticed(texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    prepare(own(texts, TEXTS), out)
    prepare(own(texts, TEXTS), out)
    with (texts / "texts" / "ours.lud").open("a") as file:
        file.write("// smaller boards\n")
    with pytest.raises(LudoportError, match=r"job train/texts-ours.lud-ours differs in the text of its game"):
        prepare(own(texts, TEXTS), out)


def test_text_that_is_edited_during_the_study(texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    prepare(own(texts, TEXTS), out)
    (texts / "texts" / "ours.lud").write_text("(game)")
    work(Place(out, runner=f"{__name__}:win"))
    with Store(out, create=False) as store:
        assert "ours.lud has changed since the study began" in (store.entry("train/texts-ours.lud-ours").error or "")
        assert store.entry("train/tic-tac-toe").state == "done"


def test_moved_study_goes_on(texts: Path, tmp_path: Path) -> None:
    out, there = tmp_path / "out", tmp_path / "there"
    prepare(own(texts, TEXTS), out)
    texts.rename(there)
    prepare(own(there, TEXTS), out)
    with Store(out, create=False) as store:
        game = store.entry("train/texts-ours.lud-ours").job.params["game"]
    assert game == str((there / "texts" / "ours.lud").resolve())


def test_store_of_an_earlier_version_goes_on(texts: Path, tmp_path: Path) -> None:
    """Jobs knew where a text lies, but not what stands there."""
    plan, out = own(texts, TEXTS), tmp_path / "out"
    prepare(plan, out)
    with closing(sqlite3.connect(out / FILE)) as base, base:
        for job, params in base.execute("SELECT id, params FROM jobs").fetchall():
            old = {name: value for name, value in json.loads(params).items() if name != "text"}
            old["game"] = "texts/ours.lud" if "ours" in old["game"] else old["game"]
            base.execute("UPDATE jobs SET params = ? WHERE id = ?", (json.dumps(old), job))
    prepare(plan, out)
    with Store(out, create=False) as store:
        assert [entry.job for entry in store.entries()] == list(plan.jobs)


def win(task: Task) -> dict[str, Any]:
    """A job that is done at once."""
    return {"wins": 1, "draws": 0, "losses": 0, "source_epochs": 1, "target_epochs": 1}


def test_study_that_grows_and_shrinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoport.studies.engine.work.Place.function", lambda _: win)
    third = '[games.C]\ngame = "Hex"\noptions = ["Board Size/6x6"]\n'
    out = tmp_path / "out"

    def rows(text: str) -> list[str]:
        run_study(own(tmp_path / "study", 'settings = ["zero-shot"]\n' + text), out)
        with Store(out, create=False) as store:
            (table,) = store.facts()["tables"]
            assert {(cell.source, cell.target) for cell in store.cells()} <= {
                (row, column) for row in table["rows"] for column in table["columns"]
            }
        names: list[str] = table["rows"]
        return names

    assert rows(PAIR) == ["A", "B"]
    assert rows(PAIR + third) == ["A", "B", "C"]
    assert rows(PAIR) == ["A", "B", "C"], "what was played keeps its place"


def test_the_study_of_the_how_to_page_can_be_planned(tmp_path: Path) -> None:
    page = ROOT / "docs" / "howto" / "own-study.md"
    (text,) = (fence.text for fence in fences(page) if fence.file == "small-boards.toml")
    plan = own(tmp_path, text)
    assert (plan.name, len(plan.jobs)) == ("small-boards", 12)
    keys = {key for key in _KEYS if f"| `{key}` |" in page.read_text() or f"| `{key}.NAME` |" in page.read_text()}
    assert keys == set(_KEYS), "every key is described"
    assert all(f"`{setting}`" in page.read_text() for setting in SETTINGS)
