"""Lists of the pieces that each player owns, kept beside stacks.

Where pieces are promoted, the language loses track of which pieces a player owns: entries of these lists may outlive
the pieces they stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.ludemes.core.context import Expr, divided
from ludoport.ludemes.core.traits import pieces
from ludoport.ludemes.fields.actions import note_lost, state_function
from ludoport.ludemes.fields.late import removes_late
from ludoport.ludemes.fields.stacks import max_height
from ludoport.ludemes.fields.starting import placements

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def owned_apart(program: Program) -> bool:
    """Whether the lists of owned pieces are kept beside the stacks because they can differ."""
    return any(pieces(node) == "turn" or removes_late(node) for node in program.description.root.walk())


def owned_capacity(program: Program) -> int:
    """Maximum length of a player's list of pieces."""
    placed = [0] * (program.n_players + 2)
    for each in placements(program):
        placed[program.components[each.component].owner] += each.count
    adds = any(pieces(node) == "arrive" for node in program.description.root.walk())
    return min(2 * max(placed) + 4 + (2 * program.n_board if adds else 0), 600)


def owned_base(program: Program, owner: Expr) -> str:
    """Code for the start of an owner's list, with only as many lists as there are owners."""
    first = min((c.owner for c in program.components[1:]), default=0)
    capacity = owned_capacity(program)
    if isinstance(owner, int):
        return str((owner - first) * capacity)
    return f"({owner} - {first}) * {capacity}" if first else f"{owner} * {capacity}"


def want_owned(program: Program) -> int:
    """Positions keep lists of the owned pieces: where each is (an index into the levels) and what it is."""
    capacity = owned_capacity(program)
    owners = [c.owner for c in program.components[1:]]
    lists = max(owners) - min(owners) + 1
    program.state.want("N_OWNED", program.n_players + 2)
    program.state.want("OWNED", capacity * lists)
    program.state.want("OWNED_PIECE", capacity * lists)
    program.state.want("OWNED_HERE", program.n_sites)
    return capacity


def write_owned(program: Program) -> None:
    """Write the functions that keep the lists of owned pieces."""
    _write_own(program)
    _write_disown(program)
    _write_disown_all(program)


def _write_own(program: Program) -> None:
    height, capacity = max_height(program), owned_capacity(program)
    f = state_function(program, "own", "piece s level", "note a piece of its owner at a level")
    f.line(f"owner = {program.owner_of('piece')}")
    f.line("n = state[N_OWNED + owner]")
    with f.block(f"if n >= {capacity}:"):
        note_lost(program, f)
        f.line("return 0")
    f.line(f"base = {owned_base(program, 'owner')}")
    f.line(f"state[OWNED + base + n] = s * {height} + level")
    f.line("state[OWNED_PIECE + base + n] = piece")
    f.line("state[N_OWNED + owner] = n + 1")
    f.line("state[OWNED_HERE + s] += 1")
    f.line("return 0")


def _write_disown(program: Program) -> None:
    height = max_height(program)
    f = state_function(program, "disown", "piece s level", "forget a piece at a level; entries above come down")
    f.line(f"owner = {program.owner_of('piece')}")
    f.line(f"base = {owned_base(program, 'owner')}")
    f.line(f"where = s * {height} + level")
    f.line("n = state[N_OWNED + owner]")
    f.line("here = state[OWNED_HERE + s]")
    f.line("i = 0")
    with f.block("while i < n and here > 0:"):
        with f.block("if state[OWNED + base + i] == where and state[OWNED_PIECE + base + i] == piece:"):
            f.line("n -= 1")
            f.line("here -= 1")
            f.line("state[OWNED + base + i] = state[OWNED + base + n]")
            f.line("state[OWNED_PIECE + base + i] = state[OWNED_PIECE + base + n]")
        with f.block("else:"):
            f.line("i += 1")
    f.line("state[N_OWNED + owner] = n")
    f.line("state[OWNED_HERE + s] = here")
    with f.block("if here > 0:"):
        f.line(f"end = (s + 1) * {height}")
        for owner in sorted({c.owner for c in program.components[1:]}):
            with f.block(f"for i in range(state[N_OWNED + {owner}]):"):
                f.line(f"above = state[OWNED + {owned_base(program, owner)} + i]")
                with f.block("if above > where and above < end:"):
                    f.line(f"state[OWNED + {owned_base(program, owner)} + i] = above - 1")
    f.line("return 0")


def _write_disown_all(program: Program) -> None:
    height = max_height(program)
    f = state_function(program, "disown_all", "piece s", "forget all pieces of a kind on a site")
    f.line(f"owner = {program.owner_of('piece')}")
    f.line(f"base = {owned_base(program, 'owner')}")
    f.line("n = state[N_OWNED + owner]")
    f.line("i = 0")
    with f.block("while i < n:"):
        with f.block(
            f"if {divided('state[OWNED + base + i]', height)} == s and state[OWNED_PIECE + base + i] == piece:"
        ):
            f.line("n -= 1")
            f.line("state[OWNED_HERE + s] -= 1")
            f.line("state[OWNED + base + i] = state[OWNED + base + n]")
            f.line("state[OWNED_PIECE + base + i] = state[OWNED_PIECE + base + n]")
        with f.block("else:"):
            f.line("i += 1")
    f.line("state[N_OWNED + owner] = n")
    f.line("return 0")
