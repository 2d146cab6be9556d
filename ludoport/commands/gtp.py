"""``ludoport gtp``: an engine for programs of Go, Hex and other placement games."""

from __future__ import annotations

from typing import Annotated

from ludoport.commands.common import at_least
from ludoport.commands.options import GameName, GgpPlayer, Options, Seed, option


def gtp(
    game: GameName = "Go",
    options: Options = None,
    player: GgpPlayer = "uct",
    move_seconds: Annotated[float, option("--move-seconds", help="Seconds for a move where no clock is set.")] = 1.0,
    seed: Seed = 1,
) -> None:
    """Answer a Go or Hex program as a GTP engine.

    The program chooses the size of the board, among those that the game has as options.
    """
    from ludoport.bridges.gtp import GtpEngine, GtpSettings

    at_least("move-seconds", move_seconds, 0.001)
    GtpEngine(GtpSettings(game, tuple(options or ()), player, move_seconds, seed)).run()
