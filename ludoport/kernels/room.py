"""What happens when a list of moves, the buffer of effects, a stack or a remembered list has no room left.

Kernels raise nothing. A kernel that finds a list full writes ``MARK`` into the cell ``FULL`` of its scratch space and
ends the game with ``GIVEN_UP``; callers outside of kernels get an error instead of a result that lacks something.
Games whose lists always have room have no such cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ludoport.errors import LudoportError

GIVEN_UP = 3
"""Value of the field OVER where a game could not continue, in every language."""

MARK = 29_417
"""What the cell FULL of the scratch space holds then; no other array has this number in the same place."""


def no_room(game: str, rows: int) -> LudoportError:
    """The error for a position or a move that is too large for its lists."""
    return LudoportError(
        f"{game}: a position has more than {rows:,} legal moves, or a move has more effects, or makes higher stacks or"
        " longer lists, or takes more steps to work out, than there is room for"
    )


def watched(game: str, functions: Mapping[str, Any]) -> Mapping[str, Any]:
    """The functions of a game; its entry points raise an error when something had no room."""
    cell = functions.get("FULL")
    if cell is None:
        return functions
    size, rows = int(functions["WORK_SIZE"]), int(functions["MAX_MOVES"])

    def watch(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = function(*arguments)
            for array in _flat(arguments):
                if isinstance(array, np.ndarray) and array.shape[-1:] == (size,):
                    marks = array[..., cell]
                    if np.any(marks == MARK):
                        array[..., cell] = 0
                        raise no_room(game, rows)
            return result

        return call

    return {name: watch(value) if name.startswith("enter_") else value for name, value in functions.items()}


def _flat(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """Arguments, and those inside of records."""
    for each in arguments:
        if isinstance(each, tuple):
            yield from _flat(each)
        else:
            yield each
