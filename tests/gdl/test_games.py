"""The bundled rulesheets: network and interpreter agree on them, and known numbers come out."""

from __future__ import annotations

import random

import pytest

from ludoport.game import Game
from ludoport.games import bundled_rulesheets
from ludoport.gdl import load_rules
from ludoport.gdl.kif import parse_term, term_text
from ludoport.verify.gdl import goal_values, moves_of, play_joint

SHEETS = bundled_rulesheets()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_network_and_interpreter_agree(name):
    rules = load_rules(SHEETS[name])
    assert rules.engine == "network"
    assert rules.notes == []
    reference = rules.interpreter
    state, facts = Game(rules, jit=False).start(), reference.initial()
    rng = random.Random(name)
    for _ in range(24):
        view = reference.view(facts)
        assert rules.facts(state.row) == sorted(map(term_text, facts))
        assert state.over == view.terminal
        assert goal_values(state) == view.goals
        if view.terminal:
            break
        for role, moves in enumerate(view.legal):
            assert sorted(moves_of(state, role)) == sorted(map(term_text, moves))
        joint = [rng.choice(sorted(map(term_text, moves))) for moves in view.legal]
        state = play_joint(state, joint)
        facts = reference.following(facts, [parse_term(move) for move in joint])


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic-tac-toe.kif", [9, 72, 504, 3024]),
        ("connect-four.kif", [7, 49, 343, 2401]),
        ("breakthrough.kif", [22, 484]),
        ("othello-4x4.kif", [4, 12, 44, 128]),
        ("hex-9x9.kif", [81, 6480]),
        ("rock-paper-scissors.kif", [3, 9, 27, 81]),
        ("nim.kif", [12, 113]),
    ],
)
def test_numbers_of_move_sequences(name, counts):
    assert Game(load_rules(SHEETS[name]), jit=False).perft(len(counts)) == counts


def test_random_games_end():
    for name in ("draughts-6x6.kif", "capture-go-3x3.kif", "three-in-a-row-for-three.kif"):
        game = Game(load_rules(SHEETS[name]), jit=False)
        assert game.playouts(count=3, limit=300).moves < 900


def test_capture_go_is_won_by_the_first_capture():
    state = Game(load_rules(SHEETS["capture-go-3x3.kif"]), jit=False).start()
    for move in ("(place 5)", "(place 1)", "(place 2)", "(place 9)", "(place 4)"):
        state = state.play(move)
    assert state.over
    assert state.utilities == [1, -1]


def test_no_stone_may_be_placed_without_a_liberty():
    state = Game(load_rules(SHEETS["capture-go-3x3.kif"]), jit=False).start()
    for move in ("(place 2)", "(place 9)", "(place 4)"):
        state = state.play(move)
    assert "(place 1)" not in [move.text for move in state.moves()]
