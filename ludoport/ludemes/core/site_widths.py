"""Numbers of candidates that depend on the site and the owner of a piece.

A rook in a corner has as many ways as one in the middle, a king has not. Drawing with the number of each site instead
of the largest one rejects fewer candidates; which moves are drawn, and how often, stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@dataclass(frozen=True, eq=False)
class SiteWidth:
    """Number of candidates of a generator for a piece on each board site.

    Attributes:
        rows: one row for all players, or one for each owner (column: site).
        site: the variable that holds the site of the piece.
        owner: the variable that holds its owner.
    """

    rows: NDArray[np.signedinteger[Any]]
    site: str
    owner: str

    @property
    def most(self) -> int:
        """The largest number, which is enough for every site."""
        return int(self.rows.max(initial=0))

    def plus(self, other: SiteWidth | int) -> SiteWidth:
        """Candidates of two generators after one another."""
        return SiteWidth(self.rows + (other if isinstance(other, int) else other.rows), self.site, self.owner)

    def atleast(self, other: SiteWidth | int) -> SiteWidth:
        """Candidates of two generators that share their numbers."""
        rows = np.maximum(self.rows, other if isinstance(other, int) else other.rows)
        return SiteWidth(rows, self.site, self.owner)

    def times(self, count: int) -> SiteWidth:
        """As many candidates for each of the first."""
        return SiteWidth(self.rows * count, self.site, self.owner)

    def where(self, sites: NDArray[np.bool_]) -> SiteWidth:
        """None but on some sites."""
        return SiteWidth(self.rows * sites, self.site, self.owner)

    def of(self, owner: int) -> NDArray[np.signedinteger[Any]]:
        """The numbers for the pieces of one player, by site."""
        row: NDArray[np.signedinteger[Any]] = self.rows[owner if len(self.rows) > 1 else 0]
        return row

    def code(self, program: Program) -> str:
        """Code for the number of the piece at hand."""
        table = program.module.table("WIDTHS", self.rows)
        row = f"{self.owner} * {program.n_board} + " if len(self.rows) > 1 else ""
        return f"{table}[{row}{self.site}]"
