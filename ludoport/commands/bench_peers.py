"""``ludoport bench peers``: speeds beside those of OpenSpiel and Pgx."""

from __future__ import annotations

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Json, Only, Seconds


def peers(only: Only = None, seconds: Seconds = 2.0, json: Json = False) -> None:
    """Measure playouts and UCT beside OpenSpiel and Pgx.

    Prints a Markdown table: per CPU-second, and how many times as fast ours are. What is not installed is left out.
    """
    from ludoport.bench import peers as bench_peers

    at_least("seconds", seconds, 0.01)
    names = [name for given in only or [] for name in given.split(",") if name]
    lines = []
    if not json:
        typer.echo(bench_peers.HEAD)
    for line in bench_peers.lines(names, seconds):
        lines.append(line)
        if not json:
            typer.echo(bench_peers.table_line(line))
    if json:
        print_json([line.record() for line in lines])
