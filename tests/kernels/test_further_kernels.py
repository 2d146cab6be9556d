"""Kernels of searches beside those of a game."""

from __future__ import annotations

import pytest

import ludoport as lp
from ludoport.arena.alphabeta_kernels import kernels as alphabeta_source
from ludoport.gdl import load_rules
from ludoport.kernels.build import defined_names
from ludoport.search.graph_kernels import graph_source
from ludoport.search.pool import pool_source
from ludoport.search.puct_kernels import puct_source
from ludoport.search.uct_kernels import uct_source
from ludoport.td.match_kernels import td_source


@pytest.mark.parametrize("name", ["Connect Four", "Hex", "chess-8x8", "tic-tac-toe.kif"])
def test_further_kernels_define_no_name_of_the_game(name: str) -> None:
    """A constant of a search in the place of a field's offset would make the game another one."""
    game = lp.load(name, jit=False)
    texts = [pool_source(game), uct_source(game, rave=True), graph_source(game), puct_source(game, "rollouts"),
             td_source(game), alphabeta_source(game.rules.fields, game.rules.state_size)]  # fmt: skip
    for text in texts:
        assert not defined_names(game.rules.source) & defined_names(text)
    with pytest.raises(RuntimeError, match="define OVER a second time"):
        game.kernels_with("\nOVER = 1\n")


def test_a_search_of_stacks_finds_a_win() -> None:
    state = lp.load("Connect Four", jit=False).start()
    for column in "ABABAB":
        state = state.play(next(move for move in state.moves() if str(move).startswith(column)))
    assert str(lp.search(state, "uct:60", seed=1).best).startswith("A")


@pytest.mark.parametrize("player", ["uct:4", "minimax:1"])
def test_rules_that_are_interpreted_can_be_searched(player: str) -> None:
    text = (
        "(role a) (role b) (init (p 0)) (legal a go) (legal a stay) (legal b go) (<= (next (p 1)) (does a go)) "
        "(<= terminal (true (p 1))) (<= terminal (not (true (p 0)))) (<= (goal a 100) (true (p 1))) (goal b 0)"
    )
    for jit in (False, True):
        state = lp.Game(load_rules(text, engine="interpreter"), jit=jit).start()
        assert str(lp.search(state, player).best) in ("go", "stay")
