"""The kernels of self-play get types on a device, as the device's compiler sees them; that much needs no device."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest

import ludoport as lp

pytest.importorskip("torch")
pytest.importorskip("numba.cuda")

from numba.core import types
from numba.core.errors import NumbaError

from ludoport.kernels import cuda_kernels
from ludoport.kernels.cuda_find import simulated
from ludoport.kernels.cuda_plan import Plan, row_bits
from ludoport.selfplay.device_kernels import KERNELS
from ludoport.selfplay.kernels import selfplay_source
from ludoport.tensors.layout import tensor_layout

ROW = "roots2 histories2 states3 trails3 tree_moves3 work2 moves2 chosen2"
OTHERS = {
    types.uint8: "inputs3 seen2 ended2",
    types.int8: "persons1 finals2 turns1",
    types.int16: "policies2",
    types.int32: "nodes3 paths3 depths2 schedule2 replies1 forward2",
    types.int64: "facts2 rngs2 counts2 places2 given1 plies1",
    types.float32: "sums3 noise2 logits2 values1 shares2 judged1 results1",
    types.float64: "settings1 scales1 numbers1",
}
"""The arrays of the kernels by the kind of their numbers, each with its number of axes; see ``DeviceTrees``."""


def argument_types(row: types.Integer) -> dict[str, Any]:
    kinds = {row: ROW} | OTHERS
    if row in OTHERS:
        kinds[row] = f"{ROW} {OTHERS[row]}"
    arrays = {
        name[:-1]: types.Array(kind, int(name[-1]), "C") for kind, names in kinds.items() for name in names.split()
    }
    return arrays | {"alpha": types.float64, "share": types.float64}


@pytest.mark.skipif(simulated(), reason="the simulator has no types")
@pytest.mark.parametrize(("name", "options"), [("Hex", ["Board Size/3x3"]), ("gardner", [])])
def test_kernels_have_types(monkeypatch: pytest.MonkeyPatch, name: str, options: list[str]) -> None:
    from numba.cuda import compiler, dispatcher

    monkeypatch.setattr(cuda_kernels, "simulated", lambda: False)
    monkeypatch.setattr(cuda_kernels, "shared_memory", lambda: 227 * 1024)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0), id=0))
    game = lp.load(name, options=options)
    bits = row_bits(game.rules.dtype)
    source = game.rules.source + selfplay_source(game, tensor_layout(game, "compact"))
    kernels = cuda_kernels.CudaKernels(source, Plan(bits=bits, words=False))
    known = argument_types(types.Integer.from_bitwidth(bits))
    for kernel, text in KERNELS.items():
        function = kernels.kernel(f"run_{kernel}", text).py_func
        arguments = tuple(known[parameter] for parameter in inspect.signature(function).parameters)
        try:
            compiler.compile(function, arguments, cc=(9, 0), device=False, abi="numba")
        except NumbaError as error:
            pytest.fail(f"{kernel} of {name}: {error}")
        except Exception as error:  # types are known by now; the libraries that make code of them may be missing
            if not any(library in str(error).lower() for library in ("nvrtc", "nvvm")):
                raise
