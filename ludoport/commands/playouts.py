"""``ludoport playouts``: how fast uniformly random games run."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import GameName, Json, Options, RulesetName, Seed, at_least, load_game, named, print_json


def playouts(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="How long to play (2 unless --count is given).")
    ] = None,
    count: Annotated[int | None, typer.Option("--count", help="How many games to play.")] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Play uniformly random games on one thread and say how many a second."""
    if seconds is not None:
        at_least("seconds", seconds, 0.001)
    if count is not None:
        at_least("count", count, 1)
    if seconds is None and count is None:
        seconds = 2.0
    loaded = load_game(game, option, ruleset)
    loaded.playouts(count=1, seed=seed)  # compiling is no part of the speed
    stats = loaded.playouts(seconds=seconds, count=count, seed=seed)
    if json:
        print_json(
            {
                **named(loaded, option, ruleset),
                "playouts": int(stats.playouts),
                "moves": int(stats.moves),
                "seconds": round(float(stats.seconds), 4),
                "playouts_per_second": round(float(stats.playouts_per_second), 3),
                "moves_per_second": round(float(stats.moves_per_second), 1),
                "mean_moves": round(float(stats.mean_moves), 3),
                "seed": seed,
            }
        )
        return
    typer.echo(f"{stats.playouts:,} playouts of {loaded.name} in {stats.seconds:.2f} s (seed {seed})")
    typer.echo(f"  {stats.playouts_per_second:>16,.1f} playouts per second")
    typer.echo(f"  {stats.moves_per_second:>16,.0f} moves per second")
    typer.echo(f"  {stats.mean_moves:>16,.1f} moves per playout")
