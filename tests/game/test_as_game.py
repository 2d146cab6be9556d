"""A game may be given by name wherever a Game is taken."""

from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.game import as_game


def test_a_game_stays_the_same_object() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    assert as_game(game) is game


def test_a_name_and_a_path_are_loaded() -> None:
    assert as_game("Tic-Tac-Toe").name == "Tic-Tac-Toe"
    assert as_game("Hex", ["Board Size/3x3"]).rules.fingerprint == lp.load("Hex", ["Board Size/3x3"]).rules.fingerprint
    assert as_game(Path(lp.__file__).parent / "games" / "Hex.lud").name == "Hex"


def test_anything_else_is_refused() -> None:
    with pytest.raises(lp.LudoportError, match="a Game, a name or a path, not as int"):
        as_game(3)  # type: ignore[arg-type]
    with pytest.raises(lp.LudoportError, match="a game is given by its name or a path, not as NoneType"):
        lp.load(None)  # type: ignore[arg-type]
    with pytest.raises(lp.LudoportError, match="already loaded"):
        as_game(lp.load("Hex", jit=False), ["Board Size/3x3"])


def test_options_are_a_list() -> None:
    options: Any = "Board Size/3x3"
    refused = r'options are a list: options=\["Board Size/3x3"\]'
    with pytest.raises(lp.LudoportError, match=refused):
        lp.load("Hex", options)
    with pytest.raises(lp.LudoportError, match=refused):
        lp.train("Hex", options=options, epochs=1)
