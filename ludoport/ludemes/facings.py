"""Where players and pieces face, which is what `Forward` and the like depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program


def owner_facings(program: Program) -> list[str]:
    """The facing for each owner number from 0; nobody faces north."""
    return [program.player_facing.get(player, "N") for player in range(program.n_players + 2)]


def faces_by_piece(program: Program) -> bool:
    """Whether some pieces face elsewhere than their owners."""
    return any(c.facing is not None for c in program.components)


def piece_facings(program: Program) -> list[str]:
    """The facing for each owner number, or for each component where these differ; empty for no piece at all."""
    if faces_by_piece(program):
        return ["", *(c.facing or program.player_facing.get(c.owner, "N") for c in program.components[1:])]
    facings = owner_facings(program)
    if all(c.owner != 0 for c in program.components[1:]) and not program.stacking:
        facings[0] = ""
    return facings
