"""Lists of games for a run of many: one game a line, with its options behind semicolons.

    Hex; Board Size/5x5
    Hex; Board Size/5x5; End Rules/Misere
    my games/Crossing.lud      # a path

In one line, games are separated by commas.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.files import read_text
from ludoport.game import Game


@dataclass(frozen=True)
class Entry:
    """A game of a list.

    Attributes:
        game: its name or the path of its file.
        options: its options.
    """

    game: str
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "; ".join((self.game, *self.options))

    @property
    def key(self) -> str:
        """Name of the game in names of files and arrays of a run."""
        return hashlib.sha256(str(self).encode()).hexdigest()[:10] + "-"

    def load(self, jit: bool | None = None) -> Game:
        """The game; see ``ludoport.Game`` for ``jit``."""
        return lp.load(self.game, options=list(self.options), jit=jit)


def read_entry(line: str) -> Entry:
    """The game of a line.

    >>> read_entry("Hex; Board Size/5x5")
    Entry(game='Hex', options=('Board Size/5x5',))
    """
    game, *options = (part.strip() for part in line.split(";"))
    if not game or not all(options):
        raise LudoportError(f"`{line.strip()}` does not name a game; write GAME; CATEGORY/ITEM; ...")
    return Entry(game, tuple(options))


def game_list(given: str | Path | Sequence[str]) -> tuple[str, ...]:
    """The games of a list, as ``TrainConfig`` keeps them.

    Args:
        given: a file with one game a line, games separated by commas, or the lines.

    Raises:
        LudoportError: there is no game in it, or one is there twice.
    """
    if isinstance(given, (str, Path)):
        path = Path(given)
        folder = path.parent
        if path.suffix == ".txt" or path.is_file():
            lines = [line.partition("#")[0] for line in read_text(path).splitlines()]
            entries = [_beside(read_entry(line), folder) for line in lines if line.strip()]
        else:
            entries = [read_entry(line) for line in str(given).split(",")]
    else:
        entries = [read_entry(line) for line in given]
    found = tuple(map(str, entries))
    twice = {line for line in found if found.count(line) > 1}
    if twice:
        raise LudoportError(f"`{sorted(twice)[0]}` is listed more than once")
    if not found:
        raise LudoportError(f"{given}: no game in this list")
    return found


def _beside(entry: Entry, folder: Path) -> Entry:
    """A path of a list means a file beside the list, if it is there."""
    path = folder / entry.game
    try:
        return Entry(str(path), entry.options) if path.is_file() else entry
    except OSError as error:
        raise LudoportError(f"`{entry.game:.60}` does not name a game: {error.strerror}") from None
