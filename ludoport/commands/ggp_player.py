"""``ludoport ggp player`` and ``ludoport ggp agents``: take part in matches."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Seed, at_least
from ludoport.errors import LudoportError

Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what happens.")]


def player(
    port: Annotated[int, typer.Option("--port", help="Where to listen; 0 lets the system choose.")] = 9147,
    host: Annotated[str, typer.Option("--host", help="On which address to listen; 0.0.0.0 for all.")] = "127.0.0.1",
    agent: Annotated[str, typer.Option("--agent", help="Who chooses; `ludoport ggp agents` lists them.")] = "uct",
    features: Annotated[
        Path | None, typer.Option("--features", metavar="FILE", help="Features that a learner begins with.")
    ] = None,
    memory: Annotated[
        Path | None, typer.Option("--memory", metavar="FOLDER", help="Where a learner keeps what it has learned.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="How the player calls itself.")] = "",
    matches: Annotated[int, typer.Option("--matches", help="Most matches at once.")] = 64,
    expire: Annotated[
        float, typer.Option("--expire", help="Seconds after which a match is given up whose manager is silent.")
    ] = 120.0,
    seed: Seed = 1,
    verbose: Verbose = False,
) -> None:
    """Take part in matches until interrupted."""
    from ludoport.ggp.player import serve_player
    from ludoport.ggp.settings import PlayerSettings

    if not 0 <= port < 65536:
        raise LudoportError(f"the port must be between 0 and 65535, not {port}")
    at_least("matches", matches, 1)
    at_least("expire", expire, 0)
    log(verbose)
    chosen = with_files(agent, features, memory)
    settings = PlayerSettings(agent=chosen, name=name, matches=matches, expire=expire, seed=seed)
    asyncio.run(serve_player(settings, host, port, lambda found: typer.echo(f"{agent} listens on {host}:{found}")))


def agents() -> None:
    """List the kinds of agents."""
    from ludoport.ggp.agent import kinds

    for kind in kinds():
        typer.echo(f"{kind.name:<10} {kind.usage}")


def with_files(agent: str, features: Path | None, memory: Path | None) -> str:
    """An agent's text with the files of a learner in it."""
    from ludoport.arena.specification import read, write

    given = {name: path for name, path in (("memory", memory), ("features", features)) if path is not None}
    specification = read(agent)
    if given and specification.kind.lower() != "learner":
        raise LudoportError(f"--{next(iter(given))} is for the agent `learner`, not for `{specification.kind}`")
    settings: dict[str, object] = dict(specification.settings)
    for name, path in given.items():
        if name in settings:
            raise LudoportError(f"the agent `{agent}` already has {name}; leave out one of the two")
        if "," in str(path):
            raise LudoportError(f"the path {path} has a comma in it, which parts settings; choose another one")
        settings[name] = path
    return write(specification.kind, specification.main, settings)


def log(verbose: bool) -> None:
    """Begin to tell people what happens."""
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
