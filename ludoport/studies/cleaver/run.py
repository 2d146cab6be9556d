"""The whole experiment, from trees to the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import read_json
from ludoport.studies.cleaver.networks import network_results
from ludoport.studies.cleaver.report import write_report
from ludoport.studies.cleaver.results import collect
from ludoport.studies.cleaver.study import NAME, NOTE, Study
from ludoport.studies.engine.jobs import slug
from ludoport.studies.report.page import REPORT, RESULTS, require_matplotlib


def run_study(study: Study, *, plots: bool = True) -> dict[str, Any]:
    """Do the remaining work, and write the report; returns all numbers."""
    if plots:
        require_matplotlib()
    study.prepare()
    study.build("source", 0)
    study.build("target", 1)
    study.carry("transferred")
    study.tune("transfer", "transferred")
    study.tune("control", "target")
    results = collect(study)
    if study.networks is not None:
        results["networks"] = network_results(study, study.networks)
    write_report(study.out / REPORT, results, plots=plots)
    return results


def default_folder(board: str, preset: str, seed: int = 1) -> Path:
    """The folder of the study where none is named."""
    words = [NAME, *([] if board == "gardner" else [board]), preset, *([] if seed == 1 else [f"seed{seed}"])]
    return Path("runs") / slug(*words)


def is_study(folder: Path) -> bool:
    """Whether a folder holds this study, or only its results."""
    for path in (folder / NOTE, folder / REPORT / RESULTS, folder / RESULTS):
        try:
            found = read_json(path)
        except LudoportError:
            continue
        if isinstance(found, dict) and (found.get("study") == NAME or "common_opponent" in found):
            return True
    return False
