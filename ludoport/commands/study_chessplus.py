"""``ludoport study chessplus``: search trees from chess to Chessplus, and whether that helps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json
from ludoport.errors import LudoportError


def chessplus(
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Keeps everything; the same command goes on with it.")
    ] = Path("chessplus"),
    board: Annotated[str, typer.Option("--board", help="gardner (5x5) or 8x8.")] = "gardner",
    preset: Annotated[str, typer.Option("--preset", help="How large: tiny, thesis or full (100 times).")] = "thesis",
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
    from ludoport.studies.chessplus import PRESETS, Study, run_study

    if preset not in PRESETS:
        raise LudoportError(f"there is no preset `{preset}`; there are {', '.join(PRESETS)}")
    if workers is not None:
        at_least("workers", workers, 1)
    on = Cluster(ray or ray_address is not None, ray_address, workers)
    study = Study(out, PRESETS[preset], board, seed, on, workers, tell=lambda text: typer.echo(text, err=True))
    results = run_study(study)
    if json:
        print_json(results)
        return
    for name, match in results["matches"].items():
        record = match["record"]
        typer.echo(
            f"{name}: +{record['wins']} ={record['draws']} -{record['losses']}, {100 * match['score']:.1f} %, "
            f"p = {match['p_two_sided']:.4g}, gap {match['gap']['value']:+.3f}"
        )
    typer.echo(f"{out / 'report.md'} tells everything")
