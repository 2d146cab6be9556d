import json
import os
from dataclasses import asdict, replace

import pytest
import torch
from safetensors.torch import load_file, save_file

from ludoport.errors import LudoportError
from ludoport.nets.files import NetworkOrigin, load_network, read_header, save_network
from ludoport.nets.registry import families, preset, presets
from ludoport.tensors.channels import MoveChannel, StateChannel
from tests.nets.lively import lively, positions

CONFIG = preset("tiny", 3, 2)
ORIGIN = NetworkOrigin(
    game="Hex",
    options=("Board Size/7x7",),
    fingerprint="abc123",
    layout="compact",
    state_channels=(StateChannel("piece", 1, "Marker1"), StateChannel("to-move", 1), StateChannel("container")),
    move_channels=(MoveChannel("displacement"), MoveChannel("pass")),
)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "hex.safetensors"
    save_network(path, lively(CONFIG), ORIGIN, {"minutes": 3, "losses": [1.5, 0.5]})
    return path


def rewritten(path, change=None, tensors=None):
    """The same file with another header or other weights."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        record = json.loads(file.metadata()["ludoport"])
    if change is not None:
        change(record)
    save_file(load_file(path) if tensors is None else tensors, path, metadata={"ludoport": json.dumps(record)})


@pytest.mark.parametrize("name", [name for name in presets() if name not in ("default", "small")])
def test_a_network_survives_its_file(tmp_path, name):
    board = {} if families()[presets()[name]["family"]].every_board else {"board": (4, 4)}
    net = lively(preset(name, 3, 2, blocks=1, ownership=2, **board))
    path = tmp_path / "net.safetensors"
    save_network(str(path), net, ORIGIN)
    again = load_network(path, game="Hex", fingerprint="abc123")
    assert again.header.origin == ORIGIN
    assert again.net.config == net.config
    assert not again.net.training
    planes = positions(net.config, 2, 4, 4)
    assert torch.equal(again.net(planes).policy_logits, net(planes).policy_logits)
    assert [file.name for file in tmp_path.iterdir()] == ["net.safetensors"]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_weights_that_are_no_numbers(tmp_path, number):
    net = lively(CONFIG)
    with torch.no_grad():
        next(net.parameters())[0] = float(number)
    path = tmp_path / "net.safetensors"
    save_network(path, net, ORIGIN)
    with pytest.raises(LudoportError, match=r"net.safetensors: `\w[\w.]*` has weights that are not finite numbers"):
        load_network(path)


def test_the_header_alone_says_what_was_saved(saved):
    header = read_header(saved)
    assert (header.origin, header.config) == (ORIGIN, CONFIG)
    assert header.training == {"minutes": 3, "losses": [1.5, 0.5]}


def test_others_can_read_the_file(saved):
    tensors = load_file(saved)
    assert tensors["policy.weight"].shape == (2, 16, 1, 1)
    mask = os.umask(0)
    os.umask(mask)
    assert saved.stat().st_mode & 0o777 == 0o666 & ~mask


def test_any_truncation_is_noticed(saved):
    data = saved.read_bytes()
    for size in {0, 5, 8, 9, len(data) // 3, len(data) - 4, len(data) - 1}:
        saved.write_bytes(data[:size])
        with pytest.raises(LudoportError, match="not a network, or damaged"):
            load_network(saved)


def test_a_changed_bit_is_noticed(saved):
    data = bytearray(saved.read_bytes())
    data[-7] ^= 1
    saved.write_bytes(data)
    with pytest.raises(LudoportError, match="weights are not those that were saved"):
        load_network(saved)


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    with pytest.raises(LudoportError, match="no such file"):
        load_network(path)
    path.write_text("something else entirely")
    with pytest.raises(LudoportError, match="not a network, or damaged"):
        load_network(path)
    save_file({"a": torch.zeros(2)}, path)
    with pytest.raises(LudoportError, match="not written by Ludoport"):
        load_network(path)
    for text, message in (("{", "its header is not JSON"), ("[]", "does not say that it is a network")):
        save_file({"a": torch.zeros(2)}, path, metadata={"ludoport": text})
        with pytest.raises(LudoportError, match=message):
            load_network(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record.update(version=2), r"newer Ludoport \(format 2; this one reads up to 1\)"),
        (lambda record: record.update(format="tree"), "does not say that it is a network"),
        (lambda record: record.pop("layout"), "header is incomplete"),
        (
            lambda record: record["network"].update(blocks=3),
            r"network with `blocks\.2.*`, which the file does not hold",
        ),
        (lambda record: record["network"].update(blocks=1), r"the file holds `blocks\.1.*`"),
        (lambda record: record["network"].update(width=8), r"has the shape .*; the network of its header needs"),
        (lambda record: record["network"].update(colour=1), "no setting `colour`"),
        (lambda record: record["state_channels"].pop(), "3 state channels, but 2 are described"),
        (lambda record: record["move_channels"][0].update(kind="jump"), "unknown kind `jump`"),
        (lambda record: record["move_channels"][0].update(size=1), "header is incomplete"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(saved, change, message):
    rewritten(saved, change)
    with pytest.raises(LudoportError, match=message) as caught:
        load_network(saved)
    assert str(saved) in str(caught.value)


def test_another_game_or_other_rules_are_refused(saved):
    with pytest.raises(LudoportError, match="a network for Hex, not for Gomoku"):
        load_network(saved, game="Gomoku")
    with pytest.raises(LudoportError, match=r"other rules of Hex with Board Size/7x7 \(fingerprint abc123, not def"):
        load_network(saved, game="Hex", fingerprint="def")


@pytest.mark.parametrize("training", [{"a": float("nan")}, {"a": {1, 2}}])
def test_what_cannot_be_written_leaves_the_old_file(saved, training):
    before = saved.read_bytes()
    with pytest.raises(LudoportError, match="cannot be written as JSON"):
        save_network(saved, lively(CONFIG, seed=2), ORIGIN, training)
    with pytest.raises(LudoportError, match="3 state channels, but 2 are described"):
        save_network(saved, lively(CONFIG), replace(ORIGIN, state_channels=ORIGIN.state_channels[:2]))
    assert saved.read_bytes() == before
    assert len(list(saved.parent.iterdir())) == 1


def test_a_write_that_fails_leaves_the_old_file(saved, monkeypatch):
    before = saved.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LudoportError, match="cannot be written: No space left"):
        save_network(saved, lively(CONFIG, seed=2), ORIGIN)
    assert saved.read_bytes() == before
    assert len(list(saved.parent.iterdir())) == 1


def test_places_that_are_none(tmp_path):
    with pytest.raises(LudoportError, match="no such folder"):
        save_network(tmp_path / "no" / "net", lively(CONFIG), ORIGIN)
    with pytest.raises(LudoportError, match="is a folder"):
        save_network(tmp_path, lively(CONFIG), ORIGIN)


def test_channels_are_written_by_name(saved):
    seen = []
    rewritten(saved, lambda record: seen.extend(record["state_channels"]))
    assert seen[0] == asdict(StateChannel("piece", 1, "Marker1"))
