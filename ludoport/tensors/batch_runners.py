"""Runners of a batch, which hold its arrays and run its kernels: the CPU, a CUDA device, or its simulator."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.tensors.batch_kernels import PARAMETERS, SHARED, batch_text, device_text, entries
from ludoport.tensors.kernels import kernel_text
from ludoport.tensors.layout import TensorLayout

BLOCK = 64
"""Threads of a block on a device."""


def runner_on(device: str, game: Game, layout: TensorLayout, size: int, threads: int) -> Runner:
    """The runner of a batch.

    Args:
        device: ``cpu`` or ``cuda``.
        game: the game.
        layout: its tensors.
        size: number of positions.
        threads: threads of the CPU.
    """
    if device == "cpu":
        return _Here(game, layout, size, threads)
    from ludoport.kernels.cuda_find import need_device, simulated

    need_device()
    return _Device(game, layout, size) if simulated() else _TorchDevice(game, layout, size)


class Runner(Protocol):
    """Holds the arrays of a batch and runs kernels on them."""

    def make(self, shape: tuple[int, ...], dtype: type | None = None) -> Any:
        """Zeros; default type: the integers of rows."""

    def there(self, values: Any) -> Any:
        """Integers as an array of 64 bits."""

    def here(self, array: Any) -> NDArray[Any]:
        """An array as numpy has it."""

    def as_bool(self, array: Any) -> Any:
        """The same bytes as truth values."""

    def where(self, condition: Any, one: Any, other: Any) -> Any:
        """Elements of one array or the other."""

    def flipped(self, array: Any) -> Any:
        """A matrix with its columns in reverse order."""

    def tell(self, mark: Any) -> None:
        """Let the mark, one integer, come to the CPU without waiting for it."""

    def told(self, mark: Any, wait: bool) -> bool:
        """Whether the mark is set, as far as the CPU knows, or as it is after waiting."""

    def run(self, name: str, arguments: dict[str, Any]) -> None:
        """Run a kernel for all positions."""


class _Numpy:
    """Arrays of numpy."""

    dtype: type

    def make(self, shape: tuple[int, ...], dtype: type | None = None) -> Any:
        return np.zeros(shape, dtype=dtype or self.dtype)

    def there(self, values: Any) -> Any:
        array = np.asarray(values)
        if array.dtype.kind not in "iu":
            raise LudoportError(f"actions are integers, not {array.dtype}")
        return array.astype(np.int64)

    def here(self, array: Any) -> NDArray[Any]:
        return np.asarray(array)

    def as_bool(self, array: Any) -> Any:
        return array.view(np.bool_)

    def where(self, condition: Any, one: Any, other: Any) -> Any:
        return np.where(condition, one, other)

    def flipped(self, array: Any) -> Any:
        return array[:, ::-1]

    def tell(self, mark: Any) -> None:
        """The CPU has it."""

    def told(self, mark: Any, wait: bool) -> bool:
        return bool(mark[0])


class _Here(_Numpy):
    """The CPU; threads share the positions, each with scratch space of its own."""

    def __init__(self, game: Game, layout: TensorLayout, size: int, threads: int) -> None:
        self.dtype = game.dtype
        self._kernels = game.kernels_with(kernel_text(layout) + batch_text(game.rules.fields) + entries())
        ends = [size * k // threads for k in range(threads + 1)]
        self._parts = [slice(a, b) for a, b in pairwise(ends) if b > a]
        rules = game.rules
        self._scratch = [
            {
                "moves": self.make(((rules.max_moves + 1) * rules.move_size,)),
                "work": self.make((max(1, rules.work_size),)),
            }
            for _ in self._parts
        ]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None

    def run(self, name: str, arguments: dict[str, Any]) -> None:
        function = getattr(self._kernels, f"enter_batch_{name}")

        def one(part: slice, scratch: dict[str, Any]) -> None:
            given = arguments | scratch
            function(*(given[p] if p in SHARED else given[p][part] for p in PARAMETERS[name]))

        if self._pool is None:
            one(self._parts[0], self._scratch[0])
        else:
            list(self._pool.map(one, self._parts, self._scratch))


class _Device(_Numpy):
    """A CUDA device, one thread a position; the simulator works on arrays of numpy."""

    def __init__(self, game: Game, layout: TensorLayout, size: int) -> None:
        from ludoport.kernels.cuda_plan import row_bits

        rules = game.rules
        self.dtype = self.row_type(game)
        text = rules.source + kernel_text(layout) + batch_text(rules.fields)
        self._kernels = _device_kernels(text, row_bits(rules.dtype))
        self._size = size
        self._scratch = {
            "moves": self.make((size, (rules.max_moves + 1) * rules.move_size)),
            "work": self.make((size, max(1, rules.work_size))),
        }

    def row_type(self, game: Game) -> type:
        """The integers of rows; the simulator runs plain Python, where they are wide."""
        del game
        return np.int64

    def run(self, name: str, arguments: dict[str, Any]) -> None:
        function = self._kernels.kernel(f"run_batch_{name}", device_text(name))
        given = arguments | self._scratch
        self.launch(function, [self.seen(given[p]) for p in PARAMETERS[name]])

    def seen(self, value: Any) -> Any:
        """An argument as kernels take it."""
        return value

    def launch(self, function: Any, arguments: list[Any]) -> None:
        """Start a kernel."""
        function[-(-self._size // 4), 4](*arguments)


class _TorchDevice(_Device):
    """A real device: arrays are tensors of torch."""

    def __init__(self, game: Game, layout: TensorLayout, size: int) -> None:
        import torch

        self._seen: dict[int, tuple[Any, Any]] = {}
        self._mark = torch.zeros(1, dtype=torch.int64, pin_memory=True)
        super().__init__(game, layout, size)

    def row_type(self, game: Game) -> type:
        return game.rules.dtype

    def make(self, shape: tuple[int, ...], dtype: type | None = None) -> Any:
        import torch

        return torch.from_numpy(np.zeros(shape, dtype=dtype or self.dtype)).to("cuda")

    def there(self, values: Any) -> Any:
        import torch

        if isinstance(values, torch.Tensor):
            if values.is_floating_point() or values.dtype == torch.bool:
                raise LudoportError(f"actions are integers, not {values.dtype}")
            return values.to(device="cuda", dtype=torch.int64)
        return torch.from_numpy(super().there(values)).to("cuda")

    def here(self, array: Any) -> NDArray[Any]:
        return np.asarray(array.cpu().numpy())

    def as_bool(self, array: Any) -> Any:
        import torch

        return array.view(torch.bool)

    def where(self, condition: Any, one: Any, other: Any) -> Any:
        import torch

        return torch.where(condition, one, other)

    def flipped(self, array: Any) -> Any:
        return array.flip(1)

    def tell(self, mark: Any) -> None:
        self._mark.copy_(mark, non_blocking=True)

    def told(self, mark: Any, wait: bool) -> bool:
        return bool((mark if wait else self._mark).item())

    def seen(self, value: Any) -> Any:
        """The arrays of a batch are the same in every step, so what numba makes of them is kept."""
        if isinstance(value, int):
            return value
        if id(value) not in self._seen:
            self._seen[id(value)] = value, self._kernels.cuda.as_cuda_array(value)
        return self._seen[id(value)][1]

    def launch(self, function: Any, arguments: list[Any]) -> None:
        import torch

        stream = self._kernels.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*Grid size")  # a small batch leaves most of the device idle, as it must
            function[-(-self._size // BLOCK), BLOCK, stream](*arguments)


@cache
def _device_kernels(source: str, bits: int) -> Any:
    from ludoport.kernels.cuda_kernels import CudaKernels
    from ludoport.kernels.cuda_plan import LaunchPlan

    return CudaKernels(source, LaunchPlan(bits=bits, words=False))
