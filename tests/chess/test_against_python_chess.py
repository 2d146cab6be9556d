"""Random games beside python-chess, where it is installed: positions, moves, notation and results."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.chess import ChessRules, named_rules
from tests.chess.common import played

chess: Any = pytest.importorskip("chess")

Named = Callable[[str], ChessRules]
_KEPT: dict[str, ChessRules] = {}


def _rules(name: str) -> ChessRules:
    if name not in _KEPT:
        found = named_rules(name)
        assert found is not None
        _KEPT[name] = found
    return _KEPT[name]


def _same_game(rules: ChessRules, board: Any, rng: random.Random, plies: int) -> None:
    """Plays a random game on both sides and compares every position."""
    state = rules.state_row(rules.variant.start)
    for _ in range(plies):
        rows = rules.moves_of(state)
        assert rules.fen_of(state) == board.fen(en_passant="fen")
        names = dict(zip(rules.coordinate_texts(state, rows), rules.move_texts(state, rows), strict=True))
        expected = {_coordinates(board, move): board.san(move) for move in board.legal_moves}
        assert names == expected
        over = board.is_checkmate() or board.is_stalemate() or board.halfmove_clock >= 100
        assert bool(state[rules.fields["OVER"]]) == over
        winner = (1 if board.turn == chess.BLACK else 2) if board.is_checkmate() else 0
        assert state[rules.fields["WINNER"]] == winner
        if over:
            return
        move = rng.choice(sorted(expected))
        state = played(rules, state, move)
        board.push(next(legal for legal in board.legal_moves if _coordinates(board, legal) == move))


def _coordinates(board: Any, move: Any) -> str:
    """Castling is written by the squares of king and rook unless the king goes two squares."""
    if not board.is_castling(move):
        return str(move.uci())
    king = move.from_square
    goal = king - king % 8 + (6 if board.is_kingside_castling(move) else 2)
    if abs(goal - king) == 2:
        return f"{chess.square_name(king)}{chess.square_name(goal)}"
    rook = board.chess960 and move.to_square
    return f"{chess.square_name(king)}{chess.square_name(rook)}"


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32))
@pytest.mark.slow
def test_chess(seed: int) -> None:
    _same_game(_rules("chess"), chess.Board(), random.Random(seed), 90)


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 959), st.integers(0, 2**32))
def test_fischer_random_chess(number: int, seed: int) -> None:
    rules = named_rules(f"chess960:{number}")
    assert rules is not None
    board = chess.Board.from_chess960_pos(number)
    assert board.fen() == rules.variant.start
    _same_game(rules, board, random.Random(seed), 50)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_castling_from_any_files(seed: int) -> None:
    """Few pieces and all rights, so that castling is often possible, and often not."""
    rng = random.Random(seed)
    files = sorted(rng.sample(range(8), 3))
    pieces: dict[int, str] = {files[0]: "R", files[1]: "K", files[2]: "R"}
    for square in rng.sample([*range(8, 56)] + [s for s in range(8) if s not in files], 5):
        pieces[square] = rng.choice("nbrqNB")
    board = chess.Board.empty(chess960=True)
    for square, letter in pieces.items():
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    king = rng.choice([s for s in range(48, 64) if s not in pieces])
    board.set_piece_at(king, chess.Piece.from_symbol("k"))
    board.castling_rights = chess.BB_SQUARES[files[0]] | chess.BB_SQUARES[files[2]]
    board.turn = chess.WHITE
    if not board.is_valid():
        return
    rules = _rules("chess")
    fen = board.fen(en_passant="fen")
    state = rules.state_row(fen)
    assert rules.fen_of(state) == fen
    rows = rules.moves_of(state)
    expected = {_coordinates(board, move) for move in board.legal_moves}
    assert set(rules.coordinate_texts(state, rows)) == expected
    for move in board.legal_moves:
        if board.is_castling(move):
            copy = board.copy()
            copy.push(move)
            assert rules.fen_of(played(rules, state, _coordinates(board, move))) == copy.fen(en_passant="fen")


def test_a_known_position_of_fischer_random_chess() -> None:
    rules = _rules("chess")
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = chess.Board(fen, chess960=True)
    state = rules.state_row(fen)
    assert len(rules.moves_of(state)) == board.legal_moves.count() == 21
    assert rules.fen_of(state) == fen.replace("HFhf", "KQkq")
