"""``ludoport perft``: count move sequences."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from ludoport.commands.chess_perft import chess_perft
from ludoport.commands.common import GameName, Json, Options, RulesetName, at_least, load_game, named, print_json


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", "-d", help="Length of the longest sequences.")],
    option: Options = None,
    ruleset: RulesetName = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also count below each first move.")] = False,
    fen: Annotated[
        str | None, typer.Option("--fen", metavar="FEN", help="Where to begin, in games of the chess family.")
    ] = None,
    json: Json = False,
) -> None:
    """Count the sequences of legal moves of every length up to a depth."""
    at_least("depth", depth, 1)
    if chess_perft(game, fen, depth, divide, json):
        return
    loaded = load_game(game, option, ruleset)
    begin = time.perf_counter()
    counts = loaded.perft(depth)
    below = loaded.divide(depth) if divide else None
    seconds = time.perf_counter() - begin
    if json:
        answer = {"perft": counts, **named(loaded, option, ruleset), "seconds": round(seconds, 3)}
        print_json(answer | ({"divideDepth": depth, "divide": below} if below is not None else {}))
        return
    for length, count in enumerate(counts, start=1):
        typer.echo(f"{length:>3} {count:>16,}")
    for move, count in (below or {}).items():
        typer.echo(f"{move}: {count}")
