"""The networks of the paper: as many parameters as published, and layer by layer what the specification says."""

import math

import pytest
import torch
from torch.nn import functional

from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.registry import preset
from tests.nets.lively import lively, positions

PUBLISHED = [
    (9, 3, 180_472),
    (9, 51, 188_296),
    (10, 3, 222_464),
    (10, 51, 231_152),
    (28, 51, 1_752_908),
    (30, 51, 2_009_752),
    (38, 51, 3_212_648),
]
FIRST_CLASS = [181_300, 189_124, 223_224, 231_912, 1_746_972, 2_002_432, 3_198_512]


@pytest.mark.parametrize(("state", "moves", "count"), PUBLISHED)
def test_as_many_parameters_as_published(state, moves, count):
    with torch.device("meta"):
        assert build_network(preset("paper", state, moves)).parameter_count() == count


@pytest.mark.parametrize(("case", "count"), list(zip(PUBLISHED, FIRST_CLASS, strict=True)))
def test_the_first_pooling_class_has_other_numbers(case, count):
    with torch.device("meta"):
        net = build_network(preset("conv-conv-pool", case[0], case[1], blocks=10, layers=6))
    assert net.parameter_count() == count


def counted(family, c=4, a=3, cells=20, blocks=3, layers=2):
    """Parameters by hand, for kernels of 3 and twice as many hidden channels as planes."""
    h = 2 * c
    stem = 9 * c * h + 2 * h
    conv = 9 * h * h
    trunk = {
        "nano": 0,
        "u": blocks * layers * (conv + 2 * h),  # one normalisation
        "conv": blocks * layers * (conv + 4 * h),  # two
    }[family.split("-")[0]]
    dense = family.endswith("-fc")
    policy = h * cells * a * cells + a * cells if dense else 9 * h * a + a
    return stem + trunk + policy + h * cells + 1


@pytest.mark.parametrize("family", ["nano-fc", "nano-conv", "conv-fc", "conv-conv", "u-conv-fc", "u-conv-conv"])
def test_families_of_figure_1_have_the_parameters_counted_by_hand(family):
    net = build_network(preset(family, 4, 3, board=(4, 5), blocks=3, layers=2))
    assert net.parameter_count() == counted(family)
    output = net.eval()(torch.rand(2, 4, 4, 5))
    assert output.policy_logits.shape == (2, 3, 4, 5)
    assert output.value().shape == (2,)
    with pytest.raises(LudoportError, match="for boards of 4x5, not of 5x5"):
        net(torch.rand(2, 4, 5, 5))


def normed(layer, x):
    x = functional.conv2d(x, layer.conv.weight, layer.conv.bias, padding=1)
    for norm in layer.norms:
        x = functional.batch_norm(x, norm.running_mean, norm.running_var, norm.weight, norm.bias, eps=1e-5)
    return x


def second_class(net, planes):
    """ResConvConvLogitPoolModelV2, written out from its table of layers."""
    t = normed(net.stem, planes)
    for block in net.blocks:
        x = functional.relu(t)
        for index, layer in enumerate(block.convs):
            x = normed(layer, x)
            if index < len(block.convs) - 1:
                x = functional.relu(x)
        t = t + x
    f = functional.relu(t)
    policy = functional.conv2d(f, net.policy.weight, net.policy.bias, padding=1)
    board = torch.cat([f.flatten(2).max(2).values, f.flatten(2).mean(2)], 1)
    hidden = functional.relu(functional.linear(board, net.value_hidden.weight, net.value_hidden.bias))
    return policy, torch.tanh(functional.linear(hidden, net.value.weight, net.value.bias))[:, 0]


def test_the_paper_network_is_its_table_of_layers():
    config = preset("paper", 5, 3, blocks=2, layers=3)
    net, planes = lively(config), positions(config, 3, 4, 6)
    policy, value = second_class(net, planes)
    output = net(planes)
    torch.testing.assert_close(output.policy_logits, policy)
    torch.testing.assert_close(output.value(), value)
    assert value.std() > 1e-3


def test_long_skips_run_from_first_to_first():
    config = preset("u-conv-conv", 3, 2, board=(3, 3), blocks=5, layers=1)
    net, planes = lively(config), positions(config, 2, 3, 3)
    outs, t = [], normed(net.stem, planes)
    for index, block in enumerate(net.blocks):
        t = normed(block.convs[0], functional.relu(t))
        if index >= 3:
            t = t + outs[index - 3]
        outs.append(t)
    torch.testing.assert_close(net.trunk(planes, None), functional.relu(t))


def test_trunk_pooling_shows_blocks_the_first_channels_of_the_whole_board():
    config = preset("conv-conv-pool-2", 4, 2, blocks=1, layers=1, trunk_pooling=0.3)
    net, planes = lively(config), positions(config, 2, 3, 5)
    t = normed(net.stem, planes)
    first = t[:, :2]  # int(8 * 0.3)
    top = first.amax((2, 3), keepdim=True).expand_as(first)
    mean = first.mean((2, 3), keepdim=True).expand_as(first)
    wide = functional.relu(torch.cat([t, top, mean], 1))
    assert wide.shape[1] == net.blocks[0].convs[0].conv.in_channels == 12
    torch.testing.assert_close(net.trunk(planes, None), functional.relu(t + normed(net.blocks[0].convs[0], wide)))


@pytest.mark.parametrize("activation", ["relu", "gelu", "celu"])
def test_local_pooling_comes_between_normalisation_and_activation(activation):
    config = preset("paper", 3, 2, blocks=1, layers=2, local_pooling=True, activation=activation)
    net, planes = lively(config), positions(config, 2, 4, 4)
    act = getattr(functional, activation)
    t = normed(net.stem, planes)
    first, last = net.blocks[0].convs
    x = act(functional.max_pool2d(normed(first, act(t)), 3, 1, 1))
    x = functional.max_pool2d(normed(last, x), 3, 1, 1)
    torch.testing.assert_close(net.trunk(planes, None), act(t + x))


def test_weights_begin_as_in_the_paper():
    net = build_network(preset("paper", 9, 3), seed=1)
    weight = net.blocks[0].convs[0].conv.weight.detach()
    bound = math.sqrt(6 / (18 * 9 + 18 * 9))  # xavier, uniform, gain 1
    assert weight.abs().max() <= bound
    assert weight.std() == pytest.approx(bound / math.sqrt(3), rel=0.1)
    norm = net.stem.norms[0]
    assert (norm.momentum, norm.eps) == (0.01, 1e-5)
    assert norm.weight.unique().tolist() == [1]
    assert norm.bias.unique().tolist() == [0]
    assert net.stem.conv.bias is None
    assert net.policy.bias is not None


def test_a_seed_decides_all_weights_and_leaves_torchs_generator_alone():
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    first, second, other = (build_network(preset("paper", 3, 3, blocks=1), seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    same = [torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True)]
    assert all(same)
    assert not torch.equal(first.policy.weight, other.policy.weight)
