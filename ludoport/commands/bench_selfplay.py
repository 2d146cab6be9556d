"""``ludoport bench selfplay``: speed of self-play and strength of short runs."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import at_least, known_device, print_json
from ludoport.commands.options import Device, Json, MinutesOf, Seconds, Seed, option


def selfplay(
    device: Device = "cpu",
    seconds: Seconds = 3.0,
    play: Annotated[bool, option("--play", help="Train and play too; takes half an hour.")] = False,
    whole: Annotated[bool, option("--whole", help="Measure whole runs instead, from start to file.")] = False,
    minutes: MinutesOf = 2.0,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure self-play: evaluations, whole runs and strength.

    Evaluations per second stand next to those of the bare network. --minutes limits each run of --whole.
    """
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.bench import selfplay as bench

    at_least("seconds", seconds, 0.01)
    known_device(device)
    if whole:
        _whole(device, minutes, json)
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


def _whole(device: str, minutes: float, json: bool) -> None:
    from ludoport.bench import whole

    at_least("minutes", minutes, 0.01)
    runs = []
    for run in whole.measure(device, minutes):
        runs.append(run)
        if not json:
            typer.echo(f"{run.told()}; {'reached' if run.reached else 'not reached'}")
    if json:
        print_json({"runs": [run.record() for run in runs]})
    if not all(run.reached for run in runs):
        raise typer.Exit(1)
