"""``ludoport demo``: the shortest tour."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import Seed, at_least

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludoport.game import Game, State

    Player = Callable[[State], str]

SIMULATIONS = 400


def demo(
    games: Annotated[int, typer.Option("--games", help="How many games to play.")] = 10,
    seconds: Annotated[float, typer.Option("--seconds", help="Length of the speed check.")] = 3.0,
    seed: Seed = 1,
) -> None:
    """Load Hex, show the board, play UCT against random, and measure playouts per second."""
    import ludoport as lp

    at_least("games", games, 1)
    at_least("seconds", seconds, 0.01)
    small = lp.load("Hex", options=["Board Size/7x7"])
    typer.echo(f"{small.name} on 7x7, an excerpt from its text:\n")
    typer.echo(small.description.expanded)
    typer.echo("")
    wins = 0
    for number in range(games):
        colour = 1 + number % 2
        final, won = play_one(small, colour, seed + number)
        wins += won
        if number == 0:
            typer.echo(final.picture())
            typer.echo("")
        typer.echo(f"game {number + 1}: UCT begins as player {colour}, {'wins' if won else 'loses'}")
    typer.echo(
        f"\nUCT with {SIMULATIONS} simulations a move won {wins} of {games} games against random (seed {seed}).\n"
    )
    large = lp.load("Hex", options=["Board Size/11x11"])
    large.playouts(count=1)
    stats = large.playouts(seconds=seconds, seed=seed)
    typer.echo(f"Hex 11x11: {stats.playouts_per_second:,.0f} random playouts per second on one thread.")


def play_one(game: Game, uct: int, seed: int) -> tuple[State, bool]:
    """Plays one game of UCT, as that person, against random; returns the last position and whether UCT won."""
    rng = random.Random(seed)
    players: dict[int, Player] = {uct: uct_player(game, rng), 3 - uct: lambda state: str(rng.choice(state.moves()))}
    state = game.start(seed=seed)
    while not state.over:
        state = state.play(players[state.agent](state))
    return state, state.agent_utilities[uct - 1] > 0


def uct_player(game: Game, rng: random.Random) -> Player:
    """The search that the demo shows."""
    from ludoport.search.uct import uct

    return lambda state: str(uct(state, simulations=SIMULATIONS, seed=rng.randrange(2**31)))
