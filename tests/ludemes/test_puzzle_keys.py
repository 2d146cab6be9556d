"""Keys of puzzles tell positions apart in which different values are struck out."""

from __future__ import annotations

from pathlib import Path

import ludoport as lp
from ludoport.game import Game
from ludoport.lud import read_text
from ludoport.ludemic import LudemicRules


def test_every_move_of_a_puzzle_leads_to_a_key_of_its_own() -> None:
    state = lp.load(Path(__file__).parent / "games" / "puzzles.lud", jit=False).start()
    moves = state.moves()
    assert len({state.play(move).key for move in moves}) == len(moves) > 1


def test_values_that_need_more_than_16_bits() -> None:
    equipment = "(board (hex 3) (values Cell (range 1 19))) (regions (sites Board)) (regions (sites Bottom))"
    rules = "(play (satisfy {(all Different) (is Sum (sites Bottom) 38)})) (end (if (is Solved) (result P1 Win)))"
    text = f'(game "Hexagon" (players 1) (equipment {{{equipment}}}) (rules {rules}))'
    state = Game(LudemicRules(read_text(text)), jit=False).start()
    moves = [move for move in state.moves() if move.text.startswith("0#")]
    assert len(moves) == 2 * 19
    assert len({state.play(move).key for move in moves}) == 2 * 19
