"""Networks carried over: correct in the sense of the paper, section 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.config import NetConfig
from ludoport.nets.network import site_mask
from ludoport.nets.registry import family_of, preset
from ludoport.tensors.encoder import TensorEncoder
from ludoport.transfer.mapping import MappedChannel, Mapping, map_channels
from ludoport.transfer.networks import resized, target_config, transfer_network
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.sides import find_side
from tests.nets.lively import lively

ZERO = TransferOptions(unmapped="zero")
SMALL: dict[str, dict[str, Any]] = {
    "residual": {"family": "residual", "blocks": 3, "width": 6, "policy_width": 4, "value_width": 5, "pool_every": 2},
    "residual without norms": {"family": "residual", "blocks": 2, "width": 5, "norm": "none", "reply": True},
    "paper": {"family": "conv-conv-pool-2", "blocks": 2, "layers": 2, "width": None, "init": "xavier-uniform"},
    "pooled trunk": {
        "family": "conv-conv-pool-2", "blocks": 2, "width": 6, "trunk_pooling": 0.5, "init": "xavier-uniform",
    },
    "conv-conv-pool": {"family": "conv-conv-pool", "blocks": 2, "width": 5, "init": "xavier-uniform", "norm": "none"},
    "conv-conv": {"family": "conv-conv", "blocks": 1, "width": 4, "init": "xavier-uniform", "board": (6, 6)},
    "u-conv-fc": {"family": "u-conv-fc", "blocks": 3, "width": 3, "init": "xavier-uniform", "board": (6, 6)},
    "nano-fc": {"family": "nano-fc", "width": 3, "init": "xavier-uniform", "board": (6, 6), "value": "scalar"},
}  # fmt: skip
SIZE_FREE = [name for name, settings_ in SMALL.items() if "board" not in settings_]


def mapping_of(state: list[int], moves: list[int]) -> Mapping:
    """A mapping by numbers alone."""

    def row(number: int, source: int) -> MappedChannel:
        return (
            MappedChannel(f"{number}", None, source, "none")
            if source < 0
            else MappedChannel(f"{number}", f"{source}", source, "given")
        )

    def rows(sources: list[int]) -> tuple[MappedChannel, ...]:
        return tuple(row(number, source) for number, source in enumerate(sources))

    return Mapping("S", "T", rows(state), rows(moves))


def close(a: Tensor, b: Tensor) -> None:
    torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)


@pytest.fixture(scope="module")
def positions() -> Tensor:
    """Positions of random games of Breakthrough on a 6x6 board; 9 planes."""
    game = lp.load("Breakthrough", options=["Board Size/6x6", "Board/Square"], jit=False)
    encoder = TensorEncoder(game)
    batch = encoder.wander(6, seed=3)
    return torch.from_numpy(encoder.planes(batch.rows, batch.histories, dtype=np.float32))


@st.composite
def representations(draw: st.DrawFn) -> dict[str, Any]:
    """Another way to write the planes: some split in two, new ones added, all of it shuffled; moves likewise."""
    split = draw(st.sets(st.sampled_from([0, 1]), max_size=2))
    state = [*range(9), *sorted(split), *[-1] * draw(st.integers(0, 3))]
    moves = [*range(51), *draw(st.lists(st.integers(0, 50), max_size=3)), *[-1] * draw(st.integers(0, 2))]
    return {
        "state": draw(st.permutations(state)),
        "moves": draw(st.permutations(moves)),
        "split": split,
        "seed": draw(st.integers(0, 1000)),
    }


def rewritten(planes: Tensor, how: dict[str, Any]) -> Tensor:
    """The same positions in that way: the pieces of a split plane are shared out, new planes hold anything."""
    generator = torch.Generator().manual_seed(how["seed"])
    share = (torch.rand(planes[:, 0].shape, generator=generator) < 0.5).float()
    seen: set[int] = set()
    made = []
    for source in how["state"]:
        if source < 0:
            made.append(torch.rand(planes[:, 0].shape, generator=generator))
        elif source in how["split"]:
            made.append(planes[:, source] * ((1 - share) if source in seen else share))
            seen.add(source)
        else:
            made.append(planes[:, source])
    return torch.stack(made, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
@given(how=representations())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_game_in_other_tensors(name: str, how: dict[str, Any], positions: Tensor) -> None:
    net = lively(NetConfig(state_channels=9, move_channels=51, **SMALL[name]))
    made = transfer_network(net, mapping_of(how["state"], how["moves"]), ZERO, net.config.board)
    mask = torch.ones_like(positions[:, :1]) if net.config.family == "residual" else None
    with torch.no_grad():
        before, after = net(positions, mask), made(rewritten(positions, how), mask)
    close(after.value_logits, before.value_logits)
    for place, source in enumerate(how["moves"]):
        wanted = before.policy_logits[:, source] if source >= 0 else torch.zeros_like(before.policy_logits[:, 0])
        close(after.policy_logits[:, place], wanted)
        if before.reply is not None and after.reply is not None and source >= 0:
            close(after.reply[:, place], before.reply[:, source])


@pytest.mark.parametrize("name", SIZE_FREE)
@given(removed=st.sets(st.integers(0, 8), min_size=1, max_size=4))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_removed_planes_count_as_empty(name: str, removed: set[int], positions: Tensor) -> None:
    kept = [number for number in range(9) if number not in removed]
    net = lively(NetConfig(state_channels=9, move_channels=51, **SMALL[name]))
    made = transfer_network(net, mapping_of(kept, list(range(51))), ZERO)
    emptied = positions.clone()
    emptied[:, sorted(removed)] = 0
    with torch.no_grad():
        before, after = net(emptied), made(positions[:, kept])
    close(after.policy_logits, before.policy_logits)
    close(after.value_logits, before.value_logits)


@pytest.mark.parametrize("name", ["paper", "conv-conv-pool"])
def test_on_a_larger_board_the_same_neighbourhood_gets_the_same_logits(name: str) -> None:
    config = NetConfig(state_channels=9, move_channels=3, **SMALL[name])
    net = lively(config)
    made = transfer_network(net, mapping_of(list(range(9)), [0, 1, 2]), ZERO)
    reach = 2 + config.blocks * config.layers  # stem, trunk and policy look one cell further each
    planes = (torch.rand(2, 9, 24, 24, generator=torch.Generator().manual_seed(5)) < 0.3).float()
    with torch.no_grad():
        large = made(planes).policy_logits[:, :, reach:-reach, reach:-reach]
        for corner in (0, 3):
            small = net(planes[:, :, corner : corner + 20, corner : corner + 20]).policy_logits
            inner = small[:, :, reach:-reach, reach:-reach]
            side = inner.shape[-1]
            close(inner, large[:, :, corner : corner + side, corner : corner + side])


@pytest.mark.parametrize("name", SIZE_FREE)
def test_variants_of_one_game_share_all_weights(name: str) -> None:
    mapping = map_channels(find_side("Hex", ["Board Size/7x7"]), find_side("Hex", ["Board Size/11x11"]))
    net = lively(NetConfig(state_channels=10, move_channels=3, **SMALL[name]))
    made = transfer_network(net, mapping, TransferOptions(seed=7))
    assert all(torch.equal(tensor, made.state_dict()[key]) for key, tensor in net.state_dict().items())
    planes = torch.rand(2, 10, 11, 11)
    mask = site_mask(planes.round(), find_side("Hex").state).clamp(min=1)
    with torch.no_grad():
        assert torch.equal(net(planes, mask).policy_logits, made(planes, mask).policy_logits)


def test_shogi_learns_from_minishogi() -> None:
    """A plane of a new piece has the weights of its partner, so the network sees the partner there."""
    mapping = map_channels(find_side("Minishogi"), find_side("Shogi"))
    net = lively(preset("tiny", 30, 51))
    made = transfer_network(net, mapping, ZERO)
    minishogi, shogi = torch.zeros(1, 30, 9, 9), torch.zeros(1, 38, 9, 9)
    minishogi[0, 6, 2, 2] = minishogi[0, 6, 5, 6] = 1
    shogi[0, 6, 2, 2] = shogi[0, 10, 5, 6] = 1  # one Hisha, one Keima
    with torch.no_grad():
        close(made(shogi).value_logits, net(minishogi).value_logits)
        close(made(shogi).policy_logits, net(minishogi).policy_logits)


@pytest.mark.parametrize("unmapped", ["zero", "fresh"])
def test_channels_without_a_source(unmapped: Any) -> None:
    mapping = map_channels(find_side("Gomoku"), find_side("Yavalath"))
    net = lively(preset("tiny", 9, 3))
    made = transfer_network(net, mapping, TransferOptions(unmapped=unmapped, seed=4))
    fresh = build_network(made.config, seed=4)
    swapped = made.stem.conv.weight[:, 4]
    assert torch.equal(swapped, torch.zeros_like(swapped) if unmapped == "zero" else fresh.stem.conv.weight[:, 4])
    assert torch.equal(made.stem.conv.weight[:, 5], net.stem.conv.weight[:, 4])


@pytest.mark.parametrize("name", SIZE_FREE)
def test_heads_can_begin_anew(name: str) -> None:
    net = lively(NetConfig(state_channels=9, move_channels=51, **SMALL[name]))
    options = TransferOptions(reinit_heads=True, seed=9)
    made = transfer_network(net, mapping_of(list(range(9)), list(range(51))), options)
    fresh = build_network(made.config, seed=9).state_dict()
    for key, tensor in made.state_dict().items():
        assert torch.equal(tensor, net.state_dict()[key] if family_of(net.config).in_trunk(key) else fresh[key]), key


@pytest.mark.parametrize(
    ("source", "target", "parameters"),
    [("Minishogi", "Shogi", 3_212_648), ("Shogi", "Minishogi", 2_009_752), ("Minishogi", "Kyoto Shogi", 1_752_908)],
)
def test_adjusted_networks_have_as_many_parameters_as_those_of_the_paper(
    source: str, target: str, parameters: int
) -> None:
    one, other = find_side(source), find_side(target)
    mapping = map_channels(one, other)
    config = preset("paper", len(one.state), len(one.moves))
    assert target_config(config, mapping).hidden == config.hidden
    adjusted = target_config(config, mapping, adjust_width=True)
    assert adjusted.hidden == 2 * len(other.state)
    assert build_network(adjusted).parameter_count() == parameters


@pytest.mark.parametrize("name", ["paper", "pooled trunk", "conv-conv-pool"])
@pytest.mark.parametrize("states", [7, 12])
def test_hidden_channels_are_removed_or_added(name: str, states: int) -> None:
    """Remaining channels keep their weights; a channel is removed from all layers, or from none."""
    config = NetConfig(state_channels=9, move_channels=3, **{**SMALL[name], "width": None})
    net = lively(config)
    mapping = mapping_of([number if number < 9 else -1 for number in range(states)], [0, 1, 2])
    made = transfer_network(net, mapping, TransferOptions(adjust_width=True, seed=3))
    kept = resized(18, 2 * states, np.random.default_rng(3))
    there, from_ = np.flatnonzero(kept >= 0), kept[kept >= 0]
    assert made.config.hidden == 2 * states
    old, new = net.state_dict(), made.state_dict()
    assert torch.equal(new["policy.weight"][:, there], old["policy.weight"][:, from_])
    second = "blocks.0.convs.1.conv.weight"
    assert torch.equal(new[second][there][:, there], old[second][from_][:, from_])
    if made.config.norm == "batch":
        assert torch.equal(new["stem.norms.0.running_var"][there], old["stem.norms.0.running_var"][from_])


def test_channels_that_do_nothing_can_be_removed() -> None:
    """If the hidden channels that go were silent, the outputs stay."""
    net = lively(NetConfig(state_channels=9, move_channels=3, **{**SMALL["paper"], "norm": "none"}))
    kept = resized(18, 14, np.random.default_rng(2))
    gone = np.setdiff1d(np.arange(18), kept)
    units = np.setdiff1d(np.arange(36), resized(36, 28, _after(18, 14, 2)))
    with torch.no_grad():
        for key, tensor in net.state_dict().items():
            if family_of(net.config).in_trunk(key):
                tensor[gone] = 0
        net.value_hidden.weight[units] = net.value_hidden.bias[units] = 0  # type: ignore[index, union-attr]
    planes = torch.rand(3, 9, 5, 5)
    planes[:, 7:] = 0
    made = transfer_network(net, mapping_of(list(range(7)), [0, 1, 2]), TransferOptions(adjust_width=True, seed=2))
    with torch.no_grad():
        before, after = net(planes), made(planes[:, :7])
    close(after.policy_logits, before.policy_logits)
    close(after.value_logits, before.value_logits)


def _after(before: int, after: int, seed: int) -> np.random.Generator:
    """The generator behind the choice of hidden channels."""
    rng = np.random.default_rng(seed)
    resized(before, after, rng)
    return rng


def test_every_tensor_has_axes_that_fit() -> None:
    for name, chosen in SMALL.items():
        net = build_network(NetConfig(state_channels=9, move_channels=51, **chosen))
        for key, axes in family_of(net.config).tensor_axes(net).items():
            assert len(axes) <= net.state_dict()[key].dim(), (name, key)
            for axis, size in zip(axes, net.state_dict()[key].shape, strict=False):
                assert size == {"state": 9, "move": 51, "hidden": net.config.hidden}.get(axis, size), (name, key)


def test_the_source_stays_as_it_is() -> None:
    net = lively(preset("tiny", 9, 3))
    before = {key: tensor.clone() for key, tensor in net.state_dict().items()}
    made = transfer_network(net, mapping_of([3, -1, 0], [2, 1, 0]), ZERO)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(1)
    assert all(torch.equal(tensor, before[key]) for key, tensor in net.state_dict().items())
    assert not made.training


def test_a_network_for_one_board_stays_there() -> None:
    net = lively(NetConfig(state_channels=9, move_channels=51, **SMALL["conv-conv"]))
    mapping = mapping_of(list(range(9)), list(range(51)))
    for board, words in (((8, 8), "here 6x6, and T has 8x8"), (None, "an unknown size")):
        with pytest.raises(LudoportError, match=words):
            transfer_network(net, mapping, ZERO, board)


def test_a_mapping_for_other_channels() -> None:
    net = lively(preset("tiny", 9, 3))
    with pytest.raises(LudoportError, match="plane 9 of states, but the network has 9"):
        transfer_network(net, mapping_of([9], [0]))
    with pytest.raises(LudoportError, match="plane 3 of moves"):
        transfer_network(net, mapping_of([0], [3]))
