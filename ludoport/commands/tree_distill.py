"""``ludoport tree distill``: a saved tree becomes a network."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import at_least, counted, print_json
from ludoport.commands.options import (
    BestDevice,
    GameOfTree,
    Json,
    Least,
    OutFile,
    Seed,
    TrainPreset,
    TrainSettings,
    option,
)
from ludoport.commands.train import changed


def distill(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Saved tree.")],
    out: OutFile,
    least: Least = 32,
    batches: Annotated[
        int | None, option("--batches", help="Number of batches to learn from.", default="20 passes over the positions")
    ] = None,
    preset: TrainPreset = "tiny",
    set_: TrainSettings = None,
    seed: Seed = 1,
    device: BestDevice = None,
    game: GameOfTree = None,
    json: Json = False,
) -> None:
    """Train a network on the positions of a saved tree.

    The policy learns the visits of the moves, the value the mean results. The network plays with `net:FILE`, and
    `ludoport transfer` carries it to other games, also to those that share no position with the tree.
    """
    from ludoport.nets import load_torch

    load_torch()
    from ludoport.nets.devices import require_device
    from ludoport.search.graph_files import read_graph
    from ludoport.selfplay.api import best_device
    from ludoport.selfplay.config import preset as configured
    from ludoport.selfplay.distilling import distill as learn
    from ludoport.transfer.api import game_of_tree

    at_least("least", least, 1)
    if batches is not None:
        at_least("batches", batches, 1)
    device = device or best_device()
    require_device(device)
    graph = read_graph(file)
    made = learn(
        graph, game_of_tree(graph.about, game), out, configured(preset, **{**changed(set_), "seed": seed}),
        least=least, batches=batches, device=device,
    )  # fmt: skip
    if json:
        print_json({**asdict(made), "file": str(made.file)})
        return
    typer.echo(f"{made.file}: a network of {graph.about.game}")
    typer.echo(f"  learned {counted(made.positions, 'position')} of the tree from {counted(made.batches, 'batch')}")
    typer.echo(f"  policy loss {made.policy:.3f}, value loss {made.value:.3f}")
