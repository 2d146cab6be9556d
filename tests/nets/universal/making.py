"""Networks for many games in which every number matters: fresh ones have zeros where mistakes could hide."""

import torch

import ludoport as lp
from ludoport.descriptions.game import GameDescription, describe
from ludoport.game import Game
from ludoport.nets.guide import network_mask
from ludoport.nets.network import NetOutput
from ludoport.nets.universal.config import UniversalConfig
from ludoport.nets.universal.network import UniversalNet, build_universal
from ludoport.nets.universal.specialise import specialise
from ludoport.tensors.encoder import TensorEncoder

SMALL = UniversalConfig(blocks=4, width=8, pool_every=2, policy_width=6, value_width=5, rule_width=7, way_width=6)


def load(name: str, *options: str) -> Game:
    return lp.load(name, options=list(options), jit=False)


def lively(config: UniversalConfig, *games: GameDescription, seed: int = 1) -> UniversalNet:
    """A network for some games with random weights and biases of moderate size."""
    net = build_universal(config, games, seed).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in net.parameters():
            fan = parameter[0].numel() if parameter.dim() > 1 else 4
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * fan**-0.5)
    return net


def judgements(net: UniversalNet, game: Game, count: int = 6, seed: int = 1) -> tuple[NetOutput, NetOutput]:
    """Outputs of the universal network and of the specialised one for random positions of a game."""
    encoder = TensorEncoder(game)
    description = describe(game, encoder.layout)
    batch = encoder.wander(count, seed)
    planes = torch.from_numpy(encoder.planes(batch.rows, batch.histories)).float()
    mask = network_mask(encoder.layout, "cpu")
    with torch.no_grad():
        return net(planes, net.read(description), mask), specialise(net, description)(planes, mask)


def assert_same(one: NetOutput, other: NetOutput) -> None:
    """Both say the same but for rounding."""
    for mine, theirs in ((one.policy_logits, other.policy_logits), (one.value_logits, other.value_logits)):
        scale = max(1.0, float(mine.abs().max()))
        assert float(mine.abs().max()) > 1e-3  # not a network that says nothing
        assert float((mine - theirs).abs().max()) <= 2e-5 * scale
