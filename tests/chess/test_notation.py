"""Names of moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoport.chess import ChessRules
from ludoport.errors import LudoportError
from tests.chess.common import random_game

Named = Callable[[str], ChessRules]

EXAMPLES = [
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"),
    ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ("chess", "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", "b8=N"),
    ("chess", "n3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", "bxa8=Q+"),
    ("chess", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
    ("chess", "4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "a1d1", "Rad1"),
    ("chess", "4k3/8/8/7R/8/8/7K/7R w - - 0 1", "h5h3", "Rh3"),
    ("chess", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3", "R5a3"),
    ("chess", "8/7k/8/Q3Q3/8/8/8/Q3K3 w - - 0 1", "a5c3", "Qa5c3"),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    ("chessplus", "4k3/8/8/8/8/2P5/8/1N2K3 w - - 0 1", "b1c3", "N&c3"),
    ("chessplus", "4k3/8/8/8/8/4N3/4P3/K7 w - - 0 1", "e2e3", "e&e3"),
    ("chessplus", "4k3/8/8/8/8/8/3(NP)4/4K3 w - - 0 1", "d2d4", "(NP)d4"),
    ("chessplus", "4k3/8/8/8/8/8/3(NP)4/4K3 w - - 0 1", "P:d2d4", "P/Nd4"),
    ("chessplus", "4k3/8/8/8/8/8/3(NP)4/4K3 w - - 0 1", "N:d2f3", "N/Pf3"),
    ("chessplus", "4k3/8/8/8/4P3/8/3(NP)4/4K3 w - - 0 1", "N:d2e4", "N/P&e4"),
    ("chessplus", "4k3/8/8/8/4p3/8/3(NP)4/4K3 w - - 0 1", "d2e4", "(NP)xe4"),
    ("chessplus", "4k3/8/8/8/8/8/3(NP)1(NP)2/4K3 w - - 0 1", "d2e4", "(NP)de4"),
    ("chessplus", "4k3/8/8/8/8/8/3(PP)4/4K3 w - - 0 1", "P:d2d3", "P/Pd3"),
    ("chessplus", "8/7k/8/3p(BP)3/8/8/K7/8 w - d6 0 2", "e5d6ep", "(BP)xd6"),
    ("chessplus", "8/7k/8/3p(BP)3/8/8/K7/8 w - d6 0 2", "e5d6", "(BP)d6"),
    ("chessplus", "8/7k/1(NP)6/8/8/8/8/K7 w - - 0 1", "b6a8q", "(NP)a8=Q"),
    ("chessplus", "4k3/8/8/8/8/8/8/4K2(RN) w K - 0 1", "e1g1", "O-O"),
]


@pytest.mark.parametrize(("name", "fen", "squares", "short"), EXAMPLES)
def test_names(rules: Named, name: str, fen: str, squares: str, short: str) -> None:
    game = rules(name)
    state = game.state_row(fen)
    move = game.find(state, squares)
    rows = game.moves_of(state)
    texts = game.move_texts(state, rows)
    assert texts[rows.tolist().index(move.tolist())] == short
    for text in (short, short.rstrip("+#"), f"{short}!"):
        assert game.find(state, text).tolist() == move.tolist()


@pytest.mark.parametrize("name", ["chess", "chessplus", "gardner-chessplus"])
def test_all_names_of_a_position_differ_and_find_their_moves(rules: Named, name: str) -> None:
    game = rules(name)
    for number, (state, rows) in enumerate(random_game(game, seed=11, plies=90)):
        short, squares = game.move_texts(state, rows), game.coordinate_texts(state, rows)
        assert len(set(short)) == len(short) == len(rows)
        assert len(set(squares)) == len(rows)
        if number % 10 == 0:
            for row, one, other in list(zip(rows, short, squares, strict=True))[::7]:
                assert game.find(state, one).tolist() == game.find(state, other).tolist() == row.tolist()


def test_a_move_that_is_not_legal(rules: Named) -> None:
    game = rules("chess")
    with pytest.raises(LudoportError, match="`e2e5` is not a legal move in rnbq"):
        game.find(game.state_row(game.variant.start), "e2e5")


def test_pictures(rules: Named) -> None:
    game = rules("gardner-chessplus")
    assert game.picture(game.state_row("4k/5/2(NP)2/5/K4 b - - 1 1")).splitlines() == [
        "5 .  .  .  .  k",
        "4 .  .  .  .  .",
        "3 .  .  NP .  .",
        "2 .  .  .  .  .",
        "1 K  .  .  .  .",
        "  a  b  c  d  e",
    ]
