"""What the server was started with: runs, networks, saved trees, studies and games, each with an id.

Pages choose by id from this list; no path comes from a client.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.languages import SUFFIXES
from ludoport.nets.finding import NETWORK
from ludoport.studies.engine.store_file import FILE
from ludoport.zoo import read_header, zoo_networks

DEEPEST = 4
"""Folders inside folders that are looked into."""

MOST = 500
"""Things that are listed."""


@dataclass(frozen=True)
class Thing:
    """Something to look at.

    Attributes:
        id: what pages call it.
        kind: ``run``, ``network``, ``tree``, ``study`` or ``game``.
        title: what people call it.
        path: where it lies; never sent to a page.
        game: the name of the game it belongs to, where its file says so.
        options: the options of that game.
    """

    id: str
    kind: str
    title: str
    path: Path
    game: str = ""
    options: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For pages."""
        return {"id": self.id, "kind": self.kind, "title": self.title, "game": self.game, "options": list(self.options)}


class Things:
    """The list; folders are looked through again whenever it is asked for, because runs grow.

    Args:
        paths: files and folders given on the command line.
    """

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        self.paths = tuple(paths)
        for path in self.paths:
            if not path.exists():
                raise LudoportError(f"{path}: no such file or folder")
            if not any(_found(path, path.name, 0)):
                raise LudoportError(f"{path}: neither a run, a network, a tree, a study nor a game")

    def all(self) -> list[Thing]:
        """Everything there is."""
        found: dict[str, Thing] = {}
        for path in self.paths:
            for thing in _found(path, path.resolve().name, 0):
                found.setdefault(thing.id, thing)
                if len(found) == MOST:
                    return list(found.values())
        for network in zoo_networks():
            thing = _network(network.path, f"{network.path.stem} (bundled)")
            found.setdefault(thing.id, thing)
        return list(found.values())

    def add(self, path: Path) -> Thing:
        """List something that a page made."""
        self.paths = (*(known for known in self.paths if known != path), path)
        return self.get(_id(path))

    def get(self, id: str, *kinds: str) -> Thing:
        """The thing with an id.

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
    header = read_header(path)
    return Thing(_id(path), "network", title, path, header.game if header else "", header.options if header else ())


def _id(path: Path) -> str:
    return hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
