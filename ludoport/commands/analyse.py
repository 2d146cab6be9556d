"""``ludoport analyse``: how a game plays, for people who design games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import load_game, named, print_json
from ludoport.commands.options import (
    GameName,
    GamesIfAny,
    Json,
    Limit,
    Options,
    RulesetName,
    Seconds,
    Seed,
    SimulationsIfAny,
    option,
)


def analyse(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    seconds: Seconds = 10.0,
    games: GamesIfAny = None,
    simulations: SimulationsIfAny = None,
    limit: Limit = 1000,
    seed: Seed = 1,
    html: Annotated[Path | None, option("--html", metavar="FILE", help="HTML page to write.", default="none")] = None,
    json: Json = False,
) -> None:
    """Report how a game plays, for people who design games.

    Random games and games of UCT show balance between seats, length, draws, choices, changes of the lead, whether
    better search wins, and first moves; with 95 % intervals. With --games the same command gives the same report.
    """
    from ludoport.analysis.analyse import analyse as find_out
    from ludoport.files import write_atomically
    from ludoport.progress import bar, live

    loaded = load_game(game, option, ruleset)
    with live(False if json else None) as show:
        report = find_out(
            loaded,
            seconds,
            games=games,
            simulations=simulations,
            seed=seed,
            limit=limit,
            progress=lambda stage, share: show(f"{stage:<12} {bar(int(100 * share), 100)}"),
        )
    if html is not None:
        write_atomically(html, report.page())
    if json:
        print_json({**report.as_json(), **named(loaded, option, ruleset)})
    else:
        typer.echo(repr(report))
