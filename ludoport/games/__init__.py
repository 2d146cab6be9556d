"""The games that come with the package: one ``.lud`` text each, written for Ludoport.

>>> find("tic tac toe").name
'Tic-Tac-Toe.lud'
>>> find("No Such Game") is None
True
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["bundled", "bundled_rulesheets", "find"]

_FOLDER = Path(__file__).resolve().parent


@cache
def _table() -> dict[str, Path]:
    return {path.stem: path for path in sorted(_FOLDER.rglob("*.lud"))}


def _plain(name: str) -> str:
    return name.removesuffix(".lud").replace(" ", "").replace("-", "").casefold()


@cache
def _plain_table() -> dict[str, Path]:
    return {_plain(name): path for name, path in _table().items()}


def bundled() -> dict[str, Path]:
    """The bundled games: name to file, sorted by file name."""
    return dict(_table())


def bundled_rulesheets() -> dict[str, Path]:
    """The bundled games in GDL: file name, in small letters, to file."""
    return {path.name.lower(): path for path in sorted(_FOLDER.rglob("*.kif"))}


def find(name: str) -> Path | None:
    """The file of a bundled game, or None; upper and lower case, blanks and hyphens do not matter."""
    return _plain_table().get(_plain(name))
