"""``ludoport bench selfplay``: speed of self-play and strength of short runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import at_least, known_device, print_json
from ludoport.commands.options import (
    Device,
    Games,
    Json,
    MinutesOf,
    Only,
    OutFolder,
    Seconds,
    Seed,
    StudySize,
    TrainSettings,
    option,
)

if TYPE_CHECKING:
    from ludoport.bench.goals import Measuring


def selfplay(
    device: Device = "cpu",
    seconds: Seconds = 3.0,
    play: Annotated[bool, option("--play", help="Train and play too; takes half an hour.")] = False,
    whole: Annotated[bool, option("--whole", help="Measure whole runs, starts and strength instead.")] = False,
    part: Annotated[list[str] | None, option("--part", metavar="NAME", help="Part of --whole to measure.")] = None,
    out: OutFolder = Path("runs/bench-selfplay"),
    minutes: MinutesOf = 2.0,
    games: Games = 300,
    only: Only = None,
    set_: TrainSettings = None,
    preset: StudySize = "small",
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure self-play: evaluations, whole runs and strength.

    Evaluations per second stand next to those of the bare network.

    --whole compares whole runs with what they should reach. Each figure is kept in --out as soon as it is measured: the
    same command measures only parts that are missing or were cut off, and prints everything. --only restricts the
    games whose start is measured.
    """
    from ludoport.nets import load_torch

    load_torch()
    from ludoport.bench import selfplay as bench

    at_least("seconds", seconds, 0.01)
    known_device(device)
    if whole:
        from ludoport.bench.goals import Measuring

        at_least("minutes", minutes, 0.001)
        at_least("games", games, 1)
        _whole(Measuring(device, out, minutes, games, tuple(set_ or ()), tuple(only or ()), preset), part or [], json)
        return
    lines = []
    for found in bench.measure(device, seconds):
        lines.append(found.record())
        if not json:
            mark = "reached" if found.reached else "not reached"
            typer.echo(
                f"{found.what}: {found.value:,.0f} {found.unit}; {found.ratio:.2f} times {found.against}, {mark}"
            )
    outcomes = []
    for outcome in bench.strength(device=device, seed=seed) if play else ():
        outcomes.append(outcome.record())
        if not json:
            check, (low, high) = outcome.check, outcome.interval
            goal = "no loss" if check.lossless else f"{100 * check.goal:.0f} %" if check.goal else ""
            mark = f"; goal {goal}: {'reached' if outcome.reached else 'not reached'}" if goal else ""
            typer.echo(
                f"{' '.join([check.game, *check.options])}, {check.minutes:g} min, {check.simulations} simulations "
                f"against {check.opponent}: +{outcome.wins} ={outcome.draws} -{outcome.losses}, "
                f"{100 * outcome.score:.1f} % ({100 * low:.1f} to {100 * high:.1f} %){mark}"
            )
    if json:
        print_json({"lines": lines, "checks": outcomes, "seed": seed})
    if not all(entry["reached"] for entry in [*lines, *outcomes]):
        raise typer.Exit(1)


def _whole(plan: Measuring, parts: list[str], json: bool) -> None:
    from ludoport.bench import goals

    found: dict[str, dict[str, goals.Goal]] = {}
    for name, figure in goals.measure(plan, parts):
        if not json:
            if name not in found:
                typer.echo(name)
            typer.echo(f"  {figure.told()}")
        found.setdefault(name, {})[figure.what] = figure
    reached = [figure.reached for figures in found.values() for figure in figures.values()]
    if json:
        print_json({name: [figure.record() for figure in figures.values()] for name, figures in found.items()})
    else:
        typer.echo(f"{sum(reached)} of {len(reached)} figures reached")
    if not all(reached):
        raise typer.Exit(1)
