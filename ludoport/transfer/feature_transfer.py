"""Value features that start a learner of another game (Banerjee and Stone, 2007)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.td.learner import ValueLearner
from ludoport.td.opponents import Opponent
from ludoport.td.settings import TdSettings
from ludoport.transfer.features import ALL_OPPONENTS, FeatureTable

if TYPE_CHECKING:
    from ludoport.game import Game

SAMPLE = 50
"""Random games of the target in which features are looked for."""


@dataclass(frozen=True)
class FeatureTransfer:
    """A learner of the target that starts with features of other games.

    Attributes:
        learner: the learner.
        table: the features.
        sources: names of the games that they come from.
        target: name of the target.
        opponent: name of the opponent whose values are used.
        afterstates: different afterstates met in random games of the target.
        known: those of them whose feature has a value.
        met: features that occur among them.
        file: file of the features, if they were written.
    """

    learner: ValueLearner
    table: FeatureTable
    sources: tuple[str, ...]
    target: str
    opponent: str
    afterstates: int
    known: int
    met: int
    file: Path | None = None

    def as_json(self) -> dict[str, Any]:
        """All numbers, as data for JSON."""
        hidden = ("learner", "table", "file", "sources")
        numbers = {name: value for name, value in vars(self).items() if name not in hidden}
        return {
            "knowledge": "value features", "file": None if self.file is None else str(self.file),
            "sources": list(self.sources), "features": len(self.table), **numbers,
        }  # fmt: skip

    def __str__(self) -> str:
        where, sources = f"{self.file}: " if self.file else "", ", ".join(self.sources) or "unknown games"
        share = 100 * self.known / self.afterstates if self.afterstates else 0.0
        return (
            f"{where}{len(self.table)} value features from {sources} for {self.target}\n"
            f"  {self.met} of them occur in {SAMPLE} random games of {self.target}; they value {share:.0f} % of its "
            f"{self.afterstates:,} afterstates"
        )


def transfer_features(
    table: FeatureTable,
    target: Game,
    *,
    opponent: str = ALL_OPPONENTS,
    seat: int = 1,
    seed: int = 1,
    settings: TdSettings | None = None,
) -> FeatureTransfer:
    """Start a learner of another game with the values of features.

    Args:
        table: the features.
        target: any game of alternating moves.
        opponent: use the values learned against this opponent; default: against all of them together.
        seat: the seat that learns.
        seed: random seed of the learner.
        settings: how to learn; default: those of the paper with the table's depth, and new afterstates get their value
            when the learner first looks at them, since only then features helped (docs/howto/value-features.md).
    """
    settings = settings or TdSettings(at_sight=True, depth=table.depth, loss=table.loss, win=table.win)
    known = table.known(opponent, loss=settings.loss, win=settings.win)
    learner = ValueLearner(target, start="features", features=known, seat=seat, seed=seed, settings=settings)
    codes = _random_codes(target, seat, seed, settings)
    valued = np.isin(codes, known.codes)
    return FeatureTransfer(
        learner, table, tuple(dict.fromkeys(source.game for source in table.sources)), target.name, opponent,
        len(codes), int(valued.sum()), len(np.unique(codes[valued])),
    )  # fmt: skip


def _random_codes(game: Game, seat: int, seed: int, settings: TdSettings) -> Any:
    """The codes of the trees below all afterstates of some random games, ends of games left out."""
    watcher = ValueLearner(
        game, seat=seat, seed=seed, settings=replace(settings, epsilon=1.0, at_sight=False), keep=True
    )
    watcher.train(Opponent("random"), SAMPLE)
    codes = watcher.codes()
    return codes[codes != 0]
