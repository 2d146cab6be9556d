"""``ludoport bench chess``: speed of chess and Chessplus."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Depth, Json, Seconds, option


def chess(
    depth: Depth = 5,
    seconds: Seconds = 2.0,
    others: Annotated[bool, option("--others/--no-others", help="Measure python-chess and Stockfish too.")] = True,
    json: Json = False,
) -> None:
    """Measure perft and random playouts of chess.

    Prints Markdown tables next to python-chess and Stockfish.
    """
    from ludoport.bench import chess as bench

    at_least("depth", depth, 2)
    at_least("seconds", seconds, 0.01)
    counted, notes = [], []
    if not json:
        typer.echo(
            "| program | position | depth | nodes | seconds | nodes/s | times slower |\n|---|---|--:|--:|--:|--:|--:|"
        )
    for row in bench.perft_rows(depth, others):
        if isinstance(row, str):
            notes.append(row)
            continue
        counted.append(row)
        if not json:
            typer.echo(
                f"| {row.program} | {row.position} | {row.depth} | {row.nodes:,} | {row.seconds:.4f} | "
                f"{row.nodes_per_second:,.0f} | {row.ratio:,.1f} |"
            )
    if not json:
        typer.echo("\n| game | playouts/s | moves/s | moves per playout |\n|---|--:|--:|--:|")
    played = []
    for playout in bench.playout_rows(seconds):
        played.append(playout)
        if not json:
            typer.echo(
                f"| {playout.game} | {playout.playouts_per_second:,.0f} | {playout.moves_per_second:,.0f} | "
                f"{playout.mean_moves:.1f} |"
            )
    if json:
        records = {"perft": [row.record() for row in counted], "playouts": [row.record() for row in played]}
        print_json(records | {"notes": notes})
    else:
        typer.echo("".join(f"\n{note}" for note in notes))
