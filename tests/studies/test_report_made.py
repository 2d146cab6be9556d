"""Facts behind the numbers of a report: commands, machines, seeds, and the subjects of a user's own studies."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ludoport.errors import LudoportError
from ludoport.studies.catalogue import plan_study
from ludoport.studies.engine import calls, run
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.plan import StudyPlan
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.reports import find_folder, write_reports
from ludoport.studies.soemers.report.facts import StudyFacts
from ludoport.studies.soemers.report.kept import ADJUSTED
from ludoport.studies.soemers.report.stores import report_stores, store_facts

OWN = """
name = "small-boards"
settings = ["zero-shot", "fine-tuned"]
sources = ["Hex 4", "Hex 5"]
targets = ["Hex 5"]

[games."Hex 4"]
game = "Hex"
options = ["Board Size/4x4"]

[games."Hex 5"]
game = "Hex"
options = ["Board Size/5x5"]
"""


def result_of(job: Job, device: str) -> dict[str, Any]:
    """Result that a job may give."""
    if job.kind == "evaluate":
        return {"wins": 40, "draws": 0, "losses": 20, "source_epochs": 6, "target_epochs": 3}
    return {"network": "x", "epochs": 3, "seconds": 60.0, "source_epochs": 3, "device": device}


def filled(folder: Path, plan: StudyPlan, *, device: str = "cpu") -> Path:
    """A folder in which all jobs of a study are done."""
    with Store(folder) as store:
        tables = [asdict(order) for order in plan.tables]
        store.claim_study({**plan.facts(), "tables": tables, "machine": "two cores"}, ("name",))
        store.enter(plan.jobs)
        while (entry := store.claim("somebody", "0123456789ab")) is not None:
            store.finish(entry.job.id, "somebody", result_of(entry.job, device), 60)
    return folder


def facts_of(folder: Path) -> StudyFacts:
    with Store(folder, create=False) as store:
        return store_facts(store)


def own_study(folder: Path, text: str = OWN) -> tuple[Path, Path]:
    """A file that describes a study, and the folder of that study."""
    file = folder / "own.toml"
    file.write_text(text, encoding="utf-8")
    return file, filled(folder / "runs" / "small-boards-tiny", plan_study(str(file), "tiny"))


def test_the_command_has_the_device_where_networks_learned(tmp_path: Path) -> None:
    facts = facts_of(filled(tmp_path, plan_study("variants/hex", "tiny"), device="cuda"))
    assert facts.command == "ludoport study variants/hex --preset tiny --device cuda"


def test_calls_are_kept_with_machine_and_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "run_crew", lambda *_, **__: False)
    monkeypatch.setattr(calls, "cards", lambda: ["NVIDIA H200"])
    plan = plan_study("variants/hex", "tiny")
    for _ in range(2):
        run.run_study(plan, tmp_path, workers=2, device="cuda", minutes=30)
    run.run_study(plan, tmp_path, workers=16)
    facts = facts_of(filled(tmp_path, plan))
    start = "ludoport study variants/hex --preset tiny"
    assert facts.command == f"{start} --device cuda --workers 2 --minutes 30; {start} --workers 16"
    assert facts.workers == "2, 16"
    assert ", NVIDIA H200" in facts.machine
    run.run_study(plan, tmp_path, workers=5)  # only looks at what is done
    assert facts_of(tmp_path).workers == "2, 16"
    text = report_stores([tmp_path], tmp_path / "out", plots=False).with_name("report.md").read_text(encoding="utf-8")
    assert "| workers | 2, 16 |" in text


def test_equal_cards_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "cards", lambda: ["A", "B", "A"])
    assert calls.machine("cuda").endswith(", 2 A, B")
    assert "A" not in calls.machine("cpu").split(", ")


@pytest.mark.parametrize(("preset", "said"), [("tiny", True), ("small", True), ("paper", False)])
def test_widths_that_cannot_be_adjusted_are_no_finding(tmp_path: Path, preset: str, said: bool) -> None:
    folder = filled(tmp_path / "study", plan_study("shogi", preset))
    text = report_stores([folder], tmp_path / "out", plots=False).with_name("report.md").read_text(encoding="utf-8")
    found = text.partition("## What was found")[2].partition("\n## ")[0]
    assert "with widths adjusted changes win percentages" in found
    assert ("there are no widths to adjust" in found) is said


def test_a_study_that_adjusts_no_widths_says_nothing_about_them(tmp_path: Path) -> None:
    assert facts_of(filled(tmp_path, plan_study("variants/hex", "tiny"))).caveats == ()


def test_every_cell_can_be_traced(tmp_path: Path) -> None:
    plan = plan_study("variants/hex", "tiny")
    page = report_stores([filled(tmp_path, plan)], tmp_path / "out", plots=False)
    seeds = {job.id: job.seed for job in plan.jobs}
    with page.with_name("cells.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["job"]: int(row["seed"]) for row in rows} == {j: s for j, s in seeds.items() if j.startswith("eval")}
    assert {row["commit"] for row in rows} == {"0123456789ab"}
    results = json.loads(page.with_name("results.json").read_text(encoding="utf-8"))
    jobs = {job["id"]: job for job in results["jobs"]}
    assert jobs.keys() == seeds.keys()
    for job in plan.jobs:
        told = jobs[job.id]
        assert (told["kind"], told["seed"], told["params"], tuple(told["needs"])) == (
            job.kind, job.seed, job.params, job.needs,
        )  # fmt: skip
        assert (told["commit"], told["seconds"], told["study"]) == ("0123456789ab", 60, "variants/hex")
    assert "jobs" not in results["facts"]


def test_jobs_with_equal_names_in_two_studies_are_told_apart(tmp_path: Path) -> None:
    _, own = own_study(tmp_path, OWN.replace('"Hex 4"', '"5×5"').replace('"Hex 5"', '"7×7"').replace("5x5", "7x7"))
    plan = plan_study("variants/hex", "tiny", seed=2)
    page = report_stores([own, filled(tmp_path / "hex", plan)], tmp_path / "out", plots=False)
    cells = json.loads(page.with_name("results.json").read_text(encoding="utf-8"))["cells"]
    job = "evaluate/zero-shot/hex-5x5/hex-7x7"
    seeds = {cell["table"]: cell["seed"] for cell in cells if cell["job"] == job}
    assert len(seeds) == len(set(seeds.values())) == 2


def test_a_game_is_no_pair_with_itself_in_a_study_of_ones_own(tmp_path: Path) -> None:
    _, folder = own_study(tmp_path)
    text = report_stores([folder], tmp_path / "out", plots=False).with_name("report.md").read_text(encoding="utf-8")
    assert "have been played" not in text
    assert "not played" not in text
    assert "| Hex 5 | – |" in text


def test_two_names_of_one_game_are_no_pair(tmp_path: Path) -> None:
    again = '\n[games."also 5"]' + OWN.partition('[games."Hex 5"]')[2]
    text = OWN.replace('sources = ["Hex 4", "Hex 5"]\ntargets = ["Hex 5"]', "") + again
    _, folder = own_study(tmp_path, text)
    (order,) = facts_of(folder).tables
    assert ("Hex 5", "also 5") not in order.pairs
    assert len(order.pairs) == 4


@pytest.mark.slow
def test_variants_of_a_game_are_no_other_games(tmp_path: Path) -> None:
    _, folder = own_study(tmp_path)
    page = report_stores([folder], tmp_path / "out")
    cells = json.loads(page.with_name("results.json").read_text(encoding="utf-8"))["cells"]
    assert {cell["kind"] for cell in cells} == {"larger board"}
    drawn = {path.stem for path in (tmp_path / "out" / "figures").glob("*.png")}
    assert {"figure-2", "figure-3", "figure-8"} <= drawn
    assert "figure-4" not in drawn


def test_a_study_of_ones_own_is_found_by_its_file(tmp_path: Path) -> None:
    file, folder = own_study(tmp_path)
    assert find_folder(str(file), runs=tmp_path / "runs") == folder
    assert find_folder(str(file), folder) == folder
    assert find_folder("small-boards", runs=tmp_path / "runs") == folder
    with pytest.raises(LudoportError, match="cannot be read"):
        find_folder(str(tmp_path / "missing.toml"), runs=tmp_path / "runs")


def test_a_damaged_store_does_not_hide_the_others(tmp_path: Path) -> None:
    _, folder = own_study(tmp_path)
    damaged = tmp_path / "runs" / "damaged" / FILE
    damaged.parent.mkdir()
    damaged.write_bytes(b"this is no database, whatever its name says" * 50)
    assert find_folder("small-boards", runs=tmp_path / "runs") == folder
    with pytest.raises(LudoportError, match=r"holds no study shogi; .*; not readable: .*damaged"):
        find_folder("shogi", runs=tmp_path / "runs")


def test_a_report_is_written_again_from_what_it_kept(tmp_path: Path) -> None:
    """The same results; cells that adjusted no widths go."""
    folder = filled(tmp_path / "shogi", plan_study("shogi", "tiny"))
    first = report_stores([folder], tmp_path / "first", plots=False).parent
    before = json.loads((first / "results.json").read_text())
    assert any(cell["setting"] == ADJUSTED for cell in before["cells"])
    again = write_reports([str(first)], tmp_path / "again", plots=False).parent
    after = json.loads((again / "results.json").read_text())
    kept = [cell for cell in before["cells"] if cell["setting"] != ADJUSTED]
    names = ("source", "target", "wins", "losses", "job", "seed", "commit", "low", "high")
    assert [[cell[name] for name in names] for cell in after["cells"]] == [[cell[n] for n in names] for cell in kept]
    assert "widths" not in (again / "report.md").read_text()
    other = filled(tmp_path / "hex", plan_study("variants/hex", "tiny"))
    second = report_stores([other], tmp_path / "second", plots=False).parent
    both = write_reports([str(again), str(second)], tmp_path / "both", plots=False).parent
    cells = json.loads((both / "results.json").read_text())["cells"]
    assert {cell["table"] for cell in cells} == {"shogi", "Hex"}
    with pytest.raises(LudoportError, match="not from both"):
        write_reports([str(again), str(other)], plots=False)
