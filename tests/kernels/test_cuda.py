"""The same games on plain Python, the CPU and a CUDA device, which numba's simulator stands in for."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.game import seeded
from ludoport.kernels.cuda_batch import playouts_here, seed_words
from ludoport.kernels.cuda_fields import split
from ludoport.kernels.cuda_inline import apart, marked
from ludoport.kernels.cuda_plan import best_plan
from tests.simulated import ROOT, run_simulated

GAMES: dict[str, tuple[str, list[str], int]] = {
    "Tic-Tac-Toe": ("Tic-Tac-Toe", [], 12),
    "Hex": ("Hex", ["Board Size/3x3"], 6),
    "Breakthrough": ("Breakthrough", ["Board Size/4x4", "Board/Hexagon"], 3),
    "Konane": ("Konane", ["Board Size/6x6"], 3),
    "match": (str(ROOT / "tests" / "ludemes" / "matches" / "Rows and Races.lud"), [], 3),
}
"""Name, options and how many games; moves of one game are limited to 12."""

SCRIPT = """
import json, sys
import numpy as np
import ludoport as lp
from ludoport.kernels import cuda

answer = {}
for key, (name, options, count) in json.loads(sys.argv[1]).items():
    game = lp.load(name, options=options)
    batch = cuda.playouts(game, count, seed=7, limit=12, rows=True)
    start = np.repeat(game.start().row[None, :], 2, axis=0)
    after, counts = cuda.play_moves(game, start, np.array([1, 9999], dtype=np.int32))
    answer[key] = {
        "lengths": batch.lengths.tolist(),
        "utilities": batch.utilities.tolist(),
        "rows": batch.rows.tolist(),
        "counts": cuda.legal_counts(game, start).tolist(),
        "before": counts.tolist(),
        "after": after.tolist(),
    }
print(json.dumps(answer))
"""


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    """What the simulator played."""
    return run_simulated(SCRIPT, json.dumps(GAMES))


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_three_targets_play_the_same_games(simulated: dict[str, Any], key: str) -> None:
    name, options, count = GAMES[key]
    on_cpu = playouts_here(lp.load(name, options=options), count, seed=7, limit=12)
    in_python = playouts_here(lp.load(name, options=options, jit=False), count, seed=7, limit=12)
    assert on_cpu.same_as(in_python)
    assert on_cpu.rows is not None
    assert simulated[key]["lengths"] == on_cpu.lengths.tolist()
    assert simulated[key]["utilities"] == on_cpu.utilities.tolist()
    assert simulated[key]["rows"] == on_cpu.rows.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_single_moves(simulated: dict[str, Any], key: str) -> None:
    name, options, _ = GAMES[key]
    state = lp.load(name, options=options).start()
    moves = state.moves()
    assert simulated[key]["counts"] == [len(moves)] * 2
    assert simulated[key]["before"] == [len(moves)] * 2
    assert simulated[key]["after"] == [state.play(moves[1]).row.tolist(), state.row.tolist()]


def test_seeds() -> None:
    for seed in (0, 1, 2**31, 2**40 + 3):
        assert list(seed_words(seed)) == seeded(seed).tolist()


@pytest.mark.slow
def test_batch_counts_moves() -> None:
    batch = playouts_here(lp.load("Tic-Tac-Toe"), 20)
    assert batch.moves == int(batch.lengths.sum())
    assert np.all(batch.utilities.sum(axis=1) == 0)
    assert not batch.same_as(playouts_here(lp.load("Tic-Tac-Toe"), 20, seed=2))


def test_long_functions_called_twice_stay_apart() -> None:
    body = "\n".join(f"    state[{i}] = {i}" for i in range(50))
    calls = (
        "def sample(state):\n    long(state)\n    short(state)\ndef play(state):\n    long(state)\n    short(state)\n"
    )
    source = f"def long(state):\n{body}\ndef short(state):\n    return 0\ndef never(state):\n{body}\n{calls}"
    assert apart(source, long=40) == {"long"}
    assert marked(source, {"long"}, "stay_apart").startswith("def long(state):\n    stay_apart()\n")


def test_rows_are_taken_apart() -> None:
    game = lp.load("Hex", options=["Board Size/11x11"])
    parts = split(game.rules.source)
    assert parts is not None
    fields = {field.name: field for field in parts.fields}
    assert fields["MOVER"].single
    assert (fields["EMPTY"].bits, fields["EMPTY"].size, fields["EMPTY"].words) == (8, 121, 31)
    assert len(parts.initial) == 2 * parts.words
    assert "state.EMPTY[" in parts.source
    assert 4 * parts.words < 2 * game.rules.state_size


@pytest.mark.slow
def test_games_that_copy_positions_keep_their_rows() -> None:
    assert split(lp.load("Chess").rules.source) is None


@pytest.mark.slow
def test_plans_suit_the_rows() -> None:
    hexagons, chess = best_plan(lp.load("Hex")), best_plan(lp.load("Chess"))
    assert hexagons.split
    assert hexagons.shared_state
    assert not hexagons.stream
    assert hexagons.block % 32 == 0
    assert chess.contiguous
    assert chess.stream
    assert best_plan(lp.load("Breakthrough")).stream
