"""``ludoport vary``: small games, varied by program."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Json, OutFolder, Seed, option


def vary(
    out: OutFolder,
    count: Annotated[int, option("--count", help="Number of games to write.")] = 20,
    family: Annotated[
        list[str] | None, option("--family", metavar="NAME", help="Family of games to write.", default="all")
    ] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Write small games that differ, for `ludoport train --games`.

    Boards, line lengths, goals, moves of pieces and verdicts differ. Every game ends, and neither random play nor the
    first moves decide it. The same seed writes the same games.
    """
    from ludoport.varied.making import LIST, write_games

    at_least("count", count, 1)
    written = []
    for made in write_games(out, count, seed, tuple(family or ())):
        written.append(str(out / f"{made.name}.lud"))
        if not json:
            typer.echo(written[-1])
    if json:
        print_json({"games": written, "list": str(out / LIST), "seed": seed})
    else:
        typer.echo(f"{out / LIST}: list of {count} game{'s' if count != 1 else ''} for ludoport train --games")
