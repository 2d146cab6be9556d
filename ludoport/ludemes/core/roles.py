"""Roles of one player."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Word
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.equipment import role_number

_SLOTS = {"Mover": "mover", "Next": "nxt", "Prev": "prv", "Player": "plr"}


def role_player(cx: Cx, word: Word) -> Expr:
    """The player number of a role."""
    slot = _SLOTS.get(word.name)
    if slot is not None:
        return cx.slots[slot]
    n_players = cx.program.n_players
    fixed = role_number(word.name, n_players)
    if fixed is not None:
        return fixed
    if word.name in ("Enemy", "NonMover") and n_players == 2:
        mover = cx.slots["mover"]
        return 3 - mover if isinstance(mover, int) else f"(3 - {mover})"
    if word.name == "Friend":
        return cx.slots["mover"]
    raise UnsupportedError(f"the role `{word.name}` cannot be used as one player here", word.source)
