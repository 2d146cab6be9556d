"""``ludoport bench chess``: how fast chess and Chessplus are."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import Json, at_least, print_json


def chess(
    depth: Annotated[int, typer.Option("--depth", "-d", help="Length of the sequences that are counted.")] = 5,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to play each variant.")] = 2.0,
    others: Annotated[
        bool, typer.Option("--others/--no-others", help="Also measure python-chess and Stockfish.")
    ] = True,
    json: Json = False,
) -> None:
    """Count move sequences beside python-chess and Stockfish, and play random games; the tables are Markdown."""
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
