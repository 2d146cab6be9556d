"""Boards of other sizes."""

from __future__ import annotations

from typing import Any

import pytest

from ludoport.check import check_game
from ludoport.chess import ChessRules, ChessVariant, chess_rules
from ludoport.chess.perft import Perft
from ludoport.errors import LudoportError
from ludoport.game import Game
from tests.chess.common import after, coordinates, played, random_game

LOS_ALAMOS = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"


def test_six_by_six_agrees_with_recorded_counts() -> None:
    rules = chess_rules("6x6", start=LOS_ALAMOS, double_step=False, castling=False)
    perft, state = Perft(rules, jit=False), rules.state_row(LOS_ALAMOS)
    assert [perft.count(state, depth) for depth in (1, 2, 3)] == [10, 100, 1212]


def test_double_steps_on_a_board_of_six_ranks() -> None:
    rules = chess_rules("6x6", start=LOS_ALAMOS, castling=False)
    assert after(rules, LOS_ALAMOS, "a2a4") == "rnqknr/pppppp/P5/6/1PPPPP/RNQKNR b - a3 0 1"
    fen = "5k/1p4/P5/6/6/5K b - - 0 1"
    assert after(rules, fen, "b5b3") == "5k/6/P5/1p4/6/5K w - b4 0 2"
    assert after(rules, "5k/1p4/6/P5/6/5K b - - 0 1", "b5b3", "a3b4") == "5k/6/1P4/6/6/5K b - - 0 2"


def test_castling_on_small_boards() -> None:
    small = chess_rules("gardner", literal=True)
    assert after(small, "r3k/p3p/5/P3P/R3K w Qq - 0 1", "e1c1") == "r3k/p3p/5/P3P/2KR1 b q - 1 1"
    six = chess_rules("6x6", start="rnqknr/pppppp/6/6/PPPPPP/RNQKNR w KQkq - 0 1")
    fen = "r2k1r/6/6/6/6/R2K1R w KQkq - 0 1"
    assert after(six, fen, "O-O") == "r2k1r/6/6/6/6/R2RK1 b kq - 1 1"
    assert after(six, fen, "O-O-O") == "r2k1r/6/6/6/6/2KR1R b kq - 1 1"


@pytest.mark.parametrize("board", ["3x4", "4x5", "5x6", "7x7", "8x5", "5x8"])
def test_random_games_stay_on_the_board(board: str) -> None:
    width, height = map(int, board.split("x"))
    rank = "RNBQKBNR"[5 - width // 2 - 1 :][:width] if width < 8 else "RNBQKBNR"
    assert "K" in rank
    rows = [rank.lower(), "p" * width, *[str(width)] * (height - 4), "P" * width, rank]
    for chessplus in (False, True):
        rules = chess_rules(board, start="/".join(rows) + " w - - 0 1", chessplus=chessplus)
        for state, _ in random_game(rules, seed=4, plies=60):
            fen = rules.fen_of(state)
            assert rules.fen_of(rules.state_row(fen)) == fen


def test_the_edges_of_a_small_board_are_edges() -> None:
    rules = chess_rules("4x5", start="3k/4/4/4/K3 w - - 0 1")
    assert coordinates(rules, "3k/4/4/1R2/K3 w - - 0 1") == {
        *("a1a2", "a1b1", "b2a2", "b2c2", "b2d2", "b2b1", "b2b3", "b2b4", "b2b5"),
    }


TEN = "rnbqqkbbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQQKBBNR w KQkq - 0 1"


def test_boards_of_more_than_eight_files() -> None:
    rules = chess_rules("10x10", start=TEN)
    board = "rnbqqkbbnr/pppppppppp/10/10/10/10/9P/10/PPPPPPPPP1/RNBQQKBBNR"
    assert after(rules, TEN, "j2j4") == f"{board} b KQkq j3 0 1"
    state = rules.state_row("4k5/10/10/10/10/10/10/10/9R/R4K4 w Q - 3 12")
    assert rules.fen_of(state) == "4k5/10/10/10/10/10/10/10/9R/R4K4 w Q - 3 12"
    assert "O-O-O" in rules.move_texts(state, rules.moves_of(state))
    assert "j2j10" in rules.coordinate_texts(state, rules.moves_of(state))
    assert rules.picture(state).splitlines()[0] == "10 . . . . k . . . . ."
    with pytest.raises(LudoportError, match=r"rank 10 .* has 9 squares"):
        rules.state_row("4k4/10/10/10/10/10/10/10/9R/R4K4 w Q - 3 12")


def test_rights_of_a_rook_on_the_file_k_that_is_not_the_outermost() -> None:
    board = "4k7/12/12/12/12/4K5RR"
    rules = chess_rules("12x6", start=f"{board} w - - 0 1")
    inner, outer = (rules.state_row(f"{board} w {right} - 0 1") for right in ("(K)", "K"))
    assert rules.position(inner).castles == {10}
    assert rules.position(outer).castles == {11}
    assert [rules.fen_of(state).split()[2] for state in (inner, outer)] == ["(K)", "K"]


@pytest.mark.slow
@pytest.mark.parametrize("chessplus", [False, True])
def test_large_boards_keep_the_promises_of_the_contract(chessplus: bool) -> None:
    start = "rnbqkqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKQBNR w KQkq - 0 1"
    rules = chess_rules("9x9", start=start, chessplus=chessplus)
    check_game(Game(rules, jit=False), playouts=1, plies=25)


def _moves(rules: ChessRules, fen: str) -> dict[str, str]:
    """All moves of a position, with the positions that they lead to."""
    state = rules.state_row(fen)
    rows = rules.moves_of(state)
    names = rules.coordinate_texts(state, rows)
    return {name: rules.fen_of(played(rules, state, row)) for name, row in zip(names, rows, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"chessplus": True},
        {"chessplus": True, "pawn_merge": "diagonal", "merged_promo": "QRBN"},
        {"chessplus": True, "pawn_merge": "both", "ep_victim": "any", "castle_merged": "no"},
    ],
)
def test_both_ways_of_keeping_a_board_agree(options: dict[str, Any]) -> None:
    """Kernels of large boards know nothing of words and pins; they try every move, so they check the fast ones."""
    for board, start in (("8x8", None), ("6x6", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w KQkq - 0 1")):
        fast = chess_rules(board, start=start, **options)
        slow = chess_rules(board, start=start, large=True, **options)
        for number, (state, _) in enumerate(random_game(fast, seed=9, plies=100)):
            if number % 4 == 0:
                fen = fast.fen_of(state)
                assert _moves(fast, fen) == _moves(slow, fen)


def test_sizes_that_cannot_be() -> None:
    with pytest.raises(LudoportError, match="a board of 27 files and 4 ranks is not supported"):
        ChessVariant("large", "k26/27/27/26K w - - 0 1")
    with pytest.raises(LudoportError, match="a board of 2 files"):
        ChessVariant("narrow", "k1/2/2/2/1K w - - 0 1")
