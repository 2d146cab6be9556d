"""A report written again, or several as one, from the results that earlier ones kept beside them.

Stores are large and are not published; ``results.json`` has all cells and how they came to be. So reports can be
written again with newer words and figures, and the figures of the paper can be drawn over all families.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import read_json
from ludoport.studies.engine.cells import Cell, Setting, TableOrder
from ludoport.studies.engine.scores import Score
from ludoport.studies.soemers.report.facts import JobFacts, Learned, StudyFacts
from ludoport.studies.soemers.report.stores import joined
from ludoport.studies.soemers.report.write import FORMAT, write_report

RESULTS = "results.json"

ADJUSTED: Setting = "fine-tuned, widths adjusted"


def is_kept(folder: Path) -> bool:
    """Whether a folder has the results of a report about transfer."""
    return (folder / RESULTS).is_file() and _read(folder).get("format") == FORMAT


def report_kept(folders: Sequence[Path], out: Path, *, plots: bool = True) -> Path:
    """Write the report of what one or several folders kept; returns the HTML page."""
    cells: list[Cell] = []
    scores: list[Score] = []
    facts: list[StudyFacts] = []
    for folder in folders:
        kept = _read(folder)
        some = list(_cells(kept))
        facts.append(_facts(kept))
        cells += [cell for cell in some if cell.setting != ADJUSTED or _adjusted(kept)]
        scores += [_score(one) for one in kept.get("scores", [])]
    return write_report(cells, joined(facts), out, scores, plots=plots)


def _read(folder: Path) -> dict[str, Any]:
    found = read_json(folder / RESULTS)
    if not isinstance(found, dict):
        raise LudoportError(f"{folder / RESULTS}: not the results of a report")
    return found


def _adjusted(kept: dict[str, Any]) -> bool:
    """Whether widths were adjusted: networks of one width for all games have none, and their cells say nothing."""
    return not any("no widths to adjust" in caveat for caveat in kept["facts"].get("caveats", ()))


def _cells(kept: dict[str, Any]) -> Iterator[Cell]:
    names = ("table", "setting", "source", "target", "wins", "draws", "losses", "source_epochs", "target_epochs", "job")
    for one in kept["cells"]:
        yield Cell(**{name: one[name] for name in names})


def _score(one: dict[str, Any]) -> Score:
    return Score(**{name: one[name] for name in Score.__dataclass_fields__ if name in one})


def _facts(kept: dict[str, Any]) -> StudyFacts:
    known = dict(kept["facts"])
    adjusted = _adjusted(kept)
    tables = [_order(one) for one in known.pop("tables")]
    if not adjusted:
        known["caveats"] = [text for text in known.get("caveats", ()) if "no widths to adjust" not in text]
        tables = [replace(order, settings=tuple(s for s in order.settings if s != ADJUSTED)) for order in tables]
    learned = tuple(Learned(**one) for one in known.pop("learned"))
    known = {name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
    jobs = tuple(JobFacts(**{**one, "needs": tuple(one["needs"])}) for one in kept.get("jobs", ()))
    dropped = () if adjusted else (ADJUSTED,)
    jobs = tuple(job for job in jobs if job.params.get("cell", {}).get("setting") not in dropped)
    return StudyFacts(**known, tables=tuple(tables), learned=learned, jobs=jobs)


def _order(one: dict[str, Any]) -> TableOrder:
    same = one.get("same")
    return TableOrder(
        one["table"], tuple(one["rows"]), tuple(one["columns"]), tuple(one["settings"]),
        None if same is None else tuple((source, target) for source, target in same),
    )  # fmt: skip
