"""Remedies of a transfer: each changes what it says, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.config import NetConfig
from ludoport.nets.families.residual import ResidualNet
from ludoport.nets.files import load_network, save_network
from ludoport.nets.guide import origin_of
from ludoport.nets.layers import pooled
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from ludoport.transfer.network_files import transfer_network_file
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.remedies import explained, remedied, taps_of
from tests.nets.lively import lively


@pytest.fixture(scope="module")
def hexes() -> dict[int, lp.Game]:
    return {size: lp.load("Hex", options=[f"Board Size/{size}x{size}"], jit=False) for size in (3, 5)}


def network(game: lp.Game, **settings: Any) -> ResidualNet:
    layout = tensor_layout(game, "compact")
    shape: dict[str, Any] = {
        "family": "residual",
        "blocks": 2,
        "width": 6,
        "policy_width": 4,
        "value_width": 5,
        "pool_every": 1,
    }
    shape |= {"pool_every": 1, "state_channels": layout.shape[0], "move_channels": layout.move_shape[0], **settings}
    net = lively(NetConfig(**shape))
    assert isinstance(net, ResidualNet)
    return net


def planes(game: lp.Game, count: int = 64) -> Tensor:
    encoder = TensorEncoder(game)
    batch = encoder.wander(count, seed=4)
    return torch.from_numpy(encoder.planes(batch.rows, batch.histories, dtype=np.float32))


def test_a_turned_value_is_the_other_player_s(hexes: dict[int, lp.Game]) -> None:
    for settings in ({}, {"value": "scalar"}):
        net = network(hexes[3], **settings)
        seen = planes(hexes[3])
        with torch.no_grad():
            before = net(seen)
            remedied(net, hexes[3], hexes[3], "compact", TransferOptions(turn_value=True))
            after = net(seen)
        torch.testing.assert_close(after.value(), -before.value())
        torch.testing.assert_close(after.policy_logits, before.policy_logits)


def test_means_count_as_on_the_board_of_the_source(hexes: dict[int, lp.Game]) -> None:
    """A pattern on as many cells of the larger board as of the smaller one has the same weight as before."""
    net = network(hexes[3], norm="none")
    small = torch.zeros(1, 6, 3, 3)
    small[0, :, 0, :2] = 1.0
    large = torch.zeros(1, 6, 5, 5)
    large[0, :, 0, :2] = 1.0
    with torch.no_grad():
        before = net.value_hidden(pooled(small))
        remedied(net, hexes[3], hexes[5], "compact", TransferOptions(rescale_pooled=True))
        torch.testing.assert_close(net.value_hidden(pooled(large)), before)


@pytest.mark.slow
def test_normalisations_of_the_target(hexes: dict[int, lp.Game]) -> None:
    net = network(hexes[5])
    remedied(net, None, hexes[5], "compact", TransferOptions(statistics=True))
    heard: list[Tensor] = []
    norm = net.stem.norms[0]
    assert isinstance(norm, nn.BatchNorm2d)
    norm.register_forward_hook(lambda _, __, out: heard.append(out))
    with torch.no_grad():
        net(planes(hexes[5], 4_096))
    plain = (heard[0] - norm.bias[:, None, None]) / norm.weight[:, None, None]
    torch.testing.assert_close(plain.mean((0, 2, 3)), torch.zeros(6), atol=0.05, rtol=0.0)
    torch.testing.assert_close(plain.var((0, 2, 3)), torch.ones(6), atol=0.1, rtol=0.0)
    assert not norm.training
    bare = network(hexes[5], norm="none")
    with pytest.raises(LudoportError, match="no normalisations"):
        remedied(bare, None, hexes[5], "compact", TransferOptions(statistics=True))


def test_taps_follow_directions(hexes: dict[int, lp.Game]) -> None:
    assert all(to == at for to, at in taps_of(hexes[3], hexes[5], "compact", 3).items())
    square = lp.load("Breakthrough", options=["Board Size/6x6", "Board/Square"], jit=False)
    hexagon = lp.load("Breakthrough", options=["Board Size/4x4", "Board/Hexagon"], jit=False)
    taps = taps_of(square, hexagon, "compact", 3)
    assert taps[0, 0] == (0, 0)
    # Opposite cells stay opposite.
    assert all(taps[-x, -y] == (-a, -b) for (x, y), (a, b) in taps.items())
    moved = {to: at for to, at in taps.items() if to != at}
    assert moved
    net = network(hexagon)
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    remedied(net, square, hexagon, "compact", TransferOptions(move_taps=True))
    after = net.state_dict()["stem.conv.weight"]
    for (x, y), (a, b) in taps.items():
        assert (after[:, :, 1 + x, 1 + y] == before["stem.conv.weight"][:, :, 1 + a, 1 + b]).all()
    changed = {name for name, tensor in net.state_dict().items() if not (tensor == before[name]).all()}
    assert changed
    assert all("conv" in name for name in changed)


def test_files_and_explanations(hexes: dict[int, lp.Game], tmp_path: Path) -> None:
    net, layout = network(hexes[3]), tensor_layout(hexes[3], "compact")
    file = tmp_path / "hex.safetensors"
    save_network(file, net, origin_of(hexes[3], layout, ("Board Size/3x3",)))
    options = TransferOptions(turn_value=True, rescale_pooled=True)
    plain = transfer_network_file(file, hexes[5], tmp_path / "plain.safetensors").file
    moved = transfer_network_file(file, hexes[5], tmp_path / "moved.safetensors", options=options).file
    seen = planes(hexes[5], 8)
    with torch.no_grad():
        one, two = (load_network(path).net(seen) for path in (plain, moved))
    assert not torch.allclose(one.value_logits, two.value_logits)
    assert load_network(moved).header.training["transfer"]["turn_value"] is True
    lines = list(explained(hexes[3], hexes[5], "compact", options))
    assert lines == [
        "means over the board: weights times 2.78 (25 sites, 9 before)",
        "value: win and loss change places",
    ]
    assert list(explained(hexes[3], hexes[5], "compact", TransferOptions())) == []
    with pytest.raises(LudoportError, match="source's game file is unknown"):
        remedied(net, None, hexes[5], "compact", options)
