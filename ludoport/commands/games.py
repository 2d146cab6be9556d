"""``ludoport games``: all games that have names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json

if TYPE_CHECKING:
    from ludoport.catalogue import GameRecord


def games(json: Json = False) -> None:
    """List all games: name, language, players, board and options."""
    from ludoport.catalogue import games as all_games

    records = all_games()
    if json:
        print_json([_answer(record) for record in records])
        return
    rows = [("game", "language", "players", "board", "options", "network"), *(_row(record) for record in records)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    typer.echo("Further games: chess960:N and chessplus960:N with N from 0 to 959.")


def _row(record: GameRecord) -> tuple[str, ...]:
    networks = [" ".join(option.rpartition("/")[2] for option in net.options) or "yes" for net in record.networks]
    return (
        record.name,
        record.language,
        str(record.players),
        record.board or "-",
        ", ".join(record.options) or "-",
        ", ".join(networks) or "-",
    )


def _answer(record: GameRecord) -> dict[str, Any]:
    return {
        "name": record.name,
        "language": record.language,
        "players": record.players,
        "board": record.board or None,
        "options": record.options,
        "networks": [{"options": net.options, "file": str(net.path)} for net in record.networks],
    }
