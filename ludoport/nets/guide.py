"""A network that guides searches: it judges the positions that a batch of searches has found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.ludemic import options_of
from ludoport.nets.files import NetworkOrigin
from ludoport.nets.infer import Evaluator
from ludoport.nets.network import PolicyValueNet
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.search.puct import Searches


class Guide:
    """Evaluates the leaves of searches with a network.

    Args:
        net: the network.
        layout: layout of the game's tensors.
        evaluator: settings of the ``Evaluator``.
    """

    def __init__(self, net: PolicyValueNet, layout: TensorLayout, **evaluator: Any) -> None:
        if net.config.state_channels != layout.shape[0] or net.config.move_channels != layout.move_shape[0]:
            raise LudoportError(
                f"the network reads {net.config.state_channels} and writes {net.config.move_channels} channels; "
                f"{layout.game} has {layout.shape[0]} and {layout.move_shape[0]}"
            )
        self.layout = layout
        self.evaluator = Evaluator(net, **evaluator)
        self.mask = network_mask(layout, self.evaluator.device)

    def __call__(self, searches: Searches, only: NDArray[np.bool_] | None = None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Logits, shape (games, leaves, slots), and values, shape (games, leaves), of what searches have found.

        Only places that hold a position are judged; the others get nothing.

        Args:
            searches: the searches, with the leaves that they have found.
            only: the games to look at, shape (games,); default: all.
        """
        games, leaves = searches.depths.shape
        found = searches.depths >= 0 if only is None else (searches.depths >= 0) & only[:, None]
        chosen = np.flatnonzero(found.reshape(-1))
        planes = torch.from_numpy(searches.inputs.reshape(games * leaves, *self.layout.shape)[chosen])
        policy, value = self.evaluator.evaluate(planes, self.mask)
        slots = int(np.prod(self.layout.move_shape))
        if len(chosen) == games * leaves:
            return policy.reshape(games, leaves, slots).cpu().numpy(), value.reshape(games, leaves).cpu().numpy()
        logits = np.zeros((games * leaves, slots), dtype=np.float32)
        values = np.zeros(games * leaves, dtype=np.float32)
        logits[chosen] = policy.reshape(len(chosen), slots).cpu().numpy()
        values[chosen] = value.cpu().numpy()
        return logits.reshape(games, leaves, slots), values.reshape(games, leaves)


def network_mask(layout: TensorLayout, device: torch.device | str) -> torch.Tensor | None:
    """Mask of sites as networks take it, [1, 1, height, width]; None where every cell is a site, which is faster."""
    if layout.mask.all():
        return None
    return torch.from_numpy(layout.mask.astype(np.float32))[None, None].to(device)


def origin_of(game: Game, layout: TensorLayout, options: tuple[str, ...] = ()) -> NetworkOrigin:
    """Origin of a network for this game and layout."""
    return NetworkOrigin(
        game.name, game.rules.fingerprint, layout.layout, layout.state_channels, layout.move_channels,
        options or options_of(game.rules),
    )  # fmt: skip


def fitting_layout(game: Game, origin: NetworkOrigin, file: str) -> TensorLayout:
    """The layout of a game that a saved network can be used with; the board's size may differ from the network's."""
    name: LayoutName = origin.layout  # type: ignore[assignment]
    layout = tensor_layout(game, name)
    if layout.state_channels != origin.state_channels or layout.move_channels != origin.move_channels:
        raise LudoportError(
            f"{file} is a network for {origin.game}, whose channels have other meanings than those of {game.name}; "
            "transfer it with: ludoport transfer"
        )
    return layout
