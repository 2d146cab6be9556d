"""Functions that several commands share: load the game, print the answer, refuse bad numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game


def load_game(name: str, options: list[str] | None, ruleset: str | None = None) -> Game:
    """Loads the game that was named on the command line."""
    import ludoport as lp

    return lp.load(name, options=options or [], ruleset=ruleset)


def named(game: Game, options: list[str] | None, ruleset: str | None = None) -> dict[str, Any]:
    """The part of a JSON answer that names the game."""
    return {"game": game.name, "options": options or [], "ruleset": ruleset}


def print_json(answer: Any) -> None:
    """Prints an answer as JSON."""
    typer.echo(json.dumps(answer, ensure_ascii=False))


def at_least(name: str, value: float, least: float) -> None:
    """Refuses a number that is too small."""
    if not value >= least:
        raise LudoportError(f"{name} is {value:g}; it must be at least {least:g}")


def known_device(device: str) -> None:
    """Refuses a device that does not exist."""
    if device not in ("cpu", "cuda"):
        raise LudoportError(f"unknown device `{device}`; choose cpu or cuda")


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 match`, `2 matches`, `2 epochs`."""
    ending = "" if number == 1 else "es" if noun.endswith(("tch", "s", "x")) else "s"
    return f"{number:,} {noun}{ending}"
