"""Networks for other programs, as ONNX."""

from __future__ import annotations

import importlib.util
import tempfile
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from ludoport.errors import LudoportError
from ludoport.nets.fuse import fuse_for_inference
from ludoport.nets.network import PolicyValueNet


class _Plain(nn.Module):
    """Two tensors in, two tensors out; that is what ONNX knows."""

    def __init__(self, net: PolicyValueNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        output = self.net(planes, mask)
        return output.policy_logits, output.value()


class _PlainWithoutMask(_Plain):
    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        output = self.net(planes)
        return output.policy_logits, output.value()


def export_onnx(net: PolicyValueNet, path: Path | str, board: tuple[int, int] = (8, 8)) -> None:
    """Writes a network as ONNX, with normalisations folded and without auxiliary heads.

    Inputs are ``planes [B, C, H, W]`` and, for networks that use one, ``mask [B, 1, H, W]``; outputs are
    ``policy_logits [B, A, H, W]`` and ``value [B]`` in [-1, 1]. The batch is of any size, and so is the board unless
    the network is made for one.

    Args:
        net: the network.
        path: where; an older file is replaced.
        board: height and width of the example that is traced, for networks that fit any.
    """
    path = Path(path)
    if importlib.util.find_spec("onnx") is None:
        raise LudoportError("writing ONNX needs the package onnx: pip install onnx")
    if not path.parent.is_dir():
        raise LudoportError(f"{path.parent}: no such folder")
    config = net.config
    height, width = config.board or board
    masked = config.family == "residual"
    plain = (_Plain if masked else _PlainWithoutMask)(fuse_for_inference(net).cpu().float())
    planes, mask = torch.zeros(2, config.state_channels, height, width), torch.ones(2, 1, height, width)
    free = {0: "batch", 2: "height", 3: "width"} if config.size_free else {0: "batch"}
    with tempfile.TemporaryDirectory(dir=path.parent) as folder, warnings.catch_warnings(), torch.no_grad():
        # The exporter that needs no further package is called legacy.
        warnings.simplefilter("ignore")
        written = Path(folder) / "network.onnx"
        torch.onnx.export(
            plain,
            (planes, mask) if masked else (planes,),
            str(written),
            input_names=["planes", "mask"] if masked else ["planes"],
            output_names=["policy_logits", "value"],
            dynamic_axes={"planes": free, "mask": free, "policy_logits": free, "value": {0: "batch"}},
            opset_version=17,
            dynamo=False,
        )
        written.replace(path)
