"""Names of channels, as the reference writes them."""

from __future__ import annotations

from ludoport.ludemes.program import Program
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.features import Features

_AGO = ("Last", "Second-to-last")


def state_name(channel: StateChannel, program: Program) -> str:
    """The name of a plane of a state."""
    kind, index = channel.kind, channel.index
    if kind in ("piece", "level-from-bottom", "level-from-top"):
        number = next(piece.index for piece in program.components if piece.name == channel.piece)
        name = f"Piece Type {number} ({channel.piece})"
        return name if kind == "piece" else f"{name} at level {index} from stack {kind.rpartition('-')[2]}."
    if kind == "container":
        return f"Does position exist in container {index} ({_container(program, index)})?"
    if kind in ("last-from", "last-to"):
        return f"{_AGO[index]} move's {kind.removeprefix('last-')}-position"
    return {
        "height": "Stack sizes (non-binary channel!)",
        "count": "Counts (non-binary channel!)",
        "amount": f"Amount of Player {channel.owner} (non-binary channel!)",
        "to-move": f"Is Player {channel.owner} the current mover?",
        "state": f"Local state {'==' if index < 5 else '>='} {index}",
        "swapped": "Did Swap Occur?",
    }[kind]


def move_name(channel: MoveChannel, features: Features) -> str:
    """The name of a plane of moves."""
    if channel.kind != "displacement":
        return f"{channel.kind}:{channel.text}" if channel.text else channel.kind
    name = f"dx={channel.dx},dy={channel.dy}" if features.movement else "to"
    return f"{name},levelMin={channel.level},levelSpan={channel.span}" if features.stacking else name


def _container(program: Program, number: int) -> str:
    return f"Hand{program.hands[number - 1].owner}" if number else "Board"
