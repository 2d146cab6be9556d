"""How large the experiment on chess and Chessplus is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class Size:
    """How large the experiment is.

    Attributes:
        iterations: of each worker, for the tree of either game.
        tuning: of each worker, for going on in the target.
        workers: how many trees are merged into one.
        nodes: room of each worker; the thesis does not say how much its machines had.
        room: room for new nodes while tuning; enough for all, for dropping frees nothing where positions come again.
        games: of each match.
        online: iterations for a move in positions that a tree does not know.
        discounts: what a visit of the source is worth, in the study of discounts.
        discount_games: games for each of them.
    """

    iterations: int
    tuning: int
    workers: int
    nodes: int
    room: int
    games: int
    online: int
    discounts: tuple[float, ...] = ()
    discount_games: int = 0

    def __post_init__(self) -> None:
        for name in ("iterations", "tuning", "workers", "nodes", "room", "games", "online"):
            if getattr(self, name) < 1:
                raise LudoportError(f"{name} must be at least 1, not {getattr(self, name)}")


THESIS = Size(10_000, 10_000, 30, 4_000, 400_000, 1000, 200, (1.0, 0.5, 0.25, 0.1, 0.03), 400)
"""With room for 4,000 moves and positions, trees have about as many states as those of the thesis."""


def times_thesis(number: int) -> Size:
    """So many times the iterations of the thesis, and the room for them; without the study of discounts."""
    scaled = {name: number * getattr(THESIS, name) for name in ("iterations", "tuning", "nodes", "room")}
    return replace(THESIS, **scaled, discounts=(), discount_games=0)


PRESETS = {
    "tiny": Size(1_000, 1_000, 4, 1_000, 40_000, 100, 50, (1.0, 0.1), 50),
    "thesis": THESIS,
    "full": times_thesis(100),
}


MOST_TIMES = 1000


def size_of(name: str) -> Size:
    """The size of a preset, or of ``10x`` and the like: so many times the iterations of the thesis.

    >>> size_of("10x").iterations
    100000
    """
    if name in PRESETS:
        return PRESETS[name]
    if name.endswith("x") and name[:-1].isdecimal() and 1 <= int(name[:-1]) <= MOST_TIMES:
        return times_thesis(int(name[:-1]))
    raise LudoportError(
        f"there is no preset `{name}`; there are {', '.join(PRESETS)}, and 1x to {MOST_TIMES}x, which multiply the "
        "iterations of the thesis"
    )


def preset_of(size: Mapping[str, Any]) -> str:
    """The name of the preset with these fields; dots if there is none."""
    times = f"{size['iterations'] // THESIS.iterations}x"
    for name in (*PRESETS, *([times] if times != "0x" else [])):
        if asdict(size_of(name)) == size:
            return name
    return "..."
