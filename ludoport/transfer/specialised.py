"""Networks for many games, specialised to one from file to file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.descriptions.game import describe
from ludoport.game import Game
from ludoport.nets.files import save_network
from ludoport.nets.guide import origin_of
from ludoport.nets.universal.files import load_universal
from ludoport.nets.universal.reading import unknown_tokens
from ludoport.nets.universal.specialise import specialise
from ludoport.tensors.layout import tensor_layout
from ludoport.transfer.network_files import network_place

SHOWN = 6
"""Tokens without a vector that a report names."""


@dataclass(frozen=True)
class Specialised:
    """A network for one game, made from one for many.

    Attributes:
        file: the new network.
        game: its game.
        learned: games that the source has learned.
        tokens: number of tokens in the description of the game.
        unknown: those that the source has no vectors for, which count nothing.
    """

    file: Path
    game: str
    learned: tuple[str, ...]
    tokens: int
    unknown: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The file, the game, and what the source knows of it."""
        return {
            "knowledge": "network", "file": str(self.file), "target": self.game, "learned": list(self.learned),
            "tokens": self.tokens, "unknown": list(self.unknown),
        }  # fmt: skip

    def __str__(self) -> str:
        count = len(self.learned)
        source = f"a network for {count} game{'s' if count != 1 else ''}"
        text = f"{self.file}: network for {self.game}, specialised from {source}"
        if not self.unknown:
            return f"{text}\n  knows all {self.tokens} tokens of the game's description"
        more = f" and {len(self.unknown) - SHOWN} more" if len(self.unknown) > SHOWN else ""
        known = self.tokens - len(self.unknown)
        return f"{text}\n  knows {known} of {self.tokens} tokens; not: {', '.join(self.unknown[:SHOWN])}{more}"


def specialise_file(path: Path, target: Game, out: Path) -> Specialised:
    """Reads a network for many games, specialises it to one, and writes that.

    Args:
        path: the network's file.
        target: the game.
        out: a file that ends in ``.safetensors``, or a folder, which is made.
    """
    saved = load_universal(path)
    layout = tensor_layout(target, "compact")
    description = describe(target, layout)
    net = specialise(saved.net, description)
    sums = saved.net.config.sums
    unknown = unknown_tokens(description, saved.net.vocabulary, sums)
    tokens = len(unknown_tokens(description, type(saved.net.vocabulary)(), sums))
    file = network_place(out)
    facts = {"games": list(saved.games), "source_training": dict(saved.training), "unknown": unknown}
    save_network(file, net, origin_of(target, layout), {"transfer": facts})
    return Specialised(file, target.title, saved.games, tokens, tuple(unknown))
