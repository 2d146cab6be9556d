"""``ludoport games``: the bundled games."""

from __future__ import annotations

import typer

from ludoport.commands.common import Json, print_json


def games(json: Json = False) -> None:
    """List the bundled games."""
    names = bundled()
    if json:
        print_json({"games": names})
        return
    for name in names:
        typer.echo(name)


def bundled() -> list[str]:
    """Names of the bundled games, in alphabetical order."""
    from importlib.resources import files

    folder = files("ludoport").joinpath("games")
    return sorted(entry.name.removesuffix(".lud") for entry in folder.iterdir() if entry.name.endswith(".lud"))
