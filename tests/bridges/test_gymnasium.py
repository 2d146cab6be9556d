from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludoport.bridges.gymnasium import LudoportGym
from ludoport.errors import LudoportError
from ludoport.game import Move, State
from tests.bridges.cases import ALL, numbered


@pytest.mark.parametrize("name", ALL)
def test_the_suite_of_gymnasium(name: str) -> None:
    game = numbered(name)
    env = LudoportGym(game.game, ranks=game.ranks, limit=30)
    env.numbered = game
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)


def first(state: State) -> Move:
    return state.moves()[0]


@pytest.mark.parametrize("seat", [1, 2])
def test_a_game_from_one_seat(seat: int) -> None:
    env = gymnasium.make("ludoport/Play-v0", game="Tic-Tac-Toe", opponent=first, seat=seat)
    seen, info = env.reset(seed=1)
    assert info == {"seat": seat}
    assert seen["action_mask"].sum() == (9 if seat == 1 else 8)
    assert env.get_wrapper_attr("action_masks")().tolist() == seen["action_mask"].astype(bool).tolist()
    done, reward = False, 0.0
    while not done:
        seen, reward, done, _, _ = env.step(int(seen["action_mask"].nonzero()[0][-1]))
    assert reward == 1
    assert seen["action_mask"].all()


def test_several_games_at_once() -> None:
    """A game that is over asks for an action like all others, and starts again."""
    env = gymnasium.make_vec("ludoport/Play-v0", num_envs=3, vectorization_mode="sync", game="Tic-Tac-Toe")
    seen, _ = env.reset(seed=2)
    ended = 0
    for _ in range(12):
        actions = np.array([mask.nonzero()[0][0] for mask in seen["action_mask"]])
        seen, rewards, over, _, _ = env.step(actions)
        ended += int(over.sum())
        assert (rewards[~over] == 0).all()
    assert ended >= 3


def test_an_action_that_is_not_legal_loses() -> None:
    env = LudoportGym("Tic-Tac-Toe", seat=1)
    env.reset(seed=1)
    _, reward, done, truncated, info = env.step(26)
    assert (reward, done, truncated, info["illegal"]) == (-1, True, False, True)


def test_seats_exist() -> None:
    with pytest.raises(LudoportError, match="the seats 1 to 2, not 3"):
        LudoportGym("Tic-Tac-Toe", seat=3)
