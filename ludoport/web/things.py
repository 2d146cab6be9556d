"""Files the server was started with: runs, networks, saved trees, studies and games, each with an id.

Pages choose by id from this list; no path comes from a client.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.arena.players import player
from ludoport.errors import LudoportError
from ludoport.languages import SUFFIXES
from ludoport.nets.finding import NETWORK, made_for
from ludoport.studies.engine.store_file import FILE
from ludoport.zoo import PREFIX, known_networks

DEEPEST = 4
"""Folders inside folders that are looked into."""

MOST = 500
"""Things that are listed."""


@dataclass(frozen=True)
class Thing:
    """A run, network, tree, study, game or player that pages can show.

    Attributes:
        id: its name in addresses of pages.
        kind: ``run``, ``network``, ``tree``, ``study``, ``game`` or ``player``.
        title: its title for people.
        path: its path, its name in the zoo, or the text of a player; never sent to a page.
        game: the name of the game it belongs to, where its file says so.
        options: the options of that game.
        zoo: whether it is in the zoo.
    """

    id: str
    kind: str
    title: str
    path: Path
    game: str = ""
    options: tuple[str, ...] = ()
    zoo: bool = False

    def as_json(self) -> dict[str, Any]:
        """Record for pages."""
        return {
            "id": self.id, "kind": self.kind, "title": self.title, "game": self.game, "options": list(self.options),
            "zoo": self.zoo,
        }  # fmt: skip

    @property
    def player(self) -> str:
        """The text of the player that it is.

        Raises:
            LudoportError: its path cannot stand in such a text.
        """
        if self.kind == "player":
            return str(self.path)
        if "," in str(self.path):
            raise LudoportError(f"{self.path}: a comma separates settings; choose a path without one")
        return f"net:{self.path}"


class Things:
    """The list; folders are looked through again whenever it is asked for, because runs grow.

    Args:
        paths: files and folders given on the command line.
        players: texts of players given on the command line, which pages could not ask for themselves.
    """

    def __init__(self, paths: Iterable[Path] = (), players: Iterable[str] = ()) -> None:
        self.paths, self.players = tuple(paths), tuple(players)
        for text in self.players:
            player(text)
        for path in self.paths:
            if not path.exists():
                raise LudoportError(f"{path}: no such file or folder")
            if not any(_found(path, path.name, 0)):
                raise LudoportError(f"{path}: neither a run, a network, a tree, a study nor a game")

    def all(self) -> list[Thing]:
        """All things, up to ``MOST``."""
        found: dict[str, Thing] = {}
        for path in self.paths:
            for thing in _found(path, path.resolve().name, 0):
                found.setdefault(thing.id, thing)
                if len(found) == MOST:
                    return list(found.values())
        for text in self.players:
            thing = Thing(_id(Path(text)), "player", text.rpartition("/")[2], Path(text))
            found.setdefault(thing.id, thing)
        for network in known_networks():
            path = Path(PREFIX) / network.name
            thing = Thing(_id(path), "network", f"{network.name} (zoo)", path, network.game, network.options, zoo=True)
            found.setdefault(thing.id, thing)
        return list(found.values())

    def add(self, path: Path) -> Thing:
        """List something that a page made."""
        self.paths = (*(known for known in self.paths if known != path), path)
        return self.get(_id(path))

    def get(self, id: str, *kinds: str) -> Thing:
        """The listed file with an id.

        Raises:
            LudoportError: there is none, or it is of another kind.
        """
        for thing in self.all():
            if thing.id == id and (not kinds or thing.kind in kinds):
                return thing
        raise LudoportError(f"there is no {' or '.join(kinds) or 'thing'} `{id[:80]}` here")


def _found(path: Path, title: str, depth: int) -> Iterator[Thing]:
    if path.is_file():
        if path.suffix.lower() in SUFFIXES:
            yield Thing(_id(path), "game", title, path, path.stem)
        elif path.suffix == ".safetensors":
            yield _network(path, title)
        elif zipfile.is_zipfile(path):
            yield Thing(_id(path), "tree", title, path)
        return
    if not path.is_dir() or depth > DEEPEST:
        return
    if (path / "config.toml").is_file() or (path / NETWORK).is_file():
        network = _network(path / NETWORK, title) if (path / NETWORK).is_file() else None
        yield Thing(_id(path), "run", title, path, network.game if network else "", network.options if network else ())
        return
    if (path / FILE).is_file():
        yield Thing(_id(path), "study", title, path)
    for below in sorted(path.iterdir()):
        if not below.name.startswith(".") and (below.is_dir() or below.suffix in (*SUFFIXES, ".safetensors", ".tree")):
            yield from _found(below, f"{title}/{below.name}", depth + 1)


def _network(path: Path, title: str) -> Thing:
    return Thing(_id(path), "network", title, path, *made_for(path))


def _id(path: Path) -> str:
    return hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
