"""``ludoport perft``: count move sequences."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from ludoport.commands.chess_perft import chess_perft
from ludoport.commands.common import at_least, load_game, named, print_json
from ludoport.commands.options import Depth, GameName, Json, Options, RulesetName, option


def perft(
    game: GameName,
    depth: Depth,
    option: Options = None,
    ruleset: RulesetName = None,
    divide: Annotated[bool, option("--divide", help="Count below each first move too.")] = False,
    fen: Annotated[str | None, option("--fen", metavar="FEN", help="Start position (chess family only).")] = None,
    json: Json = False,
) -> None:
    """Count the sequences of legal moves up to a depth."""
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
