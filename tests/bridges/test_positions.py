from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

from ludoport.bridges.positions import NumberedGame, ObservedPosition
from ludoport.errors import LudoportError
from tests.bridges.cases import ALL, numbered


@pytest.mark.parametrize("name", ALL)
def test_every_legal_move_has_one_action(name: str) -> None:
    game, draw = numbered(name), random.Random(1)
    position = game.start()
    for _ in range(12):
        if position.state.over:
            break
        actions = position.actions
        assert sorted(move.text for move in actions.values()) == sorted(move.text for move in position.state.moves())
        assert list(actions) == sorted(actions)
        assert np.flatnonzero(position.mask).tolist() == list(actions)
        assert position.observation.shape == game.shape
        action = draw.choice(list(actions))
        assert position.number(actions[action]) == action
        assert position.play(action).state == position.state.play(actions[action])
        position = position.play(action)


@pytest.mark.slow
def test_moves_that_share_a_slot_have_different_actions() -> None:
    game, draw, shared = numbered("Kyoto Shogi"), random.Random(2), 0
    position = game.start()
    for _ in range(120):
        if position.state.over or shared:
            break
        shared += sum(action >= game.n_slots for action in position.actions)
        position = position.play(draw.choice(list(position.actions)))
    assert shared


def test_ranks_are_found_by_playing() -> None:
    assert NumberedGame("Tic-Tac-Toe").ranks == 1


def played_out(position: ObservedPosition, draw: random.Random) -> ObservedPosition:
    while not position.state.over:
        position = position.play(draw.choice(list(position.actions)))
    return position


def test_too_few_ranks_are_told() -> None:
    game = NumberedGame(numbered("Kyoto Shogi").game, ranks=1)
    with pytest.warns(UserWarning, match="more than 1 moves share a slot"):
        played_out(game.start(), random.Random(2))


def test_after_a_swap_the_seat_acts_not_the_colour() -> None:
    position = numbered("Hex").start()
    position = position.play(next(iter(position.actions)))
    swap = next(action for action, move in position.actions.items() if move.label.lower() == "swap")
    after = position.play(swap)
    assert (position.seat, after.seat) == (2, 1)
    assert after.state.swapped
    assert after.state.mover == 2


def test_choices_of_one_step_are_undecided_and_unseen() -> None:
    position = numbered("rock-paper-scissors.kif").start()
    after = [position.play(action) for action in position.actions]
    assert [p.undecided for p in after] == [1, 1, 1]
    assert all(np.array_equal(after[0].observation, p.observation) for p in after)


def test_copies_and_pickles() -> None:
    position = numbered("Tic-Tac-Toe").start().play(4)
    for other in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other.state == position.state
        assert other.play(0).state == position.play(0).state


def test_an_action_that_is_not_legal() -> None:
    with pytest.raises(LudoportError, match="action 26 is not legal here; legal are 0"):
        numbered("Tic-Tac-Toe").start().play(26)
