"""Players that misbehave, for other processes to import."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import ludoport as lp
from ludoport.arena.players import Player


@dataclass
class Fake(Player):
    """Plays the first legal move, but may misbehave at the first move of a game.

    Args:
        trouble: what happens: ``dies``, ``dies once`` (a file remembers), ``cheats`` or ``breaks``.
        file: where it is remembered.
    """

    trouble: str = ""
    file: Path | None = None

    @property
    def spec(self) -> str:
        return "fake"

    def choose(self, state: lp.State, seed: int) -> lp.Move:
        if self.trouble == "dies" or (self.trouble == "dies once" and self._first_time()):
            os._exit(7)
        if self.trouble == "cheats":
            return lp.Move(np.full_like(state.moves()[0].row, 99), "nonsense")
        if self.trouble == "breaks":
            raise ZeroDivisionError("broken")
        return state.moves()[0]

    def _first_time(self) -> bool:
        assert self.file is not None
        if self.file.exists():
            return False
        self.file.write_text("")
        return True
