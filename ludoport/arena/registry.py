"""Kinds of players, found by their files being there."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from ludoport.arena.specification import Specification, near, read
from ludoport.errors import LudoportError

T = TypeVar("T")
Maker = Callable[[Specification], T]


@dataclass(frozen=True)
class PlayerKind(Generic[T]):
    """One kind: its name, how its text is written, and how it is made."""

    name: str
    usage: str
    make: Maker[T]


class Registry(Generic[T]):
    """All kinds whose files are in one package.

    Args:
        what: kind of the registered things, such as ``player``.
        package: package of their files.
    """

    def __init__(self, what: str, package: str) -> None:
        self.what, self.package = what, package
        self._known: dict[str, PlayerKind[T]] = {}

    def register(self, name: str, usage: str) -> Callable[[Maker[T]], Maker[T]]:
        """Make a kind known; decorates the function that makes one from its text."""

        def decorate(make: Maker[T]) -> Maker[T]:
            self._known[name] = PlayerKind(name, usage, make)
            return make

        return decorate

    def kinds(self) -> list[PlayerKind[T]]:
        """All kinds, by name."""
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self.package}.{module.name}")
        return [self._known[name] for name in sorted(self._known)]

    def make(self, text: str) -> T:
        """The object that a text describes."""
        specification = read(text)
        known = {kind.name: kind for kind in self.kinds()}
        kind = known.get(specification.kind.lower())
        if kind is None:
            hint = near(specification.kind, list(known), f"{self.what}s are")
            if "net" in known and Path(specification.text).exists():
                hint = f"; the network of this run or file plays as `net:{specification.text}`"
            raise LudoportError(f"unknown {self.what} `{specification.kind}`{hint}")
        return kind.make(specification)
