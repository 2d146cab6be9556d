"""Lists of a player's pieces that name a site several times, and after its pieces have left, as in the reference.

Where pieces follow the last move to the site where it ended (``count:``), that site enters the list once more. A site
leaves the list once when its last piece leaves. What asks for the pieces of a player goes through that list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import all_of, any_of
from ludoport.ludemes.core.context import Bool, Expr
from ludoport.ludemes.core.traits import traits
from ludoport.ludemes.fields.actions import note_lost

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

MOST = 999
"""How often a list may name a site."""


def keeps_entries(program: Program) -> bool:
    """Whether positions keep how often a list names a site."""
    follower = program.memo(_follower)
    if follower is None:
        return False
    reader = next((node for node in program.description.root.walk() if traits(node).get("lists")), None)
    if reader is not None:
        text = f"`{reader.keyword}` beside moves of several pieces that follow the last one"
        raise UnsupportedError(f"{text} is not implemented yet", follower.source)
    program.state.want("ENTRIES", len(program.components) * program.n_sites)
    return True


def _follower(program: Program) -> Ludeme | None:
    """A move of several pieces to where the last move ended, in a game that lists pieces."""
    if program.stacking or "moves:forEach Piece" not in program.keys:
        return None
    moves = (part for part in program.description.root.walk() if part.key in ("moves:move", "moves:fromTo"))
    return next((part for part in moves if part.peek("count") is not None and _follows(part)), None)


def _follows(move: Ludeme) -> bool:
    to = move.peek("to")
    ends = to.peek("loc") if isinstance(to, Ludeme) else None
    return isinstance(ends, Ludeme) and ends.key == "int:last To"


def enter(program: Program, f: Function, site: str, piece: str) -> None:
    """Write that a site enters the list of a piece once more."""
    if not program.state.has("ENTRIES"):
        return
    name = f"state[ENTRIES + {piece} * {program.n_sites} + {site}]"
    with f.block(f"if {name} < {MOST}:"):
        f.line(f"{name} += 1")
    with f.block("else:"):
        note_lost(program, f)


def leave(program: Program, f: Function, site: str, piece: str) -> None:
    """Write that a site leaves the list of a piece once."""
    if not program.state.has("ENTRIES"):
        return
    name = f"state[ENTRIES + {piece} * {program.n_sites} + {site}]"
    with f.block(f"if {name} > 0:"):
        f.line(f"{name} -= 1")


def times_listed(program: Program, site: Expr, piece: Expr) -> Expr:
    """Code for how often the list of a piece names a site."""
    return f"state[ENTRIES + {piece} * {program.n_sites} + {site}]"


def listed_for(program: Program, site: Expr, pieces: dict[int, Bool]) -> Bool:
    """Code that tests whether a site is in the list of some piece whose condition holds."""
    return any_of(*[all_of(wanted, f"{times_listed(program, site, piece)} != 0") for piece, wanted in pieces.items()])
