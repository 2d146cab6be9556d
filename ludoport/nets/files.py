"""Networks in files: weights as safetensors, with everything needed to use them in the header.

The header's entry ``ludoport`` is one JSON object: format, version, game, layout, channels, network, training, digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_args

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.files import parse_json, write_atomically
from ludoport.nets.build import build_network
from ludoport.nets.config import NetConfig
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import checked
from ludoport.tensors.channels import MoveChannel, MoveKind, StateChannel, StateKind

FORMAT, UNIVERSAL = FORMATS = ("ludoport-network", "ludoport-universal-network")
"""Names of the formats in headers: of networks for one game, and for many."""

UNUSED_LAYERS = 100
"""Layers that a header may describe beyond the tensors of its file: some families have fewer than it says."""

VERSION = 1
"""Raised when older programs can no longer read a file."""


@dataclass(frozen=True)
class NetworkOrigin:
    """Origin of a network: the game that it was made for.

    Attributes:
        game: name of the game.
        options: its options.
        fingerprint: of its rules.
        layout: name of the tensor layout.
        state_channels: meaning of the planes of a state, in their order.
        move_channels: meaning of the planes of moves, in their order.
    """

    game: str
    fingerprint: str
    layout: str
    state_channels: tuple[StateChannel, ...]
    move_channels: tuple[MoveChannel, ...]
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Header:
    """A network's file without its weights.

    Attributes:
        origin: game that the network was made for.
        config: its shape.
        training: facts about its training, free.
    """

    origin: NetworkOrigin
    config: NetConfig
    training: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SavedNetwork:
    """Contents of a file.

    Attributes:
        net: the network, in evaluation mode.
        header: all the rest.
    """

    net: PolicyValueNet
    header: Header


def save_network(
    path: Path | str,
    net: PolicyValueNet,
    origin: NetworkOrigin,
    training: Mapping[str, Any] | None = None,
    *,
    half: bool = False,
) -> None:
    """Writes a network; a reader sees the old file or the new one, never a part.

    Args:
        path: where; an older file is replaced.
        net: the network.
        origin: game that it was made for.
        training: facts about its training, as JSON can hold them.
        half: store weights in half precision; a file with them is read like any other.

    Raises:
        LudoportError: origin and network do not match, or the file cannot be written.
    """
    path = Path(path)
    _check_channels(str(path), net.config, origin)
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in net.state_dict().items()}
    if half:
        tensors = {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in tensors.items()}
    record = {
        "format": FORMAT,
        "version": VERSION,
        **origin_record(origin),
        "network": net.config.to_dict(),
        "training": dict(training or {}),
    }
    write_tensors(path, tensors, record, "the facts about training")


def write_tensors(path: Path, tensors: dict[str, Tensor], record: Mapping[str, Any], what: str) -> None:
    """Writes tensors with a record in the header; a reader sees the old file or the new one, never a part.

    Args:
        path: where; an older file is replaced.
        tensors: on the CPU, contiguous.
        record: entries of the header; the digest of the tensors is added.
        what: name of the part of the record that may not fit into JSON, for the message.
    """
    try:
        text = json.dumps({**record, "digest": _digest(tensors)}, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise LudoportError(f"{path}: {what} cannot be written as JSON: {error}") from error
    try:
        write_atomically(path, to_bytes(tensors, metadata={"ludoport": text}))
    except OSError as error:
        raise LudoportError(f"{path}: cannot be written: {error.strerror}") from error


def read_tensors(path: Path, record: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors of a file, which are those that its record lists.

    Raises:
        LudoportError: they are damaged.
    """
    tensors = _tensors(path)
    if _digest(tensors) != record.get("digest"):
        raise LudoportError(f"{path}: damaged: the weights are not those that were saved")
    return tensors


def origin_record(origin: NetworkOrigin) -> dict[str, Any]:
    """Origin of a network, as JSON."""
    return {
        "game": {"name": origin.game, "options": list(origin.options), "fingerprint": origin.fingerprint},
        "layout": origin.layout,
        "state_channels": [asdict(channel) for channel in origin.state_channels],
        "move_channels": [asdict(channel) for channel in origin.move_channels],
    }


def read_origin(record: Mapping[str, Any]) -> NetworkOrigin:
    """Inverse of `origin_record`.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is incomplete or of the wrong shape.
    """
    game = record["game"]
    return NetworkOrigin(
        game=str(game["name"]),
        fingerprint=str(game["fingerprint"]),
        layout=str(record["layout"]),
        state_channels=tuple(StateChannel(**channel) for channel in record["state_channels"]),
        move_channels=tuple(MoveChannel(**channel) for channel in record["move_channels"]),
        options=tuple(map(str, game["options"])),
    )


def read_header(path: Path | str) -> Header:
    """Header of a network file, without its weights."""
    return _parsed(Path(path), _record(Path(path)))


def load_network(path: Path | str, *, game: str | None = None, fingerprint: str | None = None) -> SavedNetwork:
    """Reads a network.

    Args:
        path: the file.
        game: the game it must be for; None for any.
        fingerprint: the fingerprint of the rules it must be for; None for any.

    Raises:
        LudoportError: no such file, damaged, not a network, from a newer version, or for another game.
    """
    path = Path(path)
    record = _record(path)
    header = _parsed(path, record)
    _check_expected(path, header.origin, game, fingerprint)
    tensors = _tensors(path)
    _check_tensors(path, _outline(path, header.config, tensors), tensors)
    if _digest(tensors) != record.get("digest"):
        raise LudoportError(f"{path}: damaged: the weights are not those that were saved")
    # Weights are about to be replaced: a seed only keeps torch's own generator as it is.
    net = build_network(header.config, seed=0).eval()
    net.load_state_dict(tensors)
    return SavedNetwork(net, header)


def _record(path: Path) -> dict[str, Any]:
    """The JSON object in the header of a network's file."""
    record = file_record(path)
    if record["format"] == UNIVERSAL:
        raise LudoportError(
            f"{path}: a network for many games; make one for a game of it with: ludoport transfer {path} GAME"
        )
    return record


def is_universal(path: Path | str) -> bool:
    """Whether a file holds a network for many games."""
    return bool(file_record(Path(path))["format"] == UNIVERSAL)


def file_record(path: Path) -> dict[str, Any]:
    """The JSON object in the file's header, if its format is ours."""
    if not path.is_file():
        raise LudoportError(f"{path}: no such file")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
    except (SafetensorError, OSError) as error:
        raise LudoportError(f"{path}: not a network, or damaged: {error}") from error
    if "ludoport" not in metadata:
        raise LudoportError(f"{path}: a safetensors file, but not written by Ludoport")
    try:
        record = parse_json(metadata["ludoport"])
    except ValueError as error:
        raise LudoportError(f"{path}: damaged: its header is not JSON ({error})") from error
    if (
        not isinstance(record, dict)
        or record.get("format") not in FORMATS
        or not isinstance(record.get("version"), int)
    ):
        raise LudoportError(f"{path}: its header does not say that it is a network")
    if record["version"] > VERSION:
        raise LudoportError(
            f"{path}: written by a newer Ludoport (format {record['version']}; this one reads up to {VERSION})"
        )
    return record


def _parsed(path: Path, record: Mapping[str, Any]) -> Header:
    try:
        origin = read_origin(record)
        header = Header(origin, checked(NetConfig.from_dict(record["network"])), dict(record["training"]))
    except LudoportError as error:
        raise LudoportError(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LudoportError(f"{path}: its header is incomplete or of the wrong shape: {error!r}") from error
    _check_channels(str(path), header.config, origin)
    return header


def _check_channels(path: str, config: NetConfig, origin: NetworkOrigin) -> None:
    pairs = (
        ("state", config.state_channels, origin.state_channels, get_args(StateKind)),
        ("move", config.move_channels, origin.move_channels, get_args(MoveKind)),
    )
    for name, count, meanings, kinds in pairs:
        if len(meanings) != count:
            raise LudoportError(f"{path}: the network has {count} {name} channels, but {len(meanings)} are described")
        for meaning in meanings:
            if meaning.kind not in kinds:
                raise LudoportError(f"{path}: a {name} channel is of the unknown kind `{meaning.kind}`")


def _check_expected(path: Path, origin: NetworkOrigin, game: str | None, fingerprint: str | None) -> None:
    if game is not None and origin.game != game:
        raise LudoportError(f"{path}: a network for {origin.game}, not for {game}; transfer it with: ludoport transfer")
    if fingerprint is not None and origin.fingerprint != fingerprint:
        chosen = f" with {', '.join(origin.options)}" if origin.options else ""
        raise LudoportError(
            f"{path}: a network for other rules of {origin.game}{chosen}"
            f" (fingerprint {origin.fingerprint}, not {fingerprint}); transfer it with: ludoport transfer"
        )


def _tensors(path: Path) -> dict[str, Tensor]:
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise LudoportError(f"{path}: damaged: {error}") from error
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor.float()).all()):
            raise LudoportError(f"{path}: `{name[:80]}` has weights that are not finite numbers; use another network")
    return tensors


def _outline(path: Path, config: NetConfig, tensors: Mapping[str, Tensor]) -> PolicyValueNet:
    """The network of a header without memory for its weights: whether they fit is known before any is asked for."""
    claimed = config.blocks * config.layers
    if claimed > len(tensors) + UNUSED_LAYERS:
        raise LudoportError(
            f"{path}: damaged: its header describes {claimed} layers, but the file holds {len(tensors)} tensors"
        )
    try:
        with torch.device("meta"):
            return build_network(config, seed=0)
    except (RuntimeError, OverflowError, TypeError, ValueError) as error:
        raise LudoportError(f"{path}: damaged: its header describes an impossible network ({error})") from None


def _check_tensors(path: Path, net: PolicyValueNet, tensors: Mapping[str, Tensor]) -> None:
    wanted = net.state_dict()
    for name in wanted.keys() | tensors.keys():
        if name not in tensors:
            raise LudoportError(f"{path}: the header describes a network with `{name}`, which the file does not hold")
        if name not in wanted:
            raise LudoportError(f"{path}: the file holds `{name}`, which the network of its header does not have")
        shape, right = list(tensors[name].shape), list(wanted[name].shape)
        if shape != right:
            raise LudoportError(f"{path}: `{name}` has the shape {shape}; the network of its header needs {right}")


def _digest(tensors: Mapping[str, Tensor]) -> str:
    """A digest of names, types and numbers; safetensors itself would not notice a changed bit."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
