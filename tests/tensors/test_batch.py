"""Many positions as arrays agree with positions one by one, on every target."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.tensors.batch import GameBatch, batch
from ludoport.tensors.encoder import TensorEncoder
from tests.simulated import run_simulated

GAMES: dict[str, list[str]] = {
    "Hex": ["Board Size/3x3"],
    "Breakthrough": ["Board Size/4x4"],
    "Connect Four": [],
    "Quick Chess": [],
    "gardner-chessplus": [],
    "tic-tac-toe.kif": [],
}


def follow(games: GameBatch, steps: int) -> None:
    """Play random actions and compare every position with a State that plays the same."""
    encoder = TensorEncoder(games.game)
    for _ in range(steps):
        states = [games.state(i) for i in range(len(games))]
        for i, state in enumerate(states):
            slots = encoder.move_slots(state)
            assert set(np.flatnonzero(games.legal[i])) == set(slots.values())
            assert games.n_moves[i] == len(slots)
            assert (games.mover[i], games.seat[i]) == (state.mover, state.seat)
            planes = encoder.planes(state.row[None], games.histories[i : i + 1].copy())[0]
            assert np.array_equal(games.tensors()[i], planes)
        actions = games.random_actions().copy()
        over = games.terminated.copy()
        games.step(actions)
        for i, state in enumerate(states):
            if over[i] and not games.auto_reset:
                assert games.state(i) == state
                assert not games.ended[i]
                continue
            slots = encoder.move_slots(state)
            reached = [state.play(text) for text, slot in slots.items() if slot == actions[i]]
            ends = [after for after in reached if after.over]
            if games.terminated[i]:
                assert games.utilities[i].tolist() in [after.utilities for after in ends]
                assert games.seat_utilities[i].tolist() in [after.seat_utilities for after in ends]
                assert games.ended[i]
            else:
                assert games.state(i) in reached
                assert games.utilities[i].tolist() == [0] * games.game.n_players
            if games.terminated[i] and games.auto_reset:
                assert games.state(i) == games.game.start()
                assert games.plies[i] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("auto_reset", [False, True])
def test_positions_agree_with_states(name: str, auto_reset: bool) -> None:
    game = lp.load(name, GAMES[name], jit=False)
    follow(batch(game, 3, seed=5, auto_reset=auto_reset), 10 if "hess" in name else 14)


@pytest.mark.slow
def test_machine_code_and_threads_play_the_same_games() -> None:
    made = [batch(lp.load("Hex", ["Board Size/3x3"], jit=jit), 20, seed=2, threads=threads, auto_reset=True)
            for jit, threads in ((False, 1), (True, 1), (True, 3))]  # fmt: skip
    for _ in range(30):
        for games in made:
            games.step(games.random_actions())
        for games in made[1:]:
            assert np.array_equal(games.states, made[0].states)
            assert np.array_equal(games.legal, made[0].legal)
            assert np.array_equal(games.tensors(), made[0].tensors())
            assert np.array_equal(games.rewards, made[0].rewards)
    assert made[0].states.dtype == np.int64
    assert made[1].states.dtype == np.int16


@pytest.mark.slow
def test_every_move_can_be_chosen_by_its_number() -> None:
    game = lp.load("Quick Chess", jit=False)
    games = batch(game, 4)
    moves = game.start().moves()
    games.step([0, 1, len(moves) - 1, 2], kind="moves")
    assert [games.state(i) for i in range(4)] == [game.start().play(moves[k]) for k in (0, 1, len(moves) - 1, 2)]


@pytest.mark.slow
def test_a_place_that_moves_share_is_drawn() -> None:
    game = lp.load("Chess", jit=False)
    encoder, state = TensorEncoder(game), game.start()
    for move in ("A2-A4", "B7-B5", "A4-B5", "B8-A6", "B5-B6", "A6-C5", "B6-B7", "C5-E4", "B7-B8"):
        state = state.play(move)
    slots = encoder.move_slots(state)
    shared = next(slot for slot in slots.values() if list(slots.values()).count(slot) > 1)
    games = batch(game, 60, seed=1)
    games.states[:] = state.row
    games._fresh.clear()
    games.step(np.full(60, shared))
    reached = {games.state(i) for i in range(60)}
    assert reached == {state.play(text) for text, slot in slots.items() if slot == shared}


@pytest.mark.slow
def test_the_limit_truncates() -> None:
    games = batch("Tic-Tac-Toe", 3, limit=2, auto_reset=True)
    games.step([0, 1, 2])
    assert not games.truncated.any()
    games.step([3, 4, 5])
    assert games.truncated.all()
    assert not games.terminated.any()
    assert games.rewards.tolist() == [[0, 0]] * 3
    assert games.plies.tolist() == [0, 0, 0]


@pytest.mark.slow
def test_what_cannot_be_played_is_refused() -> None:
    games = batch("Tic-Tac-Toe", 3)
    before = games.states.copy()
    with pytest.raises(lp.LudoportError, match="action 26 is not legal in position 1; nothing was played"):
        games.step([0, 26, 2])
    with pytest.raises(lp.LudoportError, match="action -1 is not legal in position 0, and 2 more of the 3 actions"):
        games.step([-1, -1, 99])
    assert np.array_equal(games.states, before)
    for wrong, sentence in (
        (lambda: games.step([0, 1]), r"need actions of shape \(3,\), not \(2,\)"),
        (lambda: games.step([0.5, 1, 2]), "actions are integers"),
        (lambda: games.step([0, 1, 2], kind="texts"), "slots or moves"),
        (lambda: batch("Tic-Tac-Toe", 0), "size of a batch must be at least 1"),
        (lambda: batch("Tic-Tac-Toe", 1, device="tpu"), "cpu or cuda"),
    ):
        with pytest.raises(lp.LudoportError, match=sentence):
            wrong()


def test_refusals_are_reported_later() -> None:
    games = batch(lp.load("Tic-Tac-Toe", jit=False), 3)
    before = games.states.copy()
    games.step([0, 26, 2], check=False)
    assert np.array_equal(games.states[1], before[1])
    assert (games.states[[0, 2]] != before[[0, 2]]).any(axis=1).all()
    reads = (
        lambda: games.legal, games.tensors, lambda: games.terminated, lambda: games.rewards, lambda: games.mover,
        lambda: games.state(0), games.random_actions, games.check, lambda: games.step([3, 3, 3]),
    )  # fmt: skip
    for read in reads:
        with pytest.raises(lp.LudoportError, match="action 26 was not legal in position 1 at step 1; those positions"):
            read()
        assert games.plies.tolist() == [1, 0, 1]
        assert games.check().legal[1].sum() == 9  # reported once
        games.reset().step([0, 26, 2], check=False)
    games.reset().step([0, 1, 2], check=False).check()
    # The first error of each position is kept while nobody reads.
    games._report = lambda wait=False: None  # type: ignore[method-assign]
    for actions in ([3, 1, 2], [4, 77, 3], [5, 2, 3]):
        games.step(actions, check=False)
    del games._report
    with pytest.raises(
        lp.LudoportError, match=r"action 1 was not legal in position 1 at step 2, nor .* 1 more position"
    ):
        games.check()


SCRIPT = """
import json, sys
import ludoport as lp

answer = {}
for name, options in json.loads(sys.argv[1]).items():
    games = lp.batch(lp.load(name, options, jit=False), 3, seed=4, device="cuda", auto_reset=True)
    found = []
    for _ in range(6):
        actions = games.random_actions().copy()
        games.step(actions)
        found.append([actions.tolist(), games.states.tolist(), games.legal.tolist(), games.rewards.tolist()])
    answer[name] = [found, games.tensors().tolist()]
    try:  # a device does not wait, so that the error comes with the next read
        games.reset().step([-1, *games.random_actions()[1:]])
        answer[name].append(games.plies.tolist())
        games.rewards
    except lp.LudoportError as error:
        answer[name].append(str(error))
print(json.dumps(answer))
"""


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    return run_simulated(SCRIPT, json.dumps({name: GAMES[name] for name in SIMULATED}))


SIMULATED = ("Hex", "Connect Four", "tic-tac-toe.kif")


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATED)
def test_a_device_plays_the_same_games(simulated: dict[str, Any], name: str) -> None:
    games = batch(lp.load(name, GAMES[name], jit=False), 3, seed=4, auto_reset=True)
    steps, tensors, *refused = simulated[name]
    assert refused == [
        [0, 1, 1], "action -1 was not legal in position 0 at step 1; those positions did not change"
    ]  # fmt: skip
    for actions, states, legal, rewards in steps:
        assert games.random_actions().tolist() == actions
        games.step(actions)
        assert games.states.tolist() == states
        assert games.legal.tolist() == legal
        assert games.rewards.tolist() == rewards
    assert games.tensors().tolist() == tensors
