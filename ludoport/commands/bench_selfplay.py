"""``ludoport bench selfplay``: how fast self-play is, and how strong short runs get."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import Json, Seed, at_least, print_json
from ludoport.errors import LudoportError


def selfplay(
    device: Annotated[str, typer.Option("--device", help="cpu or cuda.")] = "cpu",
    seconds: Annotated[float, typer.Option("--seconds", help="How long to measure each, three times.")] = 3.0,
    play: Annotated[bool, typer.Option("--play", help="Also train and play; takes half an hour.")] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Evaluations per second in self-play beside the bare network's, and the strength of short runs."""
    from ludoport.nets import require_torch

    require_torch()
    from ludoport.bench import selfplay as bench

    at_least("seconds", seconds, 0.01)
    if device not in ("cpu", "cuda"):
        raise LudoportError(f"there is no device `{device}`; it is cpu or cuda")
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
