"""The network for one game judges as the network for many does."""

import pytest
import torch

from ludoport.descriptions.game import describe
from ludoport.languages import known_games
from ludoport.nets.fuse import pad_for_tensor_cores
from ludoport.nets.universal.specialise import specialise
from tests.nets.universal.making import SMALL, assert_same, judgements, lively, load

GAMES = {"Hex": ["Board Size/4x4"], "Breakthrough": ["Board Size/5x5"], "Connect Four": [], "tic-tac-toe.kif": []}
OTHERS = [game.name for game in known_games() if "for-three" not in game.name]


@pytest.mark.parametrize("name", GAMES)
def test_folding_is_exact(name: str) -> None:
    game = load(name, *GAMES[name])
    net = lively(SMALL, describe(game))
    assert_same(*judgements(net, game))


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_folding_is_exact_in_all_bundled_games(name: str) -> None:
    game = load(name)
    assert_same(*judgements(lively(SMALL, describe(game)), game, count=3))


def test_games_unseen_before() -> None:
    net = lively(SMALL, describe(load("Hex", "Board Size/3x3")))
    assert_same(*judgements(net, load("Breakthrough", "Board Size/4x4")))


def test_without_rules() -> None:
    from dataclasses import replace

    plain, misere = (load("Hex", "Board Size/4x4", f"End Rules/{end}") for end in ("Standard", "Misere"))
    games = describe(plain), describe(misere)
    for rules in (False, True):
        net = lively(replace(SMALL, rules=rules), *games)
        one, other = (judgements(net, game)[1] for game in (plain, misere))
        assert torch.equal(one.value_logits, other.value_logits) is not rules


def test_larger_layers_for_gpus() -> None:
    game = load("Hex", "Board Size/4x4")
    description = describe(game)
    net = specialise(lively(SMALL, description), description)
    planes = torch.rand(3, net.config.state_channels, 4, 4)
    with torch.no_grad():
        wanted, found = net(planes), pad_for_tensor_cores(net)(planes)
    assert torch.allclose(wanted.policy_logits, found.policy_logits, atol=1e-4)
