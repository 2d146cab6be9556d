"""``ludoport records``: games in PGN, SGF and plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import counted
from ludoport.commands.options import OutFileIfAny, option


def records(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File of games: PGN, SGF or plain text.")],
    to: Annotated[
        str | None,
        option("--to", metavar="FORMAT", help="Format to write: pgn, sgf or text.", default="none: list games"),
    ] = None,
    out: OutFileIfAny = None,
) -> None:
    """Check game records, and write them in another format.

    Every game is played through; a move that is not legal is reported with its number.
    """
    from ludoport.bridges.records import read, write

    found = read(file)
    if to is None:
        for record in found:
            states, _ = record.line()
            facts = ", ".join(f"{name} {value}" for name, value in record.facts.items())
            typer.echo(f"{states[-1]!r}, result {record.result}" + (f" ({facts})" if facts else ""))
        typer.echo(counted(len(found), "game"))
        return
    text = write(found, to)
    if out is None:
        typer.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
