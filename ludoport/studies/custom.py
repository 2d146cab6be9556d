"""Studies of one's own: a grid of pairs in a TOML file.

name = "small-boards"
settings = ["zero-shot", "fine-tuned"]
sources = ["Hex 4", "Hex 5"]            # all games unless given
targets = ["Hex 5"]                     # all games unless given

[games."Hex 4"]
game = "Hex"                            # a bundled name, or the path of a text
options = ["Board Size/4x4"]

[games."Hex 5"]
game = "Hex"
options = ["Board Size/5x5"]
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.cells import SETTINGS
from ludoport.studies.families import Variant
from ludoport.studies.plan import Grid

_KEYS = {"name": str, "settings": list, "sources": list, "targets": list, "games": dict}


@dataclass(frozen=True)
class Own:
    """A study that somebody wrote: its name and its pairs."""

    name: str
    grid: Grid


def read_grid(path: Path) -> Own:
    """The study of a file.

    Raises:
        LudoportError: it cannot be read, or something in it is wrong.
    """
    try:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LudoportError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LudoportError(f"{path}: {error}") from None
    try:
        return _own(record, path)
    except LudoportError as error:
        raise LudoportError(f"{path}: {error}") from None


def _own(record: dict[str, Any], path: Path) -> Own:
    for key, value in record.items():
        if key not in _KEYS:
            raise LudoportError(f"there is no setting `{key}`; there are {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise LudoportError(f"`{key}` must be a {_KEYS[key].__name__}, not {value!r}")
    games = {name: _variant(name, entry) for name, entry in record.get("games", {}).items()}
    if len(games) < 2:
        raise LudoportError("a study needs at least two games, each as [games.NAME] with game = ...")
    settings = record.get("settings", list(SETTINGS[:2]))
    for setting in settings:
        if setting not in SETTINGS:
            raise LudoportError(f"there is no setting `{setting}`; there are {', '.join(SETTINGS)}")
    sides = [tuple(_chosen(name, games) for name in record.get(side, list(games))) for side in ("sources", "targets")]
    name = record.get("name", path.stem)
    return Own(name, Grid(name, sides[0], sides[1], tuple(s for s in SETTINGS if s in settings)))


def _variant(name: str, entry: Any) -> Variant:
    if not isinstance(entry, dict) or not isinstance(entry.get("game"), str):
        raise LudoportError(f'the game {name} needs game = "NAME"')
    options = entry.get("options", [])
    if set(entry) - {"game", "options"} or not all(isinstance(option, str) for option in options):
        raise LudoportError(f"the game {name} has game and options, a list of texts, and nothing else")
    return Variant(name, entry["game"], tuple(options))


def _chosen(name: Any, games: dict[str, Variant]) -> Variant:
    if name not in games:
        raise LudoportError(f"there is no game `{name}`; there are {', '.join(games)}")
    return games[name]
