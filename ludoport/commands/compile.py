"""``ludoport compile``: compile CUDA kernels ahead of time."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from ludoport.commands.common import load_game, print_json
from ludoport.commands.options import Json, Layout, Options, option


def compile(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="Names of bundled games, or game files.")],
    options: Options = None,
    layout: Layout = None,
    capability: Annotated[str, option("--capability", metavar="X.Y", help="Compute capability of the device.")] = "9.0",
    json: Json = False,
) -> None:
    """Compile the CUDA kernels of games ahead of time.

    They are those of self-play and duels. No device is needed, only numba-cuda and ptxas. Copy the folder `cuda` of the
    cache (LUDOPORT_CACHE) to machines with the same versions of numba and numba-cuda: training starts there without
    compiling.
    """
    from ludoport.kernels.cuda_absent import read_capability
    from ludoport.selfplay.device_kernels import compile_ahead
    from ludoport.tensors.layout import tensor_layout

    wanted = read_capability(capability)
    found = []
    for name in games:
        begin, game = time.perf_counter(), load_game(name, options)
        paths = list(compile_ahead(game, tensor_layout(game, layout or "compact"), wanted))  # type: ignore[arg-type]
        size, seconds = sum(path.stat().st_size for path in paths), time.perf_counter() - begin
        record = {"game": game.name, "kernels": len(paths), "bytes": size, "seconds": round(seconds, 2)}
        found.append(record | {"files": [str(path) for path in paths]})
        if not json:
            typer.echo(f"{game.name}: {len(paths)} kernels, {size / 1e6:.1f} MB, {seconds:.1f} s")
    if json:
        print_json({"capability": capability, "games": found})
