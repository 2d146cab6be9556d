import pytest
import torch

from ludoport.errors import LudoportError
from ludoport.nets.export import export_onnx
from ludoport.nets.registry import preset
from tests.nets.lively import lively, positions

onnx = pytest.importorskip("onnx")

CONFIGS = [
    preset("tiny", 5, 3, ownership=2),
    preset("paper", 5, 3, blocks=2, layers=2),
    preset("conv-fc", 5, 3, blocks=1, layers=1, board=(4, 6)),
]


def sizes(value):
    return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.family)
def test_the_checker_accepts_it(tmp_path, config):
    path = tmp_path / "net.onnx"
    export_onnx(lively(config), path)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    cells = ["height", "width"] if config.size_free else [4, 6]
    inputs = {value.name: sizes(value) for value in model.graph.input}
    assert inputs.pop("planes") == ["batch", 5, *cells]
    assert inputs == ({"mask": ["batch", 1, *cells]} if config.family == "residual" else {})
    outputs = {value.name: sizes(value) for value in model.graph.output}
    assert outputs.keys() == {"policy_logits", "value"}
    assert outputs["value"] == ["batch"]
    assert [file.name for file in tmp_path.iterdir()] == ["net.onnx"]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.family)
def test_another_program_says_the_same(tmp_path, config):
    runtime = pytest.importorskip("onnxruntime")
    net, path = lively(config), tmp_path / "net.onnx"
    export_onnx(net, path)
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    boards = [(4, 6), (5, 3)] if config.size_free else [(4, 6)]
    for height, width in boards:
        planes = positions(config, 3, height, width)
        mask = (torch.rand(3, 1, height, width) < 0.7).float()
        feed = {"planes": planes.numpy()} | ({"mask": mask.numpy()} if config.family == "residual" else {})
        policy, value = session.run(None, feed)
        expected = net(planes, mask)
        torch.testing.assert_close(torch.from_numpy(policy), expected.policy_logits.detach(), rtol=1e-3, atol=1e-4)
        torch.testing.assert_close(torch.from_numpy(value), expected.value().detach(), rtol=1e-3, atol=1e-4)


def test_a_place_that_is_none(tmp_path):
    with pytest.raises(LudoportError, match="no such folder"):
        export_onnx(lively(CONFIGS[0]), tmp_path / "no" / "net.onnx")
