"""Dominoes as the equipment lists them: one for every pair of numbers, which belong to all players."""

from __future__ import annotations

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.equipment import Component

_MOST_PIPS = 12


def read_dominoes(items: list[Ludeme], n_players: int, first: int) -> list[Component]:
    """The dominoes, numbered from ``first``.

    Raises:
        LudError: there are too many.
        UnsupportedError: the game has other pieces beside them.
    """
    found: list[Component] = []
    for item in items:
        if item.kind != "item" or item.keyword != "dominoes":
            continue
        most = item.get("upTo")
        most = most if isinstance(most, int) else 6
        if not 0 <= most <= _MOST_PIPS:
            raise LudError(f"dominoes have 0 to {_MOST_PIPS} pips, not up to {most:,}", item.source)
        if first != 1 or found:
            raise UnsupportedError("`dominoes` beside other pieces are not implemented yet", item.source)
        for a in range(most + 1):
            for b in range(a, most + 1):
                index = first + len(found)
                found.append(Component(index, f"Domino{a}{b}", f"Domino{a}{b}", n_players + 1, pips=(a, b)))
    return found
