"""The player ``python``: a function, a torch module or a player that a Python file defines."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ludoport.arena.player import Player
from ludoport.arena.players import as_player, register
from ludoport.arena.specification import Specification
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State


@dataclass(repr=False)
class FilePlayer(Player):
    """Plays as what a file defines does; every process reads the file itself.

    Args:
        file: the Python file.
        object: name of a function ``state -> move``, of a torch module or of a player in it.
    """

    file: str
    object: str

    def __getstate__(self) -> dict[str, Any]:
        """Only the names travel."""
        return {"file": self.file, "object": self.object}

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        return f"python:{self.file}:{self.object}"

    @property
    def identity(self) -> str:
        """The name and a digest of the file, so that a stored match of a changed player starts again."""
        return f"python:{self.object}:{hashlib.sha256(Path(self.file).read_bytes()).hexdigest()[:16]}"

    @property
    def inner(self) -> Player:
        """The player that the file defines."""
        if not hasattr(self, "_inner"):
            self._inner = as_player(_defined(self.file, self.object))
        return self._inner

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """A game begins."""
        self.inner.begin(game, seat, seed)

    def choose(self, state: State, seed: int) -> Move | str:
        """The move that the file's player chooses."""
        return self.inner.choose(state, seed)

    def played(self, state: State, move: Move) -> None:
        """A move was played."""
        self.inner.played(state, move)

    def end(self, state: State) -> None:
        """The game has ended."""
        self.inner.end(state)


def text_of(function: Callable[..., object]) -> str:
    """The text that makes a player of a function, for other processes.

    Raises:
        LudoportError: they could not read the function from a file.
    """
    name = getattr(function, "__qualname__", "")
    try:
        file = Path(inspect.getsourcefile(function) or "").resolve()
    except TypeError:
        file = Path()
    if not file.is_file() or not name.isidentifier() or "," in str(file):
        raise LudoportError(
            f"this player runs in another process, which cannot find {name or function!r}; define it at the top "
            "level of a file and write python:FILE.py:NAME"
        )
    return f"python:{file}:{name}"


def _defined(file: str, name: str) -> Any:
    module = _module(Path(file).resolve())
    if not hasattr(module, name):
        raise LudoportError(f"player `python:{file}:{name}`: the file defines no `{name}`")
    return getattr(module, name)


def _module(path: Path) -> ModuleType:
    """The module in a file, which is run once in a process, and never as a script."""
    name = f"ludoport_player_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise LudoportError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise LudoportError(f"{path}: cannot be run ({type(error).__name__}: {error})") from error
    return module


@register("python", "python:FILE.py:NAME, a function state -> move, a torch module or a player in a file")
def make(specification: Specification) -> Player:
    """The player of a text."""
    text = specification.named("object", ()).text("object", "the file and the name in it")
    file, _, name = text.rpartition(":")
    if not file or not name.isidentifier():
        raise specification.refuse("write python:FILE.py:NAME")
    if not Path(file).is_file():
        raise specification.refuse(f"there is no file {file}")
    return FilePlayer(file, name)
