"""``ludoport bench``: measurements of speed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ludoport.commands import bench_chess, bench_ggp, bench_peers, bench_selfplay, bench_study, gdl
from ludoport.commands.common import at_least, known_device, print_json
from ludoport.commands.options import Batch, Batches, Device, Json, Nodes, Only, Seconds, Seed, Simulations, option

app = typer.Typer(no_args_is_help=True, help="Measure speed.", rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure speed."""


@app.command()
def engine(
    only: Only = None,
    seconds: Seconds = 2.0,
    loads: Annotated[bool, option("--loads/--no-loads", help="Measure loading with and without cache.")] = True,
    curve: Annotated[bool, option("--curve/--no-curve", help="Measure Hex on boards of growing size.")] = True,
    json: Json = False,
) -> None:
    """Measure random playouts on one CPU thread.

    Prints a Markdown table next to the published speeds of Ludii and Regular Boardgames.
    """
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
    only: Only = None,
    batch: Batches = None,
    repeats: Annotated[int, option("--repeats", help="Number of runs of each batch; the fastest counts.")] = 3,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure random playouts on a CUDA device.

    Prints a Markdown table, and compares the games with the same ones on the CPU.
    """
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
app.command()(bench_peers.peers)


@app.command()
def search(
    seconds: Seconds = 1.0,
    policies: Annotated[
        int, option("--policies", metavar="GAMES", help="Number of games between each pair of memory policies.")
    ] = 0,
    simulations: Simulations = 4000,
    nodes: Nodes = 6000,
    device: Device = "cpu",
    json: Json = False,
) -> None:
    """Measure simulations per second, threads and memory.

    OpenSpiel is measured in the same run where it is installed. --policies lets the
    memory policies play each other; --simulations and --nodes apply to those games.
    """
    from ludoport.bench import search as bench_search

    at_least("seconds", seconds, 0.01)
    at_least("policies", policies, 0)
    known_device(device)
    lines = []
    for line in [*bench_search.measure(seconds), *([bench_search.measure_device()] if device == "cuda" else [])]:
        lines.append(line)
        if not json:
            mark = "reached" if line.reached else "not reached"
            typer.echo(f"{line.what}: {line.value:,.0f} {line.unit}; {line.ratio:.2f} times {line.against}, {mark}")
    played = []
    for contest in bench_search.contests(policies, simulations, nodes) if policies else ():
        played.append(contest)
        if not json:
            typer.echo(f"{contest.first:>9} {contest.score:g} : {contest.games - contest.score:g} {contest.second}")
    if json:
        print_json({"lines": [line.record() for line in lines], "contests": [asdict(contest) for contest in played]})


@app.command()
def tensors(
    only: Only = None,
    seconds: Seconds = 1.0,
    batch: Batch = 4096,
    networks: Annotated[bool, option("--networks/--no-networks", help="Measure evaluations of networks.")] = False,
    json: Json = False,
) -> None:
    """Measure state tensors, move slots, and networks."""
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
    from ludoport.nets import load_torch

    load_torch()
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
