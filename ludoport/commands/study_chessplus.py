"""``ludoport study chessplus``: search trees from chess to Chessplus, and whether that helps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json


def chessplus(
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Keeps everything; the same command goes on with it.")
    ] = Path("chessplus"),
    board: Annotated[str, typer.Option("--board", help="gardner (5x5) or 8x8.")] = "gardner",
    preset: Annotated[
        str, typer.Option("--preset", help="How large: tiny, thesis, full (100 times), or 10x and the like.")
    ] = "thesis",
    networks: Annotated[
        int, typer.Option("--networks", metavar="EPOCHS", help="Also train networks for so many epochs; 0 for none.")
    ] = 0,
    seed: Seed = 1,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Threads that build trees and processes that play; all cores.")
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Build the trees on a Ray of our own.")] = False,
    ray_address: Annotated[
        str | None, typer.Option("--ray-address", metavar="HOST:PORT", help="Build them on this cluster.")
    ] = None,
    json: Json = False,
) -> None:
    """Build trees of chess and Chessplus, carry one over, tune it, and let the trees play each other."""
    from ludoport.search.build import Cluster
    from ludoport.studies.chessplus import Study, run_study
    from ludoport.studies.chessplus_networks import NetworkSize
    from ludoport.studies.chessplus_size import size_of

    size = size_of(preset)
    if workers is not None:
        at_least("workers", workers, 1)
    on = Cluster(ray or ray_address is not None, ray_address, workers)
    at_least("networks", networks, 0)
    parts = NetworkSize(networks) if networks else None
    study = Study(out, size, board, seed, on, workers, tell=lambda text: typer.echo(text, err=True), networks=parts)
    results = run_study(study)
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
    typer.echo(f"{out / 'report.md'} tells everything")
