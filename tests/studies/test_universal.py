"""The study of networks for many games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.lists import lines_of, write_list
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
        assert family.like
        assert all(job.params["varied"]["without"] == list(family.like) for job in mine)


def test_numbers_of_games() -> None:
    job = next(job for job in plan("paper", 1).jobs if job.id == "many/hex/200-games/1")
    assert len(job.params["games"]) + job.params["varied"]["count"] == 200


def test_a_part_of_the_study_is_the_same_study() -> None:
    whole, part = plan("small", 1), plan("small", 1, ["Hex"])
    jobs = {job.id: job.text() for job in whole.jobs}
    assert part.config == whole.config
    assert all(jobs[job.id] == job.text() for job in part.jobs)
    assert not any(job.id.startswith("many/konane") for job in part.jobs)
    with pytest.raises(LudoportError, match="no family"):
        plan("tiny", 1, ["Chess", "Hex"])


def test_the_first_question_comes_first() -> None:
    """One seed of one family is compared with untrained networks and mappings before anything else is learned."""
    jobs = [job.id for job in plan("small", 1).jobs]
    first = jobs[: jobs.index("evaluate/hex-7x7/zero-shot/1") + 1]
    assert [job for job in first if job.startswith("many/")] == ["many/hex/many-games/1"]
    assert sum(job.startswith("train/") for job in first) == 5
    assert jobs.index("evaluate/konane-6x6/tuned/1") < jobs.index("many/hex/many-games/2")
    assert jobs.index("evaluate/konane-6x6/tuned/3") < jobs.index("many/hex/no-rules/1")


def test_varied_games_but_for_a_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def write_games(folder: Path, count: int, seed: int) -> list[None]:
        made.append(count)
        folder.mkdir(parents=True, exist_ok=True)
        names = [
            f"{('Lines', 'Races', 'Taking', 'Spacing', 'Connections')[k % 5]} {seed}-{k}.lud" for k in range(count)
        ]
        (folder / "games.txt").write_text("\n".join(names))
        return []

    monkeypatch.setattr("ludoport.varied.making.write_games", write_games)
    params: dict[str, Any] = {"games": ["Hex"], "varied": {"count": 8, "seed": 3, "without": ["Races"]}}
    lines = lines_of(params, tmp_path)
    assert lines[0] == "Hex"
    assert len(lines) == 9
    assert not any("Races" in line for line in lines)
    assert lines_of({**params, "varied": {**params["varied"], "count": 4}}, tmp_path) == lines[:5]
    assert made == [10]  # the second list is the beginning of the first
    lines_of({**params, "varied": {**params["varied"], "count": 9}}, tmp_path)
    assert made == [10, 12]
    listed = write_list([Job("a", "train", params), Job("b", "train", {"game": "Hex", "options": ["A/b"]})], tmp_path)
    assert listed.read_text().splitlines()[0] == "Hex"
    assert listed.read_text().splitlines()[1:] == [
        *(line.removeprefix(f"{tmp_path}/") for line in lines[1:]),
        "Hex; A/b",
    ]


@pytest.mark.slow
def test_a_whole_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    learning = {"games": 8, "simulations": 2, "positions": 16, "warmup": 16, "batch": 16, "replay": 512}
    size = Size("tiny", 8, 1, 2, 2, ("random",), 2, learning)
    held = (
        GameFamily("Hex", (HEX,), (HEX,), ("Connections",)),
        GameFamily("Lines", (NOUGHTS,), (NOUGHTS,), ("Lines",)),
    )
    monkeypatch.setitem(EXTENTS, "tiny", Extent(size, held, 2, 1, (1,), "tiny", learning))
    out, packed, other = (tmp_path / name for name in ("study", "packed", "other"))
    command = ["study", "universal", "--preset", "tiny", "--workers", "1", "--json"]

    def run(*options: str) -> dict[str, Any]:
        with pytest.raises(SystemExit):
            main([*command, *options])
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    listed = run("--out", str(out), "--prepare")
    assert len((out / "games.txt").read_text().splitlines()) == listed["games"] >= 4
    # One family on one machine, the rest on another.
    part = run("--out", str(out), "--only", "Hex", "--pack", str(packed))
    assert (part["done"], part["failed"]) == (part["total"], {})
    answer = run("--out", str(other), "--unpack", str(packed))
    assert (answer["done"], answer["failed"]) == (answer["total"], {})
    assert answer["total"] > part["total"]
    out = other
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
    learned = json.loads((out / "report" / "results.json").read_text())["learned"]
    assert {(cell["target"], cell["network"]) for cell in learned} == {
        ("Tic-Tac-Toe", "many games without Hex"),
        ("Hex 3×3", "many games without Lines"),
    }
    assert all(len(cell["scores"]) == 4 for cell in learned)
