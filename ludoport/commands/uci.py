"""``ludoport uci``: an engine for chess programs."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.options import GgpPlayer, Seed


def uci(
    variant: Annotated[
        str, typer.Argument(metavar="GAME", help="Game of the chess family, such as chessplus or gardner.")
    ] = "chess",
    player: GgpPlayer = "uct",
    seed: Seed = 1,
) -> None:
    """Answer a chess program as a UCI engine.

    The options UCI_Variant and Player choose the game and the player later.
    """
    from ludoport.bridges.uci import UciEngine, UciSettings
    from ludoport.languages import find_game

    find_game(variant, "chess")  # a chess program would not show what is wrong
    UciEngine(UciSettings(variant, player, seed)).run()
