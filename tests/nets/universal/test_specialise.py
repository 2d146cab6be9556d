"""The network for one game judges as the network for many does."""

from pathlib import Path

import pytest
import torch

from ludoport.descriptions.game import describe
from ludoport.languages import known_games
from ludoport.nets.fuse import pad_for_tensor_cores, take_over
from ludoport.nets.universal.specialise import Specialiser, specialise
from tests.descriptions.test_game import described
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


def test_two_texts_of_a_game_give_the_same_network(tmp_path: Path) -> None:
    """Names of pieces, order and brackets do not count; of a turned board, only what names sides of the board does."""
    usual = described(tmp_path)
    grouped = "(or {(move Step Rightward (to)) (move Step Forward (to if:(is Empty (to))))})"
    same = described(tmp_path, name="Other", pawn="Foo", rook="Bar", moves=grouped, board="(rectangle 4 4)")
    turned = described(tmp_path, one="E", two="W", goal="(sites Right)", home="(sites Left)")
    net = lively(SMALL, usual, turned)
    with torch.no_grad():  # where the start rules place pieces
        net.rule_vectors[[number for number, token in enumerate(net.vocabulary.rule) if "region:sites" in token]] = 0
    one, two, three = (specialise(net, game).state_dict() for game in (usual, same, turned))
    assert all(torch.equal(one[name], two[name]) for name in one)
    differ = {name.partition(".")[0] for name in one if not torch.equal(one[name], three[name])}
    assert differ == {"stem"}


def test_writing_again_is_specialising_anew() -> None:
    """Self-play takes over new weights in place, in half precision and with more channels on a device."""
    game = load("Hex", "Board Size/3x3")
    description = describe(game)
    first, later = (lively(SMALL, description, seed=seed) for seed in (1, 2))
    own = Specialiser(first, description)
    prepared = pad_for_tensor_cores(own.write(first))
    places = {name: tensor.data_ptr() for name, tensor in prepared.named_parameters()}
    take_over(prepared, own.write(later))
    assert {name: tensor.data_ptr() for name, tensor in prepared.named_parameters()} == places
    wanted = specialise(later, description)
    assert all(torch.equal(tensor, wanted.state_dict()[name]) for name, tensor in own.net.state_dict().items())
    planes = torch.rand(3, wanted.config.state_channels, 3, 3)
    with torch.no_grad():
        one, other = prepared(planes), wanted(planes)
    assert torch.allclose(one.policy_logits, other.policy_logits, atol=1e-4)
    assert torch.allclose(one.value_logits, other.value_logits, atol=1e-4)
