"""``ludoport study NAME``: the studies that are graphs of jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ludoport.commands.common import at_least, counted, print_json
from ludoport.commands.options import (
    Device,
    Json,
    Minutes,
    Only,
    Pack,
    PrepareOnly,
    Ray,
    RayAddress,
    Seed,
    StudyFolder,
    StudyHelpers,
    StudySize,
    StudyWorkers,
    Unpack,
    address_of,
)

if TYPE_CHECKING:
    from ludoport.studies.engine.plan import StudyPlan
    from ludoport.studies.engine.run import Outcome

HELP = {
    "variants": "Transfer networks between variants of a game. Section 4.2 of the paper: zero-shot and fine-tuned.",
    "between": "Transfer networks between games. Section 4.3 of the paper: zero-shot and fine-tuned.",
    "architectures": "Compare network architectures. Section 4.1 and Figure 1 of the paper: matches against UCT.",
    "ablation": "Switch off one training technique at a time. Each then plays against the unchanged preset.",
    "seeds": "Train networks that differ in their random seeds only. Each plays against each.",
    "evidence": "Measure what transfer is worth. Between games of a block, with several seeds and controls.",
    "universal": "Hold out families of games. One network for many games plays them zero-shot, and tuned.",
    "chessplus-knowledge": "Compare three kinds of knowledge at equal compute. Trees, networks and distilled trees.",
    "own": "Run your own study, described by a TOML file.",
}


def make_command(name: str) -> Callable[..., None]:
    """The command of one study."""

    def command(
        preset: StudySize = "tiny",
        out: StudyFolder = None,
        workers: StudyWorkers = None,
        helpers: StudyHelpers = 0,
        device: Device = "cpu",
        ray: Ray = False,
        ray_address: RayAddress = None,
        only: Only = None,
        minutes: Minutes = None,
        pack: Pack = None,
        unpack: Unpack = None,
        prepare: PrepareOnly = False,
        seed: Seed = 1,
        json: Json = False,
    ) -> None:
        means = Means(workers, helpers, device, address_of(ray, ray_address), minutes, pack, unpack, prepare)
        run_named(name, preset, out, means, only or [], seed, json)

    command.__doc__ = HELP[_sort(name)]
    return command


def _sort(name: str) -> str:
    if name.endswith(".toml"):
        return "own"
    if name.startswith("evidence/"):
        return "evidence"
    if name.startswith("variants/"):
        return "variants"
    return name if name in HELP else "between"


@dataclass(frozen=True)
class Means:
    """Workers of a study, their time, and where the study travels; see the options of the command."""

    workers: int | None
    helpers: int
    device: str
    ray_address: str | None
    minutes: float | None
    pack: Path | None
    unpack: Path | None
    prepare: bool


def run_named(
    name: str, preset: str, out: Path | None, means: Means, only: list[str], seed: int, json: bool
) -> None:  # fmt: skip
    """Runs a study of the catalogue and prints its results."""
    from ludoport.commands.study_watch import watching
    from ludoport.nets import require_torch
    from ludoport.nets.devices import require_device
    from ludoport.studies.catalogue import plan_study
    from ludoport.studies.engine.packing import pack, unpack
    from ludoport.studies.engine.run import default_folder, run_study

    require_torch()
    if means.prepare:
        _prepare(plan_study(name, preset, seed, only), out, means, json)
        return
    require_device(means.device, elsewhere=means.ray_address not in (None, "local"))
    if means.minutes is not None:
        at_least("minutes", means.minutes, 0.001)
    usual = 0 if means.ray_address else _cores() if means.device == "cpu" else 1
    count = means.workers if means.workers is not None else usual
    if means.workers is not None:
        at_least("workers", count, 1)
    plan = plan_study(name, preset, seed, only)
    folder = out or default_folder(plan)
    if means.unpack is not None:
        unpack(means.unpack, folder)
    title = f"study {plan.name}, preset {preset}, {folder}"
    found = run_study(
        plan, folder, workers=count, helpers=means.helpers, device=means.device, ray_address=means.ray_address,
        minutes=means.minutes, watching=lambda: watching(folder, title),
    )  # fmt: skip
    if means.pack is not None:
        pack(folder, means.pack)
    _tell(folder, found, json)
    if not found.complete:
        raise typer.Exit(130)
    if found.failed:
        raise typer.Exit(1)


def _prepare(plan: StudyPlan, out: Path | None, means: Means, json: bool) -> None:
    """Make all of a study that needs no device, and pack it if that is wanted."""
    from ludoport.studies.engine.lists import write_list
    from ludoport.studies.engine.packing import pack
    from ludoport.studies.engine.run import default_folder, prepare

    folder = out or default_folder(plan)
    prepare(plan, folder)
    file = write_list(plan.jobs, folder)
    if means.pack is not None:
        pack(folder, means.pack)
    count = len(file.read_text(encoding="utf-8").splitlines())
    if json:
        print_json({"study": plan.name, "folder": str(folder), "list": str(file), "games": count})
    else:
        typer.echo(f"{file}: list of {counted(count, 'game')} for ludoport compile --games")


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tell(folder: Path, found: Outcome, json: bool) -> None:
    from ludoport.studies.engine.store import Store
    from ludoport.studies.soemers.terminal import score_lines, table_lines

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
    typer.echo(f"{found.done} of {found.total} jobs done, {seconds / 60:.1f} minutes of work, in {folder}")
    if cells or scores or _sort(facts["name"]) in ("evidence", "universal", "chessplus-knowledge"):
        typer.echo(f"report with: ludoport report {folder}")
    if not found.complete:
        typer.echo("stopped; the same command resumes")
