"""``ludoport study NAME``: the studies that are graphs of jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json

if TYPE_CHECKING:
    from ludoport.studies.run import Outcome

HELP = {
    "variants": "Carry networks between variants of a game, tune them, and let them play (section 4.2 of the paper).",
    "between": "Carry networks from games to other games, tune them, and let them play (section 4.3 of the paper).",
    "architectures": "Train networks of many shapes and let them play UCT (section 4.1 and Figure 1 of the paper).",
    "ablation": "Switch one technique of training at a time, and let it play the unchanged preset.",
    "own": "A study of one's own, described by a TOML file.",
}


def make_command(name: str) -> Callable[..., None]:
    """The command of one study."""

    def command(
        preset: Annotated[str, typer.Option("--preset", help="How large: tiny (CPU), small (one GPU) or paper.")] = (
            "tiny"
        ),
        out: Annotated[
            Path | None,
            typer.Option("--out", metavar="FOLDER", help="Keeps everything; the same command goes on with it."),
        ] = None,
        workers: Annotated[
            int | None, typer.Option("--workers", help="Processes; all cores on a CPU, 1 with a GPU.")
        ] = None,
        device: Annotated[str, typer.Option("--device", help="Where networks are: cpu or cuda.")] = "cpu",
        ray_address: Annotated[
            str | None,
            typer.Option("--ray-address", metavar="HOST:PORT", help="Work on this Ray; `local` for one of our own."),
        ] = None,
        only: Annotated[
            list[str] | None,
            typer.Option("--only", metavar="NAME", help="Only this variant or setting; may be given several times."),
        ] = None,
        minutes: Annotated[float | None, typer.Option("--minutes", help="Stop after so long, to go on later.")] = None,
        seed: Seed = 1,
        json: Json = False,
    ) -> None:
        run_named(name, preset, out, workers, device, ray_address, only or [], minutes, seed, json)

    command.__doc__ = HELP[_sort(name)]
    return command


def _sort(name: str) -> str:
    if name.endswith(".toml"):
        return "own"
    if name.startswith("variants/"):
        return "variants"
    return name if name in HELP else "between"


def run_named(
    name: str,
    preset: str,
    out: Path | None,
    workers: int | None,
    device: str,
    ray_address: str | None,
    only: list[str],
    minutes: float | None,
    seed: int,
    json: bool,
) -> None:
    """Run a study of the catalogue and say what came out."""
    from ludoport.commands.study_watch import watching
    from ludoport.nets import require_torch
    from ludoport.nets.devices import require_device
    from ludoport.studies.catalogue import plan_study
    from ludoport.studies.run import default_folder, run_study

    require_torch()
    require_device(device, elsewhere=ray_address not in (None, "local"))
    if minutes is not None:
        at_least("minutes", minutes, 0.001)
    count = workers if workers is not None else _cores() if device == "cpu" else 1
    at_least("workers", count, 1)
    plan = plan_study(name, preset, seed, only)
    folder = out or default_folder(plan)
    title = f"study {plan.name}, preset {preset}, {folder}"
    found = run_study(
        plan, folder, workers=count, device=device, ray_address=ray_address, minutes=minutes,
        watching=lambda: watching(folder, title),
    )  # fmt: skip
    _tell(folder, found, json)
    if not found.complete:
        raise typer.Exit(130)
    if found.failed:
        raise typer.Exit(1)


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tell(folder: Path, found: Outcome, json: bool) -> None:
    from ludoport.studies.store import Store
    from ludoport.studies.tables import score_lines, table_lines

    with Store(folder, create=False) as store:
        facts, cells, scores, seconds = store.facts(), store.cells(), store.scores(), store.seconds()
    if json:
        answer: dict[str, Any] = {"study": facts["name"], "folder": str(folder), **asdict(found)}
        answer |= {"seconds": round(seconds, 1), "cells": [asdict(cell) for cell in cells]}
        print_json(answer | {"scores": [asdict(score) for score in scores]})
        return
    for line in (*table_lines(cells, facts["tables"]), *score_lines(scores)):
        typer.echo(line)
    for job, error in found.failed.items():
        typer.echo(f"failed: {job}: {error}")
    typer.echo(f"{found.done} of {found.total} jobs, {seconds / 60:.1f} minutes of work, {folder}")
    if cells or scores:
        typer.echo(f"`ludoport report {folder}` writes tables, figures and one page about it")
    if not found.complete:
        typer.echo("stopped; the same command goes on")
