"""``ludoport bench ggp``: whether every move comes within its clock while many matches run at once."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from ludoport.commands.common import Json, at_least, print_json


def ggp(
    matches: Annotated[int, typer.Option("--matches", help="How many matches at once.")] = 50,
    playclock: Annotated[float, typer.Option("--playclock", help="Seconds for a move.")] = 1.0,
    startclock: Annotated[float, typer.Option("--startclock", help="Seconds before the first move.")] = 30.0,
    json: Json = False,
) -> None:
    """Let a manager run many matches at once on this machine; the table is Markdown."""
    from ludoport.bench.ggp import CASES, many_at_once

    at_least("matches", matches, 1)
    at_least("playclock", playclock, 0.1)
    at_least("startclock", startclock, 1)
    if not json:
        typer.echo("| game | players | matches | clock s | moves | late | wrong | slowest s | median s | total s |")
        typer.echo("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    rows = []
    for game, agents in CASES:
        row = asyncio.run(many_at_once(game, agents, matches, playclock, startclock))
        rows.append(row)
        if not json:
            typer.echo(
                f"| {row.game} | {row.agents} | {row.matches} | {row.playclock:g} | {row.moves:,} | {row.late} | "
                f"{row.mistakes} | {row.longest:.3f} | {row.median:.3f} | {row.seconds:.1f} |"
            )
    if json:
        print_json([row.record() | {"reached": row.reached} for row in rows])
