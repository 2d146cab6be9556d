"""Our own network: boards of any size, masks, precisions, heads."""

import pytest
import torch
from torch.nn import functional

from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.layers import MaskedBatchNorm
from ludoport.nets.network import NetOutput, site_mask
from ludoport.nets.registry import preset
from ludoport.tensors.channels import StateChannel
from tests.nets.lively import lively, positions

CONFIG = preset("tiny", 6, 4, blocks=3)


def test_shapes_and_range_on_several_boards():
    net = lively(CONFIG)
    for height, width in ((1, 1), (3, 7), (8, 5)):
        output = net(positions(CONFIG, 5, height, width))
        assert output.policy_logits.shape == (5, 4, height, width)
        assert output.value_logits.shape == (5, 3)
        assert output.value().abs().max() <= 1
        assert output.ownership is None
        assert output.reply is None


def test_value_is_win_minus_loss_or_tanh():
    policy = torch.zeros(2, 1, 1, 1)
    wdl = NetOutput(policy, torch.tensor([[0.7, 0.1, 0.2], [0.0, 0.0, 1.0]]).log()).value()
    torch.testing.assert_close(wdl, torch.tensor([0.5, -1.0]))
    scalar = NetOutput(policy, torch.tensor([[0.5], [-3.0]])).value()
    torch.testing.assert_close(scalar, torch.tensor([0.5, -3.0]).tanh())


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("training", [False, True])
def test_what_a_board_is_padded_with_changes_nothing(training, layers):
    config = preset("tiny", 6, 4, blocks=3, layers=layers)
    net = lively(config).train(training)
    small = positions(config, 4, 3, 4)
    large, mask = positions(config, 4, 6, 7, seed=2) * 9, torch.zeros(1, 1, 6, 7)
    large[:, :, 1:4, 2:6], mask[:, :, 1:4, 2:6] = small, 1
    expected, padded = net(small), net(large, mask)
    torch.testing.assert_close(padded.policy_logits[:, :, 1:4, 2:6], expected.policy_logits, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(padded.value_logits, expected.value_logits, rtol=1e-4, atol=1e-4)
    assert (net(large).value_logits - expected.value_logits).abs().max() > 1e-2


def test_boards_of_different_sizes_share_a_batch():
    net = lively(CONFIG)
    small, large = positions(CONFIG, 1, 3, 3), positions(CONFIG, 1, 5, 5)
    batch, mask = torch.ones(2, 6, 5, 5), torch.ones(2, 1, 5, 5)
    batch[0, :, :3, :3], batch[1] = small[0], large[0]
    mask[0, :, 3:], mask[0, :, :, 3:] = 0, 0
    values = net(batch, mask).value()
    torch.testing.assert_close(values, torch.cat([net(small).value(), net(large).value()]), rtol=1e-4, atol=1e-5)


def test_running_averages_are_over_sites_only():
    plain, masked = MaskedBatchNorm(3), MaskedBatchNorm(3)
    x, mask = torch.randn(4, 3, 2, 5), torch.zeros(4, 1, 2, 8)
    wide = torch.full((4, 3, 2, 8), 100.0)
    wide[..., 3:], mask[..., 3:] = x, 1
    torch.testing.assert_close(masked(wide, mask)[..., 3:], plain(x), rtol=1e-4, atol=1e-5)
    for name in ("running_mean", "running_var", "num_batches_tracked"):
        torch.testing.assert_close(getattr(masked, name), getattr(plain, name), rtol=1e-5, atol=1e-5)


def test_every_cell_sees_the_whole_board_in_a_pooling_block():
    far = torch.zeros(1, 6, 1, 40)
    near = far.clone()
    near[0, :, 0, 39] = 3
    for every, changed in ((2, True), (0, False)):
        net = lively(preset("tiny", 6, 4, blocks=2, pool_every=every))
        assert torch.equal(net.trunk(far, None)[..., 0], net.trunk(near, None)[..., 0]) != changed


def test_every_plane_of_moves_has_a_global_part():
    net = lively(CONFIG)
    planes = positions(CONFIG, 2, 4, 4)
    before = net(planes).policy_logits
    with torch.no_grad():
        net.policy_global.bias[3] += 1
    torch.testing.assert_close(
        net(planes).policy_logits - before, torch.eye(4)[3][None, :, None, None].expand_as(before)
    )


def test_auxiliary_heads_come_when_asked_for():
    config = preset("tiny", 6, 4, ownership=3, reply=True)
    output = build_network(config)(positions(config, 2, 3, 5))
    assert output.ownership is not None
    assert output.reply is not None
    assert output.ownership.shape == (2, 3, 3, 5)
    assert output.reply.shape == (2, 4, 3, 5)


def test_a_new_network_has_no_strong_opinions():
    config = preset("default", 10, 3)
    net = build_network(config, seed=1).eval()
    output = net(positions(config, 8, 5, 5))
    assert 0 < output.policy_logits.std() < 0.3
    assert 0 < output.value().abs().max() < 0.3


@pytest.mark.parametrize("norm", ["batch", "none"])
def test_new_blocks_are_the_identity_and_still_learn(norm):
    config = preset("tiny", 6, 4, norm=norm)
    net = build_network(config, seed=1)
    x = torch.rand(2, 16, 4, 4)
    torch.testing.assert_close(net.blocks[0](x, None), x)
    planes, target = positions(config, 16, 3, 3), torch.arange(16) % 3
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    losses = []
    for _ in range(60):
        loss = functional.cross_entropy(net(planes).value_logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_half_precision_by_autocast(dtype, masked, training):
    config = preset("tiny", 6, 4)
    net, planes = lively(config).train(training), positions(config, 3, 4, 5)
    mask = (torch.rand(3, 1, 4, 5) < 0.7).float() if masked else None
    expected = net(planes, mask)
    with torch.autocast("cpu", dtype=dtype):
        output = net(planes, mask)
    assert output.policy_logits.dtype == output.value_logits.dtype == dtype
    torch.testing.assert_close(output.value(), expected.value(), rtol=0.05, atol=0.05)
    assert net.trunk(planes, mask).dtype == torch.float32


def test_half_precision_all_through_and_channels_last():
    net, planes = lively(CONFIG), positions(CONFIG, 3, 4, 5)
    mask = torch.ones(1, 1, 4, 5)
    expected = net(planes, mask).value()
    last = net.to(memory_format=torch.channels_last)(planes.contiguous(memory_format=torch.channels_last), mask)
    torch.testing.assert_close(last.value(), expected)
    half = net.to(torch.bfloat16)(planes.to(torch.bfloat16), mask)
    assert half.policy_logits.dtype == torch.bfloat16
    torch.testing.assert_close(half.value(), expected, rtol=0.05, atol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "paper"])
def test_the_compiler_sees_one_graph(name):
    config = preset(name, 6, 4, blocks=2)
    net, planes, mask = lively(config), positions(config, 2, 4, 5), torch.ones(2, 1, 4, 5)
    compiled = torch.compile(net, backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(planes, mask).policy_logits, net(planes, mask).policy_logits)


def test_the_mask_is_read_from_the_planes_of_containers():
    planes = torch.zeros(2, 3, 2, 2)
    planes[:, 1, 0], planes[:, 2, 1, 0] = 1, 1
    channels = [StateChannel("piece", 1, "Marker1"), StateChannel("container"), StateChannel("container", index=1)]
    assert site_mask(planes, channels)[:, 0].tolist() == [[[1, 1], [1, 0]]] * 2
    with pytest.raises(LudoportError, match="none of them shows a container"):
        site_mask(planes, channels[:1])
