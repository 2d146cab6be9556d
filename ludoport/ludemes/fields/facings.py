"""Facings of players and pieces, on which `Forward` and similar directions depend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.boards import facing_directions

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def owner_facings(program: Program) -> list[str]:
    """The facing for each owner number from 0; number 0, no owner, faces north."""
    return [program.player_facing.get(player, "N") for player in range(program.n_players + 2)]


def faces_by_piece(program: Program) -> bool:
    """Whether some pieces face elsewhere than their owners."""
    return any(c.facing is not None for c in program.components)


def rotates(program: Program) -> bool:
    """Whether pieces turn, so that each faces where its rotation says."""
    return program.memo(_rotates) and not program.stacking


def _rotates(program: Program) -> bool:
    nodes = list(program.description.root.walk())
    placed = any(
        (node.kind == "start" and node.peek("rotation") not in (None, 0))
        or (node.key == "util:to" and node.peek("rotations") is not None)
        for node in nodes
    )
    return placed or any(
        node.keyword in ("set Rotation", "rotation") or str(node.peek("setType")) == "Rotation" for node in nodes
    )


TURNS = 16
"""Most rotations of a piece."""


def want_rotations(program: Program) -> None:
    """Positions keep a rotation for every site."""
    program.state.want("ROTATION", program.n_sites)


def _turned(program: Program, facing: str, relation: str) -> list[str]:
    """Where a piece faces for each rotation: every turn goes to the next direction on the right."""
    found = [facing]
    for _ in range(TURNS - 1):
        after = facing_directions(program.sites, found[-1], "FR", relation)
        found.append(after[0] if after else found[-1])
    return found


def piece_facings(program: Program, relation: str = "Adjacent") -> list[str]:
    """The facing for each owner number, or for each component where these differ; empty for no piece at all.

    Where pieces turn, there is one for each rotation of each of these.
    """
    facings = _plain_facings(program)
    if not rotates(program):
        return facings
    want_rotations(program)
    return [each for facing in facings for each in (_turned(program, facing, relation) if facing else [""] * TURNS)]


def _plain_facings(program: Program) -> list[str]:
    if faces_by_piece(program):
        return ["", *(c.facing or program.player_facing.get(c.owner, "N") for c in program.components[1:])]
    facings = owner_facings(program)
    if all(c.owner != 0 for c in program.components[1:]) and not program.stacking:
        facings[0] = ""
    return facings
