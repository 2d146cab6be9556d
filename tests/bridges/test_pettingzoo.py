from __future__ import annotations

import warnings
from typing import Any

import pytest
from pettingzoo.test import api_test, render_test, seed_test

from ludoport.bridges.pettingzoo import LudoportEnv
from ludoport.errors import LudoportError
from tests.bridges.cases import ALL, numbered


def made(name: str, **settings: Any) -> LudoportEnv:
    """The environment of a game, with few moves."""
    game = numbered(name)
    env = LudoportEnv(game.game, limit=30, ranks=game.ranks, **settings)
    env.numbered = game
    return env


@pytest.mark.parametrize("name", ALL)
def test_the_suite_of_pettingzoo(name: str) -> None:
    with warnings.catch_warnings():
        # The suite says that observations with an action mask are no arrays.
        warnings.simplefilter("ignore", UserWarning)
        api_test(made(name), num_cycles=40)
        seed_test(lambda: made(name), num_cycles=4)
        render_test(lambda **settings: made(name, **settings), {"svg": lambda picture: picture.startswith("<svg")})


def test_rewards_are_those_of_seats() -> None:
    env = made("Tic-Tac-Toe")
    env.reset()
    for action in (0, 3, 1, 4, 2):
        assert env.rewards == {"player_1": 0, "player_2": 0}
        env.step(action)
    assert env.rewards == {"player_1": 1, "player_2": -1}
    assert all(env.terminations.values())


def test_the_limit_truncates() -> None:
    env = LudoportEnv("Tic-Tac-Toe", limit=2)
    env.reset()
    env.step(0)
    env.step(1)
    assert env.truncations == {"player_1": True, "player_2": True}


def test_planes_exceed_one() -> None:
    env = made("Connect Four")
    env.reset()
    for _ in range(6):
        action = int(env.observe(env.agent_selection)["action_mask"].nonzero()[0][0])
        env.step(action)
    seen = env.observe(env.agent_selection)
    assert seen["observation"].max() > 1
    assert env.observation_space("player_1").contains(seen)


def test_unknown_render_mode() -> None:
    with pytest.raises(LudoportError, match="unknown render mode `rgb`"):
        LudoportEnv("Tic-Tac-Toe", render_mode="rgb")
