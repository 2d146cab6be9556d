"""``ludoport games``: the bundled games."""

from __future__ import annotations

import typer

from ludoport.commands.common import Json, print_json


def games(json: Json = False) -> None:
    """List the bundled games."""
    from ludoport.games import bundled

    names = list(bundled())
    if json:
        print_json({"games": names})
        return
    for name in names:
        typer.echo(name)
