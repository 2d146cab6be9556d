"""The cells of transfer tables: what one (source, target) pair gave in one setting."""

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
        setting: how the network was carried over.
        source: row of the table.
        target: column of the table.
        wins: of the carried-over network.
        draws: games without a winner.
        losses: games that the network won that learned from nothing.
        source_epochs: how long the source network learned.
        target_epochs: how long the network learned that it plays against.
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
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def percentage(self) -> float:
        """Win percentage as the paper counts it: a draw is half a win."""
        return 100 * (self.wins + self.draws / 2) / self.games
