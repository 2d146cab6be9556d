"""What a channel of a tensor means, in a form that programs can compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StateKind = Literal[
    "piece", "level-from-bottom", "level-from-top", "height", "count", "amount", "to-move", "state", "swapped",
    "container", "last-from", "last-to",
]  # fmt: skip
MoveKind = Literal["displacement", "propose", "vote", "pass", "swap"]


@dataclass(frozen=True)
class StateChannel:
    """The meaning of one plane of a state.

    Attributes:
        kind: what is drawn.
        owner: the player whose piece, turn or amount it is; 0 where there is none.
        piece: name of the piece type as the game text gives it with the owner's digit, such as ``Marker1``.
        index: level of a stack, local state, number of a container, or how many moves ago (0 is the last).
    """

    kind: StateKind
    owner: int = 0
    piece: str = ""
    index: int = 0


@dataclass(frozen=True)
class MoveChannel:
    """The meaning of one plane of moves.

    Attributes:
        kind: what moves lie there.
        dx: clipped displacement along the first axis, from origin to destination.
        dy: the same along the second.
        level: lowest level that moves in a stacking game.
        span: how many levels more move in a stacking game.
        text: what is proposed or voted for.
    """

    kind: MoveKind
    dx: int = 0
    dy: int = 0
    level: int = 0
    span: int = 0
    text: str = ""
