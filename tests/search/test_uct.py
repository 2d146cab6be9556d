"""UCT finds what can be proved, beats random play, and depends on nothing but its seed."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.search.uct import search, uct

THREE_PLAYERS = """
(game "Three" (players 3)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""

TWO_STONES = """
(game "Two Stones" (players 2)
    (equipment {(board (rectangle 1 7)) (piece "Disc" Each)})
    (rules
        (play (if (is Prev Mover)
            (move Add (to (sites Empty)))
            (move Add (to (sites Empty)) (then (moveAgain)))))
        (end (if (is Line 3) (result Mover Win)))))
"""


@pytest.fixture(scope="module")
def tic_tac_toe() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture(scope="module")
def hex5() -> lp.Game:
    return lp.load("Hex", options=["Board Size/5x5"])


def after(game: lp.Game, *moves: str) -> lp.State:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


def load_text(text: str, folder: Path) -> lp.Game:
    path = folder / "game.lud"
    path.write_text(text)
    return lp.load(path, jit=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "best"),
    [
        (("0", "3", "1", "4"), "2"),  # a line of three
        (("0", "3", "8", "4"), "5"),  # the only move that does not lose at once
        (("4", "0", "8"), "26"),  # corners keep the draw, edges lose
        (("0", "1"), "346"),  # wins by force
    ],
)
def test_finds_the_right_move(tic_tac_toe: lp.Game, moves: tuple[str, ...], best: str) -> None:
    assert uct(after(tic_tac_toe, *moves), simulations=600).text in best


@pytest.mark.slow
def test_every_game_of_perfect_players_is_a_draw(tic_tac_toe: lp.Game) -> None:
    state = after(tic_tac_toe, "4")
    while not state.over:
        state = state.play(uct(state, simulations=600, seed=3))
    assert state.utilities == [0.0, 0.0]


def test_what_it_found(tic_tac_toe: lp.Game) -> None:
    found = search(after(tic_tac_toe, "0", "3", "1", "4"), simulations=200)
    assert sorted(move.text for move in found.moves) == ["2", "5", "6", "7", "8"]
    assert found.visits.sum() == 200
    assert found.values[found.moves.index(found.best)] == 1.0
    assert ((found.values >= 0) & (found.values <= 1)).all()


def test_draws_count_one_half(tic_tac_toe: lp.Game) -> None:
    last = search(after(tic_tac_toe, *"041253678"[:8]), simulations=10)
    assert last.values.tolist() == [0.5]


def test_a_full_tree_goes_on(tic_tac_toe: lp.Game) -> None:
    found = search(tic_tac_toe.start(), simulations=100, nodes=30)
    assert found.nodes <= 30
    assert found.visits.sum() == 100


def test_one_seed_one_result(hex5: lp.Game) -> None:
    first, again, other = (search(hex5.start(), simulations=500, seed=seed) for seed in (1, 1, 2))
    assert [move.text for move in first.moves] == [move.text for move in again.moves]
    assert np.array_equal(first.visits, again.visits)
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.visits, other.visits)


def test_plain_python_searches_the_same(hex5: lp.Game) -> None:
    plain = search(lp.load("Hex", options=["Board Size/5x5"], jit=False).start(), simulations=40)
    fast = search(hex5.start(), simulations=40)
    assert np.array_equal(plain.visits, fast.visits)
    assert np.allclose(plain.values, fast.values, equal_nan=True)


@pytest.mark.parametrize("person", [1, 2])
def test_beats_random(hex5: lp.Game, person: int) -> None:
    rng, wins = random.Random(person), 0
    for game in range(10):
        state = hex5.start()
        while not state.over:
            mine = state.seat == person
            state = state.play(uct(state, simulations=200, seed=game) if mine else rng.choice(state.moves()))
        wins += state.seat_utilities[person - 1] > 0
    assert wins >= 9


def test_swaps_a_strong_first_move(hex5: lp.Game) -> None:
    """The middle of a small board wins for whoever owns it, so the second person takes it."""
    assert uct(hex5.start().play("12"), simulations=3000).text == "swap"


def test_a_turn_of_two_moves(tmp_path: Path) -> None:
    game = load_text(TWO_STONES, tmp_path)
    state = after(game, "3", "5")
    assert state.mover == 2
    state = state.play("0").play("1")
    assert state.mover == 1
    assert uct(state, simulations=200).text == "4"


def test_three_players_each_for_themselves(tmp_path: Path) -> None:
    game = load_text(THREE_PLAYERS, tmp_path)
    state = after(game, "0", "3", "8", "1", "4", "7")
    assert state.mover == 1
    assert uct(state, simulations=300).text == "2"
    blocked = after(game, "0", "8", "3", "1", "5")  # player 3 alone can stop the line of player 1
    assert blocked.mover == 3
    assert uct(blocked, simulations=300).text == "2"


def test_bad_input(tic_tac_toe: lp.Game) -> None:
    over = after(tic_tac_toe, *"03142")
    with pytest.raises(lp.LudoportError, match="over"):
        uct(over)
    with pytest.raises(lp.LudoportError, match="simulations"):
        uct(tic_tac_toe.start(), simulations=0)
    with pytest.raises(lp.LudoportError, match="exploration"):
        uct(tic_tac_toe.start(), exploration=float("nan"))
