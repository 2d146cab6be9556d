"""``ludoport playouts``: how fast uniformly random games run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ludoport.commands.common import at_least, known_device, load_game, named, print_json
from ludoport.commands.options import Device, GameName, GamesIfAny, Json, Options, RulesetName, SecondsOrGames, Seed
from ludoport.playouts import PlayoutStats

if TYPE_CHECKING:
    from ludoport.game import Game

BATCH = 65_536
"""Games that a GPU plays at once unless another number is asked for."""


def playouts(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    seconds: SecondsOrGames = None,
    games: GamesIfAny = None,
    device: Device = "cpu",
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure random playouts per second. A CPU runs one thread, a GPU one thread per game."""
    if seconds is not None:
        at_least("seconds", seconds, 0.001)
    if games is not None:
        at_least("games", games, 1)
    if seconds is None and games is None:
        seconds = 2.0
    known_device(device)
    loaded = load_game(game, option, ruleset)
    stats = _on_device(loaded, seconds, games, seed) if device == "cuda" else _here(loaded, seconds, games, seed)
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
                "device": device,
            }
        )
        return
    typer.echo(f"{stats.playouts:,} playouts of {loaded.name} in {stats.seconds:.2f} s (seed {seed})")
    typer.echo(f"  {stats.playouts_per_second:>16,.1f} playouts per second")
    typer.echo(f"  {stats.moves_per_second:>16,.0f} moves per second")
    typer.echo(f"  {stats.mean_moves:>16,.1f} moves per playout")


def _here(game: Game, seconds: float | None, count: int | None, seed: int) -> PlayoutStats:
    game.playouts(count=1, seed=seed)  # compiling is not part of the speed
    return game.playouts(seconds=seconds, count=count, seed=seed)


def _on_device(game: Game, seconds: float | None, count: int | None, seed: int) -> PlayoutStats:
    """Batches until the time is over; game k has the seed ``seed + k`` in any batch."""
    from ludoport.kernels.cuda import playouts as play_batch

    done, moves, spent = 0, 0, 0.0
    while not done or (count is None and spent < (seconds or 0.0)):
        batch = play_batch(game, count or BATCH, seed + done)
        done, moves, spent = done + len(batch.lengths), moves + batch.moves, spent + batch.seconds
    return PlayoutStats(done, moves, spent)
