"""What several commands share: how a game is named, and how an answer is printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a bundled game, or path of a game text.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="CATEGORY/ITEM", help="An option of the game; may be given several times."),
]
RulesetName = Annotated[str | None, typer.Option("--ruleset", metavar="NAME", help="A ruleset of the game.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Seed = Annotated[int, typer.Option("--seed", help="Where the randomness begins.")]


def load_game(name: str, options: list[str] | None, ruleset: str | None = None) -> Game:
    """Loads the game that was named on the command line."""
    import ludoport as lp

    return lp.load(name, options=options or [], ruleset=ruleset)


def named(game: Game, options: list[str] | None, ruleset: str | None = None) -> dict[str, Any]:
    """How an answer in JSON says which game it is about."""
    return {"game": game.name, "options": options or [], "ruleset": ruleset}


def print_json(answer: Any) -> None:
    """Prints an answer for programs."""
    typer.echo(json.dumps(answer, ensure_ascii=False))


def at_least(name: str, value: float, least: float) -> None:
    """Refuses a number that is too small."""
    if not value >= least:
        raise LudoportError(f"{name} is {value:g}; it must be at least {least:g}")
