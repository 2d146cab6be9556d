"""The list for all cases plays as the lists for single moves do."""

from __future__ import annotations

import pytest

from ludoport.game import Game
from ludoport.games import bundled_rulesheets
from ludoport.gdl import load_rules, network
from ludoport.gdl.limits import TooLarge

SHEETS = bundled_rulesheets()


@pytest.mark.parametrize("name", ["tic-tac-toe.kif", "connect-three-5x5.kif", "capture-go-3x3.kif", "nim.kif"])
def test_general_lists_play_the_same_games(name, tmp_path, monkeypatch):
    special = Game(load_rules(SHEETS[name]), jit=False)
    assert special.rules.network.source

    def refuse(*_):
        raise TooLarge("for this test")

    monkeypatch.setattr(network, "find_effects", refuse)
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    general = Game(load_rules(SHEETS[name]), jit=False)
    assert general.rules.network.source != special.rules.network.source
    states = special.start(), general.start()
    for ply in range(20):
        texts = [[move.text for move in state.moves()] for state in states]
        assert texts[0] == texts[1]
        assert states[0].utilities == states[1].utilities
        assert special.rules.facts(states[0].row) == general.rules.facts(states[1].row)
        if states[0].over:
            assert states[1].over
            break
        states = tuple(state.play(texts[0][(7 * ply) % len(texts[0])]) for state in states)
