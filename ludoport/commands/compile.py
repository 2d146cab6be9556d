"""``ludoport compile``: compile CUDA kernels ahead of time."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from ludoport.commands.common import at_least, counted, print_json
from ludoport.commands.options import GameList, Json, Layout, Options, Workers, option
from ludoport.errors import LudoportError


def compile(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Names of bundled games, or game files.")
    ] = None,
    games: GameList = None,
    options: Options = None,
    layout: Layout = None,
    capability: Annotated[str, option("--capability", metavar="X.Y", help="Compute capability of the device.")] = "9.0",
    workers: Workers = 1,
    json: Json = False,
) -> None:
    """Compile the CUDA kernels of games ahead of time.

    They are those of self-play and duels. No device is needed, only numba-cuda and ptxas. Copy the folders `cuda` and
    `found` of the cache (LUDOPORT_CACHE) to machines with the same versions of numba and numba-cuda: training starts
    there without compiling. An interrupted command resumes.
    """
    from ludoport.kernels.cuda_absent import read_capability
    from ludoport.selfplay.ahead import prepare_games
    from ludoport.selfplay.lists import Entry, game_list, read_entry

    wanted = read_capability(capability)
    at_least("workers", workers, 1)
    entries = [Entry(name, tuple(options or ())) for name in names or ()]
    entries += [read_entry(line) for line in (game_list(games) if games else ())]
    if not entries:
        raise LudoportError("name games, or a list of games with --games")
    found: list[dict[str, Any]] = []
    for made in prepare_games(entries, layout or "compact", wanted, workers):
        found.append({**asdict(made), "kernels": len(made.files), "seconds": round(made.seconds, 2)})
        if not json:
            kernels = counted(len(made.files), "kernel")
            typer.echo(f"{made.game}: {kernels}, {made.bytes / 1e6:.1f} MB, {made.seconds:.1f} s")
    if json:
        print_json({"capability": capability, "games": found})
    elif len(found) > 1:
        typer.echo(f"{counted(len(found), 'game')}, {sum(record['bytes'] for record in found) / 1e6:.1f} MB")
