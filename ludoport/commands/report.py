"""``ludoport report``: tables, figures and one page about a study, as far as it has been played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json, Plots, ReportFolder, option


def report(
    studies: Annotated[
        list[str],
        typer.Argument(
            metavar="STUDY...",
            help="Names or folders of studies; `published`: the paper's numbers alone.",
        ),
    ],
    out: ReportFolder = None,
    store: Annotated[
        Path | None, option("--store", metavar="FILE", help="Store of the study, or its folder.", default="in `runs`")
    ] = None,
    plots: Plots = True,
    json: Json = False,
) -> None:
    """Write the tables and figures of a study.

    The published numbers stand next to ours. Several studies make one report.
    """
    from ludoport.studies.reports import write_reports

    page = write_reports(studies, out, store, plots=plots)
    if json:
        print_json({"studies": studies, "report": str(page), "results": str(page.with_name("results.json"))})
    else:
        typer.echo(f"{page}; the same as Markdown: {page.with_name('report.md')}")
