"""A site that held another piece on trial is as before, also in lists that may be walked through meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.fields.actions import among_board, state_function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def write_put_back(program: Program) -> None:
    """Write what notes the place of a site in its list, and what brings it back there."""
    if "put_back" not in program.primitives:
        return
    f = state_function(program, "entry_of", "s", "the place of a site in the list of its owner or of the empty sites")
    f.line("entry = 0")
    if program.state.has("SLOT"):
        with f.when(among_board(program, "s")):
            f.line("entry = state[SLOT + s]")
    f.line("return entry")
    f = state_function(program, "put_back", "s was entry", "what stood on a site returns, to its place in the list too")
    # Pieces and empty sites never leave their list empty: the site itself is in it.
    f.facts["last"] = (0, program.n_board - 1)
    with f.block("if was == 0:"):
        f.line("lift(state, s)")
        if program.state.has("EMPTY"):
            with f.when(among_board(program, "s")):
                _exchange(f, "EMPTY", "N_EMPTY")
    with f.block("else:"):
        f.line("place(state, s, was)")
        if program.state.has("OWN"):
            f.line(f"owner = {program.owner_of('was')}")
            inside = among_board(program, "s")
            others = any(not 1 <= c.owner <= program.n_players for c in program.components[1:])
            with f.when(inside), f.when("owner >= 1 and owner <= N_PLAYERS" if others else True):
                _exchange(f, f"OWN + (owner - 1) * {program.n_board}", "N_OWN + owner")
    f.line("return 0")


def _exchange(f: Function, items: str, count: str) -> None:
    """The site, which is the last one of a list, changes places with the one that took its place."""
    f.line(f"last = state[{count}] - 1")
    f.line(f"other = state[{items} + entry]")
    f.line(f"state[{items} + last] = other")
    f.line("state[SLOT + other] = last")
    f.line(f"state[{items} + entry] = s")
    f.line("state[SLOT + s] = entry")
