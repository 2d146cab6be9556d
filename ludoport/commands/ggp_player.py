"""``ludoport ggp player`` and ``ludoport ggp players``: take part in matches."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import at_least
from ludoport.commands.options import AllowHost, FeatureFile, GgpPlayer, Host, Parallel, Port, Seed, Verbose, option
from ludoport.errors import LudoportError


def player(
    port: Port = 9147,
    host: Host = "127.0.0.1",
    player: GgpPlayer = "uct",
    features: FeatureFile = None,
    memory: Annotated[
        Path | None, option("--memory", metavar="FOLDER", help="Folder in which a learner keeps its knowledge.")
    ] = None,
    name: Annotated[str, option("--name", help="Name that the player reports to managers.")] = "",
    parallel: Parallel = 64,
    games: Annotated[int, option("--rulesheets", help="Most rulesheets played at once; each has a process.")] = 8,
    allow_host: AllowHost = [],  # noqa: B006
    expire: Annotated[float, option("--expire", help="Seconds of silence after which a match is dropped.")] = 120.0,
    seed: Seed = 1,
    verbose: Verbose = False,
) -> None:
    """Take part in matches until interrupted."""
    from ludoport.ggp.http import ServerLimits
    from ludoport.ggp.player import serve_player
    from ludoport.ggp.settings import PlayerSettings

    if not 0 <= port < 65536:
        raise LudoportError(f"the port must be between 0 and 65535, not {port}")
    at_least("parallel", parallel, 1)
    at_least("expire", expire, 0)
    log(verbose)
    chosen = with_files(player, features, memory)
    at_least("games", games, 1)
    limits = ServerLimits(hosts=tuple(allow_host))
    settings = PlayerSettings(
        player=chosen, name=name, matches=parallel, games=games, expire=expire, seed=seed, limits=limits
    )
    asyncio.run(serve_player(settings, host, port, lambda found: typer.echo(f"{player} listens on {host}:{found}")))


def players() -> None:
    """List the kinds of players."""
    from ludoport.ggp.role_player import kinds

    for kind in kinds():
        typer.echo(f"{kind.name:<10} {kind.usage}")


def with_files(player: str, features: Path | None, memory: Path | None) -> str:
    """A player's specification with the files of a learner in it."""
    from ludoport.arena.specification import read, write

    given = {name: path for name, path in (("memory", memory), ("features", features)) if path is not None}
    specification = read(player)
    if given and specification.kind.lower() != "learner":
        raise LudoportError(f"--{next(iter(given))} is for the player `learner`, not for `{specification.kind}`")
    settings: dict[str, object] = dict(specification.settings)
    for name, path in given.items():
        if name in settings:
            raise LudoportError(f"the player `{player}` already sets {name}; leave out one of the two")
        if "," in str(path):
            raise LudoportError(f"{path}: a comma separates settings; choose a path without one")
        settings[name] = path
    return write(specification.kind, specification.main, settings)


def log(verbose: bool) -> None:
    """Starts logging to standard error."""
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
