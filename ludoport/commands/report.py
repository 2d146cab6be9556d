"""``ludoport report``: tables, figures and one page about a study, as far as it has been played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Json, print_json
from ludoport.errors import LudoportError

PUBLISHED = "published"
"""The name under which the paper's own numbers are reported."""


def report(
    studies: Annotated[
        list[str],
        typer.Argument(
            metavar="STUDY...",
            help="Names of studies or their folders; several make one report. `published`: the paper's numbers alone.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where the report goes; `report` in the study's folder."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="The study's store or its folder; looked for in `runs`."),
    ] = None,
    plots: Annotated[bool, typer.Option("--plots/--no-plots", help="Draw figures.")] = True,
    json: Json = False,
) -> None:
    """Write the paper's tables and figures from what studies have played, with the published numbers beside ours."""
    from ludoport.studies.report import write_published_report
    from ludoport.studies.report_find import find_store
    from ludoport.studies.report_store import report_stores

    if store is not None and len(studies) > 1:
        raise LudoportError("--store says where one study lies; give several studies by their folders instead")
    if PUBLISHED in studies:
        if len(studies) > 1 or store is not None:
            raise LudoportError(f"`{PUBLISHED}` is reported alone; its numbers stand beside those of studies anyway")
        page = write_published_report(out or Path("report-published"), plots=plots)
    else:
        folders = [find_store(study, store) for study in studies]
        page = report_stores(folders, out or (folders[0] if len(folders) == 1 else Path()) / "report", plots=plots)
    if json:
        print_json({"studies": studies, "report": str(page), "results": str(page.with_name("results.json"))})
    else:
        typer.echo(f"{page} tells everything; {page.with_name('report.md')} is the same as Markdown")
