"""The rules of Chessplus, one after another; numbers are those of the rules in ``docs/chess.md``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoport.chess import ChessRules, chess_rules
from ludoport.chess.text.plus import PLUS
from tests.chess.common import after, coordinates, played

Named = Callable[[str], ChessRules]


@pytest.fixture(scope="module")
def plus(rules: Named) -> ChessRules:
    return rules("chessplus")


@pytest.fixture(scope="module")
def small(rules: Named) -> ChessRules:
    return rules("gardner-chessplus")


def halves(rules: ChessRules, fen: str, source: str) -> dict[str, set[str]]:
    """Targets of the halves of a piece and of the whole of it."""
    found: dict[str, set[str]] = {}
    for move in coordinates(rules, fen):
        part, _, squares = move.rpartition(":")
        if squares.startswith(source):
            found.setdefault(part, set()).add(squares[2:])
    return found


def test_1_merging_is_moving_onto_a_single_friend(small: ChessRules) -> None:
    fen = "4k/5/2P2/5/KN3 w - - 0 1"
    assert coordinates(small, fen) == {"a1a2", "a1b2", "b1a3", "b1c3", "b1d2", "c3c4"}
    assert after(small, fen, "b1c3") == "4k/5/2(NP)2/5/K4 b - - 1 1"


def test_1_equal_kinds_merge_in_any_order(plus: ChessRules) -> None:
    one = after(plus, "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "e8e7", "h1f1", "e7e8", "d1d4", "e8e7", "f1f4", "e7e8")
    assert after(plus, one, "d4f4").startswith("4k3/8/8/8/5(RR)2/")
    assert after(plus, one, "f4d4").startswith("4k3/8/8/8/3(RR)4/")
    knight_first = after(plus, "4k3/8/8/8/8/2N5/P7/4K3 w - - 0 1", "Na4", "e8e7", "a2a3", "e7e8", "a3a4")
    pawn_first = after(plus, "4k3/8/8/8/8/2N5/P7/4K3 w - - 0 1", "a2a4", "e8e7", "Nd5", "e7e8", "Nc3", "e8e7", "N&a4")
    assert knight_first.split()[0] == "4k3/8/8/8/(NP)7/8/8/4K3"
    assert pawn_first.split()[0] == "8/4k3/8/8/(NP)7/8/8/4K3"


def test_1_nothing_passes_through_and_nothing_joins_two(small: ChessRules) -> None:
    moves = coordinates(small, "2k2/5/2(BN)2/4N/K4 w - - 0 1")
    assert "e2c3" not in moves
    assert "c3e2" not in moves
    assert "N:c3e2" in moves
    assert "a1a4" not in coordinates(small, "4k/N4/N4/5/RK3 w - - 0 1")


def test_1_kings_never_merge(small: ChessRules) -> None:
    moves = coordinates(small, "4k/5/5/5/KR3 w - - 0 1")
    assert "a1b1" not in moves
    assert "b1a1" not in moves


def test_2_the_whole_moves_as_either_half_to_each_square_once(plus: ChessRules) -> None:
    found = halves(plus, "4k3/8/8/8/3(QR)4/8/8/4K3 w - - 0 1", "d4")
    assert found["R"] < found["Q"] == found[""]
    listed = [move for move in coordinates(plus, "4k3/8/8/8/3(QR)4/8/8/4K3 w - - 0 1") if move.startswith("d4")]
    assert len(listed) == len(set(listed)) == 27


def test_3_a_half_moves_in_its_own_way_and_the_other_stays(plus: ChessRules) -> None:
    fen = "4k3/8/8/8/3(BN)4/8/8/4K3 w - - 0 1"
    found = halves(plus, fen, "d4")
    assert found["N"] == {"b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"}
    assert found["N"].isdisjoint(found["B"])
    assert found[""] == found["N"] | found["B"]
    assert after(plus, fen, "N:d4f5") == "4k3/8/8/5N2/3B4/8/8/4K3 b - - 1 1"


def test_3_a_half_that_leaves_may_take_or_join(plus: ChessRules) -> None:
    fen = "4k3/8/4p3/8/3(BN)4/1P6/8/4K3 w - - 0 1"
    assert after(plus, fen, "N:d4e6") == "4k3/8/4N3/8/3B4/1P6/8/4K3 b - - 0 1"
    assert after(plus, fen, "N:d4b3") == "4k3/8/8/8/3B4/1(NP)6/8/4K3 b - - 1 1".replace("/8/8/8/", "/8/4p3/8/")


def test_3_equal_halves_leave_once(plus: ChessRules) -> None:
    fen = "7k/8/8/8/8/8/2(PP)5/K7 w - - 0 1"
    assert halves(plus, fen, "c2") == {"P": {"c3", "c4"}, "": {"c3", "c4"}}
    assert after(plus, fen, "P:c2c3") == "7k/8/8/8/8/2P5/2P5/K7 b - - 0 1"


def test_4_a_capture_takes_both_halves(small: ChessRules) -> None:
    assert after(small, "4k/2(qn)2/5/5/K1R2 w - - 0 1", "c1c4") == "4k/2R2/5/5/K4 b - - 0 1"


def test_5_pawns_merge_forward_only(small: ChessRules, plus: ChessRules) -> None:
    moves = coordinates(small, "4k/5/1N3/2P2/K4 w - - 0 1")
    assert "c2c3" in moves
    assert "c2b3" not in moves
    assert "c2c3" in coordinates(small, "4k/5/2N2/2P2/K4 w - - 0 1")
    assert "c2c3" not in coordinates(small, "4k/5/2n2/2P2/K4 w - - 0 1")
    fen = "7k/8/8/8/4N3/8/4P3/K7 w - - 0 1"
    assert after(plus, fen, "e2e4") == "7k/8/8/8/4(NP)3/8/8/K7 b - - 0 1"
    assert "e2e4" not in coordinates(plus, "7k/8/8/8/4N3/4N3/4P3/K7 w - - 0 1")


def test_5_other_ways_of_merging_can_be_chosen() -> None:
    fen = "4k3/8/8/8/8/1NN5/2P5/K7 w - - 0 1"
    moves = {
        way: coordinates(chess_rules(chessplus=True, pawn_merge=way), fen) for way in ("forward", "diagonal", "both")
    }
    merges = {way: {move for move in found if move.startswith("c2")} for way, found in moves.items()}
    assert merges == {"forward": {"c2c3"}, "diagonal": {"c2b3"}, "both": {"c2c3", "c2b3"}}


def test_6_double_steps_begin_on_the_home_rank_whatever_came_before(plus: ChessRules) -> None:
    # The knight carries the pawn on, back, and on again.
    carried = after(plus, "7k/8/8/8/8/8/3(NP)4/K7 w - - 0 1", "d2f3", "h8g8", "f3d2", "g8h8")
    assert "P:d2d4" in coordinates(plus, carried)
    assert "c1c3" not in coordinates(plus, "7k/8/8/8/8/8/8/K1(NP)5 w - - 0 1")
    assert "P:c1c2" in coordinates(plus, "7k/8/8/8/8/8/8/K1(NP)5 w - - 0 1")


def test_7_a_pawn_promotes_also_when_it_is_carried(plus: ChessRules) -> None:
    fen = "7k/8/1(NP)6/8/8/8/8/K7 w - - 0 1"
    assert {"b6a8q", "b6c8q"} <= coordinates(plus, fen)
    assert {"b6a8", "b6c8", "b6a8n"}.isdisjoint(coordinates(plus, fen))
    assert after(plus, fen, "b6c8q") == "2Q4k/8/8/8/8/8/8/K7 b - - 0 1"


def test_7_a_lone_pawn_chooses_and_its_partner_stays(plus: ChessRules) -> None:
    fen = "8/1(NP)5k/8/8/8/8/8/K7 w - - 0 1"
    assert {f"P:b7b8{piece}" for piece in "qrbn"} <= coordinates(plus, fen)
    assert after(plus, fen, "P:b7b8n") == "1N6/1N5k/8/8/8/8/8/K7 b - - 0 1"
    assert {move for move in coordinates(plus, fen) if move.startswith("b7b8")} == {"b7b8q"}


def test_7_a_pawn_that_joins_a_friend_on_the_last_rank_makes_one_queen(plus: ChessRules) -> None:
    fen = "1R6/1P5k/8/8/8/8/8/K7 w - - 0 1"
    assert {move for move in coordinates(plus, fen) if move.startswith("b7")} == {"b7b8q"}
    assert after(plus, fen, "b7b8q") == "1Q6/7k/8/8/8/8/8/K7 b - - 0 1"


def test_7_a_friend_that_leaves_for_the_last_rank_does_not_promote(plus: ChessRules) -> None:
    assert after(plus, "7k/8/1(NP)6/8/8/8/8/K7 w - - 0 1", "N:b6c8") == "2N4k/8/1P6/8/8/8/8/K7 b - - 1 1"


def test_7_merged_pieces_may_choose_where_that_is_the_rule() -> None:
    rules = chess_rules(chessplus=True, merged_promo="QRBN")
    assert {f"b6c8{piece}" for piece in "qrbn"} <= coordinates(rules, "7k/8/1(NP)6/8/8/8/8/K7 w - - 0 1")


def test_8_only_pawns_are_taken_en_passant(plus: ChessRules) -> None:
    fen = "7k/8/8/8/8/8/3(NP)4/K7 w - - 0 1"
    assert after(plus, fen, "d2d4") == "7k/8/8/8/3(NP)4/8/8/K7 b - - 0 1"
    assert after(plus, fen, "P:d2d4") == "7k/8/8/8/3P4/8/3N4/K7 b - d3 0 1"
    assert after(plus, "7k/8/8/8/3P4/8/3P4/K7 w - - 0 1", "d2d4") == "7k/8/8/8/3(PP)4/8/8/K7 b - d3 0 1"
    assert after(chess_rules(chessplus=True, ep_victim="any"), fen, "d2d4").split()[3] == "d3"


def test_8_both_pawns_are_taken(plus: ChessRules) -> None:
    fen = "7k/3(pp)4/8/4P3/8/8/8/K7 b - - 0 1"
    assert after(plus, fen, "d7d5", "e5d6ep") == "7k/8/3P4/8/8/8/8/K7 b - - 0 2"


def test_8_a_merged_piece_takes_as_a_whole_or_by_its_pawn(plus: ChessRules) -> None:
    fen = "8/7k/8/3p(BP)3/8/8/K7/8 w - d6 0 2"
    assert {"e5d6", "e5d6ep", "B:e5d6", "P:e5d6ep"} <= coordinates(plus, fen)
    assert after(plus, fen, "e5d6") == "8/7k/3(BP)4/3p4/8/8/K7/8 b - - 0 2"
    assert after(plus, fen, "e5d6ep") == "8/7k/3(BP)4/8/8/8/K7/8 b - - 0 2"
    assert after(plus, fen, "P:e5d6ep") == "8/7k/3P4/4B3/8/8/K7/8 b - - 0 2"


def test_8_en_passant_must_not_open_a_line_to_the_king(plus: ChessRules) -> None:
    # The bishop that stays behind still shields its king; the whole piece may not leave.
    fen = "8/7k/8/r2p(BP)2K/8/8/8/8 w - d6 0 2"
    moves = coordinates(plus, fen)
    assert "P:e5d6ep" in moves
    assert "e5d6ep" not in moves


def test_9_castling_with_a_merged_rook(plus: ChessRules) -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2(RN) w KQ - 0 1"
    assert after(plus, fen, "e1g1") == "4k3/8/8/8/8/8/8/R4(RN)K1 b - - 1 1"
    assert after(plus, fen, "N:h1g3").split()[2] == "KQ"
    assert after(plus, fen, "R:h1h2").split()[2] == "Q"
    assert after(plus, fen, "h1f2").split()[2] == "Q"
    assert after(plus, "4k3/8/8/8/8/8/6B1/4K2R w K - 0 1", "g2h1") == "4k3/8/8/8/8/8/8/4K2(RB) b K - 1 1"
    assert after(plus, "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "h1g1").split()[2] == "-"
    assert after(plus, "4k3/8/8/8/8/8/8/4K2(RR) w K - 0 1", "R:h1h2").split()[2] == "-"
    assert after(plus, "4k2r/8/8/8/8/8/8/4K2(RN) b K - 0 1", "h8h1").split()[2] == "-"
    assert "e1g1" not in coordinates(chess_rules(chessplus=True, castle_merged="no"), fen)


def test_10_both_halves_give_check(small: ChessRules) -> None:
    assert coordinates(small, "4k/5/1(np)3/5/K4 w - - 0 1") == {"a1b1", "a1b2"}


def test_10_a_pinned_piece_may_always_split(plus: ChessRules) -> None:
    found = halves(plus, "4r2k/8/8/8/8/8/4(RN)3/4K3 w - - 0 1", "e2")
    assert found[""] == {"e3", "e4", "e5", "e6", "e7", "e8"}
    assert "d2" in found["R"]
    assert found["N"] == {"c1", "c3", "d4", "f4", "g1", "g3"}


def test_11_the_clock_counts_moves_of_pawn_halves(plus: ChessRules) -> None:
    fen = "7k/8/8/8/8/8/3(NP)4/K7 w - - 7 1"
    assert after(plus, fen, "d2f3").split()[4] == "0"
    assert after(plus, fen, "N:d2f3").split()[4] == "8"
    assert after(plus, fen, "P:d2d3").split()[4] == "0"
    carried = after(plus, "4k3/8/8/8/8/8/8/4K2(RP) w K - 7 1", "e1g1")
    assert carried == "4k3/8/8/8/8/8/8/5(RP)K1 b - - 0 1"


def test_11_games_end_at_the_clock_and_at_the_cap() -> None:
    rules = chess_rules(chessplus=True, ply_cap=3)
    over, winner = rules.fields["OVER"], rules.fields["WINNER"]
    state = rules.state_row(rules.variant.start)
    for number, move in enumerate(("Nf3", "Nf6", "Ng1"), start=1):
        state = played(rules, state, move)
        assert bool(state[over]) == (number == 3)
    assert state[winner] == 0
    state = played(rules, rules.state_row("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), "Ra2")
    assert (state[over], state[winner]) == (1, 0)
    mate = played(rules, rules.state_row("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80"), "Ra8#")
    assert (mate[over], mate[winner]) == (1, 1)


def test_12_nobody_passes(plus: ChessRules) -> None:
    state = plus.state_row("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert len(plus.moves_of(state)) == 0
    assert (state[plus.fields["OVER"]], state[plus.fields["WINNER"]]) == (1, 0)


def test_the_flag_decides(rules: Named) -> None:
    fen = "4k/5/2P2/5/KN3 w - - 0 1"
    assert coordinates(rules("gardner-chessplus"), fen) - coordinates(rules("gardner"), fen) == {"b1c3"}
    flags = [rules(name).state_row(fen)[rules(name).fields["CHESSPLUS"]] for name in ("gardner", "gardner-chessplus")]
    assert flags == [0, 1]


def test_chess_does_not_pay_for_merging(rules: Named) -> None:
    assert "def merged_moves" in PLUS
    assert "def merged_moves" not in rules("chess").source
