"""Settings of the player ``learner``, and the place of its memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ludoport.errors import LudoportError
from ludoport.td.learner import NOTHING, KnownValues, Start, ValueLearner
from ludoport.td.settings import TdSettings
from ludoport.transfer.features import ALL_OPPONENTS, combined
from ludoport.transfer.features_file import load_features

if TYPE_CHECKING:
    from ludoport.game import Game

LIMIT = 2000
"""Number of last afterstates that count in a longer match."""


def memory_folder() -> Path:
    """Default folder of memories."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "ludoport" / "learner"


@dataclass(frozen=True)
class Style:
    """Settings of learning; the defaults are those of the paper (Banerjee and Stone, 2007).

    Attributes:
        folder: folder of memories.
        start: value of a new afterstate: ``features`` if there are some, otherwise ``default``.
        features: a file of features to start with.
        against: the values learned against this opponent count.
        alpha: learning rate.
        lam: trace decay: the share of an error that the previous afterstate gets.
        epsilon: probability of a random move.
        depth: moves of the lookahead below an afterstate.
        at_sight: new afterstates get their value when first looked at, not after the match.
    """

    folder: Path = field(default_factory=memory_folder)
    start: str = ""
    features: Path | None = None
    against: str = ALL_OPPONENTS
    alpha: float = 0.3
    lam: float = 0.7
    epsilon: float = 0.01
    depth: int = 2
    at_sight: bool = False

    def __post_init__(self) -> None:
        if self.start and self.start not in get_args(Start):
            raise LudoportError(f"values cannot begin with `{self.start}`; they can with {', '.join(get_args(Start))}")
        if self.features is not None and self.start not in ("", "features"):
            raise LudoportError(f"features are given, but values begin with {self.start}; leave out one of the two")
        if self.start == "features" and self.features is None:
            raise LudoportError("no features to start with; give some, or choose another start")
        _ = self.settings, self.known

    @cached_property
    def settings(self) -> TdSettings:
        """Settings of the learner."""
        return TdSettings(
            alpha=self.alpha,
            lam=self.lam,
            epsilon=self.epsilon,
            depth=self.depth,
            at_sight=self.at_sight,
            limit=LIMIT,
        )

    @cached_property
    def known(self) -> KnownValues:
        """The features to start with."""
        return NOTHING if self.features is None else known_features([self.features], self.against, self.settings)

    def learner(self, game: Game, role: int) -> ValueLearner:
        """A learner that knows nothing but the features; ``role`` counts from 0."""
        start: Start = self.start or ("default" if self.features is None else "features")  # type: ignore[assignment]
        return ValueLearner(game, start=start, features=self.known, seat=role + 1, settings=self.settings, keep=True)


def known_features(paths: Sequence[Path], opponent: str, settings: TdSettings) -> KnownValues:
    """The features of some files as a learner with these settings uses them."""
    table = combined([load_features(path) for path in paths])
    if table.depth != settings.depth:
        raise LudoportError(
            f"these features look {table.depth} moves ahead, not {settings.depth}; use depth {table.depth}"
        )
    return table.known(opponent, loss=settings.loss, win=settings.win)
