"""Copies for inference say what the original says."""

import pytest
import torch

from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.fuse import fuse_for_inference, pad_for_tensor_cores, use_cudnn
from ludoport.nets.registry import families, preset, presets
from tests.nets.lively import lively, positions


def small(name, **changes):
    family = presets()[name]["family"]
    board = {} if families()[family].every_board else {"board": (4, 5)}
    return preset(name, 5, 3, blocks=3, layers=2, **board, **changes)


CONFIGS = [
    *(small(name) for name in presets() if name not in ("default", "small")),
    small("tiny", norm="none"),
    small("tiny", width=20, policy_width=12, ownership=2, reply=True),
    small("paper", value="wdl", activation="gelu"),
    small("paper", norm="none", activation="celu", local_pooling=True),
    small("paper", trunk_pooling=0.5),
    small("paper", kernel=1),
]


def same(found, expected):
    torch.testing.assert_close(found.policy_logits, expected.policy_logits, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found.value_logits, expected.value_logits, rtol=1e-4, atol=1e-5)
    assert found.ownership is None
    assert found.reply is None


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.family}-{config.norm}-{config.activation}")
@pytest.mark.parametrize("masked", [False, True])
def test_outputs_are_equal(config, masked):
    net, planes = lively(config), positions(config, 3, 4, 5)
    mask = (torch.rand(3, 1, 4, 5) < 0.7).float() if masked else None
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    expected = net(planes, mask)
    fused = fuse_for_inference(net)
    same(fused(planes, mask), expected)
    for multiple in (8, 16):
        padded = pad_for_tensor_cores(net, multiple)
        assert padded.inner.config.state_channels % multiple == padded.inner.config.move_channels % multiple == 0
        assert config.trunk_pooling or padded.inner.config.hidden % multiple == 0
        same(padded(planes, mask), expected)
        missing = padded.inner.config.state_channels - config.state_channels
        same(padded(torch.nn.functional.pad(planes, (0, 0, 0, 0, 0, missing)), mask), expected)
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, before[name]), f"{name} was changed"


def test_a_fused_network_is_one_without_normalisations():
    config = small("conv-conv-pool", ownership=1)
    fused = fuse_for_inference(lively(config).train())
    assert not fused.training
    assert not any(isinstance(module, torch.nn.BatchNorm2d) for module in fused.modules())
    assert not any(parameter.requires_grad for parameter in fused.parameters())
    again = build_network(fused.config)
    again.load_state_dict(fused.state_dict())
    planes = positions(config, 2, 4, 5)
    assert torch.equal(again(planes).policy_logits, fused(planes).policy_logits)


def test_the_papers_18_channels_become_24():
    padded = pad_for_tensor_cores(build_network(preset("paper", 9, 3, blocks=1)))
    shapes = {tuple(p.shape[:2]) for p in padded.parameters() if p.dim() == 4}
    assert shapes == {(24, 16), (24, 24), (8, 24)}


def test_cudnn_runs_fused_networks_only():
    with pytest.raises(LudoportError, match="only a network from fuse_for_inference"):
        use_cudnn(lively(small("tiny")))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("name", ["tiny", "paper"])
@pytest.mark.parametrize("masked", [False, True])
def test_cudnn_gives_equal_outputs(name, masked):
    config = small(name)
    net, planes = lively(config).cuda(), positions(config, 3, 4, 5).cuda()
    mask = (torch.rand(3, 1, 4, 5) < 0.7).float().cuda() if masked else None
    expected = net(planes, mask).value()
    direct = use_cudnn(pad_for_tensor_cores(net)).half().to(memory_format=torch.channels_last)
    found = direct(planes.half().contiguous(memory_format=torch.channels_last), mask).value()
    torch.testing.assert_close(found, expected, rtol=0.02, atol=0.02)
