"""The report of a study: tables, figures, agreement with the paper, one page with everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.studies.engine.cells import Cell
from ludoport.studies.engine.scores import Score
from ludoport.studies.report.page import require_matplotlib, write_page
from ludoport.studies.soemers.published import published
from ludoport.studies.soemers.report.agreement import agreements, compared, largest_disagreements
from ludoport.studies.soemers.report.entries import ShownCell, entries_of, published_entries, published_orders
from ludoport.studies.soemers.report.facts import StudyFacts, check_cells
from ludoport.studies.soemers.report.heat import draw_heat
from ludoport.studies.soemers.report.parts import Findings, report_blocks
from ludoport.studies.soemers.report.plots import draw_scatter
from ludoport.studies.soemers.report.scores import score_blocks, score_plain, scores_csv
from ludoport.studies.soemers.report.summary import by_kind, changes, significance
from ludoport.studies.soemers.report.table_files import csv_row, csv_text, write_tables
from ludoport.studies.soemers.report.tables import transfer_tables

FORMAT = 1
"""Format of ``results.json``."""


def write_report(
    cells: Sequence[Cell], facts: StudyFacts, folder: Path, scores: Sequence[Score] = (), *, plots: bool = True
) -> Path:
    """Write everything about a study into a folder; returns the HTML page.

    The folder gets ``report.html``, ``report.md``, ``results.json``, ``cells.csv``, the tables in ``tables`` and the
    pictures in ``figures``; matches that are not cells go to ``scores.csv``. Files of an earlier report are replaced.

    Args:
        cells: the cells that were played; a study need not be finished.
        facts: the order of its tables, and how the numbers came to be.
        folder: folder of the report.
        scores: matches that are not cells of a table of transfer.
        plots: whether there are to be pictures.
    """
    if not cells and not scores:
        raise LudoportError(f"nothing of the study {facts.name} was played yet, so there is nothing to report")
    check_cells(cells, facts.tables)
    return _write(entries_of(cells, facts.tables, facts.jobs), facts, folder, scores=scores, plots=plots)


def write_published_report(folder: Path, *, plots: bool = True) -> Path:
    """Write the same report about the numbers that the paper printed; returns the HTML page."""
    facts = StudyFacts(
        "published",
        "paper",
        published_orders(),
        command="ludoport report published",
        training="Every network learned for 20 hours on 8 GPUs and 80 CPU cores; tuning took as long again.",
        playing="300 games a pair, 150 with either player first, 800 simulations a move.",
        notes=(
            f"Source: {published().source}",
            "Numbers of epochs and of drawn games are not in the paper.",
        ),
        title="Transfer of policy-value networks: the published tables",
    )
    return _write(published_entries(), facts, folder, ghosts=False, plots=plots)


def _write(
    entries: Sequence[ShownCell],
    facts: StudyFacts,
    folder: Path,
    *,
    scores: Sequence[Score] = (),
    ghosts: bool = True,
    plots: bool = True,
) -> Path:
    if plots:
        require_matplotlib()
    folder.mkdir(parents=True, exist_ok=True)
    tables = transfer_tables(entries, facts.tables)
    if entries:
        write_tables(tables, folder / "tables")
        write_atomically(folder / "cells.csv", csv_text(entries), sync=False)
    if scores:
        write_atomically(folder / "scores.csv", scores_csv(scores), sync=False)
    found = Findings(
        facts,
        tuple(entries),
        tuple(tables),
        tuple(draw_scatter(entries, folder, ghosts=ghosts)) if plots else (),
        draw_heat(tables, folder) if plots else {},
        tuple(score_blocks(scores, folder if plots else None)),
        sum(entry.games for entry in entries) + sum(score.record.games for score in scores),
    )
    results = {**dict(_results(found)), "scores": [score_plain(score) for score in scores]}
    return write_page(report_blocks(found), folder, results)


def _results(found: Findings) -> Iterator[tuple[str, Any]]:
    entries = found.entries
    yield "format", FORMAT
    facts = asdict(found.facts)
    jobs = facts.pop("jobs")
    yield "facts", facts
    yield "significance", asdict(significance(entries))
    yield "kinds", [asdict(row) for row in by_kind(entries)]
    yield (
        "changes",
        [
            {**asdict(one), "worst": one.worst and {"pair": list(one.worst[0].pair), "difference": one.worst[1]}}
            for one in changes(entries)
        ],
    )
    yield "agreement", [asdict(one) for one in agreements(entries)]
    yield (
        "disagreements",
        [
            {"pair": list(one.entry.pair), "setting": one.entry.setting, "ours": one.entry.percentage,
             "published": one.published, "p": one.p}
            for one in largest_disagreements(entries, len(compared(entries)))
        ],
    )  # fmt: skip
    yield "cells", [csv_row(entry) for entry in entries]
    yield "jobs", jobs
