"""Names of channels, as the reference writes them; it knows no castling, merging and facts."""

from __future__ import annotations

from collections.abc import Sequence

from ludoport.ludemes.core.program import Program
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.features import Features

_AGO = ("Last", "Second-to-last")


def state_name(channel: StateChannel, program: Program) -> str:
    """The name of a plane of a state of a game in the ludemic language."""
    names = [piece.name for piece in program.components[1:]]
    return plane_name(channel, names, ["Board", *(f"Hand{hand.owner}" for hand in program.hands)])


def plane_name(channel: StateChannel, pieces: Sequence[str], containers: Sequence[str] = ("Board",)) -> str:
    """The name of a plane of a state.

    Args:
        channel: the channel.
        pieces: the names of all pieces, in order.
        containers: the names of all containers.
    """
    kind, index = channel.kind, channel.index
    if kind in ("piece", "level-from-bottom", "level-from-top"):
        name = f"Piece Type {pieces.index(channel.piece) + 1} ({channel.piece})"
        return name if kind == "piece" else f"{name} at level {index} from stack {kind.rpartition('-')[2]}."
    if kind == "container":
        return f"Does position exist in container {index} ({containers[index]})?"
    if kind in ("last-from", "last-to"):
        return f"{_AGO[index]} move's {kind.removeprefix('last-')}-position"
    return {
        "height": "Stack sizes (non-binary channel!)",
        "count": "Counts (non-binary channel!)",
        "amount": f"Amount of Player {channel.owner} (non-binary channel!)",
        "to-move": f"Is Player {channel.owner} the current mover?",
        "state": f"Local state {'==' if index < 5 else '>='} {index}",
        "swapped": "Did Swap Occur?",
        "merged": "Merged pieces",
        "castles": "Rooks that may castle",
        "passant": "Square behind a double step",
        "clock": f"At least {index} moves without progress",
        "fact": channel.piece,
        "die": f"Dice{_of(channel)} with {index} left (non-binary channel!)",
        "roll": f"Dice{_of(channel)} that a roll shows with {index} (non-binary channel!)",
    }[kind]


def _of(channel: StateChannel) -> str:
    return f" of Player {channel.owner}" if channel.owner else ""


def move_name(channel: MoveChannel, features: Features) -> str:
    """The name of a plane of moves of a game in the ludemic language."""
    return way_name(channel, movement=features.movement, stacking=features.stacking)


def way_name(channel: MoveChannel, *, movement: bool, stacking: bool = False) -> str:
    """The name of a plane of moves.

    Args:
        channel: the channel.
        movement: whether displacements tell moves apart.
        stacking: whether levels do.
    """
    if channel.kind != "displacement":
        return f"{channel.kind}:{channel.text}" if channel.text else channel.kind
    name = f"dx={channel.dx},dy={channel.dy}" if movement else "to"
    if stacking:
        name += f",levelMin={channel.level},levelSpan={channel.span}"
    return f"{name},{channel.text}" if channel.text else name
