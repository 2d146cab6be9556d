"""The study of networks for many games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.studies.engine.plan import GameVariant
from ludoport.studies.evidence.blocks import Size
from ludoport.studies.universal import families
from ludoport.studies.universal.families import EXTENTS, Extent, GameFamily
from ludoport.studies.universal.plan import NO_VARIED, WHOLE, WITHOUT, by_number, plan

HEX = GameVariant("Hex 3×3", "Hex", ("Board Size/3x3",))
NOUGHTS = GameVariant("Tic-Tac-Toe", "Tic-Tac-Toe")


@pytest.mark.parametrize("preset", EXTENTS)
def test_networks_never_learn_the_family_that_is_held_out(preset: str) -> None:
    extent = EXTENTS[preset]
    jobs = plan(preset, 1).jobs
    known = {job.id for job in jobs}
    assert len(known) == len(jobs)
    assert all(set(job.needs) <= known for job in jobs)
    many = [job for job in jobs if "games" in job.params and job.kind == "train"]
    for family in extent.families:
        mine = [job for job in many if job.id.startswith(f"many/{family.name.lower().replace(' ', '-')}/")]
        labels = 2 + len(WITHOUT) + len(extent.numbers)
        assert len(mine) == labels * extent.size.seeds
        held = {families.line_of(game) for game in (*family.games, *family.targets)}
        assert not any(held & set(job.params["games"]) for job in mine)


def test_numbers_of_games() -> None:
    job = next(job for job in plan("small", 1).jobs if job.id == "many/hex/200-games/1")
    assert len(job.params["games"]) + job.params["varied"][0] == 200


def test_a_part_of_the_study() -> None:
    assert set(plan("tiny", 1, ["Hex", "lines"]).config["families"]) == {"Hex", "Lines"}
    with pytest.raises(LudoportError, match="no family"):
        plan("tiny", 1, ["Chess", "Hex"])
    with pytest.raises(LudoportError, match="at least two"):
        plan("tiny", 1, ["Hex"])


@pytest.mark.slow
def test_a_whole_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    learning = {"games": 8, "simulations": 2, "positions": 16, "warmup": 16, "batch": 16, "replay": 512}
    size = Size("tiny", 8, 1, 2, 2, ("random",), 2, learning)
    held = (GameFamily("Hex", (HEX,), (HEX,)), GameFamily("Lines", (NOUGHTS,), (NOUGHTS,)))
    monkeypatch.setitem(EXTENTS, "tiny", Extent(size, held, 2, 1, (1,), "tiny", learning))
    out = tmp_path / "study"
    with pytest.raises(SystemExit):
        main(["study", "universal", "--preset", "tiny", "--out", str(out), "--workers", "1", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["done"], answer["failed"]) == (answer["total"], {})
    with pytest.raises(SystemExit):
        main(["report", str(out)])
    page = (out / "report" / "report.md").read_text()
    assert "Without Hex" in page
    assert (out / "report" / "figures" / "games.svg").is_file()
    cells = json.loads((out / "report" / "results.json").read_text())["cells"]
    networks = {cell["network"] for cell in cells if cell["target"] == "Hex 3×3"}
    assert networks == {WHOLE, NO_VARIED, *WITHOUT, by_number(1), "mapped from Tic-Tac-Toe"}
    whole = next(cell for cell in cells if cell["network"] == WHOLE)
    assert len(whole["tuned"]) == 4
