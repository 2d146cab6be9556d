"""A network whose weights for a game come from the game's description.

Every plane of a state is described as the player to move sees it, so the stem reads planes in two ways and takes the
one of the player to move. What follows is a residual network that the rules scale and shift, and whose planes of moves
get their weights from tokens and from direction and distance. ``specialise`` writes the same for one game as a network
of the family ``residual``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludoport.descriptions.game import GameDescription
from ludoport.nets.layers import PooledLinear, pooled
from ludoport.nets.network import NetOutput
from ludoport.nets.universal.config import UniversalConfig
from ludoport.nets.universal.reading import WAY_FEATURES, Reading, Vocabulary, read

OUTCOMES = 3
"""Win, draw and loss."""

TAPS = 9
STEM_SCALE = 0.15
"""Standard deviation of the first weights of a token in the stem: a window holds some tens of tokens."""


class Modulated(nn.Module):
    """Scale and shift of a layer's outputs, computed from the vector of the rules; the identity at first.

    Args:
        rules: length of that vector.
        outputs: channels of the layer.
    """

    def __init__(self, rules: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(rules, 2 * outputs)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, rules: Tensor) -> tuple[Tensor, Tensor]:
        """Scale and shift, each of shape (outputs,)."""
        scale, shift = self.linear(rules).chunk(2)
        return 1 + scale, shift


class UniversalBlock(nn.Module):
    """Two convolutions with a skip around them.

    Args:
        config: the network's shape.
        inputs: channels that come in; where there are fewer than ``width``, the others come in as 0.
        pool: whether this block looks at the whole board.
    """

    def __init__(self, config: UniversalConfig, inputs: int, pool: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, inputs, 3, padding=1)
        self.last = nn.Conv2d(inputs, config.width, 3, padding=1)
        self.pool_bias = PooledLinear(2 * inputs, inputs) if pool else None
        self.first_rules = Modulated(config.rule_width, inputs)
        self.last_rules = Modulated(config.rule_width, config.width)

    def forward(self, x: Tensor, mask: Tensor | None, rules: Tensor, taps: Tensor) -> Tensor:
        """``[B, inputs, H, W]`` to ``[B, width, H, W]``; nothing is negative, before and after."""
        inner = functional.conv2d(x, self.first.weight * taps, self.first.bias, padding=1)
        if self.pool_bias is not None:
            inner = inner + self.pool_bias(pooled(x, mask))[:, :, None, None]
        inner = _masked(functional.relu(modulate(inner, *self.first_rules(rules))), mask)
        out = functional.conv2d(inner, self.last.weight * taps, self.last.bias, padding=1)
        skip = functional.pad(x, (0, 0, 0, 0, 0, out.shape[1] - x.shape[1]))
        return _masked(functional.relu(modulate(out, *self.last_rules(rules)) + skip), mask)


class UniversalNet(nn.Module):
    """A network for many games.

    Args:
        config: its shape.
        vocabulary: tokens with vectors.
        seed: random seed of the first vectors; those of a token depend on nothing else but the token.
    """

    def __init__(self, config: UniversalConfig, vocabulary: Vocabulary, seed: int = 0) -> None:
        super().__init__()
        self.config, self.vocabulary, self.seed = config, vocabulary, seed
        wide, seen = config.width, config.seen
        self.state_vectors = nn.Parameter(self._drawn("state", vocabulary.state))
        self.move_vectors = nn.Parameter(self._drawn("move", vocabulary.move))
        self.rule_vectors = nn.Parameter(self._drawn("rule", vocabulary.rule))
        self.rule_bias = nn.Parameter(torch.zeros(config.rule_width))
        self.ways = nn.Sequential(
            nn.Linear(WAY_FEATURES, config.way_width), nn.ReLU(), nn.Linear(config.way_width, self._move_size)
        )
        self.stem_bias = nn.Parameter(torch.zeros(seen))
        self.stem_rules = Modulated(config.rule_width, seen)
        self.blocks = nn.ModuleList(
            UniversalBlock(config, wide if number else seen, config.pooled(number)) for number in range(config.blocks)
        )
        self.policy_hidden = nn.Conv2d(wide, config.policy_width, 1)
        self.policy_bias = PooledLinear(2 * wide, config.policy_width)
        self.policy_rules = Modulated(config.rule_width, config.policy_width)
        self.value_hidden = PooledLinear(2 * wide, config.value_width)
        self.value_rules = Modulated(config.rule_width, config.value_width)
        self.value = nn.Linear(config.value_width, OUTCOMES)
        self.value_shift = nn.Linear(config.rule_width, OUTCOMES)
        self._draw_layers()

    @property
    def _move_size(self) -> int:
        """Numbers that a plane of moves needs: weights of the policy's hidden channels and of the board, a bias."""
        return self.config.policy_width + self.config.value_width + 1

    def _drawn(self, kind: str, tokens: Iterable[str]) -> Tensor:
        """The first vectors of tokens, shape (tokens, length)."""
        config = self.config
        size, scale = {
            "state": (config.seen * TAPS, STEM_SCALE),
            "move": (self._move_size, 0.1 * (2 / config.policy_width) ** 0.5),
            "rule": (config.rule_width, 0.5),
        }[kind]
        rows = [torch.randn(size, generator=_generator(f"{self.seed} {kind} {token}")) * scale for token in tokens]
        return torch.stack(rows) if rows else torch.zeros(0, size)

    def _draw_layers(self) -> None:
        """First weights of all other layers; blocks begin as the identity, heads with small outputs."""
        random = _generator(f"{self.seed} layers")
        for module in self.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)) and not _silent(self, module):
                fan = module.weight[0].numel()
                with torch.no_grad():
                    module.weight.copy_(torch.randn(module.weight.shape, generator=random) * (2 / fan) ** 0.5)
                    assert module.bias is not None
                    module.bias.zero_()
        with torch.no_grad():
            for head in (self.value, self.ways[2]):
                cast(nn.Linear, head).weight.mul_(0.1)
            self.value_shift.weight.zero_()
            for block in self.universal_blocks():
                block.first.weight.mul_(self.config.blocks**-0.5)
                block.last.weight.zero_()
                if block.pool_bias is not None:
                    block.pool_bias.weight.mul_(0.1)

    def universal_blocks(self) -> list[UniversalBlock]:
        """The blocks, first to last."""
        return cast(list[UniversalBlock], list(self.blocks))

    def grow(self, games: Iterable[GameDescription]) -> None:
        """Take in the tokens of more games; the vectors that are there keep their places."""
        new = self.vocabulary.grown(games, self.config.sums)
        for kind in ("state", "move", "rule"):
            old: nn.Parameter = getattr(self, f"{kind}_vectors")
            added = self._drawn(kind, getattr(new, kind)[len(old) :]).to(old)
            setattr(self, f"{kind}_vectors", nn.Parameter(torch.cat([old.detach(), added])))
        self.vocabulary = new

    def read(self, game: GameDescription) -> Reading:
        """A game as this network reads it, on the network's device."""
        return read(game, self.vocabulary, self.config.sums).to(self.stem_bias.device)

    def rule_vector(self, game: Reading) -> Tensor:
        """Vector of the rules of a game, shape (rule_width,)."""
        if not self.config.rules:
            return torch.zeros_like(self.rule_bias)
        return functional.relu(game.rules @ self.rule_vectors + self.rule_bias)

    def stem_weights(self, game: Reading) -> Tensor:
        """Weights of the stem for player 1 and player 2 to move, shape (2, seen, planes, 3, 3)."""
        weights = (game.views @ self.state_vectors).reshape(2, -1, self.config.seen, 3, 3)
        return weights.transpose(1, 2) * game.taps

    def move_weights(self, game: Reading) -> tuple[Tensor, Tensor, Tensor]:
        """Weights of planes of moves for hidden channels and for the board, and biases."""
        weights = game.moves @ self.move_vectors + game.goes * self.ways(game.ways)
        policy, board, bias = weights.split((self.config.policy_width, self.config.value_width, 1), 1)
        return policy, board, bias[:, 0]

    def forward(self, planes: Tensor, game: Reading, mask: Tensor | None = None) -> NetOutput:
        """Judges positions of one game.

        Args:
            planes: ``[B, C, H, W]``, floating point.
            game: the game.
            mask: ``[B or 1, 1, H, W]``, 1 where there is a site and 0 elsewhere; None where every cell counts.
        """
        rules = self.rule_vector(game)
        x = self._seen(_masked(planes, mask), game, rules, mask)
        mask = None if mask is None else mask.to(x.dtype)
        for block in self.universal_blocks():
            x = block(x, mask, rules, game.taps)
        board = pooled(x, mask)
        hidden = self.policy_hidden(x) + self.policy_bias(board)[:, :, None, None]
        hidden = functional.relu(modulate(hidden, *self.policy_rules(rules)))
        scale, shift = self.value_rules(rules)
        judged = functional.relu(self.value_hidden(board) * scale + shift)
        cells, whole, bias = self.move_weights(game)
        policy = functional.conv2d(hidden, cells[:, :, None, None])
        policy = policy + functional.linear(judged, whole, bias)[:, :, None, None]
        return NetOutput(policy, self.value(judged) + self.value_shift(rules))

    def _seen(self, planes: Tensor, game: Reading, rules: Tensor, mask: Tensor | None) -> Tensor:
        """Planes as the player to move sees them, ``[B, seen, H, W]``."""
        weights, modulation = self.stem_weights(game), self.stem_rules(rules)
        second = planes[:, game.turns[1]].amax((1, 2))[:, None, None, None] > 0.5
        views = [functional.conv2d(planes, weights[view], self.stem_bias, padding=1) for view in (0, 1)]
        chosen = torch.where(second, views[1], views[0])
        return _masked(functional.relu(modulate(chosen, *modulation)), mask)

    def parameter_count(self) -> int:
        """Number of parameters."""
        return sum(parameter.numel() for parameter in self.parameters())


def build_universal(config: UniversalConfig, games: Iterable[GameDescription], seed: int = 0) -> UniversalNet:
    """A new network for some games."""
    return UniversalNet(config, Vocabulary().grown(games, config.sums), seed)


def modulate(x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """Scale and shift the channels of ``[B, channels, H, W]``."""
    return x * scale[:, None, None] + shift[:, None, None]


def _masked(x: Tensor, mask: Tensor | None) -> Tensor:
    return x if mask is None else x * mask.to(x.dtype)


def _silent(net: UniversalNet, module: nn.Module) -> bool:
    """Whether a layer begins with weights that are 0 and stays so: those that rules act through."""
    return any(isinstance(owner, Modulated) and owner.linear is module for owner in net.modules())


def _generator(text: str) -> torch.Generator:
    """A random generator that a text decides."""
    digest = hashlib.sha256(text.encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "little"))
