"""The step between two searches on a CUDA device, which numba's simulator stands in for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulated import run_simulated

SCRIPT = """
import json
import numpy as np
import ludoport as lp
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import LaunchPlan
from ludoport.selfplay.device_kernels import KERNELS
from ludoport.selfplay.games import step_numbers
from ludoport.selfplay.kernels import selfplay_source
from tests.selfplay.test_targets import make

play = make(
    lp.load("Tic-Tac-Toe", jit=False), openings=0.5, opening_plies=2, gumbel=False, completed=False, forced=2.0,
    random_seats=0.5, resign=0.01, resign_plies=2, resign_share=0.5, tournament=True, ownership_weight=0.1,
)
layout = play.searches.layout
kernel = CudaKernels(play.game.rules.source + selfplay_source(play.game, layout), LaunchPlan(words=False))
there = kernel.kernel("run_step", KERNELS["step"])
names = ("roots", "histories", "rngs", "nodes", "sums", "moves", "facts")
kept = ("seen", "policies", "judged", "persons", "results", "replies", "finals")
same = 0
for _ in range(12):
    play.searches.active[:] = True
    play.searches.run(play.guide)
    searches, replay, config = play.searches, play.replay, play.config
    given = play._numbers(True)
    numbers = step_numbers(config, replay.written + int((given >= 0).sum()), replay.places)
    copies = {name: getattr(searches, name).copy() for name in names}
    copies |= {name: getattr(replay, name).copy() for name in kept}
    counts, places = play.counts.copy(), play.places.copy()
    scratch = [np.zeros((config.games, size), kind) for size, kind in (
        (play.game.rules.max_moves + 1, np.float32), (1, np.int32), (max(1, play.game.rules.work_size), np.int64))]
    there[1, 64](
        *(copies[name] for name in names), searches.settings.array(), searches.noise.copy(), numbers, scratch[0],
        counts, places, *(copies[name] for name in kept), np.zeros((config.games, replay.seen.shape[1]), np.uint8),
        given, scratch[1], scratch[2],
    )
    play._call_step(numbers, given)
    replay.written += int((given >= 0).sum())
    for name in ("roots", "histories", "rngs", "facts"):
        assert (copies[name] == getattr(searches, name)).all(), name
    for name in kept:
        assert (copies[name] == getattr(replay, name)).all(), name
    assert (counts == play.counts).all() and (places == play.places).all()
    same += 1
print(json.dumps({"same": same, "games": int(play.counts[:, 1].sum())}))
"""


DUEL = """
import json
import ludoport as lp
from ludoport.arena.playing import pairing
from ludoport.search.puct import PuctSettings
from ludoport.selfplay.duel_board import CpuBoard, DuelRules
from ludoport.selfplay.duel_device import DeviceBoard
from tests.selfplay.test_duel import fresh

game = lp.load("Tic-Tac-Toe", jit=False)
duels = [(fresh(game, n), fresh(game, n + 1, network="conv-conv-pool")) for n in (1, 3, 5)]
pairs = [[pairing(seed, k) for k in range(count)] for seed, count in ((1, 4), (2, 4), (3, 2))]


def played(board, pairs):
    board.begin(pairs)
    while board.move(0) + board.move(1):
        pass
    rows, moves = board.ended()
    return [(row.tolist(), [move.tolist() for move in of_game]) for row, of_game in zip(rows, moves)]


moves = 0
for drawing, gumbel in (("polygames", False), ("visits", True)):
    rules = DuelRules(PuctSettings(simulations=3, gumbel=gumbel), 3, drawing, 1.0, 50)
    apart = [
        game_ for sides, of_one in zip(duels, pairs)
        for game_ in played(CpuBoard(game, sides, rules, len(of_one)), [of_one])
    ]
    alone = DeviceBoard(game, duels[:1], rules, 4)
    assert played(alone, pairs[:1]) == apart[:4]
    together = DeviceBoard(game, duels, rules, 4)
    assert played(together, pairs) == apart
    together.use(duels[1:])
    assert played(together, pairs[1:]) == apart[4:]
    moves += sum(len(made) for _, made in apart)
print(json.dumps({"moves": moves}))
"""

PLAY = """
import json
import sys
import numpy as np
import ludoport as lp
from ludoport.nets.files import save_network
from ludoport.nets.guide import origin_of
from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.selfplay.tournament import Tournament
from tests.selfplay.conftest import small
from tests.selfplay.test_duel import fresh

game = lp.load("Tic-Tac-Toe", jit=False)
newest, older = fresh(game, 1), fresh(game, 2)
save_network(sys.argv[1], older.net, origin_of(game, older.layout))
config = small(
    game="Tic-Tac-Toe", options=(), games=4, simulations=3, replay=400, openings=0.3, opening_plies=2, random_seats=0.5,
    resign=0.2, resign_plies=2, resign_share=0.5, ownership_weight=0.1, tournament=True, staggered=True,
    full_share=0.5, fast_simulations=2,
)
sizes = replay_sizes(config, newest.layout)
found = []
for kind, replay in ((SelfPlay, Replay(*sizes)), (DeviceSelfPlay, DeviceReplay(*sizes, device="cpu"))):
    tournament = Tournament(1, lambda epoch: sys.argv[1])
    tournament.admit(0)
    tournament.opponent = 0
    play = kind(game, newest.layout, config, replay, newest.net, tournament)
    play._call_opponent()
    progress = play.play(60)
    arrays = {name: np.asarray(getattr(play.replay, name)) for name in Replay.ARRAYS}
    found.append((progress, arrays, tournament.rating, tournament.opponent, tournament.games))
(here, ours, *facts), (there, theirs, *same) = found
assert facts == same, (facts, same)
for name in ("games", "moves", "positions", "resigned", "played_on", "wrong"):
    assert getattr(here, name) == getattr(there, name), name
for name in ours:
    assert np.allclose(ours[name], theirs[name], atol=1e-5), name
print(json.dumps({"games": here.games, "rated": int(facts[0] != 0)}))
"""


RESET = """
import json
import numpy as np
import ludoport as lp
from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay
from ludoport.selfplay.replay import Replay, replay_sizes
from tests.selfplay.conftest import small
from tests.selfplay.test_duel import fresh

game = lp.load("Tic-Tac-Toe", jit=False)
one, two = fresh(game, 1), fresh(game, 2)
config = dict(game="Tic-Tac-Toe", options=(), games=4, simulations=3, replay=400, staggered=True)
first, second = small(seed=1, **config), small(seed=2, **config)
sizes = replay_sizes(first, one.layout)
warm = DeviceSelfPlay(game, one.layout, first, DeviceReplay(*sizes, device="cpu"), one.net)
warm.play(60)
warm.reset(second, two.net)
cold = DeviceSelfPlay(game, one.layout, second, DeviceReplay(*sizes, device="cpu"), two.net)
progress = [play.play(60) for play in (warm, cold)]
for name in ("games", "moves", "positions", "evaluations"):
    assert getattr(progress[0], name) == getattr(progress[1], name), name
for name in Replay.ARRAYS:
    mine, other = (np.asarray(getattr(play.replay, name))[:60] for play in (warm, cold))
    assert (mine == other).all(), name
assert (np.asarray(warm.t["rngs"]) == np.asarray(cold.t["rngs"])).all()
print(json.dumps({"games": progress[0].games}))
"""


@pytest.mark.slow
def test_a_warm_process_begins_as_a_new_one() -> None:
    assert run_simulated(RESET)["games"] >= 4


@pytest.mark.slow
def test_same_step() -> None:
    answer = run_simulated(SCRIPT)
    assert answer["same"] == 12
    assert answer["games"] >= 2


@pytest.mark.slow
def test_same_duel() -> None:
    assert run_simulated(DUEL)["moves"] >= 2 * 10 * 5


@pytest.mark.slow
def test_same_self_play(tmp_path: Path) -> None:
    """Everything together, with an older network as the opponent."""
    answer = run_simulated(PLAY, str(tmp_path / "older.safetensors"))
    assert answer["games"] >= 4
    assert answer["rated"]
