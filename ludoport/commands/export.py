"""``ludoport export``: networks for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.options import OutFile


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder, or file of a network.")],
    out: OutFile = Path("network.onnx"),
) -> None:
    """Write a network as ONNX.

    The metadata holds the meaning of every channel; the player onnx:FILE searches with it.
    """
    from ludoport.nets import load_torch

    load_torch()
    from ludoport.game import load
    from ludoport.nets.export import export_onnx
    from ludoport.nets.files import load_network
    from ludoport.nets.finding import find_network
    from ludoport.nets.guide import fitting_layout

    saved = load_network(find_network(run))
    origin = saved.header.origin
    layout = fitting_layout(load(origin.game, origin.options), origin, str(run))
    export_onnx(saved.net, out, layout.shape[1:], origin, (layout.state_names, layout.move_names))
    typer.echo(f"{out}: {origin.game}, {layout.shape[0]} planes in, {layout.move_shape[0]} planes of moves out")
