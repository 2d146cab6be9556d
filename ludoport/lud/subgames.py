"""The games of a match: found by name in known folders, never by a path that a text gives.

Game files come from strangers. So a name is compared with the names of the files in these folders, links are not
followed, and the numbers of games and of files looked at have limits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from ludoport.errors import LudError
from ludoport.games import bundled
from ludoport.lud.tree import Description, Ludeme, Origin, Value

MOST_GAMES = 32
"""Most games that a match may list."""

MOST_FILES = 50_000
"""Most files of a library that are looked at."""

LIBRARY, PARTS = "lud", "subgame"
"""The library of a game file: the nearest folder above it with the first name, or with a folder of the second."""

_LIBRARY: ContextVar[Path | None] = ContextVar("library", default=None)

ReadFile = Callable[[Path, Sequence[str]], Description]
ReadAgain = Callable[[Origin], Description]


@contextmanager
def library_folder(folder: Path | None) -> Iterator[None]:
    """Look for the games of matches in this folder, too."""
    token = _LIBRARY.set(folder)
    try:
        yield
    finally:
        _LIBRARY.reset(token)


@dataclass(frozen=True)
class Subgames:
    """Where the games of a match come from.

    Attributes:
        beside: the file of the match, if it has one.
        known: the texts of its games, in order, where they came along with the text of the match.
        texts: texts of games by name, which come before bundled ones.
    """

    beside: Path | None = None
    known: Sequence[Origin] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    def read(self, match: Ludeme, file: str, read_file: ReadFile, read_again: ReadAgain) -> list[Description]:
        """The descriptions of the games of a match, in order.

        Raises:
            LudError: a game is missing, is a match itself, or its text is wrong.
        """
        listed = subgames(match)
        if len(listed) > MOST_GAMES:
            raise LudError(f"a match has at most {MOST_GAMES} games, not {len(listed)}", match.source)
        if self.known:
            return [_game(read_again(origin), node) for origin, node in zip(self.known, listed, strict=True)]
        return [_game(self._read(node, file, read_file, read_again), node) for node in listed]

    def _read(self, node: Ludeme, file: str, read_file: ReadFile, read_again: ReadAgain) -> Description:
        """The description of a game."""
        name, options = str(node.args["name"]), _options(node)
        if name in self.texts:
            return read_again(Origin(self.texts[name], f"{name}.lud", options))
        return read_file(self._find(node, file), options)

    def _find(self, node: Ludeme, file: str) -> Path:
        """The file of a game."""
        name = str(node.args["name"])
        for folder, deep in self._folders():
            if (path := _named(folder, f"{name}.lud", deep)) is not None:
                return path
        if name in bundled():
            return bundled()[name]
        if self.beside is None:
            raise LudError(f"the game `{name}` of this match is not a bundled game", node.source)
        place = f"beside {file.rsplit('/', 1)[-1]}"
        raise LudError(f"the game `{name}` of this match is missing; put its file `{name}.lud` {place}", node.source)

    def _folders(self) -> Iterator[tuple[Path, bool]]:
        """Folders to look in, and whether also in those inside of them."""
        if self.beside is not None:
            path = self.beside.resolve()
            yield path.parent, False
            for folder in path.parents:
                if folder.name == LIBRARY or (folder / PARTS).is_dir():
                    yield folder, True
                    break
        library = _LIBRARY.get()
        if library is not None:
            yield library, True


def subgames(match: Ludeme) -> list[Ludeme]:
    """What a match says about each of its games."""
    games = match.args["games"]
    assert isinstance(games, Ludeme)
    listed: Value | None = games.get("games")
    found = listed if isinstance(listed, list) else [games.args["game"]]
    return [node for node in found if isinstance(node, Ludeme)]


def _options(node: Ludeme) -> tuple[str, ...]:
    option = node.get("option")
    return () if option is None or not str(option) else (str(option),)


def _game(description: Description, node: Ludeme) -> Description:
    if description.root.keyword == "match":
        raise LudError(f"`{node.args['name']}` is a match itself; a match is made of games", node.source)
    return description


def _named(folder: Path, name: str, deep: bool) -> Path | None:
    """The file with a name in a folder; of several in a library, the first one."""
    looked = 0
    for place, folders, files in os.walk(folder):
        if name in files and not (path := Path(place) / name).is_symlink():
            return path
        looked += len(files)
        if not deep or looked > MOST_FILES:
            return None
        folders.sort()
    return None
