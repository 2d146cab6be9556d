"""Rules that take too long to work out end in a sentence, in every engine."""

from __future__ import annotations

import pytest

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.gdl import interpreter
from ludoport.gdl.compiled import rules as compiled
from ludoport.gdl.kif import Sheet
from ludoport.gdl.program import read_program
from ludoport.gdl.rules import GdlRules

DEPTH = 5
"""Steps to the end of a walk; each makes the next harder to work out."""

GROWING = """
(role a) (init (at 0)) (init (held 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal a (mark ?a ?b ?c ?d)) (true (held ?a)) (true (held ?b)) (true (held ?c)) (true (held ?d)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
(<= (next (held ?x)) (true (held ?x)))
(<= (next (held ?y)) (true (at ?x)) (succ ?x ?y))
(<= (found ?a) (true (held ?a)) (true (held ?b)) (true (held ?c)) (true (held ?d)) (true (held ?e)))
(<= terminal (true (at 5)) (found 5))
(goal a 100)
"""
"""Each step holds one fact more: n facts give n ** 4 moves, and each fact is found n ** 4 times."""


def game(engine: str) -> Game:
    rules = GdlRules(read_program(Sheet(GROWING)), "growing", engine=engine)  # type: ignore[arg-type]
    return Game(rules, jit=False)


def play_through(played: Game) -> int:
    state, plies = played.start(), 0
    while not state.over:
        state, plies = state.play(state.moves()[0]), plies + 1
    return plies


def test_the_interpreter_counts_what_it_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play_through(game("interpreter")) == DEPTH
    monkeypatch.setattr(interpreter, "MOST_STEPS", 1000)
    with pytest.raises(LudoportError, match=r"working out `.*` takes more than 1,000 steps in one state"):
        play_through(game("interpreter"))


def test_tuples_that_are_found_again_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "MOST_TUPLES", 2000)
    assert play_through(game("interpreter")) == DEPTH


def test_compiled_rules_count_their_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_STEPS", 1000)
    played = game("compiled")
    state = played.start()
    assert len(state.play(state.moves()[0]).moves()) == 2**4
    with pytest.raises(LudoportError, match=r"growing: .* takes more steps to work out"):
        play_through(played)
    with pytest.raises(LudoportError, match=r"growing: .* takes more steps to work out"):
        played.playouts(1)


def test_an_initial_state_that_takes_too_long_is_left_to_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "PLAIN_STEPS", 0)
    made = compiled.compile_rules(read_program(Sheet(GROWING)), "growing", 10.0)
    assert not made.source
    assert "not enough room or time" in made.why
