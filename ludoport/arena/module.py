"""A torch module as a player: it plays the legal move with the highest logit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ludoport.arena.player import Player
from ludoport.errors import LudoportError
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import LayoutName

if TYPE_CHECKING:
    import torch

    from ludoport.game import Game, Move, State


@dataclass(repr=False)
class ModulePlayer(Player):
    """Plays what a policy prefers.

    Args:
        module: takes planes [1, C, H, W] as float32 and returns logits of moves [1, A, H, W], alone or first in a
            tuple; the shapes are those of ``tensor_layout(game, layout)``.
        layout: layout of the tensors.
    """

    module: torch.nn.Module
    layout: LayoutName = "compact"

    def __getstate__(self) -> dict[str, Any]:
        """Encoders do not travel; every process makes its own."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def spec(self) -> str:
        """The class of the module; no text makes this player again."""
        return f"module:{type(self.module).__name__}"

    @property
    def identity(self) -> str:
        """The module as text and a digest of its weights."""
        digest = hashlib.sha256(f"{self.module!r} {self.layout}".encode())
        for name, tensor in self.module.state_dict().items():
            digest.update(name.encode() + tensor.detach().cpu().contiguous().numpy().tobytes())
        return f"{self.spec}:{digest.hexdigest()[:16]}"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Prepare for a new game."""
        del seat, seed
        if getattr(self, "_game", None) is not game:
            self._game, self._encoder = game, TensorEncoder(game, self.layout)
        self._history = self._encoder.new_histories(1)

    def choose(self, state: State, seed: int) -> Move:
        """The legal move with the highest logit."""
        import torch

        device = next((weight.device for weight in self.module.parameters()), torch.device("cpu"))
        planes = torch.from_numpy(self._encoder.planes(state.row[None], self._history)).float()
        with torch.no_grad():
            answer = self.module(planes.to(device))
        logits = answer[0] if isinstance(answer, tuple | list) else answer
        wanted = (1, *self._encoder.layout.move_shape)
        if not isinstance(logits, torch.Tensor) or tuple(logits.shape) != wanted:
            shape = tuple(logits.shape) if isinstance(logits, torch.Tensor) else type(logits).__name__
            raise LudoportError(f"player {self.name} returned {shape}; moves of {state.game.name} have shape {wanted}")
        slots = torch.from_numpy(self._encoder.slots(state.row[None]).slots).long()
        return state.moves()[int(logits.flatten().cpu()[slots].argmax())]

    def played(self, state: State, move: Move) -> None:
        """Remember the last two moves, which the planes show."""
        self._encoder.remember(self._history, state.row[None], move.row[None])
