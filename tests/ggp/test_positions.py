from __future__ import annotations

import random
from itertools import pairwise

import pytest

from ludoport.errors import LudoportError
from ludoport.ggp.positions import CompiledPosition, compiled_game, initial, read_rules, twin
from tests.ggp.helping import COINS, DIE, RACE


@pytest.mark.parametrize("text", [COINS, RACE, DIE])
def test_interpreter_and_compiled_game_agree(text: str) -> None:
    rules = read_rules(text)
    game = compiled_game(rules, jit=False)
    assert game is not None
    rng = random.Random(1)
    for _ in range(10):
        slow, fast = initial(rules), initial(rules, twin(game))
        while not slow.terminal:
            assert fast.legal == slow.legal
            assert fast.facts() == slow.facts()
            assert fast.digest() == slow.digest()
            assert fast.goals == slow.goals
            assert not fast.terminal
            assert not fast.stuck
            moves = [rng.choice(legal) for legal in slow.legal]
            slow, fast = slow.after(moves), fast.after(moves)
        assert fast.terminal
        assert fast.goals == slow.goals


def test_moves_are_found_in_any_case_where_that_is_clear() -> None:
    position = initial(read_rules(RACE))
    assert position.find(0, "(ADD 1)") == "(ADD 1)"
    assert position.find(0, "(add 1)") == "(ADD 1)"
    assert position.find(0, "(add 3)") is None
    assert position.matching([("add", "2"), "noop"]) == ["(ADD 2)", "NOOP"]
    with pytest.raises(LudoportError, match="1 moves for 2 roles"):
        position.matching(["noop"])
    with pytest.raises(LudoportError, match="not a legal move of A"):
        position.matching(["noop", "noop"])


def test_a_position_without_a_move_is_stuck() -> None:
    text = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 50)"
    rules = read_rules(text)
    game = compiled_game(rules, jit=False)
    for position in (initial(rules), initial(rules, game)):
        after = position.after(["go"])
        assert after.stuck
        assert not after.terminal
        assert after.goals == [50]


def test_twins_do_not_share_their_scratch_space() -> None:
    game = compiled_game(read_rules(RACE), jit=False)
    assert game is not None
    games = [game, twin(game), twin(game)]
    assert all(a.work is not b.work and a.move_list is not b.move_list for a, b in pairwise(games))
    assert all(a.kernels is b.kernels for a, b in pairwise(games))


def test_who_chooses() -> None:
    coins, race = (compiled_game(read_rules(text), jit=False) for text in (COINS, RACE))
    both, one = initial(read_rules(COINS), coins), initial(read_rules(RACE), race)
    assert isinstance(both, CompiledPosition)
    assert isinstance(one, CompiledPosition)
    assert both.choosers() == [0, 1]
    assert one.choosers() == [0]
