import importlib.util
import json

import pytest

from ludoport.errors import LudoportError
from ludoport.nets import require_torch
from ludoport.nets.config import NetConfig, with_channels
from ludoport.nets.registry import families, preset, presets


def boards(name):
    family = presets()[name]["family"]
    return {} if families()[family].every_board else {"board": (3, 4)}


@pytest.mark.parametrize("name", presets())
def test_a_configuration_survives_json(name):
    config = preset(name, 9, 3, **boards(name))
    assert NetConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_width_is_a_factor_rounded_down_or_a_number():
    assert preset("paper", 9, 3).hidden == 18
    assert preset("paper", 9, 3, width_factor=1.5).hidden == 13
    assert preset("paper", 9, 3, width=7).hidden == 7


def test_other_channels_keep_the_hidden_ones():
    config = with_channels(preset("paper", 9, 3), 38, 51)
    assert (config.state_channels, config.move_channels, config.hidden) == (38, 51, 18)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blockz": 3}, "no setting `blockz`; did you mean `blocks`"),
        ({"family": "resnet"}, "family is `resnet`; it must be one of conv-conv, .*residual"),
        ({"blocks": "six"}, "`blocks` of a network is 'six'; it must be of type int"),
        ({"blocks": True}, "`blocks` of a network is True"),
        ({"blocks": -1}, "blocks is -1; it must not be negative"),
        ({"kernel": 4}, "kernel is 4; it must be odd"),
        ({"board": (5, 5)}, "family residual fits every board"),
        ({"width": None, "width_factor": 0.05}, "0 hidden channels"),
        ({"activation": "gelu"}, "residual needs relu"),
        ({"local_pooling": True}, "local_pooling belongs to the families of the paper"),
        ({"trunk_pooling": 0.5}, "belongs to family conv-conv-pool-2"),
        ({"norm_momentum": 0}, "norm_momentum is 0.0"),
        ({"family": "conv-fc", "init": "xavier-uniform"}, r"needs board=\(height, width\)"),
        ({"family": "u-conv-fc", "init": "xavier-uniform", "board": [5, 5]}, "6 blocks; it needs an odd number"),
        ({"family": "conv-conv-pool"}, "init fixup belongs to family residual"),
        ({"board": [5]}, "`board` of a network is"),
    ],
)
def test_a_wrong_setting_gets_a_sentence(changes, message):
    with pytest.raises(LudoportError, match=message):
        preset("default", 9, 3, **changes)


def test_an_unknown_preset_gets_a_suggestion():
    with pytest.raises(LudoportError, match="unknown network `papre`; did you mean `paper`"):
        preset("papre", 9, 3)


def test_channels_cannot_be_left_out():
    with pytest.raises(LudoportError, match="needs the setting `move_channels`"):
        NetConfig.from_dict({"state_channels": 9})


def test_missing_packages_are_named(monkeypatch):
    require_torch()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "safetensors" else object())
    with pytest.raises(LudoportError, match="need the package safetensors: pip install 'ludoport\\[nets\\]'"):
        require_torch()
