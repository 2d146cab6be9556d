"""Your own studies: a grid of pairs in a TOML file (docs/howto/own-study.md).

name = "small-boards"
settings = ["zero-shot", "fine-tuned"]
sources = ["Hex 4", "Hex 5"]            # default: all games
targets = ["Hex 5"]                     # default: all games

[games."Hex 4"]
game = "Hex"                            # a bundled name, or the path of a text, as seen from this file
options = ["Board Size/4x4"]

[games."Hex 5"]
game = "Hex"
options = ["Board Size/5x5"]
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import parse_toml
from ludoport.studies.engine.cells import SETTINGS
from ludoport.studies.engine.jobs import digest_of
from ludoport.studies.engine.plan import GameVariant, TextVariant
from ludoport.studies.soemers.grid import TransferGrid, place_of

_KEYS = {"name": str, "settings": list, "sources": list, "targets": list, "games": dict}


@dataclass(frozen=True)
class Own:
    """A study of the user's own: its name and its pairs."""

    name: str
    grid: TransferGrid


def read_grid(path: Path) -> Own:
    """The study of a file.

    Raises:
        LudoportError: it cannot be read, or something in it is wrong.
    """
    try:
        record = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LudoportError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # also of numbers with thousands of digits
        raise LudoportError(f"{path}: {error}") from None
    try:
        return _own(record, path)
    except LudoportError as error:
        raise LudoportError(f"{path}: {error}") from None


def _own(record: dict[str, Any], path: Path) -> Own:
    for key, value in record.items():
        if key not in _KEYS:
            raise LudoportError(f"unknown setting `{key}`; choose from {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise LudoportError(f"`{key}` must be a {_KEYS[key].__name__}, not {value!r}")
    games = {name: _variant(name, entry, path.parent) for name, entry in record.get("games", {}).items()}
    if len(games) < 2:
        raise LudoportError("a study needs at least two games, each as [games.NAME] with game = ...")
    _distinct(games)
    settings = record.get("settings", list(SETTINGS[:2]))
    if not settings:
        raise LudoportError(f"`settings` is empty; choose from {', '.join(SETTINGS)}")
    for setting in settings:
        if setting not in SETTINGS:
            raise LudoportError(f"unknown setting `{setting}`; choose from {', '.join(SETTINGS)}")
    sources, targets = (_side(side, record.get(side, list(games)), games) for side in ("sources", "targets"))
    name = record.get("name", path.stem)
    return Own(name, TransferGrid(name, sources, targets, tuple(s for s in SETTINGS if s in settings)))


def _distinct(games: dict[str, GameVariant]) -> None:
    """Refuse games whose jobs would have the same names."""
    seen: dict[str, str] = {}
    for name, variant in games.items():
        other = seen.setdefault(place_of(variant), name)
        if other != name:
            raise LudoportError(
                f"the games `{other}` and `{name}` cannot be told apart; names must differ in letters or digits"
            )


def _variant(name: str, entry: Any, folder: Path) -> GameVariant:
    if not isinstance(entry, dict) or not isinstance(entry.get("game"), str):
        raise LudoportError(f'the game {name} needs game = "NAME"')
    options = entry.get("options", [])
    listed = isinstance(options, list) and all(isinstance(option, str) for option in options)
    if set(entry) - {"game", "options"} or not listed:
        raise LudoportError(f"the game {name} has game and options, a list of texts, and nothing else")
    game: str = entry["game"]
    text = _text(game, folder)
    if text is None:
        return GameVariant(name, game, tuple(options))
    try:
        return TextVariant(name, str(text), tuple(options), written=game, digest=digest_of(text))
    except OSError as error:
        raise LudoportError(f"{text}: cannot be read ({error.strerror})") from None


def _text(game: str, folder: Path) -> Path | None:
    """Path of a game file; None for the name of a bundled game."""
    # Beside the study; earlier versions only looked in the folder of the command, and their studies must still resume.
    for path in (folder / game, Path(game)):
        if path.is_file():
            return path.resolve()
    if Path(game).suffix == ".lud":
        raise LudoportError(f"there is no text {folder / game}")
    return None


def _side(side: str, names: list[Any], games: dict[str, GameVariant]) -> tuple[GameVariant, ...]:
    """The rows or columns of the table."""
    for place, name in enumerate(names):
        if not isinstance(name, str) or name not in games:
            raise LudoportError(f"unknown game `{name}`; choose from {', '.join(games)}")
        if name in names[:place]:
            raise LudoportError(f"`{side}` has the game `{name}` twice")
    return tuple(games[name] for name in names)
