"""Varied games."""

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.selfplay.lists import game_list
from ludoport.varied.making import VariedGame, varied_game, varied_games, write_games
from ludoport.varied.templates import FAMILIES
from ludoport.varied.worthy import decided_within, judge

SMALL = """
(game "G" (players 2) (equipment {{(board (square {size})) (piece "Stone" Each)}})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line {line}) (result Mover Win)))))
"""


def line_game(size: int, line: int) -> Game:
    return VariedGame("G", "Lines", SMALL.format(size=size, line=line)).load(jit=False)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_makes_games_worth_learning(family: str) -> None:
    made = varied_game(0, seed=3, families=(family,))
    game = made.load(jit=False)
    assert (game.name, game.n_players) == (made.name, 2)
    assert not judge(game, seed=7).reason
    check_game(game, seed=5, playouts=1)


@pytest.mark.slow
def test_numbers_and_seeds_decide() -> None:
    one, two = (list(varied_games(2, seed=1, families=("Connections",))) for _ in range(2))
    assert one == two
    assert next(varied_games(1, seed=1, families=("Connections",))) == one[0]
    assert varied_game(0, seed=2, families=("Connections",)) != one[0]


@pytest.mark.parametrize(
    ("size", "line", "reason"),
    [(4, 1, "is too short"), (3, 2, "is too short"), (4, 5, "is drawn"), (6, 2, "is decided at once")],
)
def test_games_that_are_refused(size: int, line: int, reason: str) -> None:
    assert judge(line_game(size, line)).reason == reason


def test_forced_wins_are_found() -> None:
    start = line_game(4, 2).start()
    assert decided_within(start, 3)
    assert not decided_within(line_game(3, 3).start(), 3)


def test_files(tmp_path: Path) -> None:
    made = list(write_games(tmp_path, 2, seed=1, families=("Connections",)))
    lines = game_list(tmp_path / "games.txt")
    assert [lp.load(line, jit=False).name for line in lines] == [game.name for game in made]


def test_unknown_families() -> None:
    with pytest.raises(LudoportError, match="Connections"):
        varied_game(0, families=("Chess",))
