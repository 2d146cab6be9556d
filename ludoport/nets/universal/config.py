"""Configuration of a network for many games, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ludoport.errors import LudoportError
from ludoport.nets.config import NetConfig, require, suggestion
from ludoport.nets.registry import presets


@dataclass(frozen=True, kw_only=True)
class UniversalConfig:
    """Everything that decides the shape of a network for many games, but its tokens.

    Attributes:
        blocks: residual blocks of the specialised network; the first one joins what both players see.
        width: hidden channels, an even number.
        pool_every: one in this many blocks adds a bias computed from the pooled board; 0 for none, not 1.
        policy_width: hidden channels of the policy head.
        value_width: hidden units of the value head.
        rule_width: length of the vector that stands for the rules of a game.
        way_width: hidden units of the function of direction and distance.
        rules: whether rules scale and shift the layers.
        sums: whether weights of channels are sums over tokens; otherwise each different meaning has one vector.
    """

    blocks: int = 6
    width: int = 64
    pool_every: int = 3
    policy_width: int = 32
    value_width: int = 64
    rule_width: int = 32
    way_width: int = 32
    rules: bool = True
    sums: bool = True

    def __post_init__(self) -> None:
        for name in ("blocks", "policy_width", "value_width", "rule_width", "way_width"):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be at least 1")
        require(self.width >= 2 and self.width % 2 == 0, f"width is {self.width}; it must be even and at least 2")
        pools = self.pool_every >= 0 and self.pool_every != 1
        require(pools, f"pool_every is {self.pool_every}; it must be 0 or at least 2")

    @property
    def seen(self) -> int:
        """Channels of what one player sees, after the stem."""
        return self.width // 2

    def pooled(self, block: int) -> bool:
        """Whether a block of this number looks at the whole board; see the family ``residual``."""
        return self.pool_every > 0 and block % self.pool_every == self.pool_every // 2

    def specialised(self, state_channels: int, move_channels: int) -> NetConfig:
        """The shape of the network for one game."""
        return NetConfig(
            state_channels=state_channels, move_channels=move_channels, blocks=self.blocks, width=self.width,
            norm="none", pool_every=self.pool_every, policy_width=self.policy_width, value_width=self.value_width,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The mapping as data for JSON."""
        return asdict(self)

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> UniversalConfig:
        """The inverse of ``to_dict``; keys that are left out have their default.

        Raises:
            LudoportError: a key is unknown or a value is of the wrong kind or size.
        """
        known = {one.name: one.default for one in fields(UniversalConfig)}
        for key, value in record.items():
            if key not in known:
                raise LudoportError(f"a network for many games has no setting `{key}`{suggestion(key, list(known))}")
            require(type(value) is type(known[key]), f"the setting `{key}` of a network for many games is {value!r}")
        return UniversalConfig(**record)


def universal_preset(name: str, **changes: Any) -> UniversalConfig:
    """A network for many games as large as the network of the family ``residual`` with this name.

    >>> universal_preset("tiny").width
    16
    """
    known = {key: record for key, record in presets().items() if record["family"] == "residual"}
    if name not in known:
        raise LudoportError(f"a network for many games has no preset `{name}`{suggestion(name, list(known))}")
    sizes = {one.name for one in fields(UniversalConfig)}
    return UniversalConfig.from_dict({**{k: v for k, v in known[name].items() if k in sizes}, **changes})
