"""The families of networks, found by their files being there, and the networks that have a name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from ludoport.errors import LudoportError
from ludoport.nets.axes import Axis, Flow, Flows, axes_of
from ludoport.nets.config import NetConfig, require, suggestion
from ludoport.nets.network import PolicyValueNet
from ludoport.tensors.layout import TensorLayout

PACKAGE = "ludoport.nets.families"
"""Package with the files of the families."""

HEADS: dict[str, Flow] = {"reply_head": ("hidden", "move"), "ownership_head": ("hidden", "same")}
"""The auxiliary heads, which all networks may have."""


@dataclass(frozen=True)
class NetworkFamily:
    """All that the other rooms need to know about a family of networks.

    Attributes:
        name: name in ``NetConfig.family``.
        build: makes a network, usually its class.
        flows: axes of each layer's inputs and outputs, by the names of layers.
        presets: its networks that have a name: settings that differ from the defaults of ``NetConfig``.
        every_board: whether no parameter depends on the height and width of the board.
        masked: whether it uses the mask of sites.
        padded: whether additional channels that are 0 leave its outputs as they are (makes it faster on GPUs).
        trunk: the layers before the heads, by the first parts of their names.
        own: settings that only this family has, with their defaults; see ``NetConfig.own``.
        check: refuses configurations that make no sense.
    """

    name: str
    build: Callable[[NetConfig], PolicyValueNet]
    flows: Flows
    presets: Mapping[str, Mapping[str, Any]]
    every_board: bool = True
    masked: bool = True
    padded: bool = True
    trunk: tuple[str, ...] = ("stem", "blocks")
    own: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[[NetConfig], None] = lambda config: None

    def tensor_axes(self, net: PolicyValueNet) -> dict[str, tuple[Axis, ...]]:
        """The axes of every tensor in the state of one of its networks."""
        flows = {**HEADS, **self.flows}
        return {name: axes_of(name, tensor.dim(), flows) for name, tensor in net.state_dict().items()}

    def in_trunk(self, tensor: str) -> bool:
        """Whether a tensor belongs to the layers before the heads."""
        return tensor.split(".")[0] in self.trunk


_FAMILIES: dict[str, NetworkFamily] = {}


def register(family: NetworkFamily) -> NetworkFamily:
    """Make a family known; its file does this when it is imported."""
    _FAMILIES[family.name] = family
    return family


@cache
def families() -> dict[str, NetworkFamily]:
    """All families by name."""
    for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__):
        importlib.import_module(f"{PACKAGE}.{module.name}")
    return {name: _FAMILIES[name] for name in sorted(_FAMILIES)}


def family_of(config: NetConfig) -> NetworkFamily:
    """The family of a network."""
    known = families()
    require(config.family in known, f"family is `{config.family}`; it must be one of {', '.join(known)}")
    return known[config.family]


@cache
def presets() -> dict[str, dict[str, Any]]:
    """The networks that have a name, with their settings."""
    found: dict[str, dict[str, Any]] = {}
    for family in families().values():
        for name, settings in family.presets.items():
            if name in found:
                raise LudoportError(f"two families have a network `{name}`: {found[name]['family']} and {family.name}")
            found[name] = {**settings, "family": family.name}
    return found


def checked(config: NetConfig) -> NetConfig:
    """The same configuration, with the own settings of its family complete.

    Raises:
        LudoportError: there is no such family, or the settings do not fit it.
    """
    family = family_of(config)
    for key in config.own:
        require(key in family.own, f"family {family.name} has no setting `{key}`{suggestion(key, list(family.own))}")
    if family.every_board:
        require(config.board is None, f"family {family.name} fits every board; leave board out")
    else:
        sized = config.board is not None and min(config.board) >= 1
        require(sized, f"family {family.name} needs board=(height, width)")
    family.check(config)
    return replace(config, own={**family.own, **config.own}) if family.own else config


def preset(name: str, state_channels: int, move_channels: int, **changes: Any) -> NetConfig:
    """A network by name.

    ``paper`` is the network of the transfer paper's experiments, ``default`` ours for a GPU, ``small`` and ``tiny``
    ours for a CPU; the other names are the families of the paper's Figure 1.

    >>> preset("paper", 9, 3).hidden
    18

    Args:
        name: one of ``presets()``.
        state_channels: planes of a state.
        move_channels: planes of moves.
        **changes: settings that differ from the preset's.
    """
    known = presets()
    if name not in known:
        raise LudoportError(f"unknown network `{name}`{suggestion(name, list(known))}")
    sizes = {"state_channels": state_channels, "move_channels": move_channels}
    return checked(NetConfig.from_dict({**known[name], **sizes, **changes}))


def preset_for(name: str, layout: TensorLayout, **changes: Any) -> NetConfig:
    """A network by name for the tensors of a game, with the size of its board where the family needs one."""
    known = presets().get(name)
    bound = known is not None and not families()[known["family"]].every_board
    board = {"board": layout.shape[1:]} if bound else {}
    return preset(name, layout.shape[0], layout.move_shape[0], **{**board, **changes})
