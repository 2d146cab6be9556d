"""Players who choose in the same step."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.game import Game


@pytest.fixture(scope="module")
def signs() -> Game:
    return lp.load(Path(__file__).parent / "together.lud", jit=False)


def test_moves_happen_when_all_have_chosen(signs: Game) -> None:
    start = signs.start()
    assert [move.text for move in start.moves()] == ["2-0", "3-0"]
    half = start.play("2-0")
    assert (half.mover, half.over) == (2, False)
    assert half.pieces() == start.pieces()
    assert [move.text for move in half.moves()] == ["4-1", "5-1"]
    both = half.play("5-1")
    assert (both.mover, both.pieces()[0], both.pieces()[1]) == (1, "Sign1", "Sign2/s1")


def test_what_follows_all_moves_sees_all(signs: Game) -> None:
    # Equal signs score for the first player, others for the second; only then both signs are there.
    assert signs.start().play("2-0").play("4-1").play("pass").play("pass").play("2-0").play("4-1").winner == 1
    assert signs.start().play("3-0").play("4-1").play("pass").play("pass").play("2-0").play("5-1").winner == 2


def test_a_move_without_a_player_belongs_to_the_mover(signs: Game) -> None:
    # Both pass, but only the mover's pass clears the board.
    after = signs.start().play("2-0").play("4-1")
    assert [move.text for move in after.moves()] == ["pass"]
    assert 0 in after.play("pass").pieces()
    assert 0 not in after.play("pass").play("pass").pieces()


def test_the_contract_holds(signs: Game) -> None:
    check_game(signs, playouts=2, plies=20)


def test_a_search_does_not_see_the_choices_of_others(signs: Game) -> None:
    values = []
    for first in ("2-0", "3-0"):
        found = lp.search(signs.start().play(first), "uct:300", seed=3)
        values.append([move.text for move in found.moves][:2])
    assert values[0] == values[1]


@pytest.mark.parametrize("player", ["minimax:2"])
def test_other_searches_refuse(signs: Game, player: str) -> None:
    with pytest.raises(lp.LudoportError, match="choices of others in the same step"):
        lp.search(signs.start(), player)
