"""``lp.transfer``: carry a network to another game in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar, overload

from ludoport.game import Game
from ludoport.nets.files import read_header
from ludoport.tensors.layout import LAYOUTS, tensor_layout
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.runs import find_network, source_side, transfer_file
from ludoport.transfer.sides import find_side, side_of


class HasFile(Protocol):
    """Somebody who plays with the network of a file, such as what ``lp.train`` returns; a dataclass."""

    file: str


P = TypeVar("P", bound=HasFile)


@overload
def transfer(
    net: Path | str,
    game: Game | str,
    out: Path | str | None = None,
    *,
    options: Sequence[str] = (),
    settings: TransferOptions | None = None,
) -> Path: ...
@overload
def transfer(
    net: P,
    game: Game | str,
    out: Path | str | None = None,
    *,
    options: Sequence[str] = (),
    settings: TransferOptions | None = None,
) -> P: ...
def transfer(
    net: Any,
    game: Game | str,
    out: Path | str | None = None,
    *,
    options: Sequence[str] = (),
    settings: TransferOptions | None = None,
) -> Any:
    """Carry a network over to another game.

    Args:
        net: what ``lp.train`` returned, or the file or folder of a network.
        game: the game to carry it to: a game, its name, or the path of its text.
        out: where to write: a folder, or a file that ends in ``.safetensors``; a folder beside the network unless
            given.
        options: choices of the game, if it is given by its name.
        settings: what becomes of the parts that no mapping decides; channels without a source begin with 0 unless
            given, so that the network can play at once.

    Returns:
        The same player with the new network, or the new file if a file was given.
    """
    file = find_network(Path(net if isinstance(net, (str, Path)) else net.file))
    header = read_header(file)
    target = side_of(game) if isinstance(game, Game) else find_side(game, options)
    mapping = map_channels(source_side(header), target)
    place = Path(out) if out is not None else file.parent / f"for {target.game} {target.fingerprint[:8]}"
    board = None
    if not header.config.size_free:
        from ludoport.game import load

        loaded = game if isinstance(game, Game) else load(game, options=options)
        layout = next(name for name in LAYOUTS if name == header.origin.layout)
        board = tensor_layout(loaded, layout).shape[1], tensor_layout(loaded, layout).shape[2]
    settings = settings or TransferOptions(unmapped="zero")
    written = transfer_file(file, target, mapping, place, options=settings, board=board)
    return written if isinstance(net, (str, Path)) else replace(net, file=str(written))
