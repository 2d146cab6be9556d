"""``ludoport games``: the bundled games."""

from __future__ import annotations

import typer

from ludoport.commands.common import Json, print_json


def games(json: Json = False) -> None:
    """List the bundled games: texts in the ludemic language, the chess family, and rulesheets in GDL."""
    from ludoport.chess import NAMED
    from ludoport.games import bundled, bundled_rulesheets

    languages = {"games": list(bundled()), "chess": list(NAMED), "gdl": list(bundled_rulesheets())}
    if json:
        print_json(languages)
        return
    for names in languages.values():
        for name in names:
            typer.echo(name)
