"""The cells of transfer tables (what one pair of games gave in one setting), and the order of the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Setting = Literal["zero-shot", "fine-tuned", "fine-tuned, heads re-initialised", "fine-tuned, widths adjusted"]
"""The ways of carrying a network over, named as in the tables of the first paper."""

SETTINGS: tuple[Setting, ...] = (
    "zero-shot",
    "fine-tuned",
    "fine-tuned, heads re-initialised",
    "fine-tuned, widths adjusted",
)


@dataclass(frozen=True)
class Cell:
    """Games of a carried-over network against one that learned the target from nothing.

    Attributes:
        table: the family of games, named as in the paper's tables ("Hex", "line completion", ...).
        setting: setting of the transfer.
        source: row of the table.
        target: column of the table.
        wins: of the carried-over network.
        draws: games without a winner.
        losses: games that the network won that learned from nothing.
        source_epochs: epochs of the source network.
        target_epochs: epochs of the opponent, which learned the target.
        job: the job in the study's store that played the games.
    """

    table: str
    setting: Setting
    source: str
    target: str
    wins: int
    draws: int
    losses: int
    source_epochs: int
    target_epochs: int
    job: str = ""

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def percentage(self) -> float:
        """Win percentage as the paper counts it: a draw is half a win."""
        return 100 * (self.wins + self.draws / 2) / self.games


@dataclass(frozen=True)
class TableOrder:
    """One family of games: which rows and columns its tables have, in which order, and in which settings.

    Attributes:
        table: name of the family, as in ``Cell.table``.
        rows: sources.
        columns: targets.
        settings: the ways of carrying over; each becomes one table.
        same: sources and targets that are one game, and so no pair; None where names tell.
    """

    table: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    settings: tuple[Setting, ...] = SETTINGS
    same: tuple[tuple[str, str], ...] | None = None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs that a complete table holds, row by row."""
        return [(source, target) for source in self.rows for target in self.columns if self.is_pair(source, target)]

    def is_pair(self, source: str, target: str) -> bool:
        """Whether a pair belongs into the table; a game is not transferred to itself."""
        if self.same is not None:
            return (source, target) not in self.same
        # In the paper's tables between families equal names ("7×7") are different games.
        return self.rows != self.columns or source != target
