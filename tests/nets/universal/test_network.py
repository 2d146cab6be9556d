"""Networks for many games."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from ludoport.descriptions.game import describe
from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.files import is_universal, load_network
from ludoport.nets.registry import preset
from ludoport.nets.universal.config import UniversalConfig, universal_preset
from ludoport.nets.universal.files import load_universal, save_universal
from ludoport.nets.universal.network import build_universal
from ludoport.nets.universal.reading import unknown_tokens
from ludoport.nets.universal.specialise import specialise
from tests.nets.universal.making import SMALL, judgements, lively, load


def test_the_specialised_network_has_the_size_of_the_preset() -> None:
    game = describe(load("Tic-Tac-Toe"))
    net = specialise(build_universal(universal_preset("tiny"), [game]), game)
    usual = preset("tiny", len(game.views[0]), len(game.moves), norm="none")
    assert net.config == usual
    assert net.parameter_count() == build_network(usual, seed=0).parameter_count()


def test_both_players_see_their_own_pieces_in_the_same_way() -> None:
    game = load("Tic-Tac-Toe")
    net = lively(SMALL, describe(game))
    small = specialise(net, describe(game))
    channels = describe(game).turns
    position = torch.rand(1, len(describe(game).views[0]), 3, 3).round()
    position[:, channels[0]], position[:, channels[1]] = 1, 0
    other = position.clone()
    other[:, [0, 1]] = position[:, [1, 0]]
    other[:, list(channels)] = position[:, list(channels)[::-1]]
    with torch.no_grad():
        one, two = small(position), small(other)
    assert torch.allclose(one.policy_logits, two.policy_logits, atol=1e-5)
    assert torch.allclose(one.value_logits, two.value_logits, atol=1e-5)


def test_vectors_depend_on_their_tokens_only() -> None:
    hexes, tic = describe(load("Hex", "Board Size/3x3")), describe(load("Tic-Tac-Toe"))
    together, later = build_universal(SMALL, [hexes, tic]), build_universal(SMALL, [tic])
    assert unknown_tokens(hexes, later.vocabulary)
    before = later.state_vectors.detach().clone()
    later.grow([hexes])
    assert torch.equal(later.state_vectors[: len(before)], before)
    assert not unknown_tokens(hexes, later.vocabulary)
    one, two = (judgements(net, load("Hex", "Board Size/3x3"))[1] for net in (together, later))
    assert torch.allclose(one.policy_logits, two.policy_logits, atol=1e-5)


def test_one_vector_for_each_meaning() -> None:
    config = replace(SMALL, sums=False)
    game = describe(load("Breakthrough", "Board Size/4x4"))
    net = build_universal(config, [game])
    assert len(net.vocabulary.state) == len({bag for view in game.views for bag in view})
    assert unknown_tokens(describe(load("Hex", "Board Size/3x3")), net.vocabulary, sums=False)


@pytest.mark.slow
def test_files(tmp_path: Path) -> None:
    game = describe(load("Hex", "Board Size/3x3"))
    net = lively(SMALL, game)
    file = tmp_path / "network.safetensors"
    save_universal(file, net, ["Hex"], {"epochs": 3})
    saved = load_universal(file)
    assert saved.games == ("Hex",)
    assert saved.training == {"epochs": 3}
    assert saved.net.vocabulary == net.vocabulary
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, saved.net.state_dict()[name])
    assert is_universal(file)
    with pytest.raises(LudoportError, match="ludoport transfer"):
        load_network(file)


def test_damaged_files(tmp_path: Path) -> None:
    file = tmp_path / "network.safetensors"
    save_universal(file, lively(SMALL, describe(load("Tic-Tac-Toe"))), ["Tic-Tac-Toe"])
    file.write_bytes(file.read_bytes()[:-4] + b"\x01\x02\x03\x04")
    with pytest.raises(LudoportError, match="damaged"):
        load_universal(file)


@pytest.mark.parametrize(
    "claim", [{"blocks": 1_000_000}, {"width": 1 << 40}, {"value_width": 1 << 62}, {"rule_width": 1 << 40}], ids=str
)
def test_headers_that_claim_too_much(tmp_path: Path, claim: dict[str, int]) -> None:
    """Sizes are compared with the file before any memory is asked for."""
    file = tmp_path / "network.safetensors"
    save_universal(file, lively(SMALL, describe(load("Tic-Tac-Toe"))), ["Tic-Tac-Toe"])
    with safe_open(file, framework="pt") as opened:
        record = json.loads(opened.metadata()["ludoport"])
    record["network"] |= claim
    save_file(load_file(file), file, {"ludoport": json.dumps(record)})
    with pytest.raises(LudoportError, match="do not match"):
        load_universal(file)


@pytest.mark.parametrize("setting", [{"width": 7}, {"blocks": 0}, {"pool_every": 1}, {"depth": 2}, {"width": "8"}])
def test_impossible_shapes(setting: dict[str, object]) -> None:
    with pytest.raises(LudoportError):
        UniversalConfig.from_dict(setting)
