"""FEN in and out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoport.chess import ChessRules, FenError, chess_rules, named_rules, start_rank
from ludoport.errors import LudoportError
from ludoport.game import Game
from tests.chess.common import random_game

Named = Callable[[str], ChessRules]

ROUND_TRIPS = [
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("chess", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
    ("chess", "8/8/4k3/8/8/3K4/8/8 b - - 99 120"),
    # The inner of two rooks has the right, so its file is written.
    ("chess", "4k3/8/8/8/8/8/8/1R2KR1R w F - 0 1"),
    ("chess960:0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"),
    ("chessplus", "4k3/3(pp)1(rp)2/8/2(NP)1(PP)1P1/8/8/8/R3K2(RN) w KQ - 4 7"),
    ("chessplus", "7k/8/8/8/2P5/8/2P5/K7 b - c3 0 1"),
    ("gardner", "1rb1k/pppqp/2nP1/PPP2/RNBQK w - - 1 4"),
    ("gardner-chessplus", "1(rn)bqk/p1ppp/1p3/PPP(NP)(QP)/R1B1K w - - 0 1"),
    ("gardner-literal", "r3k/p3p/5/P3P/R3K w Qq - 0 1"),
]


@pytest.mark.parametrize(("name", "fen"), ROUND_TRIPS)
def test_round_trip(rules: Named, name: str, fen: str) -> None:
    game = rules(name)
    assert game.fen_of(game.state_row(fen)) == fen


@pytest.mark.parametrize("name", ["chess", "chessplus", "gardner-chessplus"])
def test_every_position_of_a_random_game_comes_back(rules: Named, name: str) -> None:
    game = rules(name)
    for state, _ in random_game(game, seed=5, plies=80):
        again = game.state_row(game.fen_of(state))
        again[[game.fields["PLY"], game.fields["FIRST"]]] = state[[game.fields["PLY"], game.fields["FIRST"]]]
        assert again.tolist() == state.tolist()


ERRORS = [
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "there are 3 fields"),
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "the board has 7 ranks; Chess 8x8 has 8"),
    ("chess", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7 (`ppppppppp`) has 9 squares"),
    (
        "chess",
        "rnbqkbnr/pppppppp/8/7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rank 5 (`7`) has 7 squares; Chess 8x8 has 8",
    ),
    ("gardner", "rnbqkb/pppppp/6/6/PPPPPP w - - 0 1", "has 6 squares; Gardner chess has 5"),
    ("chess", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "White has kings on a1 and e1; each player must have one king"),
    ("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
    ("chess", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn of White stands on h8, its last rank"),
    ("chess", "4k3/8/8/8/8/8/8/4K2p w - - 0 1", "a pawn of Black stands on h1, its last rank"),
    ("chess", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn of White stands on a1, its first rank"),
    ("chessplus", "4k2(NP)/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn of White stands on h8, its last rank"),
    ("chessplus", "4k3/8/8/8/8/8/8/4(KN)3 w - - 0 1", "the merged piece (KN) has a king; kings never merge"),
    ("chessplus", "4k3/8/8/8/8/8/8/4K(Nn)2 w - - 0 1", "(Nn) has halves of both players"),
    ("chessplus", "4k3/8/8/8/8/8/8/4K(NNN)2 w - - 0 1", "(NNN)` has 3 halves"),
    ("chessplus", "4k3/8/8/8/8/8/8/4K(NN2 w - - 0 1", "a bracket in `4K(NN2` is not closed"),
    ("chess", "4k3/8/8/8/8/8/8/4K(NN)2 w - - 0 1", "pieces merge only in Chessplus"),
    ("chess", "4k3/8/8/8/8/8/8/4K2X w - - 0 1", "`X` is not a piece"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the player to move is `x`"),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "`X` is not a castling right"),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "White has the castling right `Q`, but no rook left of the king"),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w G - 0 1", "no rook on g1"),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "given twice"),
    ("chess", "4k3/8/8/8/8/8/8/4KR1R w FH - 0 1", "two castling rights on the same side"),
    ("chess", "4k3/8/8/8/8/8/4K3/7R w K - 0 1", "the king is not on its first rank"),
    ("gardner", "4k/5/5/5/R3K w Q - 0 1", "Gardner chess has no castling, so write -"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "not on the board"),
    ("chess", "4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1", "on the wrong rank; it must be on rank 6"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn on e5 can be taken en passant on e6"),
    ("chess", "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "pieces stand in its way"),
    ("chess", "4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "pieces stand in its way"),
    ("chessplus", "4k3/8/8/4(np)3/8/8/8/4K3 w - e6 0 1", "no pawn on e5 can be taken en passant"),
    ("gardner", "4k/1p3/5/5/4K w - b3 0 1", "has no double step, so write -"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "the halfmove clock is `x`"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "the move number is `0`; it must be a number from 1 to 1000000"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 1000001 1", "is `1000001`; it must be a number from 0 to 1000000"),
    ("chess", "4k3/8/8/8/8/8/8/4(K)3 w - - 0 1", "`(K)` has 1 half; a merged piece has two, like (NP)"),
    ("chessplus", "4k3/8/8/8/8/8/8/4K(N)2 w - - 0 1", "`(N)` has 1 half; a merged piece has two, like (NP)"),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w \u0130 - 0 1", "`\u0130` is not a castling right"),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w ( - 0 1", "`(` is not a castling right"),
]


@pytest.mark.parametrize(("name", "fen", "message"), ERRORS)
def test_errors_name_what_is_wrong(rules: Named, name: str, fen: str, message: str) -> None:
    with pytest.raises(FenError) as error:
        rules(name).state_row(fen)
    assert message in str(error.value)
    assert f"`{fen}`" in str(error.value)


@pytest.mark.parametrize(
    ("name", "fen", "message"),
    [
        ("chess", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "White is to move and could take the king on e8"),
        ("chess", "8/8/8/8/8/8/3kK3/8 b - - 0 1", "Black is to move and could take the king on e2"),
        ("chessplus", "4k3/8/5(NP)2/8/8/8/8/4K3 w - - 0 1", "White is to move and could take the king on e8"),
        ("gardner", "4k/5/5/5/K3R w - - 0 1", "White is to move and could take the king on e5"),
    ],
)
def test_no_game_begins_with_a_king_that_could_be_taken(rules: Named, name: str, fen: str, message: str) -> None:
    assert rules(name).fen_of(rules(name).state_row(fen)) == fen, "but its moves can be counted"
    with pytest.raises(FenError, match=message):
        Game(rules(name).with_fen(fen), jit=False).start()


def test_more_pieces_than_the_rules_have_room_for(rules: Named) -> None:
    fen = "4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 b - - 0 1"
    with pytest.raises(FenError, match="White has 17 pieces; a game from this start has at most 16"):
        rules("chess").state_row(fen)
    larger = rules("chess").with_fen(fen)
    assert larger.fen_of(larger.state_row(fen)) == fen


def test_four_fields_are_enough(rules: Named) -> None:
    game = rules("chess")
    assert game.fen_of(game.state_row("4k3/8/8/8/8/8/8/4K3 b - -")) == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"


def test_rights_by_file_and_by_side_are_the_same(rules: Named) -> None:
    game = rules("chess")
    board = "r3k2r/8/8/8/8/8/8/R3K2R w"
    assert game.state_row(f"{board} HAha - 0 1").tolist() == game.state_row(f"{board} KQkq - 0 1").tolist()


def test_the_end_is_known_at_once(rules: Named) -> None:
    game = rules("chess")
    over, winner = game.fields["OVER"], game.fields["WINNER"]
    mate = game.state_row("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert (mate[over], mate[winner]) == (1, 1)
    stalemate = game.state_row("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert (stalemate[over], stalemate[winner]) == (1, 0)
    drawn = game.state_row("4k3/8/8/8/8/8/8/4K2R w K - 100 80")
    assert (drawn[over], drawn[winner]) == (1, 0)


def test_numbered_start_positions() -> None:
    assert start_rank(518) == "RNBQKBNR"
    assert start_rank(0) == "BBQNNRKR"
    assert start_rank(959) == "RKRNNQBB"
    ranks = {start_rank(number) for number in range(960)}
    assert len(ranks) == 960
    for rank in ranks:
        assert sorted(rank) == sorted("RNBQKBNR")
        assert rank.index("R") < rank.index("K") < rank.rindex("R")
        assert (rank.index("B") + rank.rindex("B")) % 2 == 1
    for wrong in ("chess960:960", "chess960:", "chess960"):
        with pytest.raises(LudoportError, match="N from 0 to 959"):
            named_rules(wrong)


def test_boards_that_are_no_boards() -> None:
    with pytest.raises(LudoportError, match="needs a start position"):
        chess_rules("6x6")
    with pytest.raises(LudoportError, match="has a board of 5x5, not 6x6"):
        chess_rules("6x6", start="4k/5/5/5/K4 w - - 0 1")
    with pytest.raises(LudoportError, match="has a board of 8x8; Gardner chess has 5x5"):
        chess_rules("gardner", start="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(LudoportError, match="`\u00b2` is not a piece"):
        chess_rules("3x4", start="\u00b2k1/3/3/K2 w - - 0 1")
    with pytest.raises(LudoportError, match="`huge` is not a board"):
        chess_rules("huge")
    with pytest.raises(LudoportError, match="ply_cap is 0"):
        chess_rules(ply_cap=0)
    with pytest.raises(LudoportError, match="unknown option `merging`"):
        chess_rules(merging=True)
    with pytest.raises(LudoportError, match="pawn_merge is `sideways`; it must be forward or diagonal or both"):
        chess_rules(chessplus=True, pawn_merge="sideways")


@pytest.mark.parametrize("name", ["gardner-chessplus", "chessplus", "gardner-literal-chessplus", "chessplus960:3"])
def test_a_board_called_chessplus_is_chessplus(name: str) -> None:
    named = named_rules(name)
    assert named is not None
    assert chess_rules(name).variant == chess_rules(name, chessplus=True).variant == named.variant


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("8x8", "Chessplus"),
        ("gardner", "Gardner Chessplus"),
        ("gardner-literal", "Gardner Chessplus, literal"),
        ("chess960:3", "Chessplus 960:3"),
    ],
)
def test_the_name_says_chessplus_once(board: str, name: str) -> None:
    assert chess_rules(board, chessplus=True).name == name
    assert "plus" not in chess_rules(board).name


def test_a_position_as_data(rules: Named) -> None:
    game = rules("chessplus")
    position = game.position(game.state_row("4k3/8/8/8/8/8/3(PN)4/4K3 b - - 3 9"))
    assert position.pieces[11].text == "(NP)"
    assert position.pieces[11].names == ["Knight1", "Pawn1"]
    assert (position.mover, position.clock, position.ply) == (2, 3, 17)
    assert game.pieces(game.state_row("4k3/8/8/8/8/8/3(PN)4/4K3 b - - 3 9")) == {
        4: "King1",
        11: ["Knight1", "Pawn1"],
        60: "King2",
    }
