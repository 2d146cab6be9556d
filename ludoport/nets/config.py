"""Configuration of a network, as plain data."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

from ludoport.errors import LudoportError

Norm = Literal["batch", "none"]
Activation = Literal["relu", "gelu", "celu"]
ValueHead = Literal["scalar", "wdl"]
Init = Literal["fixup", "xavier-uniform", "xavier-normal", "kaiming-uniform", "kaiming-normal"]


@dataclass(frozen=True, kw_only=True)
class NetConfig:
    """Everything that decides the shape of a network.

    Attributes:
        state_channels: number of planes of a state.
        move_channels: number of planes of moves, with pass and swap.
        family: ``residual`` is Ludoport's; the others are those of the first paper and its Figure 1. Its transfer
            experiments use ``conv-conv-pool-2`` (ResConvConvLogitPoolModelV2). Each has a file in ``nets/families``.
        blocks: number of residual blocks; odd in the U families.
        layers: number of convolutions in a block.
        width: number of hidden channels; None: ``width_factor`` times the planes of a state, rounded down.
        width_factor: hidden channels per plane of a state, where ``width`` is None.
        kernel: kernel size of the convolutions, odd.
        norm: batch normalisation after each convolution, or none (convolutions then have a bias).
        norm_momentum: momentum of batch normalisation.
        activation: activation function.
        value: value head: one tanh output, or logits of win, draw and loss.
        board: height and width, for families bound to a board size.
        init: initialisation of weights; with ``fixup`` each residual block starts as the identity.
        pool_every: ``residual`` only: every n-th block adds a bias computed from the pooled board; 0: none.
        policy_width: ``residual`` only: hidden channels of the policy head.
        value_width: ``residual`` only: hidden units of the value head.
        trunk_pooling: ``conv-conv-pool-2`` only: share of channels pooled at the start of each block.
        local_pooling: families of the paper: a max-pool of stride 1 after each normalisation inside the blocks.
        ownership: number of planes of the auxiliary ownership head, for training; 0: none.
        reply: whether an auxiliary head predicts the opponent's reply, for training.
        own: settings that only the family has, by name.
    """

    state_channels: int
    move_channels: int
    family: str = "residual"
    blocks: int = 6
    layers: int = 2
    width: int | None = 64
    width_factor: float = 2.0
    kernel: int = 3
    norm: Norm = "batch"
    norm_momentum: float = 0.1
    activation: Activation = "relu"
    value: ValueHead = "wdl"
    board: tuple[int, int] | None = None
    init: Init = "fixup"
    pool_every: int = 3
    policy_width: int = 32
    value_width: int = 64
    trunk_pooling: float = 0.0
    local_pooling: bool = False
    ownership: int = 0
    reply: bool = False
    own: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            _require_choice(name, getattr(self, name), choices)
        for name in ("state_channels", "move_channels", "layers", "kernel", "policy_width", "value_width"):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("blocks", "pool_every", "ownership"):
            require(getattr(self, name) >= 0, f"{name} is {getattr(self, name)}; it must not be negative")
        require(self.kernel % 2 == 1, f"kernel is {self.kernel}; it must be odd, or boards would shrink")
        require(0 < self.norm_momentum <= 1, f"norm_momentum is {self.norm_momentum}; it must be in (0, 1]")
        require(0 <= self.trunk_pooling <= 1, f"trunk_pooling is {self.trunk_pooling}; it must be in [0, 1]")
        require(self.hidden >= 1, f"the network has {self.hidden} hidden channels; it needs at least 1")

    @property
    def hidden(self) -> int:
        """Hidden channels of the trunk."""
        return int(self.width_factor * self.state_channels) if self.width is None else self.width

    @property
    def size_free(self) -> bool:
        """Whether the network can be applied to a board of any height and width."""
        return self.board is None

    def to_dict(self) -> dict[str, Any]:
        """The mapping as data for JSON."""
        record = asdict(self)
        record["board"] = None if self.board is None else list(self.board)
        if not self.own:
            del record["own"]
        return record

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> NetConfig:
        """The inverse of ``to_dict``; keys that are left out have their default.

        Raises:
            LudoportError: a key is unknown or a value is of the wrong kind or size.
        """
        known = {one.name: str(one.type) for one in fields(NetConfig)}
        for key in record:
            if key not in known:
                raise LudoportError(f"a network has no setting `{key}`{suggestion(key, list(known))}")
        for key in ("state_channels", "move_channels"):
            require(key in record, f"a network needs the setting `{key}`")
        return NetConfig(**{key: _typed(key, known[key], value) for key, value in record.items()})


def with_channels(config: NetConfig, state_channels: int, move_channels: int) -> NetConfig:
    """The same network for other planes, with as many hidden channels as before."""
    return replace(config, state_channels=state_channels, move_channels=move_channels, width=config.hidden)


_CHOICES: dict[str, tuple[str, ...]] = {
    "norm": get_args(Norm),
    "activation": get_args(Activation),
    "value": get_args(ValueHead),
    "init": get_args(Init),
}


def _typed(key: str, kind: str, value: Any) -> Any:
    """A value read from a file, as the field's type wants it."""
    if value is None and "None" in kind:
        return None
    if kind.startswith("int") and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == "float" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind.startswith("tuple") and isinstance(value, (list, tuple)) and [type(side) for side in value] == [int, int]:
        return tuple(value)
    if (kind == "str" or key in _CHOICES) and isinstance(value, str):
        return value
    if kind.startswith("Mapping") and isinstance(value, Mapping):
        return dict(value)
    raise LudoportError(f"the setting `{key}` of a network is {value!r}; it must be of type {kind}")


def _require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    require(value in choices, f"{name} is `{value}`; it must be one of {', '.join(choices)}")


def require(holds: bool, message: str) -> None:
    """Raise an error unless something holds."""
    if not holds:
        raise LudoportError(message)


def suggestion(word: str, known: list[str]) -> str:
    """Hint for the error about an unknown word."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else f"; choose from {', '.join(known) or 'none'}"
