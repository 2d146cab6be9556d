"""``ludoport verify chess``: compare chess and Chessplus with recorded counts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Json, option


def chess(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Positions with their recorded counts.")],
    max_nodes: Annotated[int, option("--max-nodes", metavar="N", help="Maximum size of counts to compare.")] = 10**9,
    json: Json = False,
) -> None:
    """Compare chess, Gardner chess and Chessplus.

    Move counts, lists of moves and examples of the rules are compared.
    """
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
