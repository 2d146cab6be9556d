"""``ludoport games``: all games that have names."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json

if TYPE_CHECKING:
    from ludoport.catalogue import GameRecord


def games(json: Json = False) -> None:
    """List all games, with boards, networks and options."""
    from ludoport.catalogue import games as all_games

    records = all_games()
    if json:
        print_json([_answer(record) for record in records])
        return
    rows = [("game", "language", "players", "board", "zoo network", "options"), *(_row(record) for record in records)]
    for line in _lines(rows, get_terminal_size().columns if sys.stdout.isatty() else None):
        typer.echo(line)
    typer.echo("Further games: chess960:N and chessplus960:N with N from 0 to 959.")


def _lines(rows: Sequence[tuple[str, ...]], width: int | None) -> Iterator[str]:
    """A table; in a narrow terminal, options have their own lines."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    narrow = width is not None and sum(widths) + 2 * len(widths) - 2 > width
    for row in rows:
        *cells, options = row
        line = "  ".join(cell.ljust(size) for cell, size in zip(cells, widths, strict=False))
        if not narrow:
            yield f"{line}  {options}"
        else:
            yield line.rstrip()
            if options not in ("-", "options"):
                yield f"  options: {options}"


def _row(record: GameRecord) -> tuple[str, ...]:
    usual = "default" if record.options else "yes"
    networks = [" ".join(option.rpartition("/")[2] for option in net.options) or usual for net in record.networks]
    return (
        record.name,
        record.language,
        str(record.players),
        record.board or "-",
        ", ".join(networks) or "-",
        ", ".join(record.options) or "-",
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
