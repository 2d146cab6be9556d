"""``ludoport study chessplus``: search trees transferred from chess to Chessplus."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import (
    Json,
    Plots,
    Ray,
    RayAddress,
    Seed,
    StudyFolder,
    StudySize,
    WorkersOrCores,
    cluster,
    option,
)


def chessplus(
    out: StudyFolder = None,
    board: Annotated[str, option("--board", help="Board: gardner (5x5) or 8x8.")] = "gardner",
    preset: StudySize = "thesis",
    network_epochs: Annotated[int, option("--network-epochs", help="Epochs of training networks too; 0: none.")] = 0,
    seed: Seed = 1,
    workers: WorkersOrCores = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    plots: Plots = True,
    json: Json = False,
) -> None:
    """Transfer search trees from chess to Chessplus.

    Trees are built, transferred, tuned, and played against each other. Presets: tiny, thesis, full
    (100 times the simulations), or a factor such as 10x. Ray builds the trees.
    """
    from ludoport.studies.cleaver.run import default_folder, run_study
    from ludoport.studies.cleaver.size import NetworkSize, size_of
    from ludoport.studies.cleaver.study import Study
    from ludoport.studies.report.page import REPORT

    size = size_of(preset)
    if workers is not None:
        at_least("workers", workers, 1)
    on = cluster(ray, ray_address, workers)
    at_least("network-epochs", network_epochs, 0)
    parts = NetworkSize(network_epochs) if network_epochs else None
    folder = out or default_folder(board, preset, seed)
    study = Study(folder, size, board, seed, on, workers, tell=lambda text: typer.echo(text, err=True), networks=parts)
    results = run_study(study, plots=plots)
    if json:
        print_json(results)
        return
    played = results["matches"] | results.get("networks", {}).get("matches", {})
    for name, match in played.items():
        record = match["record"]
        typer.echo(
            f"{name}: +{record['wins']} ={record['draws']} -{record['losses']}, {100 * match['score']:.1f} %, "
            f"p = {match['p_two_sided']:.4g}, gap {match['gap']['value']:+.3f}"
        )
    typer.echo(f"report: {folder / REPORT / 'report.html'}")
