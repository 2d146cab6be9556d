"""The games that come with the package: game files and rulesheets, written for Ludoport.

>>> bundled()["Tic-Tac-Toe"].name
'Tic-Tac-Toe.lud'
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["bundled", "bundled_rulesheets"]

_FOLDER = Path(__file__).resolve().parent


@cache
def _table() -> dict[str, Path]:
    return {path.stem: path for path in sorted(_FOLDER.rglob("*.lud"))}


def bundled() -> dict[str, Path]:
    """The bundled game files: name to file, sorted by file name."""
    return dict(_table())


def bundled_rulesheets() -> dict[str, Path]:
    """The bundled rulesheets: file name, in small letters, to file."""
    return {path.name.lower(): path for path in sorted(_FOLDER.rglob("*.kif"))}
