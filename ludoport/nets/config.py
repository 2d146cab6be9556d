"""What a network looks like, as plain data."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from ludoport.errors import LudoportError

Family = Literal[
    "residual",
    "conv-conv-pool-2",
    "conv-conv-pool",
    "conv-conv",
    "conv-fc",
    "u-conv-conv",
    "u-conv-fc",
    "nano-conv",
    "nano-fc",
]
Norm = Literal["batch", "none"]
Activation = Literal["relu", "gelu", "celu"]
ValueHead = Literal["scalar", "wdl"]
Init = Literal["fixup", "xavier-uniform", "xavier-normal", "kaiming-uniform", "kaiming-normal"]

SIZE_FREE: frozenset[str] = frozenset({"residual", "conv-conv-pool-2", "conv-conv-pool"})
"""Families none of whose parameters depends on the height and width of the board."""


@dataclass(frozen=True, kw_only=True)
class NetConfig:
    """Everything that decides the shape of a network.

    Attributes:
        state_channels: planes of a state.
        move_channels: planes of moves, with pass and swap.
        family: ``residual`` is ours; the others are those of the transfer paper and its Figure 1, where
            ``conv-conv-pool-2`` is the one of all its transfer experiments (ResConvConvLogitPoolModelV2).
        blocks: residual blocks; in the U families an odd number.
        layers: convolutions in a block.
        width: hidden channels; None for ``width_factor`` times the planes of a state, rounded down.
        width_factor: used where ``width`` is None.
        kernel: side of the convolutions, odd.
        norm: batch normalisation after each convolution, or none (convolutions then have a bias).
        norm_momentum: how fast running averages of batch normalisation follow.
        activation: the nonlinearity.
        value: one number through tanh, or logits of win, draw and loss.
        board: height and width, for families that are not size-free.
        init: how weights begin; ``fixup`` makes each residual block begin as the identity.
        pool_every: ``residual`` only: each block with this number among so many adds a bias computed from the pooled
            board; 0 for none.
        policy_width: ``residual`` only: hidden channels of the policy head.
        value_width: ``residual`` only: hidden units of the value head.
        trunk_pooling: ``conv-conv-pool-2`` only: the share of channels that is pooled at the start of each block.
        local_pooling: families of the paper: a max-pool of stride 1 after each normalisation inside the blocks.
        ownership: planes of an auxiliary prediction of the final board, for training; 0 for none.
        reply: whether an auxiliary head predicts the opponent's reply, for training.
    """

    state_channels: int
    move_channels: int
    family: Family = "residual"
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

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            _require_choice(name, getattr(self, name), choices)
        for name in ("state_channels", "move_channels", "layers", "kernel", "policy_width", "value_width"):
            _require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("blocks", "pool_every", "ownership"):
            _require(getattr(self, name) >= 0, f"{name} is {getattr(self, name)}; it must not be negative")
        _require(self.kernel % 2 == 1, f"kernel is {self.kernel}; it must be odd, or boards would shrink")
        _require(0 < self.norm_momentum <= 1, f"norm_momentum is {self.norm_momentum}; it must be in (0, 1]")
        _require(0 <= self.trunk_pooling <= 1, f"trunk_pooling is {self.trunk_pooling}; it must be in [0, 1]")
        _require(self.hidden >= 1, f"the network has {self.hidden} hidden channels; it needs at least 1")
        self._check_family()

    def _check_family(self) -> None:
        family = self.family
        odd = not family.startswith("u-") or self.blocks % 2 == 1
        _require(odd, f"family {family} has {self.blocks} blocks; it needs an odd number")
        if family in SIZE_FREE:
            _require(self.board is None, f"family {family} fits every board; leave board out")
        else:
            _require(self.board is not None and min(self.board) >= 1, f"family {family} needs board=(height, width)")
        pooled = family == "conv-conv-pool-2" or self.trunk_pooling == 0
        _require(pooled, f"trunk_pooling belongs to family conv-conv-pool-2, not to {family}")
        relu = family != "residual" or self.activation == "relu"
        _require(relu, f"activation {self.activation} belongs to the families of the paper; residual needs relu")
        local = family != "residual" or not self.local_pooling
        _require(local, "local_pooling belongs to the families of the paper, not to residual")
        fixup = family == "residual" or self.init != "fixup"
        _require(fixup, f"init fixup belongs to family residual; {family} needs xavier-uniform or another")

    @property
    def hidden(self) -> int:
        """Hidden channels of the trunk."""
        return int(self.width_factor * self.state_channels) if self.width is None else self.width

    @property
    def size_free(self) -> bool:
        """Whether the network can be applied to a board of any height and width."""
        return self.family in SIZE_FREE

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        record = asdict(self)
        record["board"] = None if self.board is None else list(self.board)
        return record

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> NetConfig:
        """The inverse of ``to_dict``; keys that are left out have their default.

        Raises:
            LudoportError: a key is unknown or a value is of the wrong kind or size.
        """
        known = {field.name: str(field.type) for field in fields(NetConfig)}
        for key in record:
            if key not in known:
                raise LudoportError(f"a network has no setting `{key}`{_suggestion(key, list(known))}")
        for key in ("state_channels", "move_channels"):
            _require(key in record, f"a network needs the setting `{key}`")
        return NetConfig(**{key: _typed(key, known[key], value) for key, value in record.items()})


def preset(name: str, state_channels: int, move_channels: int, **changes: Any) -> NetConfig:
    """A network by name.

    ``paper`` is the network of the transfer paper's experiments, ``default`` ours for a GPU, ``small`` and ``tiny``
    ours for a CPU; the other names are the families of the paper's Figure 1.

    >>> preset("paper", 9, 3).hidden
    18

    Args:
        name: one of ``PRESETS``.
        state_channels: planes of a state.
        move_channels: planes of moves.
        **changes: settings that differ from the preset's.
    """
    if name not in PRESETS:
        raise LudoportError(f"no network is called `{name}`{_suggestion(name, list(PRESETS))}")
    sizes = {"state_channels": state_channels, "move_channels": move_channels}
    return NetConfig.from_dict({**PRESETS[name], **sizes, **changes})


def with_channels(config: NetConfig, state_channels: int, move_channels: int) -> NetConfig:
    """The same network for other planes, with as many hidden channels as before."""
    return replace(config, state_channels=state_channels, move_channels=move_channels, width=config.hidden)


_FIGURE: dict[str, Any] = {
    "blocks": 5,
    "layers": 3,
    "width": None,
    "width_factor": 2.0,
    "norm": "batch",
    "norm_momentum": 0.01,
    "value": "scalar",
    "init": "xavier-uniform",
    "pool_every": 0,
}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {**_FIGURE, "family": "conv-conv-pool-2", "blocks": 10, "layers": 6},
    "default": {},
    "small": {"blocks": 4, "width": 32, "value_width": 32},
    "tiny": {"blocks": 2, "width": 16, "policy_width": 16, "value_width": 16, "pool_every": 2},
    **{family: {**_FIGURE, "family": family} for family in get_args(Family) if family != "residual"},
}
"""Settings of the networks that have a name; what is left out is the default of ``NetConfig``."""

_CHOICES: dict[str, tuple[str, ...]] = {
    "family": get_args(Family),
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
    if key in _CHOICES and isinstance(value, str):
        return value
    raise LudoportError(f"the setting `{key}` of a network is {value!r}; it must be of type {kind}")


def _require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    _require(value in choices, f"{name} is `{value}`; it must be one of {', '.join(choices)}")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise LudoportError(message)


def _suggestion(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(known)}"
