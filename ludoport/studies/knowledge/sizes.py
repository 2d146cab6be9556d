"""Sizes of the study, and what a unit of compute buys.

A unit is what 300,000 simulations of UCT take, the whole tree of the thesis: 4.2 seconds of CPU time when it was
measured. What learning gets for the same CPU time was measured beside it and is fixed here as numbers of positions and
batches. So the study gives the same results on a slower or shared machine, only later. The report says how many CPU
seconds each kind took.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SIMULATIONS = 300_000
"""Simulations of a tree in a unit."""

EPOCHS = 12
"""Epochs of self-play in a unit."""

BATCHES = 350
"""Batches of distillation in a unit."""

LEARNING: Mapping[str, Any] = {
    "positions": 192, "warmup": 192, "games": 32, "staggered": True, "schedule": "constant", "rating_share": 0.0,
    "checkpoint_epochs": 1, "checkpoint_minutes": 60.0,
}  # fmt: skip
"""Changes to the preset ``tiny`` of training. A constant rate with averaged weights makes checkpoints of one run
comparable; all levels of a network are checkpoints of one run."""


@dataclass(frozen=True)
class KnowledgeSize:
    """Size of the study.

    Attributes:
        levels: of compute, in units.
        seeds: trees and networks of each kind.
        games: of each network against each opponent.
        cheap: times as many are played without networks, because they cost a fraction.
        simulations: of each search for a move, and visits of a position that a tree answers by itself.
        anchors: fixed opponents, weaker ones first.
        nodes: room of a tree that grows.
        settings: further changes to the learning.
    """

    levels: tuple[float, ...]
    seeds: int
    games: int
    cheap: int = 3
    simulations: int = 32
    anchors: tuple[str, ...] = ("uct:16", "uct:100")
    nodes: int = 4_000_000
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def learning(self) -> dict[str, Any]:
        """The settings of everything that learns."""
        return {**LEARNING, **self.settings}


def simulations_of(level: float) -> int:
    """Simulations of a tree at a level."""
    return round(SIMULATIONS * level)


def epochs_of(level: float) -> int:
    """Epochs of self-play at a level."""
    return max(1, round(EPOCHS * level))


def batches_of(level: float) -> int:
    """Batches of distillation at a level."""
    return max(1, round(BATCHES * level))


SIZES: dict[str, KnowledgeSize] = {
    "tiny": KnowledgeSize((0.3, 1, 3), 3, 8, cheap=2),
    "small": KnowledgeSize((0.3, 1, 3, 10), 3, 40),
    "full": KnowledgeSize((1, 3, 10, 30, 100), 3, 200, nodes=40_000_000),
}
"""Sizes by the names of presets."""
