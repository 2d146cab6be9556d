"""Networks transferred from file to file: the one function that Python, the command line and studies call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.game import Game, load
from ludoport.nets.files import Header, NetworkOrigin, load_network, read_header, save_network
from ludoport.nets.finding import NETWORK, find_network
from ludoport.tensors.channels import StateChannel
from ludoport.tensors.layout import LAYOUTS, LayoutName, refuse_hidden_dice, tensor_layout
from ludoport.tensors.names import way_name
from ludoport.transfer.mapping import Mapping, map_channels
from ludoport.transfer.networks import transfer_network
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.remedies import remedied
from ludoport.transfer.sides import Side, find_side, side_of


@dataclass(frozen=True)
class NetworkTransfer:
    """A transferred network.

    Attributes:
        file: the new network.
        mapping: mapping of the channels of both games.
        options: treatment of the channels without a source.
    """

    file: Path
    mapping: Mapping
    options: TransferOptions

    @property
    def unmapped(self) -> list[str]:
        """Channels of the target without a source."""
        return [row.target for row in (*self.mapping.state, *self.mapping.moves) if row.source is None]

    def as_json(self) -> dict[str, Any]:
        """The file, both games and the channels without a source."""
        names = {"source": self.mapping.source, "target": self.mapping.target}
        return {"knowledge": "network", "file": str(self.file), **names, "unmapped": self.unmapped}

    def __str__(self) -> str:
        lines = [f"{self.file}: network for {self.mapping.target}, transferred from {self.mapping.source}"]
        if self.unmapped:
            how = "zero" if self.options.unmapped == "zero" else "random"
            lines.append(f"  channels without a source ({how} weights): {', '.join(self.unmapped)}")
        return "\n".join(lines)


def source_side(header: Header, game: Game | str | Path | None = None, options: Sequence[str] = ()) -> Side:
    """The game that a network was made for.

    Its file says what the channels mean; comparing the rules of pieces also requires the game file.

    Args:
        header: header of the network's file.
        game: the game, its name or the path of its file; default: the game that the network names.
        options: the options of that game; default: those of the network.

    Raises:
        LudoportError: ``game`` is not the one that the network was made for.
    """
    origin = header.origin
    if game is not None:
        side = side_of(game) if isinstance(game, Game) else find_side(game, options or origin.options)
        if (side.state, side.moves) != (origin.state_channels, origin.move_channels):
            raise LudoportError(f"the network was made for other channels than those of {side.game}: {origin.game}")
        return side
    try:
        side = find_side(origin.game, origin.options)
    except LudoportError:
        return _described(origin)
    return side if side.fingerprint == origin.fingerprint else _described(origin)


def source_game(header: Header, game: Game | str | Path | None = None) -> Game | None:
    """The game that a network was made for, loaded; None where its file names no game that can be found."""
    if isinstance(game, Game):
        return game
    try:
        found = load(str(game or header.origin.game), options=list(header.origin.options))
    except LudoportError:
        return None
    return found if game is not None or found.rules.fingerprint == header.origin.fingerprint else None


def _described(origin: NetworkOrigin) -> Side:
    """A side whose game file is not known, only its channels."""
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
    if channel.kind in ("die", "roll"):
        return f"{channel.kind} {channel.owner} {channel.index}"
    if channel.owner:
        return f"{channel.kind} {channel.owner}"
    return f"{channel.kind} {channel.index}"


def transfer_network_file(
    run: Path | str,
    target: Game,
    out: Path | str,
    *,
    options: TransferOptions | None = None,
    mapping: Mapping | None = None,
    layout: str | None = None,
    source: Game | str | Path | None = None,
) -> NetworkTransfer:
    """Reads a network, transfers it to another game, and writes it.

    The new file's facts about training hold the mapping, the options, and what the source was trained with. It holds no
    state of an optimiser.

    Args:
        run: the network's file, or the folder of its run.
        target: the game that it is to play.
        out: a file that ends in ``.safetensors``, or a folder, which is made.
        options: treatment of the channels that no mapping decides.
        mapping: mapping of the channels of both games; default: ``map_channels``.
        layout: tensor layout of the new network; default: that of the old one.
        source: the source game, where its name in the network's file does not lead to its game file.

    Raises:
        LudoportError: the network is for boards of one size and the target has another; no mapping exists; a file
            cannot be read or written.
    """
    options, path = options or TransferOptions(), find_network(Path(run))
    side = side_of(target)
    chosen = as_layout(layout or read_header(path).origin.layout)
    saved = load_network(path)
    refuse_hidden_dice(tensor_layout(target, chosen))
    mapping = mapping or map_channels(source_side(saved.header, source), side)
    board = None if saved.net.config.size_free else tensor_layout(target, chosen).shape[1:]
    net = transfer_network(saved.net, mapping, options, board)
    if options.remedies:
        remedied(net, source_game(saved.header, source), target, chosen, options)
    origin = NetworkOrigin(side.game, side.fingerprint, chosen, side.state, side.moves, side.options)
    file = network_place(Path(out))
    save_network(file, net, origin, {"transfer": _facts(saved.header, mapping, options)})
    if file.parent == Path(out):
        write_atomically(file.with_name("mapping.json"), mapping.to_json())
    return NetworkTransfer(file, mapping, options)


def as_layout(name: str) -> LayoutName:
    """The tensor layout of this name."""
    for layout in LAYOUTS:
        if layout == name:
            return layout
    raise LudoportError(f"unknown tensor layout `{name}`; choose from {', '.join(LAYOUTS)}")


def network_place(out: Path) -> Path:
    """The file to write a network to, given a file or a folder, which is made."""
    if out.suffix == ".safetensors":
        return out
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudoportError(f"{out}: cannot create this folder ({error.strerror})") from None
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
