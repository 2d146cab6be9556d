"""Moves as people read and type them."""

import random

import pytest

import ludoport as lp
from ludoport.game import State


def start(name: str, *options: str) -> State:
    return lp.load(name, list(options), jit=False).start()


def labels(state: State) -> set[str]:
    return {str(move) for move in state.moves()}


@pytest.mark.slow
def test_coordinates_of_the_board() -> None:
    assert "E2-E4" in labels(start("Chess"))
    assert "A2-A3" in labels(start("Breakthrough"))
    assert labels(start("Hex", "Board Size/3x3")) == {"A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"}
    assert "e2e4" in labels(start("chessplus"))
    assert "claim 2 3" in labels(start("tic-tac-toe.kif"))


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["E2-E4", "e2e4", "e2-e4", "E2E4", "12-28"])
def test_a_move_in_several_spellings(typed: str) -> None:
    state = start("Chess")
    assert state.find(typed).text == "12-28"
    assert state.play(typed) == state.play("E2-E4")


@pytest.mark.parametrize("typed", ["Nc3", "nc3", "b1c3", "B1-C3"])
def test_a_move_of_the_chess_family(typed: str) -> None:
    state = start("chessplus")
    assert state.find(typed).text == "Nc3"
    assert state.find(typed).label == "b1c3"


@pytest.mark.parametrize("typed", ["(claim 2 3)", "claim 2 3", "CLAIM 2 3"])
def test_a_move_of_a_rulesheet(typed: str) -> None:
    assert start("tic-tac-toe.kif").find(typed).text == "(claim 2 3)"


@pytest.mark.slow
def test_passes_and_swaps_keep_their_words() -> None:
    assert "pass" in labels(start("Go", "Board Size/9x9"))
    assert "swap" in labels(start("Hex", "Board Size/3x3").play("B2"))


@pytest.mark.slow
def test_drops_and_promotions() -> None:
    for name, wanted in (("Minishogi", "@"), ("Los Alamos Chess", "=Queen")):
        rng, seen, state = random.Random(1), set[str](), start(name)
        for _ in range(1000):
            if any(wanted in label for label in seen):
                break
            seen |= labels(state)
            state = state.game.start() if state.over else state.play(rng.choice(state.moves()))
        assert any(wanted in label for label in seen), sorted(seen)[:40]
        assert not any("hand" in label for label in seen)


def test_recorded_texts_find_their_moves() -> None:
    state = start("Reversi")
    for move in state.moves():
        assert state.find(move.text) == state.find(move.label) == move


@pytest.mark.slow
def test_what_is_meant_must_be_clear() -> None:
    state = start("Chess")
    with pytest.raises(lp.LudoportError, match=r"`E2-E5` is not a legal move here; did you mean .*E2-E[34]"):
        state.play("E2-E5")
    with pytest.raises(lp.LudoportError, match=r"`zzz` is not a legal move here; legal moves are .* and 12 more"):
        state.play("zzz")


@pytest.mark.parametrize("given", [3, None, 2.5, ["A1"]])
def test_a_move_is_a_move_or_a_text(given: object) -> None:
    with pytest.raises(lp.LudoportError, match=r"a move is a Move or a text such as `A1`, not "):
        start("Tic-Tac-Toe").play(given)  # type: ignore[arg-type]
