"""The bundled game text of chess, played beside these rules; there, a promotion is a move of its own."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import ludoport as lp
from ludoport.chess import ChessRules
from ludoport.chess.layout import KING, NAMES
from ludoport.chess.notation import SanStep, unpack
from tests.chess.common import Row, played

Named = Callable[[str], ChessRules]


@pytest.fixture(scope="module")
def text() -> Any:
    return lp.load("Chess", jit=False)


def _squares(step: SanStep) -> str:
    """A move as the game text names it; its kings castle to the c-file or the g-file."""
    target = step.target
    if step.castling:
        target = step.source + (2 if step.target > step.source else -2)
    return f"{step.source}-{target}"


def _pieces(state: Any) -> dict[int, str]:
    return {site: str(piece).split("/")[0] for site, piece in state.pieces().items()}


def _promoted(other: Any, step: SanStep, mover: int) -> Any:
    """The piece that the pawn becomes is chosen in a second move."""
    name = f"{NAMES[step.promotion]}{mover}"
    (choice,) = [move for move in other.moves() if move.text.endswith(f"={name}")]
    return other.play(choice)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_games_agree(rules: Named, text: Any, seed: int) -> None:
    game, rng = rules("chess"), random.Random(seed)
    state: Row = game.state_row(game.variant.start)
    other = text.start()
    promotions = 0
    for _ in range(130):
        assert game.pieces(state) == _pieces(other)
        assert bool(state[game.fields["OVER"]]) == other.over
        if other.over:
            assert max(int(state[game.fields["WINNER"]]), 0) == other.winner
            break
        assert state[game.fields["MOVER"]] == other.mover
        rows = game.moves_of(state)
        steps = [unpack(int(row[0])) for row in rows]
        assert {_squares(step) for step in steps} == {move.text for move in other.moves()}
        # Pawns are preferred, so that some come to the last rank.
        number = rng.choice([n for n, step in enumerate(steps) if step.kind == 0 or rng.random() < 0.2] or [0])
        step, mover = steps[number], other.mover
        state = played(game, state, rows[number])
        other = other.play(_squares(step))
        if step.promotion:
            promotions += 1
            other = _promoted(other, step, mover)
    assert promotions > 0


@pytest.mark.slow
def test_castling_agrees(rules: Named, text: Any) -> None:
    game = rules("chess")
    state, other = game.state_row(game.variant.start), text.start()
    for move in ("e4", "d5", "Nf3", "Nc6", "Be2", "Bf5", "O-O", "Qd6", "a3", "O-O-O", "exd5", "Nb8"):
        step = unpack(int(game.find(state, move)[0]))
        assert step.castling == (move[0] == "O") == (step.kind == KING)
        state, other = played(game, state, move), other.play(_squares(step))
        assert game.pieces(state) == _pieces(other)
