"""``ludoport report``: finds the folder of a study and the function that writes its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from ludoport.databases import as_written
from ludoport.errors import LudoportError
from ludoport.studies.banerjee_stone import plan as features
from ludoport.studies.banerjee_stone import report as features_report
from ludoport.studies.catalogue import OTHERS, STUDIES, unknown
from ludoport.studies.cleaver import report as trees_report
from ludoport.studies.cleaver import run as trees
from ludoport.studies.demo import report as demo_report
from ludoport.studies.demo import study as demo
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.evidence import report as evidence_report
from ludoport.studies.evidence.blocks import BLOCKS
from ludoport.studies.knowledge import plan as knowledge
from ludoport.studies.knowledge import report as knowledge_report
from ludoport.studies.report.page import REPORT, RESULTS
from ludoport.studies.soemers.custom import read_grid
from ludoport.studies.soemers.report.kept import is_kept, report_kept
from ludoport.studies.soemers.report.stores import report_stores
from ludoport.studies.soemers.report.write import write_published_report
from ludoport.studies.universal import plan as universal
from ludoport.studies.universal import report as universal_report

RUNS = Path("runs")
"""The folder in which studies are looked for by name."""

PUBLISHED = "published"
"""The name under which the paper's own numbers are reported."""


class ReportWriter(Protocol):
    """Writes the report of one study."""

    def __call__(self, folder: Path, out: Path, *, plots: bool) -> Path:
        """Write the report of the study in a folder; returns the HTML page."""


WRITERS: dict[str, ReportWriter] = {
    "chessplus": trees_report.report_folder,
    features.NAME: features_report.report_folder,
    demo.NAME: demo_report.report_folder,
    **dict.fromkeys(BLOCKS, evidence_report.report_folder),
    universal.NAME: universal_report.report_folder,
    knowledge.NAME: knowledge_report.report_folder,
}
"""Studies with reports of their own; all others are tables of transfer and scores, from their stores."""

FOLDERS: dict[str, Callable[[Path], bool]] = {"chessplus": trees.is_study, features.NAME: features.is_study}
"""Studies without a store, and whether a folder holds them."""


def write_reports(
    studies: Sequence[str], out: Path | None = None, store: Path | None = None, *, plots: bool = True
) -> Path:
    """Write one report about one or several studies; returns the HTML page.

    Args:
        studies: names or folders; several must be tables of transfer. A folder without a store may hold the results of
            an earlier report about transfer (``results.json``), which is then written again.
        out: the folder of the report; default: ``report`` in the folder of the study, or where the earlier report is.
        store: the store of the study or its folder; default: looked for in ``runs``.
        plots: whether there are to be figures.
    """
    if PUBLISHED in studies:
        if len(studies) > 1 or store is not None:
            raise LudoportError(f"`{PUBLISHED}` is reported alone; its numbers stand beside those of studies anyway")
        return write_published_report(out or Path("report-published"), plots=plots)
    if store is not None and len(studies) > 1:
        raise LudoportError("--store names the folder of one study; give several studies by their folders instead")
    kept = [Path(study) for study in studies if not _held(Path(study)) and is_kept(Path(study))]
    if kept and store is None:
        if len(kept) < len(studies):
            raise LudoportError("a report is written from stores or from results that reports kept, not from both")
        with as_written(", ".join(str(folder / RESULTS) for folder in kept)):
            return report_kept(kept, out or (kept[0] if len(kept) == 1 else Path(REPORT)), plots=plots)
    folders = [find_folder(study, store) for study in studies]
    names = [name_of(folder) for folder in folders]
    to = out or (folders[0] if len(folders) == 1 else Path()) / REPORT
    if len(folders) == 1 and names[0] in WRITERS:
        with as_written(folders[0]):
            return WRITERS[names[0]](folders[0], to, plots=plots)
    for name in names:
        if name in WRITERS:
            raise LudoportError(f"the study {name} is reported alone; give it without the others")
    with as_written(", ".join(map(str, folders))):
        return report_stores(folders, to, plots=plots)


def find_folder(study: str, store: Path | None = None, runs: Path = RUNS) -> Path:
    """The folder of a study.

    Args:
        study: its name, its folder, or the TOML file that describes it.
        store: its store, or the folder of that, if it is elsewhere.
        runs: the folder in which studies are looked for by name.

    Raises:
        LudoportError: there is no such study, it was not run, or several folders hold it.
    """
    if store is not None:
        folder = store.parent if store.name == FILE else store
        held = name_of(folder)
        if study != str(folder) and _own_name(study) != held:
            raise LudoportError(f"{store} holds the study {held}, not {study}")
        return folder
    given = Path(study)
    folder = given.parent if given.name == FILE else given
    if _held(folder):
        return folder
    return _by_name(study, runs)


def name_of(folder: Path) -> str:
    """The name of the study that a folder holds."""
    for name, holds in FOLDERS.items():
        if not (folder / FILE).is_file() and holds(folder):
            return name
    with Store(folder, create=False) as store:
        return str(store.facts().get("name", ""))


def _held(folder: Path) -> bool:
    return (folder / FILE).is_file() or any(holds(folder) for holds in FOLDERS.values())


def _own_name(study: str) -> str:
    """Name of a study in its store; a study in a TOML file has the name that the file states."""
    return read_grid(Path(study)).name if study.endswith(".toml") else study


def _by_name(study: str, runs: Path) -> Path:
    name, found, unreadable = _own_name(study), list[Path](), list[str]()
    for folder in sorted(path for path in runs.glob("*") if _held(path)):
        try:
            if name_of(folder) == name:
                found.append(folder)
        except LudoportError as error:  # matters only if it is the one that is looked for
            unreadable.append(str(error))
    if len(found) > 1:
        raise LudoportError(
            f"{len(found)} folders hold the study {name}; choose one with --store: {', '.join(map(str, found))}"
        )
    if not found:
        if study not in (*STUDIES, *OTHERS, demo.NAME) and not study.endswith(".toml"):
            raise unknown(study)
        command = demo.NAME if study == demo.NAME else f"study {study}"
        raise LudoportError(
            f"{runs} holds no study {name}; run `ludoport {command}` first, or name its folder with --store"
            + "".join(f"; not readable: {error}" for error in unreadable)
        )
    return found[0]
