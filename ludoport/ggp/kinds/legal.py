"""The player ``legal``: always the first legal move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ludoport.arena.specification import Specification
from ludoport.ggp.role_player import RolePlayer, register

if TYPE_CHECKING:
    from ludoport.ggp.positions import SheetPosition


class LegalRole(RolePlayer):
    """Plays the first legal move in the order of texts."""

    def think(self, position: SheetPosition, role: int, until: float) -> Iterator[str]:
        """One move."""
        yield position.legal[role][0]


@register("legal", "legal")
def make(specification: Specification) -> RolePlayer:
    """The player of a text."""
    specification.named(None, ())
    return LegalRole()
