"""Sizes of the experiment on chess and Chessplus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class CleaverSize:
    """Size of the experiment.

    Attributes:
        simulations: of each worker, for the tree of either game.
        tuning: of each worker, when continuing in the target.
        workers: number of trees that are merged into one.
        nodes: room of each worker; the thesis does not say how much its machines had.
        room: room for new nodes while tuning; enough for all, for dropping frees nothing where positions come again.
        games: of each match.
        online: simulations for a move in positions that a tree does not know.
        discounts: weights of a visit of the source, in the study of discounts.
        discount_games: games for each of them.
    """

    simulations: int
    tuning: int
    workers: int
    nodes: int
    room: int
    games: int
    online: int
    discounts: tuple[float, ...] = ()
    discount_games: int = 0

    def __post_init__(self) -> None:
        for name in ("simulations", "tuning", "workers", "nodes", "room", "games", "online"):
            if getattr(self, name) < 1:
                raise LudoportError(f"{name} must be at least 1, not {getattr(self, name)}")


@dataclass(frozen=True)
class NetworkSize:
    """Size of the part with networks.

    Attributes:
        epochs: of learning, in the source and in the target.
        games: of each match.
        simulations: for a move.
        settings: changes to the preset ``tiny`` of training.
    """

    epochs: int = 10
    games: int = 100
    simulations: int = 64
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("epochs", "games", "simulations"):
            if getattr(self, name) < 1:
                raise LudoportError(f"{name} of networks must be at least 1, not {getattr(self, name)}")


THESIS = CleaverSize(10_000, 10_000, 30, 4_000, 400_000, 1000, 200, (1.0, 0.5, 0.25, 0.1, 0.03), 400)
"""The thesis. With room for 4,000 moves and positions, trees have about as many states as those of the thesis."""


def times_thesis(number: int) -> CleaverSize:
    """The size of the thesis with its simulations and nodes multiplied, without the study of discounts."""
    scaled = {name: number * getattr(THESIS, name) for name in ("simulations", "tuning", "nodes", "room")}
    return replace(THESIS, **scaled, discounts=(), discount_games=0)


PRESETS = {
    "tiny": CleaverSize(1_000, 1_000, 4, 1_000, 40_000, 100, 50, (1.0, 0.1), 50),
    "thesis": THESIS,
    "full": times_thesis(100),
}


MOST_TIMES = 1000


def size_of(name: str) -> CleaverSize:
    """The size of a preset, or of a multiple of the thesis such as ``10x``.

    >>> size_of("10x").simulations
    100000
    """
    if name in PRESETS:
        return PRESETS[name]
    if name.endswith("x") and name[:-1].isdecimal() and 1 <= int(name[:-1]) <= MOST_TIMES:
        return times_thesis(int(name[:-1]))
    raise LudoportError(
        f"unknown preset `{name}`; choose from {', '.join(PRESETS)}, and 1x to {MOST_TIMES}x, which multiply the "
        "simulations of the thesis"
    )


def preset_of(size: Mapping[str, Any]) -> str:
    """The name of the preset with these fields; dots if there is none."""
    times = f"{size['simulations'] // THESIS.simulations}x"
    for name in (*PRESETS, *([times] if times != "0x" else [])):
        if _plain(asdict(size_of(name))) == _plain(size):
            return name
    return "..."


def _plain(size: Mapping[str, Any]) -> Any:
    """A value as JSON holds it: tuples become lists."""
    return json.loads(json.dumps(size))
