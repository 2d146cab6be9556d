"""Networks carried over from file to file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.nets.files import Header, Origin, load_network, save_network
from ludoport.tensors.channels import StateChannel
from ludoport.tensors.names import way_name
from ludoport.transfer.mapping import Mapping
from ludoport.transfer.networks import transfer_network
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.sides import Side, find_side

NETWORK = "network.safetensors"
"""The network's file in a folder."""


def find_network(run: Path) -> Path:
    """The file of a network, given itself or the folder that holds it.

    Raises:
        LudoportError: there is none.
    """
    if run.is_dir():
        if not (run / NETWORK).is_file():
            raise LudoportError(f"{run}: holds no {NETWORK}")
        return run / NETWORK
    if not run.is_file():
        raise LudoportError(f"{run}: no such file or folder")
    return run


def source_side(header: Header, text: str | Path | None = None, options: Sequence[str] = ()) -> Side:
    """The game that a network was made for.

    Its file says what the channels mean; to compare the rules of pieces, the game's text is needed, too.

    Args:
        header: what the network's file says.
        text: the game's name or the path of its text; the bundled game of that name unless given.
        options: the options of that text; those of the network unless given.

    Raises:
        LudoportError: the text that was given is not the one that the network was made for.
    """
    origin = header.origin
    if text is not None:
        side = find_side(text, options or origin.options)
        if (side.state, side.moves) != (origin.state_channels, origin.move_channels):
            raise LudoportError(f"the network was made for other channels than those of {side.game}: {origin.game}")
        return side
    try:
        side = find_side(origin.game, origin.options)
    except LudoportError:
        return _described(origin)
    return side if side.fingerprint == origin.fingerprint else _described(origin)


def _described(origin: Origin) -> Side:
    """A side whose text is not known; only its channels are."""
    pieces = list(dict.fromkeys(channel.piece for channel in origin.state_channels if channel.piece))
    movers = sum(channel.kind == "to-move" for channel in origin.state_channels)
    return Side(
        game=origin.game,
        players=max(movers, 1),
        state=origin.state_channels,
        moves=origin.move_channels,
        state_names=tuple(_name(channel, pieces) for channel in origin.state_channels),
        move_names=tuple(way_name(channel, movement=True) for channel in origin.move_channels),
        fingerprint=origin.fingerprint,
        options=origin.options,
    )


def _name(channel: StateChannel, pieces: Sequence[str]) -> str:
    if channel.kind == "fact":
        return channel.piece
    if channel.piece:
        name = f"Piece Type {pieces.index(channel.piece) + 1} ({channel.piece})"
        return name if channel.kind == "piece" else f"{name} {channel.kind} {channel.index}"
    if channel.owner:
        return f"{channel.kind} {channel.owner}"
    return f"{channel.kind} {channel.index}"


def transfer_file(
    run: Path,
    target: Side,
    mapping: Mapping,
    out: Path,
    *,
    options: TransferOptions | None = None,
    layout: str | None = None,
    board: tuple[int, int] | None = None,
) -> Path:
    """Reads a network, carries it over, and writes it.

    The new file knows where it comes from: its facts about training hold the mapping, the options, and what the source
    was trained with. It holds no state of an optimiser.

    Args:
        run: the network's file or folder.
        target: the game that it shall play.
        mapping: how the channels of both games correspond.
        out: a file that ends in ``.safetensors``, or a folder, which is made.
        options: what becomes of the parts that no mapping decides.
        layout: the tensor layout of the new network; that of the old one unless given.
        board: height and width of the target's tensors, for networks that are not size-free.

    Returns:
        The file that was written.
    """
    options = options or TransferOptions()
    path = find_network(run)
    saved = load_network(path)
    net = transfer_network(saved.net, mapping, options, board)
    origin = Origin(
        game=target.game,
        options=target.options,
        fingerprint=target.fingerprint,
        layout=layout or saved.header.origin.layout,
        state_channels=target.state,
        move_channels=target.moves,
    )
    file = _place(out)
    save_network(file, net, origin, {"transfer": _facts(saved.header, mapping, options)})
    if file.name == NETWORK and file.parent == out:
        (out / "mapping.json").write_text(mapping.to_json(), encoding="utf-8")
    return file


def _place(out: Path) -> Path:
    if out.suffix == ".safetensors":
        return out
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudoportError(f"{out}: cannot be made ({error.strerror})") from None
    return out / NETWORK


def _facts(header: Header, mapping: Mapping, options: TransferOptions) -> dict[str, Any]:
    origin = header.origin
    return {
        "source": {"name": origin.game, "options": list(origin.options), "fingerprint": origin.fingerprint},
        "source_training": dict(header.training),
        "state_sources": list(mapping.state_sources),
        "move_sources": list(mapping.move_sources),
        **asdict(options),
    }
