"""What rules may offer beside the contract: positions and moves as tensors whose channels have meanings.

A rules object that has a method ``tensors`` gets everything that networks need: ``ludoport/tensors`` turns its plan
into a layout. Games in the ludemic language have their plans made there, because all of them are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

StateKind = Literal[
    "piece", "level-from-bottom", "level-from-top", "height", "count", "amount", "to-move", "state", "swapped",
    "container", "last-from", "last-to", "merged", "castles", "passant", "clock", "fact", "die", "roll",
]  # fmt: skip
MoveKind = Literal["displacement", "propose", "vote", "pass", "swap", "action"]

FILL_PLANE = '''
@kernel
def fill_plane(plane, value, out):
    """Write one number into all cells of a plane."""
    for c in range(0 + LANE, TENSOR_CELLS, LANES):
        out[plane * TENSOR_CELLS + c] = value
    return 0
'''
"""A kernel that texts of planes share; its words for several threads are those of ``ludoport.kernels.lanes``."""


@dataclass(frozen=True)
class StateChannel:
    """The meaning of one plane of a state.

    Attributes:
        kind: what is drawn.
        owner: the player whose piece, turn, amount or dice it is; 0 where there is none.
        piece: name of the piece type as the game text gives it with the owner's digit, such as ``Marker1``; of a fact,
            its text with a dot for each coordinate.
        index: level of a stack, local state, number of a container, how many moves ago (0 is the last), the least
            number of a clock, or the value of dice.
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
        text: what is proposed or voted for; what else tells moves apart that go the same way.
    """

    kind: MoveKind
    dx: int = 0
    dy: int = 0
    level: int = 0
    span: int = 0
    text: str = ""


@dataclass(frozen=True, eq=False)
class TensorPlan:
    """The tensors of a game as its rules make them.

    Attributes:
        state: the meaning of every plane of a state.
        moves: the meaning of every plane of moves.
        x: the place of every site along the first axis, -1 for numbers that are not sites.
        y: the same along the second axis.
        shape: lengths of the two axes, (height, width).
        text: tables and the three kernels ``planes``, ``slot`` and ``remember_move``; they may use ``TENSOR_CELLS``,
            the cells of a plane, and ``TENSOR_CELL``, the cell of every site.
        kin: a bundled game in the ludemic language whose pieces of the same names move alike; comparing with pieces of
            other names needs it.
    """

    state: tuple[StateChannel, ...]
    moves: tuple[MoveChannel, ...]
    x: Sequence[int]
    y: Sequence[int]
    shape: tuple[int, int]
    text: str
    kin: str = ""


@runtime_checkable
class HasTensors(Protocol):
    """Rules that say how their positions and moves become tensors."""

    def tensors(self) -> TensorPlan:
        """The plan of their tensors.

        Raises:
            LudoportError: there can be none, for instance because there would be too many planes.
        """
