"""``ludoport verify gdl`` and ``ludoport bench gdl``: rulesheets compared with records; speed of rulesheets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Interpreter, Jobs, Json, Only, Seconds, Timeout, option
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.verify.gdl import SheetTask

Sheets = Annotated[list[Path] | None, typer.Argument(metavar="RULESHEET...", help="Rulesheets to compare.")]
Traces = Annotated[
    list[Path] | None, option("--trace", metavar="FILE", help="Recorded games of each rulesheet, in order.")
]
Index = Annotated[Path | None, option("--index", metavar="FILE", help="Index of rulesheets and their records.")]
Suite = Annotated[Path | None, option("--suite", metavar="FILE", help="Conformance suite of rulesheets in the index.")]


def verify_gdl(
    sheets: Sheets = None,
    trace: Traces = None,
    index: Index = None,
    suite: Suite = None,
    interpreter: Interpreter = False,
    only: Only = None,
    seconds: Seconds = 60.0,
    jobs: Jobs = 0,
    timeout: Timeout = None,
    json: Json = False,
) -> None:
    """Compare rulesheets with recorded games.

    Facts, legal moves, end and goals are compared at every step.
    """
    from ludoport.verify.gdl import ABSENT, SheetTask, compare_all, index_tasks, suite_tasks
    from ludoport.verify.report import summary

    network = not interpreter
    at_least("jobs", jobs, 0)
    at_least("seconds", seconds, 0.001)
    if trace and len(trace) != len(sheets or []):
        raise LudoportError(f"{len(trace)} records for {len(sheets or [])} rulesheets; each rulesheet needs one")
    files: list[Path | None] = [*(trace or [])] or [None] * len(sheets or [])
    tasks: list[SheetTask] = [
        SheetTask(str(sheet), sheet, file, True, None, network, seconds)
        for sheet, file in zip(sheets or [], files, strict=True)
    ]
    if suite is not None:
        if index is None:
            raise LudoportError("--suite needs --index, which lists the files of its rulesheets")
        tasks += suite_tasks(suite, index, network)
    elif index is not None:
        tasks += index_tasks(index, network, seconds)
    tasks = [task for task in tasks if not only or any(text in task.id for text in only)]
    if not tasks:
        raise LudoportError("nothing to compare: give rulesheets, or --index")
    results, engines = [], Counter[str]()
    for result, engine in compare_all(tasks, jobs, timeout):
        results.append((result, engine))
        engines[engine] += 1
        if not json:
            typer.echo(f"{engine:<12}{result.id}" if engine == ABSENT else f"{engine:<12}{result.line()}")
            if result.first is not None:
                typer.echo("     " + str(result.first).replace("\n", "\n     "))
    total = summary([result for result, engine in results if engine != ABSENT])
    if json:
        records = [{**result.record(), "engine": engine} for result, engine in results]
        print_json({"verify": "gdl", "summary": total, "engines": dict(engines), "rulesheets": records})
    else:
        played = ", ".join(f"{count} {engine}" for engine, count in engines.most_common())
        typer.echo(
            f"{total['agreeing_variants']} of {total['variants']} rulesheets agree ({played}): "
            f"{total['agreeing_trials']} of {total['trials']} games, "
            f"{total['agreeing_checks']} of {total['checks']} states"
        )
    if total["agreeing_variants"] < total["variants"]:
        raise typer.Exit(1)


def bench_gdl(
    only: Only = None,
    seconds: Seconds = 2.0,
    sheets: Annotated[
        Path | None, option("--sheets", metavar="FOLDER", help="Folder of rulesheets that are not bundled.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure random playouts of rulesheets.

    Prints a Markdown table next to other reasoners, per CPU-second on one thread.
    """
    from ludoport.bench import gdl

    at_least("seconds", seconds, 0.01)
    cases = gdl.chosen([name for given in only or [] for name in given.split(",") if name])
    rows = []
    if not json:
        typer.echo(gdl.HEAD)
    for row in gdl.rows(cases, seconds, sheets):
        rows.append(row)
        if not json:
            typer.echo(gdl.line(row))
    if json:
        print_json({"rows": [row.record() for row in rows]})
