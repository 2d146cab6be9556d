"""Rows of 64-bit words on a CUDA device, which numba's simulator stands in for: games, tensors and searches."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ludoport.errors import LudoportError
from ludoport.game import load
from ludoport.kernels.cuda_batch import playouts_here
from ludoport.kernels.cuda_kernels import check_names
from ludoport.kernels.cuda_plan import best_plan, row_bits
from ludoport.search.puct import PuctSettings, Searches
from ludoport.tensors.encoder import TensorEncoder
from tests.simulated import run_simulated

GAMES = {"gardner": 4, "gardner-chessplus": 3, "Chess 8x8": 2, "chessplus": 2}
"""Numbers of games; moves of one game are limited to 12."""

SCRIPT = """
import json, sys
import numpy as np
import ludoport as lp
from ludoport.kernels import cuda
from ludoport.search.cuda import DeviceSearches
from ludoport.search.puct import PuctSettings, Searches
from ludoport.tensors.encoder import TensorEncoder
from tests.tensors.on_device import device_tensors

answer = {}
for name, count in json.loads(sys.argv[1]).items():
    game = lp.load(name, jit=False)
    batch = cuda.playouts(game, count, seed=7, limit=12, rows=True)
    start = np.repeat(game.start().row[None, :], 2, axis=0)
    after, counts = cuda.play_moves(game, start, np.array([1, 9999], dtype=np.int32))
    encoder = TensorEncoder(game)
    answer[name] = {
        "lengths": batch.lengths.tolist(),
        "utilities": batch.utilities.tolist(),
        "rows": batch.rows.tolist(),
        "counts": cuda.legal_counts(game, start).tolist(),
        "after": after.tolist(),
        **device_tensors(encoder, batch.rows, encoder.new_histories(count)),
    }
searches = Searches(lp.load("gardner", jit=False), 2, PuctSettings(simulations=12), seed=3)
searches.set_states([searches.game.start()] * 2)
device = DeviceSearches(searches)
done, _ = device.run()
found = device.fetch()
answer["search"] = {"done": done, "nodes": found.nodes.tolist(), "moves": found.moves.tolist()}
print(json.dumps(answer))
"""


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    """Playouts of the simulator."""
    return run_simulated(SCRIPT, json.dumps(GAMES))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_same_games(simulated: dict[str, Any], name: str) -> None:
    game = load(name, jit=False)
    here, there = playouts_here(game, GAMES[name], seed=7, limit=12), simulated[name]
    assert here.rows is not None
    assert there["lengths"] == here.lengths.tolist()
    assert there["utilities"] == here.utilities.tolist()
    assert there["rows"] == here.rows.tolist()
    start = game.start()
    moves = start.moves()
    assert there["counts"] == [len(moves)] * 2
    assert there["after"] == [start.play(moves[1]).row.tolist(), start.row.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_same_tensors(simulated: dict[str, Any], name: str) -> None:
    encoder = TensorEncoder(load(name, jit=False))
    rows = np.array(simulated[name]["rows"], dtype=np.int64)
    found = encoder.slots(rows)
    assert simulated[name]["planes"] == encoder.planes(rows).reshape(len(rows), -1).tolist()
    assert simulated[name]["slots"] == [part.tolist() for part in np.split(found.slots, found.first[1:-1])]


@pytest.mark.slow
def test_same_search(simulated: dict[str, Any]) -> None:
    searches = Searches(load("gardner", jit=False), 2, PuctSettings(simulations=12), seed=3)
    searches.set_states([searches.game.start()] * 2)
    done = searches.run()
    assert simulated["search"]["done"] == done == 24
    assert simulated["search"]["nodes"] == searches.nodes.tolist()
    assert simulated["search"]["moves"] == searches.moves.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Chess 8x8", "chessplus", "tic-tac-toe.kif", "Chess"])
def test_no_kernel_has_a_name_that_device_code_uses(name: str) -> None:
    source = load(name, jit=False).rules.source
    check_names(source)
    with pytest.raises(LudoportError, match="must not be called `clear_row`"):
        check_names(f"{source}\n\n@kernel\ndef clear_row(state):\n    return 0\n")


def test_plans_know_the_width_of_rows() -> None:
    assert row_bits(load("gardner").rules.dtype) == best_plan(load("gardner")).bits == 64
    assert best_plan(load("Hex", jit=False)).bits == 16
