"""``ludoport play``: the user plays a game in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import load_game
from ludoport.commands.options import GameName, Options, RulesetName, Seat, SeedIfAny
from ludoport.errors import LudoportError


def play(
    game: GameName,
    opponent: Annotated[
        str, typer.Argument(metavar="OPPONENT", help="Player of the other seats (see `ludoport match --players`).")
    ] = "uct:1000",
    option: Options = None,
    ruleset: RulesetName = None,
    seat: Seat = 1,
    seed: SeedIfAny = None,
) -> None:
    """Play a game against a program in the terminal.

    Type moves as the board shows them; `hint` runs a search, `undo` takes back, `?` lists all moves. For several games
    with a score: `ludoport match human uct:1000 --game GAME`. For a board to click on: `ludoport web`.
    """
    import secrets

    from ludoport.arena.players import player
    from ludoport.arena.playing import Seating, play_seating

    loaded = load_game(game, option, ruleset)
    count = loaded.n_players
    if not 1 <= seat <= count:
        raise LudoportError(f"--seat is {seat}; {loaded.title} has seats 1 to {count}")
    seats = [player("human" if number == seat else opponent) for number in range(1, count + 1)]
    start = secrets.randbits(32) if seed is None else seed
    try:
        play_seating(loaded, seats, Seating(0, tuple(range(count)), start, start))
    except KeyboardInterrupt:
        typer.echo("The game is not finished.")
