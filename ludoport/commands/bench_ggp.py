"""``ludoport bench ggp``: whether every move comes within its clock while many matches run at once."""

from __future__ import annotations

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Json, Matches, PlayClock, StartClock


def ggp(
    matches: Matches = 50,
    playclock: PlayClock = 1.0,
    startclock: StartClock = 30.0,
    json: Json = False,
) -> None:
    """Measure late moves of many matches at once.

    One manager runs all matches on this machine; the table is Markdown.
    """
    import asyncio

    from ludoport.bench.ggp import CASES, many_at_once

    at_least("matches", matches, 1)
    at_least("playclock", playclock, 0.1)
    at_least("startclock", startclock, 1)
    if not json:
        typer.echo("| game | players | matches | clock s | moves | late | wrong | slowest s | median s | total s |")
        typer.echo("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    rows = []
    for game, texts in CASES:
        row = asyncio.run(many_at_once(game, texts, matches, playclock, startclock))
        rows.append(row)
        if not json:
            typer.echo(
                f"| {row.game} | {row.players} | {row.matches} | {row.playclock:g} | {row.moves:,} | {row.late} | "
                f"{row.mistakes} | {row.longest:.3f} | {row.median:.3f} | {row.seconds:.1f} |"
            )
    if json:
        print_json([row.record() | {"reached": row.reached} for row in rows])
