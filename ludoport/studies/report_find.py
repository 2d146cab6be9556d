"""Where the study lies that a report is asked for."""

from __future__ import annotations

from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.studies.catalogue import OTHERS, STUDIES, unknown
from ludoport.studies.store import Store
from ludoport.studies.store_file import FILE

RUNS = Path("runs")
"""Where studies lie if nobody says where."""


def find_store(study: str, store: Path | None = None, runs: Path = RUNS) -> Path:
    """The folder of a study.

    Args:
        study: its name, its folder, or the TOML file that describes it.
        store: its store, or the folder of that, if it lies elsewhere.
        runs: where studies are looked for by name.

    Raises:
        LudoportError: there is no such study, it was not run, or several folders hold it.
    """
    if store is not None:
        folder = store.parent if store.name == FILE else store
        held = _name(folder)
        if study != str(folder) and _own_name(study) != held:
            raise LudoportError(f"{store} holds the study {held}, not {study}")
        return folder
    given = Path(study)
    for folder in (given, given.parent if given.name == FILE else given):
        if (folder / FILE).is_file():
            return folder
    return _by_name(study, runs)


def _own_name(study: str) -> str:
    """What stores call a study; one's own are called as their file says."""
    if not study.endswith(".toml"):
        return study
    from ludoport.studies.custom import read_grid

    return read_grid(Path(study)).name


def _by_name(study: str, runs: Path) -> Path:
    if study in OTHERS:
        raise LudoportError(f"`ludoport study {study}` writes its report itself, into its folder")
    name, found, unreadable = _own_name(study), list[Path](), list[str]()
    for path in sorted(runs.glob(f"*/{FILE}")):
        try:
            if _name(path.parent) == name:
                found.append(path.parent)
        except LudoportError as error:  # somebody else's trouble, unless it is the one that is looked for
            unreadable.append(str(error))
    if len(found) > 1:
        raise LudoportError(
            f"{len(found)} folders hold the study {name}; choose one with --store: {', '.join(map(str, found))}"
        )
    if not found:
        if study not in STUDIES and study != "demo" and not study.endswith(".toml"):
            raise unknown(study)
        raise LudoportError(
            f"{runs} holds no study {name}; run `ludoport study {study}` first, or say with --store where it lies"
            + "".join(f"; not readable: {error}" for error in unreadable)
        )
    return found[0]


def _name(folder: Path) -> str:
    with Store(folder, create=False) as store:
        return str(store.facts().get("name", ""))
