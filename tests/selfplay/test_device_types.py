"""The kernels of self-play get types on a device, as the device's compiler sees them; that much needs no device."""

from __future__ import annotations

import pytest

import ludoport as lp

pytest.importorskip("torch")
pytest.importorskip("numba.cuda")

from numba.core import types

from ludoport.kernels.cuda_find import simulated
from ludoport.kernels.cuda_plan import row_bits
from ludoport.kernels.lanes import LANES
from ludoport.selfplay.device_kernels import KERNELS, PARAMETERS, kernel_source, lanes_of
from ludoport.tensors.layout import tensor_layout
from tests.device_types import array_types, check_types

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


def test_names_of_rules_and_search_differ() -> None:
    """Moves of Chess are tried in place, by functions that other games do not have."""
    game = lp.load("Chess", jit=False)
    assert "def take_back(" in kernel_source(game, tensor_layout(game, "compact"), 1)


@pytest.mark.slow
@pytest.mark.skipif(simulated(), reason="the simulator has no types")
@pytest.mark.parametrize(("name", "options"), [("Hex", ["Board Size/3x3"]), ("gardner", [])])
def test_kernels_have_types(monkeypatch: pytest.MonkeyPatch, name: str, options: list[str]) -> None:
    game = lp.load(name, options=options)
    row = types.Integer.from_bitwidth(row_bits(game.rules.dtype))
    known = array_types(OTHERS) | array_types({row: ROW}) | dict.fromkeys(("alpha", "share"), types.float64)
    kernels = {
        f"run_{kernel}": (text, tuple(known[parameter] for parameter in PARAMETERS[kernel]))
        for kernel, text in KERNELS.items()
    }
    for lanes in (1, LANES):
        some = {f"run_{kernel}": kernels[f"run_{kernel}"] for kernel in KERNELS if lanes_of(kernel) == lanes}
        check_types(monkeypatch, kernel_source(game, tensor_layout(game, "compact"), lanes), game.rules.dtype, some)
