from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.export import export_onnx
from ludoport.nets.files import save_network
from ludoport.nets.guide import network_mask, origin_of
from ludoport.nets.onnx_guide import OnnxEvaluator
from ludoport.nets.registry import preset
from ludoport.tensors.layout import tensor_layout
from tests.bridges.cases import ALL, numbered
from tests.cli.conftest import ludoport  # noqa: F401  (the fixture that runs a command)
from tests.nets.lively import lively


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of Tic-Tac-Toe with random weights."""
    game = lp.load("Tic-Tac-Toe", jit=False)
    layout = tensor_layout(game)
    path = tmp_path_factory.mktemp("net") / "one.safetensors"
    net = lively(preset("tiny", layout.shape[0], layout.move_shape[0]))
    save_network(path, net, origin_of(game, layout))
    return path


@pytest.fixture
def exported(network: Path, ludoport, tmp_path: Path) -> Path:  # type: ignore[no-untyped-def]  # noqa: F811
    path = tmp_path / "one.onnx"
    ludoport("export", str(network), "--out", str(path))
    return path


@pytest.mark.slow
def test_the_file_says_what_its_channels_mean(exported: Path) -> None:
    facts = {entry.key: entry.value for entry in onnx.load(exported).metadata_props}
    layout = tensor_layout(lp.load("Tic-Tac-Toe"))
    assert facts["state_channels"].splitlines() == list(layout.state_names)
    assert facts["move_channels"].splitlines() == list(layout.move_names)
    assert '"name": "Tic-Tac-Toe"' in facts["ludoport"]


@pytest.mark.slow
def test_it_searches_as_the_network_does(network: Path, exported: Path) -> None:
    state = lp.load("Tic-Tac-Toe").start().play("B2")
    theirs, ours = (lp.search(state, f"{kind},simulations=24") for kind in (f"net:{network}", f"onnx:{exported}"))
    order = {move: number for number, move in enumerate(ours.moves)}
    places = [order[move] for move in theirs.moves]
    assert theirs.priors is not None
    assert ours.priors is not None
    np.testing.assert_allclose(ours.priors[places], theirs.priors, atol=1e-5)
    assert theirs.best == ours.best


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_numbers_are_those_of_the_network_in_every_game(name: str, tmp_path: Path) -> None:
    """In the first positions of a game, with the mask of its board."""
    game = numbered(name)
    layout, position, planes = game.encoder.layout, game.start(), []
    while len(planes) < 3 and not position.state.over:
        planes.append(position.observation)
        position = position.play(min(position.actions))
    net = lively(preset("tiny", layout.shape[0], layout.move_shape[0]))
    export_onnx(net, tmp_path / "one.onnx", layout.shape[1:], origin_of(game.game, layout))
    given, mask = torch.from_numpy(np.stack(planes)), network_mask(layout, "cpu")
    policy, value = OnnxEvaluator(tmp_path / "one.onnx").evaluate(given, mask)
    with torch.no_grad():
        ours = net(given, mask)
    assert policy.std() > 0.01
    torch.testing.assert_close(policy, ours.policy_logits, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(value, ours.value(), atol=1e-5, rtol=1e-4)


@pytest.mark.slow
def test_it_plays_matches(exported: Path) -> None:
    result = lp.match(f"onnx:{exported},simulations=2", "random", "Tic-Tac-Toe", games=2, workers=1)
    assert "onnx:" in str(result)


def test_files_that_cannot_be_used(tmp_path: Path, exported: Path) -> None:
    state = lp.load("Tic-Tac-Toe").start()
    (tmp_path / "bad.onnx").write_bytes(b"nothing")
    for file, wrong in (("none.onnx", "no such file"), ("bad.onnx", "not an ONNX file")):
        with pytest.raises(LudoportError, match=wrong):
            lp.search(state, f"onnx:{tmp_path / file}")
    with pytest.raises(LudoportError, match="whose channels have other meanings"):
        lp.search(lp.load("Hex", ["Board Size/3x3"]).start(), f"onnx:{exported}")
    model = onnx.load(exported)
    del model.metadata_props[:]
    onnx.save(model, tmp_path / "plain.onnx")
    with pytest.raises(LudoportError, match="does not say what its channels mean"):
        lp.search(state, f"onnx:{tmp_path / 'plain.onnx'}")
    (tmp_path / "bytes.onnx").write_bytes(exported.read_bytes().replace(b'"state_channels"', b'"state_\xffhannels"'))
    with pytest.raises(LudoportError, match=r"is damaged: UnicodeDecodeError: .{0,100}$"):
        lp.search(state, f"onnx:{tmp_path / 'bytes.onnx'}")


def test_outputs_of_other_shapes_are_refused(exported: Path, tmp_path: Path) -> None:
    """Kernels read policies and values without looking at their shapes."""
    model = onnx.load(exported)
    policy = next(out for out in model.graph.output if out.name == "policy_logits")
    value = next(out for out in model.graph.output if out.name == "value")
    for node in model.graph.node:
        names = {"policy_logits": "value", "value": "policy_logits"}
        node.output[:] = [names.get(name, name) for name in node.output]
    policy.name, value.name = value.name, policy.name
    path = tmp_path / "exchanged.onnx"
    onnx.save(model, path)
    with pytest.raises(LudoportError, match=r"gives a policy of shape|not an ONNX file, or damaged|cannot be run"):
        lp.search(lp.load("Tic-Tac-Toe", jit=False).start(), f"onnx:{path},simulations=2")
