"""``ludoport tree transfer`` and ``ludoport tree match``: trees in other games, matches between trees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import (
    Discount,
    GameOfTree,
    Games,
    Json,
    Least,
    Options,
    OutFile,
    OutFileIfAny,
    RulesetName,
    Seed,
    Simulations,
    SourceGame,
    TargetName,
    WorkersOrCores,
)
from ludoport.commands.transfer import TransferProgress, carry_file
from ludoport.errors import LudoportError


def transfer(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Saved tree.")],
    target: TargetName,
    out: OutFile,
    option: Options = None,
    ruleset: RulesetName = None,
    discount: Discount = 1.0,
    source: SourceGame = None,
    json: Json = False,
) -> None:
    """Transfer a search tree to another game.

    States that exist there keep their visits, the rest is pruned. The same as `ludoport transfer` with
    a saved tree. `ludoport tree tune` continues the search from the result.
    """
    from ludoport.transfer.api import TransferSettings, knowledge_in

    kind = knowledge_in(file)
    if kind != "search tree":
        raise LudoportError(f"{file} holds a {kind}, not a search tree; `ludoport transfer` takes all three kinds")
    settings = TransferSettings(discount=discount, source=source, tell=TransferProgress())
    carry_file(str(file), target, out, json, option, ruleset, settings)


def match(
    a: Annotated[Path, typer.Argument(metavar="FILE", help="Saved tree.")],
    b: Annotated[Path, typer.Argument(metavar="FILE", help="Saved tree of the same game.")],
    games: Games = 100,
    simulations: Simulations = 200,
    least: Least = 1,
    seed: Seed = 1,
    workers: WorkersOrCores = None,
    out: OutFileIfAny = None,
    game: GameOfTree = None,
    json: Json = False,
) -> None:
    """Play a match between two saved trees.

    Moves are drawn by visits; where a tree does not know the position, a search decides. Both trees start equally
    often. --out is an SQLite file that keeps all games; the same command resumes from it.
    """
    from ludoport.arena.kinds.tree import tree_player
    from ludoport.arena.match import match as play_match
    from ludoport.search.graph_files import about_of, read_header
    from ludoport.transfer.api import game_of_tree

    abouts = [about_of(read_header(file)) for file in (a, b)]
    if abouts[0].fingerprint != abouts[1].fingerprint:
        raise LudoportError(
            f"trees of different games cannot play each other: {a} belongs to {abouts[0].game}, {b} to "
            f"{abouts[1].game}, or to other rules of it; transfer one first with: ludoport tree transfer"
        )
    one, two = (tree_player(file, simulations=simulations, least=least) for file in (a, b))
    played = play_match(one, two, game_of_tree(abouts[0], game), games, seed=seed, workers=workers, store=out)
    if json:
        print_json(played.as_json())
    else:
        typer.echo(str(played))
