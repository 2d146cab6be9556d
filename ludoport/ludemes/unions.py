"""Groups kept as a union-find in the row, for games in which stones are only ever added."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program


class Unions:
    """The derived fields for incremental connection tests."""

    def __init__(self, program: Program) -> None:
        self.program = program


def find_unions(program: Program) -> None:
    """Decide whether the game can keep its groups incrementally."""
    program.unions = None
