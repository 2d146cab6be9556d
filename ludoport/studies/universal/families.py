"""The families of the study, and its sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludoport.selfplay.lists import Entry
from ludoport.studies.engine.plan import GameVariant
from ludoport.studies.evidence.blocks import REAL, SIZES, Size


@dataclass(frozen=True)
class GameFamily:
    """Games that are held out together.

    Attributes:
        name: of the family.
        games: those that networks learn when another family is held out; the first is also a source by mapping.
        targets: those that networks play which have learned without the family.
        like: families of varied games that are like it; they are held out with it.
    """

    name: str
    games: tuple[GameVariant, ...]
    targets: tuple[GameVariant, ...]
    like: tuple[str, ...] = ()


@dataclass(frozen=True)
class Extent:
    """Size of the study.

    Attributes:
        size: of networks for one game and of all matches; see the studies of evidence.
        families: the families.
        epochs: of networks for many games.
        varied: number of varied games that they learn too.
        numbers: numbers of games for the curve of strength over them.
        training: the preset of training, for networks for many games.
        settings: changes to it.
    """

    size: Size
    families: tuple[GameFamily, ...]
    epochs: int
    varied: int
    numbers: tuple[int, ...]
    training: str
    settings: dict[str, Any] = field(default_factory=dict)


def line_of(variant: GameVariant) -> str:
    """A variant as a line of a list of games."""
    return str(Entry(variant.game, variant.options))


def _sized(game: str, size: int, *options: str) -> GameVariant:
    words = "".join(f" {option.rpartition('/')[2]}" for option in options)
    return GameVariant(f"{game} {size}×{size}{words}", game, (f"Board Size/{size}x{size}", *options))


_MISERE = "End Rules/Misere"
_FULL = (
    GameFamily(
        "Hex", (_sized("Hex", 7), _sized("Hex", 9), _sized("Hex", 7, _MISERE)), (_sized("Hex", 7),), ("Connections",)
    ),
    GameFamily(
        "Breakthrough",
        (_sized("Breakthrough", 6), _sized("Breakthrough", 8), _sized("Breakthrough", 4, "Board/Hexagon")),
        (_sized("Breakthrough", 6),),
        ("Races",),
    ),
    GameFamily(
        "Lines",
        (
            GameVariant("Yavalath", "Yavalath", ("Board Size/5x5",)),
            GameVariant("Squava", "Squava"),
            GameVariant("Gomoku", "Gomoku", ("Board Size/9x9",)),
        ),
        (GameVariant("Yavalath", "Yavalath", ("Board Size/5x5",)),),
        ("Lines",),
    ),
    GameFamily(
        "Diagonal Hex",
        (_sized("Diagonal Hex", 7), _sized("Diagonal Hex", 7, _MISERE)),
        (_sized("Diagonal Hex", 7),),
        ("Connections",),
    ),
    GameFamily("Konane", (_sized("Konane", 6), _sized("Konane", 8)), (_sized("Konane", 6),), ("Taking",)),
)
_TINY = (
    GameFamily("Hex", (_sized("Hex", 4), _sized("Hex", 4, _MISERE)), (_sized("Hex", 4),), ("Connections",)),
    GameFamily("Breakthrough", (_sized("Breakthrough", 4),), (_sized("Breakthrough", 4),), ("Races",)),
    GameFamily(
        "Lines",
        (GameVariant("Tic-Tac-Toe", "Tic-Tac-Toe"), GameVariant("Squava", "Squava")),
        (GameVariant("Tic-Tac-Toe", "Tic-Tac-Toe"),),
        ("Lines",),
    ),
)

_MANY = {
    "games": 512, "staggered": True, "positions": 65_536, "warmup": 65_536, "replay": 100_000, "reuse_factor": 3.0,
    "batch": 2_048, "checkpoint_minutes": 10.0, "checkpoint_epochs": 10_000, "mixed": 8,
}  # fmt: skip
"""A run of minutes needs no checkpoint but that of its end; one of many games takes seconds."""

EXTENTS: dict[str, Extent] = {
    "tiny": Extent(
        Size("tiny", 16, 1, 100, 16, ("uct:20", REAL), 10, {"positions": 512, "warmup": 512, "simulations": 16}),
        _TINY, 40, 3, (1, 4), "tiny",
        {"games": 16, "simulations": 16, "positions": 640, "warmup": 600, "replay": 20_000},
    ),
    "small": Extent(SIZES["small"], _FULL, 96, 20, (1, 4, 16), "modern", _MANY),
    "paper": Extent(SIZES["paper"], _FULL, 1_024, 48, (1, 4, 16, 64, 200), "modern", _MANY),
}  # fmt: skip
"""Extents by the names of presets: for a CPU, for a GPU (one seed of all families in about half an hour), and beside
networks of the paper's size."""
