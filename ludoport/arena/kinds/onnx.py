"""The player ``onnx``: search guided by an ONNX file that ``ludoport export`` wrote; settings as those of ``net``."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.kinds.net import DEFAULTS, NetworkPlayer
from ludoport.arena.player import Player
from ludoport.arena.players import register
from ludoport.arena.specification import Specification, write
from ludoport.search.puct import PuctSettings

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.guide import Guide


@dataclass(repr=False)
class OnnxPlayer(NetworkPlayer):
    """Plays as `NetworkPlayer`; positions are judged by onnxruntime."""

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        return write("onnx", self.file, self._changed(DEFAULTS))

    @cached_property
    def identity(self) -> str:
        """The content of the file and all settings."""
        digest = hashlib.sha256(Path(self.file).read_bytes()).hexdigest()[:32]
        return write("onnx", digest, self._changed(DEFAULTS))

    def _load(self, game: Game) -> Guide:
        from ludoport.nets import load_torch

        load_torch()
        from ludoport.nets.onnx_guide import OnnxGuide

        return OnnxGuide(game, self.file)


@register("onnx", "onnx:FILE[,simulations=N][,gumbel=true][,sampled=PLIES] and other settings of PUCT")
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("file", list(DEFAULTS))
    file = settings.text("file", "the ONNX file")
    chosen: dict[str, Any] = {k: settings.like(k, v) if k in settings else v for k, v in DEFAULTS.items()}
    sampled, temperature = chosen.pop("sampled"), chosen.pop("temperature")
    return OnnxPlayer(file, PuctSettings(**chosen), sampled, temperature)
