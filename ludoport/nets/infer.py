"""Evaluating many positions fast."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ludoport.errors import LudoportError
from ludoport.nets.fuse import fuse_for_inference, pad_for_tensor_cores, take_over, use_cudnn
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import family_of

Engine = Literal["eager", "cudnn", "compile", "max-autotune"]
Precision = Literal["float32", "float16", "bfloat16"]
Judgement = tuple[Tensor, Tensor]

DTYPES: dict[Precision, torch.dtype] = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
}
COMPILER_MODES: dict[str, str] = {"compile": "default", "max-autotune": "max-autotune-no-cudagraphs"}


class Evaluator:
    """A network made ready for inference: fused and channels last, on a GPU also padded and in half precision.

    Weights are copied; ``update`` takes over new ones without compiling or capturing again.

    Args:
        net: the network.
        device: such as ``cpu`` or ``cuda``; None for a GPU where there is one.
        precision: None for float16 on a GPU and float32 elsewhere.
        batch: most positions at once; with a compiled or captured network each batch has this size.
        engine: ``eager``; ``cudnn``, which leaves sums and ReLUs to cuDNN; or torch's compiler, in its usual mode or
            with a search for the fastest kernels.
        graph: whether to capture the whole evaluation as one CUDA graph.
        multiple: hidden channels and planes on a GPU are padded to multiples of this.
        threads: of torch on the CPU, for the whole process; None to leave them as they are. One is right where there
            are several workers.
    """

    def __init__(
        self,
        net: PolicyValueNet,
        *,
        device: str | torch.device | None = None,
        precision: Precision | None = None,
        batch: int | None = None,
        engine: Engine = "eager",
        graph: bool = False,
        multiple: int = 8,
        threads: int | None = 1,
    ) -> None:
        self.config = net.config
        self.device = _device(device)
        self.cuda = self.device.type == "cuda"
        self.precision: Precision = precision or ("float16" if self.cuda else "float32")
        self.batch = (4096 if self.cuda else 256) if batch is None else batch
        self.graph = graph
        self.fixed = graph or engine in COMPILER_MODES
        self._check(engine)
        if self.cuda:
            torch.backends.cudnn.benchmark = True
        elif threads is not None:
            torch.set_num_threads(threads)
        self.multiple = multiple if self.cuda and family_of(net.config).padded else 1
        self.channels = -(-net.config.state_channels // self.multiple) * self.multiple
        self._net = self._prepared(net)
        self._step = self._compiled(engine)
        self._slots: dict[tuple[int, ...], _Slot] = {}

    @torch.no_grad()
    def update(self, net: PolicyValueNet) -> None:
        """Takes over the weights of a network of the same shape, such as the same one after more training."""
        if net.config != self.config:
            raise LudoportError("an evaluator can only take over the weights of a network of the same shape")
        take_over(self._net, net)

    def evaluate(self, planes: Tensor, mask: Tensor | None = None) -> Judgement:
        """Judges positions.

        Args:
            planes: ``[B, C, H, W]`` of any type and on any device.
            mask: ``[B or 1, 1, H, W]``, 1 where there is a site; None where every cell counts.

        Returns:
            Logits of moves, ``[B, A, H, W]``, and values for the player to move, ``[B]``, in float32 on this
            evaluator's device.
        """
        self._check_planes(planes, mask)
        answers: list[Judgement] = []
        done = 0
        while done < len(planes):
            part = planes[done : done + self.batch]
            part_mask = mask if mask is None or len(mask) == 1 else mask[done : done + self.batch]
            try:
                answers.append(self._evaluate_part(part, part_mask))
                done += len(part)
            except torch.OutOfMemoryError as error:
                self._shrink(error)
        if not answers:
            return self._nothing(planes)
        if len(answers) == 1:
            return answers[0]
        policies, values = zip(*answers, strict=True)
        return torch.cat(policies), torch.cat(values)

    def evaluate_arrays(
        self, planes: NDArray[Any], mask: NDArray[Any] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """As ``evaluate``, from and to NumPy."""
        policy, value = self.evaluate(torch.from_numpy(planes), None if mask is None else torch.from_numpy(mask))
        return policy.cpu().numpy(), value.cpu().numpy()

    def _check(self, engine: str) -> None:
        if engine not in get_args(Engine):
            raise LudoportError(f"unknown engine `{engine}`; choose from {', '.join(get_args(Engine))}")
        if self.precision not in DTYPES:
            raise LudoportError(f"unknown precision `{self.precision}`; choose from {', '.join(DTYPES)}")
        if self.batch < 1:
            raise LudoportError(f"batch is {self.batch}; it must be at least 1")
        if not self.cuda and (self.graph or engine == "cudnn"):
            raise LudoportError(f"{'a graph' if self.graph else 'engine cudnn'} needs a CUDA device, not {self.device}")

    def _check_planes(self, planes: Tensor, mask: Tensor | None) -> None:
        if planes.dim() != 4 or planes.shape[1] != self.config.state_channels:
            wanted = f"[B, {self.config.state_channels}, H, W]"
            raise LudoportError(f"planes have the shape {list(planes.shape)}; this network needs {wanted}")
        if mask is not None:
            rows = 1 if len(mask) == 1 else len(planes)
            if list(mask.shape) != [rows, 1, *planes.shape[2:]]:
                wanted = str([len(planes), 1, *planes.shape[2:]])
                raise LudoportError(f"the mask has the shape {list(mask.shape)}; with these planes it must be {wanted}")

    def _prepared(self, net: PolicyValueNet) -> nn.Module:
        ready: nn.Module = pad_for_tensor_cores(net, self.multiple) if self.multiple > 1 else fuse_for_inference(net)
        ready = ready.to(self.device, DTYPES[self.precision])
        for parameter in ready.parameters():
            if parameter.dim() == 4:
                parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)
        return ready

    def _compiled(self, engine: Engine) -> Callable[[Tensor, Tensor | None], Judgement]:
        if engine == "cudnn":
            use_cudnn(self._net)
        if engine not in COMPILER_MODES:
            return self._forward
        # Every evaluator and every batch size counts against torch's limit, beyond which it would refuse.
        torch._dynamo.config.recompile_limit = max(64, torch._dynamo.config.recompile_limit)
        return torch.compile(self._forward, dynamic=False, fullgraph=True, mode=COMPILER_MODES[engine])

    def _forward(self, planes: Tensor, mask: Tensor | None) -> Judgement:
        output = self._net(planes, mask)
        return output.policy_logits.float().contiguous(), output.value()

    @torch.no_grad()
    def _evaluate_part(self, planes: Tensor, mask: Tensor | None) -> Judgement:
        rows = self._rows(len(planes))
        key = (rows, *planes.shape[2:], 0 if mask is None else 1 if len(mask) == 1 else rows)
        if key not in self._slots:
            self._slots[key] = _Slot(self, key)
        return self._slots[key].evaluate(planes, mask)

    def _rows(self, count: int) -> int:
        """Number of positions that fit into memory: one of few values, since a GPU prepares for each."""
        return self.batch if self.fixed else min(self.batch, 1 << (count - 1).bit_length())

    def _shrink(self, error: BaseException) -> None:
        if self.batch == 1:
            raise LudoportError(f"{self.device} has too little memory to evaluate one position") from error
        self._slots.clear()
        self.batch = (self.batch + 1) // 2
        if self.cuda:
            torch.cuda.empty_cache()
        warnings.warn(f"{self.device} ran out of memory: continuing with batches of {self.batch}", stacklevel=3)

    def _nothing(self, planes: Tensor) -> Judgement:
        shape = (0, self.config.move_channels, *planes.shape[2:])
        return torch.zeros(shape, device=self.device), torch.zeros(0, device=self.device)


class _Slot:
    """The memory for batches of one shape, and where wanted the captured evaluation.

    Args:
        owner: the evaluator.
        key: rows, height, width, rows of the mask (0 without one).
    """

    def __init__(self, owner: Evaluator, key: tuple[int, ...]) -> None:
        rows, height, width, mask_rows = key
        dtype = DTYPES[owner.precision]
        last = torch.channels_last
        self.owner = owner
        # Planes are converted, padded and laid out by one copy into this.
        shape = (rows, owner.channels, height, width)
        self.planes = torch.empty(shape, dtype=dtype, device=owner.device, memory_format=last).zero_()
        self.mask = torch.ones(mask_rows, 1, height, width, dtype=dtype, device=owner.device) if mask_rows else None
        self.captured: torch.cuda.CUDAGraph | None = None
        if owner.graph:
            self._capture()

    def evaluate(self, planes: Tensor, mask: Tensor | None) -> Judgement:
        count = len(planes)
        # Small types travel as they are and become floating point on the device.
        self.planes[:count, : planes.shape[1]].copy_(planes.to(self.planes.device))
        if mask is not None and self.mask is not None:
            self.mask[: len(mask)].copy_(mask.to(self.mask.device))
        if self.captured is None:
            used = len(self.planes) if self.owner.fixed or self.owner.cuda else count
            policy, value = self.owner._step(self.planes[:used], self.mask if self.mask is None else self.mask[:used])
            return policy[:count], value[:count]
        self.captured.replay()
        return self.policy[:count].clone(), self.value[:count].clone()

    def _capture(self) -> None:
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):  # kernels are chosen and compiled before the capture
                self.owner._step(self.planes, self.mask)
        torch.cuda.current_stream().wait_stream(side)
        self.captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.captured):
            self.policy, self.value = self.owner._step(self.planes, self.mask)


def _device(device: str | torch.device | None) -> torch.device:
    if device is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise LudoportError(f"unknown device `{device}`; try cpu or cuda") from error
    if chosen.type == "cuda" and not torch.cuda.is_available():
        raise LudoportError("torch finds no CUDA device on this machine; use device cpu")
    return chosen
