"""Networks for many games in files: weights as safetensors, with shape, tokens and games in the header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.nets.files import UNIVERSAL, VERSION, file_record, read_tensors, write_tensors
from ludoport.nets.universal.config import UniversalConfig
from ludoport.nets.universal.network import OUTCOMES, TAPS, UniversalNet
from ludoport.nets.universal.reading import WAY_FEATURES, Vocabulary


@dataclass(frozen=True)
class SavedUniversal:
    """Contents of a file.

    Attributes:
        net: the network, in evaluation mode.
        games: games that it has learned, as the run names them.
        training: facts about its training, free.
    """

    net: UniversalNet
    games: tuple[str, ...] = ()
    training: Mapping[str, Any] = field(default_factory=dict)


def save_universal(
    path: Path | str, net: UniversalNet, games: Sequence[str], training: Mapping[str, Any] | None = None, *,
    half: bool = False,
) -> None:  # fmt: skip
    """Writes a network for many games; a reader sees the old file or the new one, never a part.

    Args:
        path: where; an older file is replaced.
        net: the network.
        games: games that it has learned.
        training: facts about its training, as JSON can hold them.
        half: whether to write weights in half precision.
    """
    words = net.vocabulary
    record = {
        "format": UNIVERSAL,
        "version": VERSION,
        "games": list(games),
        "network": net.config.to_dict(),
        "tokens": {"state": list(words.state), "move": list(words.move), "rule": list(words.rule)},
        "seed": net.seed,
        "training": dict(training or {}),
    }
    kind = torch.float16 if half else torch.float32
    tensors = {name: tensor.detach().to("cpu", kind).contiguous() for name, tensor in net.state_dict().items()}
    write_tensors(Path(path), tensors, record, "the facts about training")


def load_universal(path: Path | str) -> SavedUniversal:
    """Reads a network for many games.

    Raises:
        LudoportError: no such file, damaged, or a network for one game.
    """
    path = Path(path)
    record = file_record(path)
    if record["format"] != UNIVERSAL:
        raise LudoportError(f"{path}: a network for one game, not for many")
    tensors = read_tensors(path, record)
    try:
        config = UniversalConfig.from_dict(record["network"])
        words = Vocabulary(**{kind: tuple(map(str, found)) for kind, found in record["tokens"].items()})
        _check_sizes(config, words, tensors)
        net = UniversalNet(config, words, int(record["seed"])).eval()
        net.load_state_dict(tensors)
        return SavedUniversal(net, tuple(map(str, record["games"])), dict(record["training"]))
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError, OverflowError) as error:
        problem = (str(error).splitlines() or [type(error).__name__])[0]
        raise LudoportError(f"{path}: its header and its weights do not match: {problem}") from error


def _check_sizes(config: UniversalConfig, words: Vocabulary, tensors: Mapping[str, Tensor]) -> None:
    """Refuse a header that describes a larger network than the file holds, before any memory is asked for."""
    claimed = {
        "state_vectors": (len(words.state), config.seen * TAPS),
        "rule_vectors": (len(words.rule), config.rule_width),
        "rule_bias": (config.rule_width,),
        "ways.0.weight": (config.way_width, WAY_FEATURES),
        "policy_hidden.weight": (config.policy_width, config.width, 1, 1),
        "value.weight": (OUTCOMES, config.value_width),
    }
    for name, shape in claimed.items():
        held = tuple(tensors[name].shape)
        if held != shape:
            raise ValueError(f"`{name}` has the shape {held}, not {shape}")
    if config.blocks > len(tensors):
        raise ValueError(f"{config.blocks} blocks, but {len(tensors)} tensors")
