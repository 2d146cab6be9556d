"""The kernels of batches get types on a device."""

from __future__ import annotations

import pytest

import ludoport as lp

pytest.importorskip("numba.cuda")

from numba.core import types

from ludoport.kernels.cuda_find import simulated
from ludoport.kernels.cuda_plan import row_bits
from ludoport.tensors.batch_kernels import PARAMETERS, batch_text, device_text
from ludoport.tensors.kernels import kernel_text
from ludoport.tensors.layout import tensor_layout
from tests.device_types import array_types, check_types

ARRAYS = {
    types.uint8: "masks2 planes_out2 flags2",
    types.int8: "choices1",
    types.int32: "counts1 plies1",
    types.int64: "rngs2 actions1 refusals2 wrong1",
    types.float32: "results2",
}
"""See ``GameBatch``."""


@pytest.mark.slow
@pytest.mark.skipif(simulated(), reason="the simulator has no types")
@pytest.mark.parametrize(("name", "options"), [("Hex", ["Board Size/3x3"]), ("gardner", []), ("nim.kif", [])])
def test_kernels_have_types(monkeypatch: pytest.MonkeyPatch, name: str, options: list[str]) -> None:
    game = lp.load(name, options)
    rules = game.rules
    row = types.Integer.from_bitwidth(row_bits(rules.dtype))
    known = array_types(ARRAYS) | array_types({row: "states2 histories2 chosen2 moves2 work2"})
    known |= dict.fromkeys(("by_slot", "limit", "again", "turn"), types.int64)
    source = rules.source + kernel_text(tensor_layout(game, "compact")) + batch_text(rules.fields)
    kernels = {
        f"run_batch_{kernel}": (device_text(kernel), tuple(known[parameter] for parameter in parameters))
        for kernel, parameters in PARAMETERS.items()
    }
    check_types(monkeypatch, source, rules.dtype, kernels)
