"""Networks for other programs, as ONNX."""

from __future__ import annotations

import importlib.util
import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from ludoport.errors import LudoportError
from ludoport.files import folder_beside
from ludoport.nets.files import NetworkOrigin, origin_record
from ludoport.nets.fuse import fuse_for_inference
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import family_of

METADATA = "ludoport"
"""The entry of a file's metadata that says what the network was made for."""


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


def export_onnx(
    net: PolicyValueNet,
    path: Path | str,
    board: tuple[int, int] = (8, 8),
    origin: NetworkOrigin | None = None,
    names: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> None:
    """Writes a network as ONNX, with normalisations folded and without auxiliary heads.

    Inputs are ``planes [B, C, H, W]`` and, for networks that use one, ``mask [B, 1, H, W]``; outputs are
    ``policy_logits [B, A, H, W]`` and ``value [B]`` in [-1, 1]. The batch is of any size, and so is the board unless
    the network is made for one.

    Args:
        net: the network.
        path: where; an older file is replaced.
        board: height and width of the example that is traced, for networks that fit any.
        origin: what the network was made for; becomes the metadata ``ludoport``, as JSON, with the meaning of every
            channel.
        names: names of the planes of states and of moves, for people; the metadata ``state_channels`` and
            ``move_channels``, one name a line.
    """
    path = Path(path)
    if importlib.util.find_spec("onnx") is None:
        raise LudoportError("writing ONNX needs the package onnx: pip install onnx")
    if not path.parent.is_dir():
        raise LudoportError(f"{path.parent}: no such folder")
    config = net.config
    height, width = config.board or board
    masked = family_of(config).masked
    plain = (_Plain if masked else _PlainWithoutMask)(fuse_for_inference(net).cpu().float())
    planes, mask = torch.zeros(2, config.state_channels, height, width), torch.ones(2, 1, height, width)
    free = {0: "batch", 2: "height", 3: "width"} if config.size_free else {0: "batch"}
    with folder_beside(path) as folder, warnings.catch_warnings(), torch.no_grad():
        # The exporter that needs no further package is called legacy.
        warnings.simplefilter("ignore")
        written = folder / "network.onnx"
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
        if origin is not None:
            _describe(written, origin, names)
        written.replace(path)


def _describe(path: Path, origin: NetworkOrigin, names: tuple[Sequence[str], Sequence[str]]) -> None:
    """Adds to a file what its channels mean."""
    import onnx

    model = onnx.load(path)
    facts = {METADATA: json.dumps(origin_record(origin))}
    facts |= {key: "\n".join(lines) for key, lines in zip(("state_channels", "move_channels"), names, strict=True)}
    onnx.helper.set_model_props(model, facts)
    onnx.save(model, path)
