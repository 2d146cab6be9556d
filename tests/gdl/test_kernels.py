"""Machine code: it plays as plain Python does, and counters that another state left behind do no harm."""

from __future__ import annotations

import numpy as np
import pytest

from ludoport.check import check_game
from ludoport.game import Game, State
from ludoport.games import bundled_rulesheets
from ludoport.gdl import load_rules
from ludoport.gdl.network import make_network

SHEETS = bundled_rulesheets()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["capture-go-3x3.kif", "rock-paper-scissors.kif"])
def test_machine_code_keeps_the_contract(name):
    check_game(Game(load_rules(SHEETS[name]), jit=True), playouts=3, plies=40)


@pytest.mark.parametrize("name", ["nim.kif", "tic-tac-toe.kif", "othello-4x4.kif"])
def test_plain_python_keeps_the_contract(name):
    check_game(Game(load_rules(SHEETS[name]), jit=False), playouts=2, plies=30)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["capture-go-3x3.kif", "draughts-6x6.kif"])
def test_scratch_space_of_any_other_state_will_do(name):
    game = Game(load_rules(SHEETS[name]), jit=False)
    states = [game.start()]
    for _ in range(14):
        if states[-1].over:
            break
        moves = states[-1].moves()
        states.append(states[-1].play(moves[len(states) % len(moves)]))
    expected = [[move.text for move in State(Game(game.rules, jit=False), s.row).moves()] for s in states]
    order = [*range(0, len(states), 3), *reversed(range(len(states))), *range(1, len(states), 2)]
    for number in order:
        assert [move.text for move in State(game, states[number].row).moves()] == expected[number]
    game.work[:] = 7  # what is no snapshot of ours is written anew
    assert [move.text for move in State(game, states[-1].row).moves()] == expected[-1]


def test_a_second_load_comes_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    rules = load_rules(SHEETS["nim.kif"])
    first = rules.network
    stored = list((tmp_path / "gdl").glob("*.json.gz"))
    assert len(stored) == 1
    assert load_rules(SHEETS["nim.kif"]).network == first
    stored[0].write_bytes(b"damaged")
    assert load_rules(SHEETS["nim.kif"]).network == first


def test_comments_do_not_change_the_fingerprint():
    text = SHEETS["nim.kif"].read_text()
    assert load_rules(text).fingerprint == load_rules("; a comment\n" + text).fingerprint
    assert load_rules(text).fingerprint != load_rules(text.replace("heap c 5", "heap c 4")).fingerprint


def test_what_is_too_large_is_left_to_the_interpreter():
    facts = " ".join(f"(d {i})" for i in range(60))
    text = (
        f"(role a) {facts} (<= (legal a (m ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (true (s ?a)))"
        "(init (s 1)) (<= terminal (true z)) (goal a 0)"
    )
    from ludoport.gdl.kif import Sheet
    from ludoport.gdl.program import read_program

    network = make_network(read_program(Sheet(text, "large.kif")), "large")
    assert network.source == ""
    assert network.why.startswith("large.kif:1:")
    assert "instances" in network.why


def test_interpreter_and_network_draw_the_same_moves_from_the_same_seed():
    games = [Game(load_rules(SHEETS["tic-tac-toe.kif"], network=network), jit=False) for network in (True, False)]
    totals = [game.playouts(count=4, seed=5).moves for game in games]
    assert totals[0] == totals[1]
    assert np.dtype(games[0].rules.dtype) == np.int32


@pytest.mark.slow
def test_tables_too_long_for_the_cache_are_cut_into_parts(monkeypatch):
    whole = make_network(load_rules(SHEETS["capture-go-3x3.kif"]).program, "whole")
    monkeypatch.setattr("ludoport.gdl.compile.LARGEST", 300)
    program = load_rules(SHEETS["capture-go-3x3.kif"]).program
    cut = make_network(program, "cut")
    assert "TARGET_PART_1" in cut.source
    assert "TARGET[" not in cut.source.replace("def target_at", "")
    assert cut.sizes == whole.sizes | {name: cut.sizes[name] for name in ("MAGIC_LOW", "MAGIC_HIGH")}
    games = []
    for network in (whole, cut):
        rules = load_rules(SHEETS["capture-go-3x3.kif"])
        rules.__dict__["network"] = network
        games.append(Game(rules, jit=False))
    results = [[game.playouts(count=1, seed=seed).moves for seed in range(6)] for game in games]
    assert results[0] == results[1]
    assert games[0].perft(3) == games[1].perft(3)
