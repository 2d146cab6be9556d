"""``ludoport verify gdl`` and ``ludoport bench gdl``: rulesheets compared with records, and how fast they play."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import Json, at_least, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.verify.gdl import Task

Sheets = Annotated[list[Path] | None, typer.Argument(metavar="RULESHEET...", help="Rulesheets to compare.")]
Traces = Annotated[
    list[Path] | None,
    typer.Option("--trace", metavar="FILE", help="Recorded games, one file for each rulesheet, in the same order."),
]
Index = Annotated[
    Path | None, typer.Option("--index", metavar="FILE", help="An index of rulesheets and their records.")
]
Suite = Annotated[
    Path | None,
    typer.Option("--suite", metavar="FILE", help="A conformance suite; its rulesheets are looked for in the index."),
]
Engine = Annotated[
    bool, typer.Option("--network/--interpreter", help="Let the network (or compiled rules) play, or the interpreter.")
]


def verify_gdl(
    sheets: Sheets = None,
    trace: Traces = None,
    index: Index = None,
    suite: Suite = None,
    network: Engine = True,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="TEXT", help="Only rulesheets with this in their names.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to replay each rulesheet.")] = 60.0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Give each rulesheet its own process, this many at a time.")
    ] = 0,
    limit: Annotated[
        float | None, typer.Option("--limit", metavar="SECONDS", help="Give up a rulesheet after this time.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare rulesheets with recorded games: facts, legal moves, end and goals at every step."""
    from ludoport.verify.gdl import ABSENT, Task, compare_all, index_tasks, suite_tasks
    from ludoport.verify.report import summary

    at_least("jobs", jobs, 0)
    at_least("seconds", seconds, 0.001)
    if trace and len(trace) != len(sheets or []):
        raise LudoportError(f"{len(trace)} records for {len(sheets or [])} rulesheets; each needs one")
    files: list[Path | None] = [*(trace or [])] or [None] * len(sheets or [])
    tasks: list[Task] = [
        Task(str(sheet), sheet, file, True, None, network, seconds)
        for sheet, file in zip(sheets or [], files, strict=True)
    ]
    if suite is not None:
        if index is None:
            raise LudoportError("a suite needs --index, which says where its rulesheets are")
        tasks += suite_tasks(suite, index, network)
    elif index is not None:
        tasks += index_tasks(index, network, seconds)
    tasks = [task for task in tasks if not only or any(text in task.id for text in only)]
    if not tasks:
        raise LudoportError("nothing to compare: give rulesheets, or --index")
    results, engines = [], Counter[str]()
    for result, engine in compare_all(tasks, jobs, limit):
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
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Only these games; may be given several times.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to play each game.")] = 2.0,
    sheets: Annotated[
        Path | None, typer.Option("--sheets", metavar="DIR", help="Rulesheets of the games that are not bundled.")
    ] = None,
    json: Json = False,
) -> None:
    """Random playouts of rulesheets per CPU-second on one thread, beside other reasoners; the table is Markdown."""
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
