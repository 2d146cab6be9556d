"""Facts about a game found by playing, kept on disk for later processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ludoport.errors import LudoportError
from ludoport.kernels.digested import place, read_digested, write_digested

FORMAT = 1
"""Raised when what is found out in the same way changes its meaning."""


def found(source: str, name: str, find: Callable[[], Any], *details: object) -> Any:
    """The answer to a question about a game, from the disk if it was asked before.

    Args:
        source: the kernels of the game; other kernels are another game.
        name: the question.
        find: finds the answer, which fits into JSON; what it raises is not kept.
        *details: what else decides the answer.
    """
    try:
        path = place("found", name, "\n".join([str(FORMAT), *map(repr, details), source]), ".json")
    except (OSError, LudoportError):  # no cache, or one that cannot be trusted
        return find()
    kept = read_digested(path)
    if kept is not None:
        return json.loads(kept)
    answer = find()
    write_digested(path, json.dumps(answer).encode())
    return answer
