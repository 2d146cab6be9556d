"""Site of the only piece of a kind, such as a king, kept so that no code searches for it.

``state[SPOT + kind]`` is a board site, ``NONE`` if there is no such piece, or ``SEVERAL`` once there were two of them.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.components import one_of
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.fields.actions import among_board

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

NONE = -1
SEVERAL = -2

MOST_KINDS = 4
"""Kinds that are worth following."""


def followed(program: Program, what: Value | None) -> bool:
    """Follow the kinds that a text such as ``(id "King" Mover)`` may mean; False if they are not known or too many."""
    if program.stacking or not taken("spot") or not isinstance(what, Ludeme) or what.keyword != "id":
        return False
    name = what.peek("name")
    if name is None or what.peek("who") is None:
        return False
    kinds = set()
    for player in range(1, program.n_players + 1):
        named = [c.index for c in program.components[1:] if str(name) in c.name and c.owner == player]
        kinds |= set(named[:1])
    if not kinds or len(program.spots | kinds) > MOST_KINDS:
        return False
    program.spots |= kinds
    program.want_own_list()
    program.state.want("SPOT", len(program.components))
    return True


def leave_spot(program: Program, f: Function, site: str, piece: str) -> None:
    """Write that a piece leaves a site."""
    _forget(program, f, site)
    with _of_kind(program, f, site, piece):
        with f.block(f"if state[SPOT + {piece}] >= 0:"):
            f.line(f"state[SPOT + {piece}] = {NONE}")


def join_spot(program: Program, f: Function, site: str, piece: str) -> None:
    """Write that a piece arrives on a site."""
    _forget(program, f, site)
    with _of_kind(program, f, site, piece):
        f.line(f"state[SPOT + {piece}] = {site} if state[SPOT + {piece}] == {NONE} else {SEVERAL}")


def _forget(program: Program, f: Function, site: str) -> None:
    """Write that it is no longer known whether pieces are threatened."""
    if program.state.has("SAFE"):
        with f.when(among_board(program, site)):
            for kind in sorted(program.spots):
                f.line(f"state[SAFE + {kind}] = 0")


def _of_kind(program: Program, f: Function, site: str, piece: str) -> AbstractContextManager[None]:
    inside = among_board(program, site)
    kinds = one_of(piece, sorted(program.spots))
    return f.block(f"if {kinds}:" if inside is True else f"if {kinds} and {inside}:")


def setup_spots(program: Program, f: Function) -> None:
    """Write that there are no pieces yet."""
    for kind in sorted(program.spots):
        f.line(f"state[SPOT + {kind}] = {NONE}")
