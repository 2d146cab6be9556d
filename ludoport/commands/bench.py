"""``ludoport bench``: how fast the engine is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ludoport.commands import bench_chess, bench_ggp, bench_selfplay, bench_study, gdl
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


app.command()(bench_chess.chess)
app.command("gdl")(gdl.bench_gdl)
app.command()(bench_ggp.ggp)
app.command()(bench_selfplay.selfplay)
app.command()(bench_study.study)


@app.command()
def search(
    seconds: Annotated[float, typer.Option("--seconds", help="How long to measure each.")] = 1.0,
    policies: Annotated[
        int,
        typer.Option("--policies", metavar="GAMES", help="Also play the ways to save memory, so many games a pair."),
    ] = 0,
    simulations: Annotated[int, typer.Option("--simulations", help="Iterations a move in those games.")] = 4000,
    pool: Annotated[int, typer.Option("--pool", help="Room of each tree in those games.")] = 6000,
    device: Annotated[bool, typer.Option("--device", help="Also measure a CUDA device.")] = False,
    json: Json = False,
) -> None:
    """Simulations per second beside OpenSpiel's in the same run, threads, memory, and ways to save it."""
    from ludoport.bench import search as bench_search

    at_least("seconds", seconds, 0.01)
    at_least("policies", policies, 0)
    lines = []
    for line in [*bench_search.measure(seconds), *([bench_search.measure_device()] if device else [])]:
        lines.append(line)
        if not json:
            mark = "reached" if line.reached else "not reached"
            typer.echo(f"{line.what}: {line.value:,.0f} {line.unit}; {line.ratio:.2f} times {line.against}, {mark}")
    played = []
    for contest in bench_search.contests(policies, simulations, pool) if policies else ():
        played.append(contest)
        if not json:
            typer.echo(f"{contest.first:>9} {contest.score:g} : {contest.games - contest.score:g} {contest.second}")
    if json:
        print_json({"lines": [line.record() for line in lines], "contests": [asdict(contest) for contest in played]})


@app.command()
def tensors(
    only: Annotated[list[str] | None, typer.Option("--only", metavar="ID", help="Only these variants.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="CPU time for each figure.")] = 1.0,
    batch: Annotated[int, typer.Option("--batch", help="States at once.")] = 4096,
    networks: Annotated[
        bool, typer.Option("--networks/--no-networks", help="Also measure how fast networks judge positions.")
    ] = False,
    json: Json = False,
) -> None:
    """State tensors and slots of legal moves per CPU-second on one thread; also evaluations of networks."""
    from ludoport.bench import tensors as bench_tensors

    at_least("seconds", seconds, 0.01)
    at_least("batch", batch, 1)
    names = [name for given in only or [] for name in given.split(",") if name]
    rows = []
    if not json:
        typer.echo(bench_tensors.HEAD)
    for row in bench_tensors.rows(names, seconds, batch):
        rows.append(row)
        if not json:
            typer.echo(bench_tensors.line(row))
    judged = _networks(json) if networks else []
    if json:
        print_json({"rows": [row.record() for row in rows], "networks": judged})
    if any(row.failure is not None for row in rows):
        raise typer.Exit(1)


def _networks(json: bool) -> list[dict[str, object]]:
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.bench import nets

    records = []
    if not json:
        typer.echo("\n" + nets.HEAD)
    for row in nets.rows(device="cuda" if _has_cuda() else "cpu"):
        records.append(row.record())
        if not json:
            typer.echo(nets.line(row))
    return records


def _has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()
