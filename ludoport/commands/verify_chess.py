"""``ludoport verify chess``: compare chess and Chessplus with recorded counts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Json, at_least, print_json


def chess(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of positions with their counts.")],
    max_nodes: Annotated[int, typer.Option("--max-nodes", metavar="N", help="Skip counts larger than this.")] = 10**9,
    json: Json = False,
) -> None:
    """Compare move counts, lists of moves and examples of the rules of chess, Gardner chess and Chessplus."""
    from ludoport.verify.chess import verify_chess

    at_least("max-nodes", max_nodes, 1)
    sections = []
    for section in verify_chess(file, max_nodes):
        sections.append(section)
        if not json:
            typer.echo(section.line())
            if section.first is not None:
                typer.echo("     " + str(section.first).replace("\n", "\n     "))
    numbers = ("positions", "checks", "agreeing", "skipped", "nodes")
    summary = {name: sum(getattr(section, name) for section in sections) for name in numbers}
    summary["seconds"] = round(sum(section.seconds for section in sections), 3)
    if json:
        print_json({"verify": "chess", "summary": summary, "sections": [section.record() for section in sections]})
    else:
        typer.echo(
            f"{summary['agreeing']} of {summary['checks']} comparisons agree, {summary['skipped']} skipped; "
            f"{summary['nodes']:,} nodes in {summary['seconds']:.1f} s"
        )
    if summary["agreeing"] < summary["checks"]:
        raise typer.Exit(1)
