"""The four games of the paper, in the game description language."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.kernels.contract import Rules

FILES = {
    "Tic-Tac-Toe": "tic-tac-toe.kif",
    "Connect-3": "connect-three-5x5.kif",
    "CaptureGo": "capture-go-3x3.kif",
    "Othello": "othello-4x4.kif",
}
"""Bundled rulesheets, by the name that the study has for them."""


def rules_of(name: str) -> Rules:
    """The rules of one of the games."""
    from ludoport.gdl import load_rules

    if name not in FILES:
        raise LudoportError(f"the paper has no game `{name}`; it has {', '.join(FILES)}")
    with as_file(files("ludoport.games") / "gdl" / FILES[name]) as path:
        return load_rules(path)
