"""A step of learning as a CUDA graph.

A small network's step is some hundreds of short launches; Python and the driver need longer for them than the GPU. A
captured step is one launch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

REHEARSALS = 3
"""Steps before the capture: libraries choose their ways in them. They count, like all others."""


@cache
def _side_stream() -> Any:
    """The stream of all rehearsals; memory is kept for each stream, so that many of them would need more."""
    return torch.cuda.Stream()  # type: ignore[no-untyped-call]


class CapturedStep:
    """Runs a step as it is a few times, then captures it; on a CPU it always runs it as it is.

    Args:
        device: device of the step.
        pool: memory that several captured steps share, if what they return is used up before the next one runs.
        stream: stream of the step if others run at the same time; the caller lets streams wait for each other.
    """

    def __init__(self, device: torch.device, pool: Any = None, stream: Any = None) -> None:
        self._plain, self._pool, self._stream = device.type != "cuda", pool, stream
        self._seen = 0
        self._inputs: list[Tensor] = []
        self._output: Tensor | None = None
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self, step: Callable[[Sequence[Tensor]], Tensor], inputs: Sequence[Tensor]) -> Tensor:
        """One step; what it returns is overwritten by the next.

        Args:
            step: what to do with tensors of always the same shape; it reads and writes nothing but tensors on the
                device, and the same ones every time.
            inputs: these tensors; a captured step gets copies of them.
        """
        if self._plain:
            return step(inputs)
        if self._graph is None:
            self._seen += 1
            if self._seen <= REHEARSALS:
                return self._rehearse(step, inputs)
            self._capture(step, inputs)
        for mine, new in zip(self._inputs, inputs, strict=True):
            mine.copy_(new)
        assert self._graph is not None and self._output is not None
        self._graph.replay()
        return self._output

    def _rehearse(self, step: Callable[[Sequence[Tensor]], Tensor], inputs: Sequence[Tensor]) -> Tensor:
        """A step on a stream of its own, as a capture wants it."""
        side = _side_stream() if self._stream is None else self._stream
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            output = step(inputs)
        torch.cuda.current_stream().wait_stream(side)
        return output

    def _capture(self, step: Callable[[Sequence[Tensor]], Tensor], inputs: Sequence[Tensor]) -> None:
        self._inputs = [tensor.clone() for tensor in inputs]
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=self._stream):
            self._output = step(self._inputs)
        self._graph = graph
