"""Sizes of studies of transfer.

The protocol is the paper's (section 4.2): every network is trained for the same time. One that was transferred without
further training meets the network that learned the target for that time; one that is tuned learns the target for as
long again, so twice as long in total, and meets that same network, which learned only once. In the paper the time is
20 hours on 8 GPUs and 80 CPU cores, 300 games decide, each player begins half of them and searches 800 simulations
a move. So epochs differ from game to game, and the figures plot scores against their ratio.

tiny    two CPU cores, some minutes: two or three small variants, one minute of learning for each network.
small   one GPU: all variants of the paper. A network learns for 60 epochs, about a million positions, whatever else the
        GPU does meanwhile: 15 to 40 seconds where it does nothing else. ``variants/hex`` has 6 networks that learn from
        nothing and 30 for each of two ways of tuning; jobs come setting by setting, so a study that is stopped after
        half an hour (``--minutes 30``) has the first ones complete.
paper   appendix E: the paper's network, search and optimiser, 20 hours for each network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class StudyPreset:
    """Budgets of learning and playing in a study.

    Attributes:
        training: the preset of training.
        settings: changes to it.
        minutes: time that each network learns, and again when fine-tuned; None for a number of epochs.
        epochs: number of epochs; with minutes, whichever comes first.
        games: games that decide about a pair.
        simulations: of each search in these games.
        tiny: whether only the small variants take part.
        uct: in the study of architectures, the player that networks meet.
        uct_simulations: of the networks in these games.
    """

    training: str
    minutes: float | None
    games: int
    simulations: int
    settings: dict[str, Any] = field(default_factory=dict)
    tiny: bool = False
    uct: str = "uct:800,rollouts=10"
    uct_simulations: int = 40
    epochs: int | None = None


# Ratings would take time from learning, and checkpoints are only needed to resume after an interruption.
_QUIET: dict[str, Any] = {"rating_share": 0.0, "checkpoint_epochs": 1_000_000, "checkpoint_minutes": 5.0}

PRESETS: dict[str, StudyPreset] = {
    "tiny": StudyPreset(
        "tiny", 1.0, 60, 32, {**_QUIET, "checkpoint_minutes": 0.5, "positions": 1_024, "warmup": 1_000}, tiny=True,
        uct="uct:100",
    ),
    "small": StudyPreset(
        "modern", None, 300, 64,
        {
            **_QUIET, "games": 4_096, "staggered": True, "positions": 16_384, "warmup": 16_384, "replay": 400_000,
            "reuse_factor": 3.0, "batch": 1_024,
        },
        epochs=60,
    ),
    "paper": StudyPreset("paper", 1200.0, 300, 800, {"rating_share": 0.0}),
}  # fmt: skip
"""The sizes by name."""


def study_preset(name: str) -> StudyPreset:
    """A size by its name."""
    if name not in PRESETS:
        raise LudoportError(f"unknown preset `{name}`; choose from {', '.join(PRESETS)}")
    return PRESETS[name]
