"""A plain function ``state -> move`` as a player."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING

from ludoport.arena.player import Player

if TYPE_CHECKING:
    from ludoport.game import Move, State


@dataclass(repr=False)
class FunctionPlayer(Player):
    """Plays what a function returns for a state: a ``Move`` or its text.

    Example:
        >>> FunctionPlayer(lambda state: state.moves()[0]).name
        '<lambda>'
    """

    function: Callable[[State], Move | str]

    @property
    def spec(self) -> str:
        """The function's name; no text makes this player again."""
        return f"function:{self.name}"

    @property
    def name(self) -> str:
        """The function's name."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def identity(self) -> str:
        """The function's name and a digest of its code, so that a stored match of a changed function starts again."""
        code = getattr(self.function, "__code__", None)
        made = _written(code) if code is not None else repr(self.function)
        return f"{self.spec}:{hashlib.sha256(made.encode()).hexdigest()[:16]}"

    def choose(self, state: State, seed: int) -> Move | str:
        """The move that the function returns."""
        return self.function(state)


def _written(code: CodeType) -> str:
    """A function's code as text, without its place in memory or in its file."""
    parts = [_written(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {parts}"
