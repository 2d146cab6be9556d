from __future__ import annotations

import numpy as np
import pytest

from ludoport.bridges.batched import BatchedEnv
from ludoport.errors import LudoportError
from tests.bridges.cases import ALL, numbered

NAMES = ("current_player", "observation", "rewards", "terminated", "truncated", "legal_action_mask")


@pytest.mark.parametrize("arrays", ["numpy", "torch"])
def test_a_batch_is_played_to_the_end(arrays: str) -> None:
    env = BatchedEnv("Tic-Tac-Toe", arrays=arrays)  # type: ignore[arg-type]
    state = env.init(6, seed=1)
    total = np.zeros((6, 2))
    while not bool(state.terminated.all()):
        assert all(len(getattr(state, name)) == 6 for name in NAMES)
        over = np.asarray(state.terminated).copy()
        mask = np.asarray(state.legal_action_mask)
        assert (mask.all(axis=1) == over).all()
        # As in the examples of Pgx: an action that the mask allows, also in games that are over.
        state = env.step(state, [int(np.flatnonzero(row)[-1]) for row in mask])
        total += np.asarray(state.rewards)
    assert (total.sum(axis=1) == 0).all()
    assert np.abs(total).max() == 1


def test_games_that_are_over_allow_every_action_unless_they_restart() -> None:
    for auto_reset in (False, True):
        env = BatchedEnv("Tic-Tac-Toe", auto_reset=auto_reset, limit=2)
        state = env.step(env.step(env.init(2), [0, 1]), [1, 0])
        assert state.truncated.all()
        assert state.legal_action_mask.sum(axis=1).tolist() == ([9, 9] if auto_reset else [27, 27])
        assert env.step(state, [5, 6]).terminated.tolist() == [False, False]


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_batches_agree_with_single_positions(name: str) -> None:
    game = numbered(name)
    state, position = BatchedEnv(game.game).init(2, seed=3), game.start()
    for _ in range(6):
        if position.state.over:
            break
        legal = sorted({action % game.n_slots for action in position.actions})
        assert np.flatnonzero(state.legal_action_mask[0]).tolist() == legal
        assert int(state.current_player[0]) == position.seat - 1
        np.testing.assert_array_equal(state.observation[0], position.observation)
        single = next(slot for slot in legal if slot + game.n_slots not in position.actions)
        state, position = BatchedEnv(game.game).step(state, [single, single]), position.play(single)
    assert state.rewards.shape == (2, game.game.n_players)


def test_tensors_share_memory() -> None:
    torch = pytest.importorskip("torch")
    state = BatchedEnv("Tic-Tac-Toe", arrays="torch").init(2)
    assert isinstance(state.observation, torch.Tensor)
    assert state.observation.data_ptr() == state.games.tensors().ctypes.data


def test_seats_after_a_swap() -> None:
    env = BatchedEnv("Hex", ["Board Size/5x5"])
    state = env.step(env.init(1), [0])
    swap = int(np.flatnonzero(state.legal_action_mask[0])[-1])
    assert env.step(state, [swap]).current_player.tolist() == [0]


def test_arrays_that_there_are() -> None:
    with pytest.raises(LudoportError, match="numpy or torch, not `jax`"):
        BatchedEnv("Tic-Tac-Toe", arrays="jax")  # type: ignore[arg-type]
    with pytest.raises(LudoportError, match="arrays on a device are torch tensors"):
        BatchedEnv("Tic-Tac-Toe", device="cuda")
