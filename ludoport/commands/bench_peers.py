"""``ludoport bench peers``: speeds beside those of OpenSpiel and Pgx."""

from __future__ import annotations

import typer

from ludoport.commands.common import at_least, known_device, print_json
from ludoport.commands.options import Device, Json, Only, Seconds


def peers(only: Only = None, seconds: Seconds = 2.0, device: Device = "cpu", json: Json = False) -> None:
    """Measure playouts, steps and UCT beside OpenSpiel and Pgx.

    Prints a Markdown table: per CPU-second (on a GPU per second), and how many times as fast ours are. What is not
    installed is left out. With --device cuda, playouts and steps of ours and of Pgx on the GPU.
    """
    from ludoport.bench import peers as bench_peers

    at_least("seconds", seconds, 0.01)
    known_device(device)
    names = [name for given in only or [] for name in given.split(",") if name]
    lines = []
    if not json:
        typer.echo(bench_peers.HEAD)
    for line in bench_peers.lines(names, seconds, device):
        lines.append(line)
        if not json:
            typer.echo(bench_peers.table_line(line))
    if json:
        print_json([line.record() for line in lines])
