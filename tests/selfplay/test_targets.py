"""Recorded targets of self-play: every legal move, the right person's result, and the findings of the search."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoport as lp
from ludoport.game import State
from ludoport.nets.build import build_network
from ludoport.nets.registry import preset as network_preset
from ludoport.search.puct import Searches
from ludoport.search.tree import VISITS
from ludoport.selfplay import games as games_module
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.kernels import GAME_FACTS, PENDING, SHARES, selfplay_source
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from tests.search.brute import TWICE
from tests.selfplay.conftest import small

FINISHED, PLY = GAME_FACTS.index("FINISHED"), GAME_FACTS.index("PLY")


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> lp.Game:
    """Tic-Tac-Toe in which players, after the first move, place two stones a turn."""
    file = tmp_path_factory.mktemp("texts") / "Twice.lud"
    file.write_text(TWICE)
    return lp.load(file, jit=False)


def make(game: lp.Game, **changes: Any) -> SelfPlay:
    config = small(game=game.name, options=(), **{"games": 4, "simulations": 6, "replay": 400, **changes})
    layout = tensor_layout(game, "compact")
    net = build_network(network_preset("tiny", layout.shape[0], layout.move_shape[0]), seed=3)
    replay = Replay(*replay_sizes(config, layout))
    return SelfPlay(game, layout, config, replay, net)


def played(play: SelfPlay, steps: int) -> list[list[tuple[int, NDArray[Any]]]]:
    """Lets games go on; returns the finished ones, each as the places and rows of its positions."""
    going: list[list[tuple[int, NDArray[Any]]]] = [[] for _ in range(play.config.games)]
    done = []
    for _ in range(steps):
        first, finished = play.replay.written, play.counts[:, FINISHED].copy()
        for g, game in enumerate(going):
            game.append(((first + g) % play.replay.places, play.searches.roots[g].copy()))
        play.step()
        for ended in np.flatnonzero(play.counts[:, FINISHED] > finished):
            done.append(going[ended])
            going[ended] = []
    return done


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Tic-Tac-Toe", "Twice"])
def test_records(name: str, twice: lp.Game) -> None:
    game = twice if name == "Twice" else lp.load(name, jit=False)
    play = make(game)
    encoder = TensorEncoder(game, "compact")
    done = played(play, 24)
    assert len(done) >= 4
    again = 0
    for positions in done:
        states = [State(game, row) for _, row in positions]
        again += sum(a.mover == b.mover for a, b in itertools.pairwise(states))
        got: dict[int, set[float]] = {1: set(), 2: set()}
        for (place, _), state in zip(positions, states, strict=True):
            policy = play.replay.policies[place]
            assert set(np.flatnonzero(policy >= 0)) == set(encoder.move_slots(state).values())
            assert abs(int(policy[policy >= 0].sum()) - SHARES) <= len(policy)
            assert (play.replay.seen[place].reshape(encoder.layout.shape)[:5] == encoder.state_tensor(state)[:5]).all()
            assert play.replay.persons[place] == state.seat
            got[state.seat].add(float(play.replay.results[place]))
        last = states[-1]
        possible = [last.play(move) for move in last.moves()]
        ends = {tuple(after.seat_utilities) for after in possible if after.over}
        assert any(all(got[person] <= {end[person - 1]} for person in (1, 2)) for end in ends)
    assert (again > 0) == (name == "Twice")


def test_moves_that_share_a_place_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    alike = "\n@kernel\ndef slot(state, move):\n    return wide(2)\n"
    monkeypatch.setattr(games_module, "selfplay_source", lambda game, layout: selfplay_source(game, layout) + alike)
    play = make(lp.load("Tic-Tac-Toe", jit=False))
    play.step()
    policies = play.replay.policies[:4]
    assert (policies[:, 2] >= SHARES - 9).all()
    assert (np.delete(policies, 2, axis=1) == -1).all()


def test_an_overwritten_place_keeps_its_newer_position() -> None:
    play = make(lp.load("Tic-Tac-Toe", jit=False), replay=16)
    played(play, 4)
    ready = play.replay.ready
    assert ready == 0  # nobody wins Tic-Tac-Toe in four plies
    for _ in range(6):
        play.step()
        oldest = play.replay.written - play.replay.places
        for g in range(4):
            for number in play.places[g, : play.counts[g, PLY]]:
                if number >= oldest:
                    assert play.replay.results[number % 16] == PENDING


def test_forced_visits_are_taken_back() -> None:
    settings = {"gumbel": False, "completed": False, "forced": 8.0, "weight": 0.3, "simulations": 60, "solve": False}
    play = make(lp.load("Tic-Tac-Toe", jit=False), games=2, **settings)
    seen: list[tuple[NDArray[Any], ...]] = []
    original = Searches.run

    def run(self: Searches, *arguments: Any) -> int:
        done = original(self, *arguments)
        edges = self.edges(0)
        seen.append((self.nodes[0, VISITS, edges].copy(), self.sums[0, :, edges].copy(), self.moves[0, edges].copy()))
        return done

    state = State(play.game, play.searches.roots[0].copy())
    play.searches.run = run.__get__(play.searches)  # type: ignore[method-assign]
    play.step()
    visits, sums, rows = seen[0]
    wanted = pruned(visits, sums[0], sums[1], play.config, 60)
    assert wanted.sum() < visits.sum()
    slots = TensorEncoder(play.game, "compact").move_slots(state)
    texts = play.game.rules.move_texts(state.row, rows)
    for text, share in zip(texts, wanted / wanted.sum(), strict=True):
        assert abs(play.replay.policies[0][slots[text]] - share * SHARES) <= 1


def pruned(
    visits: NDArray[Any], sums: NDArray[Any], priors: NDArray[Any], config: TrainConfig, budget: int
) -> NDArray[np.float64]:
    """Forced visits taken back, the plain way."""
    scale = config.weight * math.sqrt(visits.sum() + 1)
    best = int(visits.argmax())
    bound = sums[best] / visits[best] + scale * priors[best] / (1 + visits[best])
    left = visits.astype(float)
    for k in range(len(visits)):
        for _ in range(math.floor(math.sqrt(config.forced * priors[k] * budget))):
            if k != best and left[k] > 0 and sums[k] / visits[k] + scale * priors[k] / left[k] <= bound:
                left[k] -= 1
        if k != best and left[k] <= 1:
            left[k] = 0
    return left


@pytest.mark.slow
def test_random_openings_are_not_recorded() -> None:
    play = make(lp.load("Tic-Tac-Toe", jit=False), openings=1.0, opening_plies=3, drawing="polygames")
    for _ in range(14):
        play.step()
    begun = play.counts[:, GAME_FACTS.index("OPENING")]
    assert (play.counts[:, FINISHED] > 0).all()
    assert ((begun >= 1) & (begun <= 3)).all()
    for g in range(4):
        plies = int(play.counts[g, PLY])
        assert (play.places[g, : min(plies, begun[g])] == -1).all()
        assert (play.places[g, begun[g] : plies] >= 0).all()


def test_replies_are_the_next_moves() -> None:
    play = make(lp.load("Tic-Tac-Toe", jit=False))
    done = played(play, 12)
    for positions in done:
        for (place, row), (_, following) in itertools.pairwise(positions):
            assert (row != following).any()
            reply = int(play.replay.replies[place])
            after = [int(p) for p, _ in positions].index(place) + 1
            assert play.replay.policies[positions[after][0]][reply] >= 0
        assert play.replay.replies[positions[-1][0]] == -1


@pytest.mark.slow
def test_threads_search_as_one_does(noughts: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games have trees of their own; a network would round differently in batches of other sizes."""

    def judge(_: SelfPlay, searches: Searches, part: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        part.judged += int((searches.depths >= 0).sum())
        slots = np.arange(9 * searches.layout.move_shape[0] if searches.layout else 0)
        sums = searches.states.astype(np.int64) @ np.arange(searches.states.shape[2])
        return np.sin(sums[..., None] + slots).astype(np.float32), np.cos(sums).astype(np.float32)

    monkeypatch.setattr(SelfPlay, "_judge", judge)
    alone, together = (make(noughts, games=10, threads=threads) for threads in (1, 3))
    for play in (alone, together):
        for _ in range(12):
            play.step()
    assert together.evaluations == alone.evaluations > 500
    assert (together.counts == alone.counts).all()
    assert (together.searches.roots == alone.searches.roots).all()
    for name in Replay.ARRAYS:
        assert (getattr(together.replay, name) == getattr(alone.replay, name)).all(), name
