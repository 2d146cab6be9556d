"""An ONNX file that guides searches, run by onnxruntime."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.nets.export import METADATA
from ludoport.nets.files import NetworkOrigin, read_origin
from ludoport.nets.guide import Guide, fitting_layout, network_mask

if TYPE_CHECKING:
    from ludoport.game import Game


class OnnxEvaluator:
    """Runs an ONNX file as `Evaluator` runs a network.

    Args:
        path: the file, as ``ludoport export`` writes it.
    """

    device = torch.device("cpu")

    def __init__(self, path: Path) -> None:
        if importlib.util.find_spec("onnxruntime") is None:
            raise LudoportError("the player onnx needs the package onnxruntime: pip install ludoport[onnx]")
        if not path.is_file():
            raise LudoportError(f"{path}: no such file")
        import onnxruntime

        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        try:
            self.session: Any = onnxruntime.InferenceSession(
                str(path),
                settings,
                providers=["CPUExecutionProvider"],
                enable_fallback=False,  # it would print and fail once more
            )
        except Exception as error:  # onnxruntime has no class of its own for what it raises
            raise LudoportError(f"{path}: not an ONNX file, or damaged ({str(error).splitlines()[0]})") from error
        self.path, self.origin = path, self._origin(path)
        self.masked = any(given.name == "mask" for given in self.session.get_inputs())

    def _origin(self, path: Path) -> NetworkOrigin:
        try:
            facts = self.session.get_modelmeta().custom_metadata_map  # its texts may be no texts
            if METADATA not in facts:
                raise LudoportError(f"{path}: does not say what its channels mean; write it with: ludoport export")
            return read_origin(json.loads(facts[METADATA]))
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            wrong = f"{type(error).__name__}: {error}"  # without all its bytes
            raise LudoportError(f"{path}: what it says about its channels is damaged: {wrong}") from error

    def evaluate(self, planes: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Policy logits, [B, A, H, W], and values, [B], of positions, [B, C, H, W]."""
        given = {"planes": planes.numpy().astype(np.float32)}
        if self.masked:
            whole = torch.ones(1, 1, *planes.shape[2:]) if mask is None else mask
            given["mask"] = whole.expand(len(planes), -1, -1, -1).numpy()
        try:
            policy, value = (torch.as_tensor(out) for out in self.session.run(["policy_logits", "value"], given))
        except Exception as error:  # as above
            raise LudoportError(f"{self.path}: cannot be run ({str(error).splitlines()[0]})") from error
        # Kernels read these arrays without looking at their shapes.
        wanted = (len(planes), len(self.origin.move_channels), *planes.shape[2:])
        if tuple(policy.shape) != wanted or tuple(value.shape) != wanted[:1]:
            raise LudoportError(
                f"{self.path}: gives a policy of shape {list(policy.shape)} and values of shape {list(value.shape)}, "
                f"not {list(wanted)} and {list(wanted[:1])}"
            )
        return policy, value


class OnnxGuide(Guide):
    """Evaluates the leaves of searches with an ONNX file.

    Args:
        game: the game that is played.
        file: the file.
    """

    def __init__(self, game: Game, file: str) -> None:
        evaluator = OnnxEvaluator(Path(file))
        self.evaluator = evaluator  # type: ignore[assignment]  # has what a guide asks for
        self.layout = fitting_layout(game, evaluator.origin, file)
        self.mask = network_mask(self.layout, "cpu")
