"""Families of networks: one file each, found by being there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from ludoport.errors import LudoportError
from ludoport.nets import families as package
from ludoport.nets import registry
from ludoport.nets.axes import axes_of
from ludoport.nets.build import build_network
from ludoport.nets.files import NetworkOrigin, load_network, save_network
from ludoport.nets.registry import families, family_of, preset, presets
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.transfer.mapping import Mapping
from ludoport.transfer.networks import transfer_network
from tests.transfer.test_networks import mapping_of

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The family that docs/architecture.md adds, in a folder of its own."""
    found = re.search(r"`ludoport/nets/families/plain.py`:\n\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    (tmp_path / "plain.py").write_text(found[1])
    known = families()
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    families.cache_clear()
    presets.cache_clear()
    yield
    sys.modules.pop("ludoport.nets.families.plain", None)
    registry._FAMILIES.clear()
    registry._FAMILIES.update(known)
    families.cache_clear()
    presets.cache_clear()


@pytest.mark.usefixtures("plain")
def test_the_family_of_the_documentation_is_found_built_kept_and_transferred(tmp_path: Path) -> None:
    config = preset("plain", 9, 3, own={"depth": 1})
    net = build_network(config, seed=1)
    assert net(torch.rand(2, 9, 5, 5)).policy_logits.shape == (2, 3, 5, 5)
    states, moves = (StateChannel("container"),) * 9, (MoveChannel("pass"),) * 3
    save_network(tmp_path / "net.safetensors", net, NetworkOrigin("Hex", "", "compact", states, moves))
    loaded = load_network(tmp_path / "net.safetensors").net
    assert loaded.config == config
    mapping: Mapping = mapping_of([0, 1, -1, 2], [2, 0])
    made = transfer_network(loaded, mapping)
    assert torch.equal(made.state_dict()["convs.0.conv.weight"][:, 3], net.state_dict()["convs.0.conv.weight"][:, 2])
    assert torch.equal(made.state_dict()["policy.weight"], net.state_dict()["policy.weight"][[2, 0]])
    with pytest.raises(LudoportError, match="family plain has no setting `dept`; did you mean `depth`"):
        preset("plain", 9, 3, own={"dept": 1})


def test_presets_say_their_family() -> None:
    assert {settings["family"] for settings in presets().values()} == set(families())
    assert presets()["paper"]["family"] == "conv-conv-pool-2"
    assert presets()["tiny"]["family"] == "residual"
    bound = [name for name, family in families().items() if not family.every_board]
    assert bound == ["conv-conv", "conv-fc", "nano-conv", "nano-fc", "u-conv-conv", "u-conv-fc"]


def test_layers_that_a_family_forgot_are_named() -> None:
    net = build_network(preset("tiny", 9, 3))
    family = family_of(net.config)
    assert family.tensor_axes(net)["blocks.0.convs.1.norms.0.running_mean"] == ("hidden",)
    flows = {name: flow for name, flow in family.flows.items() if name != "value"}
    with pytest.raises(LudoportError, match="into its layer `value` and what comes out"):
        axes_of("value.weight", 2, flows)
