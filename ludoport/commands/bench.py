"""``ludoport bench``: how fast the engine is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json

app = typer.Typer(no_args_is_help=True, help="Measure how fast things are.", rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure how fast things are."""


@app.command()
def engine(
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only these variants; may be given several times.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to play each variant.")] = 2.0,
    loads: Annotated[
        bool, typer.Option("--loads/--no-loads", help="Also measure loading, without and with cache.")
    ] = True,
    curve: Annotated[
        bool, typer.Option("--curve/--no-curve", help="Also measure Hex on boards of growing size.")
    ] = True,
    json: Json = False,
) -> None:
    """Random playouts per CPU-second on one thread, beside Ludii and Regular Boardgames; the table is Markdown."""
    from ludoport.bench import engine as bench_engine
    from ludoport.bench import table

    at_least("seconds", seconds, 0.01)
    names = [name for given in only or [] for name in given.split(",") if name]
    variants = bench_engine.chosen(names)
    rows = []
    if not json:
        typer.echo(table.HEAD)
    for row in bench_engine.rows(variants, seconds, loads):
        rows.append(row)
        if not json:
            typer.echo(table.line(row))
    if not json:
        typer.echo(f"\n{table.totals(rows)}")
    points = list(bench_engine.curve(seconds)) if curve and not names else []
    if json:
        print_json({"rows": [row.record() for row in rows], "curve": [asdict(point) for point in points]})
    elif points:
        typer.echo("\n" + "\n".join(table.curve_lines(points)))
    if any(row.failure is not None for row in rows):
        raise typer.Exit(1)


@app.command()
def gpu(
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only these variants; may be given several times.")
    ] = None,
    batch: Annotated[
        list[int] | None, typer.Option("--batch", help="Games at once; may be given several times.")
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", help="How often each batch is played; the fastest counts.")] = 3,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Random playouts in batches on a CUDA device, compared with the same games on the CPU; the table is Markdown."""
    from ludoport.bench import gpu as bench_gpu
    from ludoport.kernels.cuda import need_device

    at_least("repeats", repeats, 1)
    for count in batch or []:
        at_least("batch", count, 1)
    need_device()
    cases = bench_gpu.chosen([name for given in only or [] for name in given.split(",") if name])
    rows = []
    if not json:
        typer.echo(bench_gpu.HEAD)
    for row in bench_gpu.rows(cases, batch or bench_gpu.BATCHES, repeats, seed):
        rows.append(row)
        if not json:
            typer.echo(bench_gpu.line(row))
    if json:
        print_json({"rows": [row.record() for row in rows], "seed": seed})
    if any(row.failure is not None or not row.identical for row in rows):
        raise typer.Exit(1)
