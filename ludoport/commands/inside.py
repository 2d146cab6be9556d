"""``ludoport inside``: what a network for many games makes of the texts of games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import GameList, Json, Seed, option
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game


def inside(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run or network for many games.")],
    games: GameList = None,
    tokens: Annotated[int, option("--tokens", help="Tokens to print for each game.")] = 5,
    against: Annotated[
        str | None, option("--by", metavar="PLAYER", help="Player of games to compare with.", default="none")
    ] = None,
    matches: Annotated[int, option("--plays", help="Number of games of that player against itself.")] = 40,
    map_file: Annotated[
        Path | None, option("--picture", metavar="FILE", help="Picture of distances between games.", default="none")
    ] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Show what a network for many games reads in game files.

    For each game of the run, or of --games (`bundled` takes all): the result that the network expects before a move is
    played, and the tokens that change its judgement of random positions most. --picture draws games with similar rules
    near each other.
    """
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.analysis.inside import believe, draw_map, rule_distances, token_effects
    from ludoport.descriptions.game import describe
    from ludoport.nets.finding import find_network
    from ludoport.nets.universal.files import load_universal

    saved = load_universal(find_network(run))
    chosen = _games(games, saved.games)
    found = []
    for game in chosen:
        belief = believe(saved.net, game, against or "", matches, seed)
        effects = token_effects(saved.net, game, seed=seed)[:tokens] if tokens else []
        found.append({**belief.as_json(), "tokens": [vars(effect) for effect in effects]})
        if not json:
            played = "" if belief.played is None else f", {against}: {belief.played.text(100, ' %', 0)}"
            typer.echo(
                f"{belief.game}: first player {100 * belief.first:.0f} %, draws {100 * belief.draw:.0f} %{played}"
            )
            for effect in effects:
                typer.echo(f"    {effect.part:<5} {effect.token}  value {effect.value:.3f}, policy {effect.policy:.3f}")
    distances = rule_distances(saved.net, [describe(game) for game in chosen])
    if map_file is not None:
        draw_map([game.title for game in chosen], distances, map_file)
    if json:
        print_json({"games": found, "distances": distances.round(6).tolist()})
    elif map_file is not None:
        typer.echo(f"{map_file}: map of {len(chosen)} games")


def _games(given: str | None, learned: tuple[str, ...]) -> list[Game]:
    """The games of a list, of the run, or all bundled games for two players."""
    from ludoport.selfplay.lists import game_list, read_entry

    if given != "bundled":
        return [read_entry(line).load() for line in (learned if given is None else game_list(given))]
    import ludoport as lp
    from ludoport.tensors.layout import tensor_layout

    found = []
    for record in lp.games():
        if record.players == 2:
            game = lp.load(record.name)
            try:
                tensor_layout(game)
            except LudoportError:
                continue
            found.append(game)
    return found
