"""The blocks of the study: games that are carried over to each other, and how large everything is.

A block trains, tunes and plays by itself, so that blocks can be run on different days and machines. Budgets are epochs,
each with the same number of positions; a slower machine gives the same result later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.plan import GameVariant


@dataclass(frozen=True)
class Block:
    """Games of one family.

    Attributes:
        variants: all are sources and targets of each other.
        tuned: pairs (source, target) that are also fine-tuned, by name.
        tiny: variants with which two CPU cores are done in an hour or so.
    """

    variants: tuple[GameVariant, ...]
    tuned: tuple[tuple[str, str], ...]
    tiny: tuple[GameVariant, ...]

    def sized(self, tiny: bool) -> Block:
        """The block, or its small part; there, every pair of neighbours is tuned."""
        if not tiny:
            return self
        names = [variant.name for variant in self.tiny]
        return Block(self.tiny, tuple(zip(names, names[1:] + names[:1], strict=True)), self.tiny)


@dataclass(frozen=True)
class Size:
    """Budgets of learning and playing.

    Attributes:
        training: the preset of training.
        settings: changes to it; a constant rate with averaged weights makes checkpoints of one run comparable.
        epochs: T, the budget of a network; a multiple of 8.
        seeds: networks of each kind.
        games: of two networks.
        simulations: of each search in these games.
        anchors: fixed opponents: the one that decides what a real opponent is, then others of growing strength.
        anchor_games: of a network against one of them.
        tiny: whether only the small variants take part.
    """

    training: str
    epochs: int
    seeds: int
    games: int
    simulations: int
    anchors: tuple[str, ...]
    anchor_games: int
    settings: dict[str, Any] = field(default_factory=dict)
    tiny: bool = False

    def __post_init__(self) -> None:
        if self.epochs % 8:
            raise LudoportError(f"a budget of {self.epochs} epochs has no eighth; choose a multiple of 8")

    def strong(self, variant: GameVariant) -> str:
        """The network of the zoo at the end of a target's ladder; empty where there is none, or boards are small."""
        name = "" if self.tiny else STRONG.get(variant.name, "")
        return name and f"net:zoo/{name},simulations={self.simulations}"

    @property
    def learning(self) -> dict[str, Any]:
        """Parameters of every job that learns."""
        settings = {**self.settings, "schedule": "constant", "rating_share": 0.0, "checkpoint_epochs": self.epochs // 8}
        return {"training": self.training, "settings": settings}

    @property
    def playing(self) -> dict[str, Any]:
        """Parameters of every job that plays."""
        return {"training": self.training, "games": self.games, "simulations": self.simulations}


def _sized(game: str, *sizes: int) -> tuple[GameVariant, ...]:
    return tuple(GameVariant(f"{game} {n}×{n}", game, (f"Board Size/{n}x{n}",)) for n in sizes)


def _breakthrough(shape: str, size: int) -> GameVariant:
    return GameVariant(f"{shape} {size}", "Breakthrough", (f"Board Size/{size}x{size}", f"Board/{shape}"))


def _misere(size: int) -> GameVariant:
    return GameVariant(f"Misere Hex {size}×{size}", "Hex", (f"Board Size/{size}x{size}", "End Rules/Misere"))


def _broken(length: int, shape: str, size: int) -> GameVariant:
    return GameVariant(
        f"Broken Line {length}", "Broken Line", (f"Line Size/{length}", f"Board Size/{size}x{size}", f"Board/{shape}")
    )


_LINES = {
    "Gomoku": GameVariant("Gomoku", "Gomoku", ("Board Size/9x9",)),
    "Yavalath": GameVariant("Yavalath", "Yavalath", ("Board Size/5x5",)),
    "Squava": GameVariant("Squava", "Squava"),
    "Pentalath": GameVariant("Pentalath", "Pentalath", ("Board/HexHexBoard",)),
    "Connect6": GameVariant("Connect6", "Connect6"),
}
_SHOGI = tuple(GameVariant(name, name) for name in ("Minishogi", "Kyoto Shogi", "Shogi"))

BLOCKS: dict[str, Block] = {
    "evidence/hex": Block(
        (*_sized("Hex", 7, 9, 11, 13), _misere(11)),
        (
            ("Hex 7×7", "Hex 9×9"), ("Hex 9×9", "Hex 7×7"), ("Hex 7×7", "Hex 11×11"), ("Hex 11×11", "Hex 7×7"),
            ("Hex 11×11", "Misere Hex 11×11"), ("Misere Hex 11×11", "Hex 11×11"),
        ),
        (*_sized("Hex", 4, 5), _misere(4)),
    ),
    "evidence/breakthrough": Block(
        (
            _breakthrough("Square", 6), _breakthrough("Square", 8), _breakthrough("Square", 10),
            _breakthrough("Hexagon", 4), _breakthrough("Hexagon", 6),
        ),
        (
            ("Square 6", "Square 8"), ("Square 8", "Square 6"), ("Square 8", "Square 10"), ("Square 6", "Hexagon 4"),
            ("Hexagon 4", "Hexagon 6"), ("Hexagon 6", "Square 8"),
        ),
        (_breakthrough("Square", 5), _breakthrough("Square", 6), _breakthrough("Hexagon", 4)),
    ),
    "evidence/lines": Block(
        tuple(_LINES.values()),
        (
            ("Gomoku", "Yavalath"), ("Yavalath", "Gomoku"), ("Yavalath", "Squava"), ("Squava", "Yavalath"),
            ("Gomoku", "Pentalath"), ("Gomoku", "Connect6"),
        ),
        (_LINES["Squava"], _LINES["Yavalath"], _LINES["Pentalath"]),
    ),
    "evidence/diagonal-hex": Block(
        (
            *_sized("Diagonal Hex", 7, 9), *_sized("Hex", 7, 9),
            _broken(3, "hex", 5), _broken(4, "hex", 5), _broken(5, "Square", 9),
        ),
        (
            ("Diagonal Hex 7×7", "Hex 7×7"), ("Hex 7×7", "Diagonal Hex 7×7"), ("Diagonal Hex 9×9", "Hex 9×9"),
            ("Hex 9×9", "Diagonal Hex 9×9"), ("Broken Line 3", "Broken Line 4"), ("Broken Line 4", "Broken Line 3"),
        ),
        (*_sized("Diagonal Hex", 5), *_sized("Hex", 5)),
    ),
    "evidence/shogi": Block(
        _SHOGI,
        tuple((one.name, two.name) for one in _SHOGI for two in _SHOGI if one != two),
        _SHOGI[:2],
    ),
    "evidence/konane": Block(
        (*_sized("Konane", 6, 8), *_sized("HeXentafl", 4, 5)),
        (
            ("Konane 6×6", "Konane 8×8"), ("Konane 8×8", "Konane 6×6"), ("HeXentafl 4×4", "HeXentafl 5×5"),
            ("HeXentafl 5×5", "HeXentafl 4×4"), ("Konane 6×6", "HeXentafl 4×4"), ("HeXentafl 4×4", "Konane 6×6"),
        ),
        _sized("Konane", 6, 8),
    ),
}  # fmt: skip
"""The blocks by the names of their studies."""

REAL = "uct:800,rollouts=10"
"""A network that does not score ``REAL_SCORE`` against this player is not a real opponent; its cells prove nothing."""

REAL_SCORE = 0.8

STRONG: dict[str, str] = {
    "Hex 7×7": "hex-7x7", "Hex 9×9": "hex-9x9", "Hex 11×11": "hex-11x11", "Square 8": "breakthrough-8x8",
    "Gomoku": "gomoku-9x9", "Yavalath": "yavalath-5x5", "Connect6": "connect6", "Minishogi": "minishogi",
    "Konane 8×8": "konane-8x8",
}  # fmt: skip
"""Networks of the zoo that end the ladder of a target, by the name of its variant: UCT is beaten by all."""

SIZES: dict[str, Size] = {
    "tiny": Size(
        "tiny", 16, 2, 40, 16, (REAL, "uct:20", "uct:100"), 10,
        {"positions": 512, "warmup": 512, "checkpoint_minutes": 5.0}, tiny=True,
    ),
    "small": Size(
        "modern", 48, 3, 100, 64, (REAL, "uct:50", "uct:200", "uct:5000,rollouts=4", "uct:20000"), 20,
        {
            "games": 4_096, "staggered": True, "positions": 16_384, "warmup": 16_384, "replay": 400_000,
            "reuse_factor": 3.0, "batch": 1_024, "checkpoint_minutes": 10.0,
        },
    ),
    "paper": Size("paper", 80, 3, 300, 400, (REAL, "uct:200", "uct:20000"), 100),
}  # fmt: skip
"""Sizes by the names of presets."""
