"""``ludoport demo``: the shortest tour."""

from __future__ import annotations

import random
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import Seed, at_least

if TYPE_CHECKING:
    from ludoport.game import Game, State

SIMULATIONS = 400


def demo(
    games: Annotated[int, typer.Option("--games", help="How many games to play.")] = 10,
    seconds: Annotated[float, typer.Option("--seconds", help="Length of the speed check.")] = 3.0,
    seed: Seed = 1,
) -> None:
    """Load Hex, show the board, play UCT against random, and measure playouts per second."""
    import ludoport as lp
    from ludoport.ludemic import ludemic

    at_least("games", games, 1)
    at_least("seconds", seconds, 0.01)
    small = lp.load("Hex", options=["Board Size/7x7"])
    typer.echo("Hex on a 7x7 board; its text, with the options chosen:\n")
    typer.echo(_indented(ludemic(small.rules).description.expanded))
    typer.echo("\nThe board; player 1 (M) joins the sides SW and NE, player 2 (m) the sides NW and SE:\n")
    typer.echo(_indented(small.start().picture()))
    typer.echo(f"\nUCT with {SIMULATIONS} simulations a move against random moves (seed {seed}):\n")
    wins = 0
    for number in range(games):
        person = 1 + number % 2
        final, moves, won = play_one(small, person, seed + number)
        wins += won
        swap = ", after a swap of colours" if final.swapped else ""
        begins = "begins" if person == 1 else "comes second"
        typer.echo(f"    game {number + 1:>2}: UCT {begins} and {'wins' if won else 'loses'} in {moves} moves{swap}")
    typer.echo(f"\nUCT won {wins} of {games} games. The last one ended like this:\n")
    typer.echo(_indented(final.picture()))
    large = lp.load("Hex", options=["Board Size/11x11"])
    stats = large.playouts(seconds=seconds, seed=seed)
    typer.echo(
        f"\nSpeed on Hex 11x11, one thread: {stats.playouts_per_second:,.0f} random playouts per second, "
        f"{stats.moves_per_second:,.0f} moves per second."
    )


def play_one(game: Game, person: int, seed: int) -> tuple[State, int, bool]:
    """Plays UCT as that person against random; returns the last position, the number of moves, whether UCT won."""
    from ludoport.search.uct import uct

    rng = random.Random(seed)
    state, played = game.start(seed=seed), 0
    while not state.over:
        if state.agent == person:
            move = uct(state, simulations=SIMULATIONS, seed=rng.randrange(2**31))
        else:
            move = rng.choice(state.moves())
        state, played = state.play(move), played + 1
    return state, played, state.agent_utilities[person - 1] > 0


def _indented(text: str) -> str:
    return textwrap.indent(text.rstrip(), "    ")
