"""The kernel contract: plain Python and machine code agree, drawing is uniform, keys tell positions apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from ludoport.check import check_game
from ludoport.chess import ChessRules, chess_rules
from ludoport.chess.perft import Perft
from ludoport.game import Game, seeded
from tests.chess.common import played, random_game

Named = Callable[[str], ChessRules]

FULL_OF_QUEENS = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "gardner-chessplus"])
def test_every_promise_of_the_contract(rules: Named, name: str) -> None:
    check_game(Game(rules(name)), playouts=1, plies=120)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chessplus", "gardner"])
def test_every_promise_in_plain_python(rules: Named, name: str) -> None:
    check_game(Game(rules(name), jit=False), playouts=1, plies=40)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "chessplus"])
def test_a_whole_game_is_the_same_in_plain_python_and_machine_code(rules: Named, name: str) -> None:
    game, plain = Game(rules(name)), rules(name).plain
    for seed in (1, 2, 3):
        results = []
        for playout, start in (
            (game.kernels.playout, game.kernels.start),
            (plain["enter_playout"], plain["enter_start"]),
        ):
            rng, row = seeded(seed), np.zeros(rules(name).state_size, dtype=np.int64)
            start(row, rng)
            count = playout(row, rng, np.zeros_like(game.move_list), np.zeros_like(game.work), 250)
            results.append((count, row.tolist(), rng.tolist()))
        assert results[0] == results[1]


def test_a_playout_is_drawing_and_playing_in_turn(rules: Named) -> None:
    plain = rules("gardner-chessplus").plain
    moves = np.zeros(plain["MAX_MOVES"] + 1, dtype=np.int64)
    work, move = np.zeros_like(moves), np.zeros(1, dtype=np.int64)
    for seed in range(3):
        rows = [np.array(plain["INITIAL"]) for _ in range(2)]
        rng, other = seeded(seed), seeded(seed)
        count = plain["playout"](rows[0], rng, moves, work, 60)
        plies = 0
        while not rows[1][plain["OVER"]] and plies < 60:
            plain["sample"](rows[1], other, move, moves, work)
            plain["play"](rows[1], move, work)
            plies += 1
        assert (count, rows[0].tolist(), rng.tolist()) == (plies, rows[1].tolist(), other.tolist())


def test_drawing_is_uniform(rules: Named) -> None:
    game = rules("chessplus")
    state = game.state_row("4k3/8/8/3p(BP)3/8/8/8/4K3 w - d6 0 2")
    legal = {int(move) for move in game.moves_of(state).reshape(-1)}
    moves, move, rng = np.zeros(game.max_moves + 1, dtype=np.int64), np.zeros(1, dtype=np.int64), seeded(3)
    drawn: Counter[int] = Counter()
    for _ in range(100 * len(legal)):
        game.plain["sample"](state, rng, move, moves, moves)
        drawn[int(move[0])] += 1
    assert set(drawn) == legal
    statistic = sum((count - 100) ** 2 / 100 for count in drawn.values())
    freedom = len(legal) - 1
    assert statistic < freedom + 6 * (2 * freedom) ** 0.5


def test_keys(rules: Named) -> None:
    game = rules("chess")

    def key(fen: str) -> int:
        return int(game.plain["key"](game.state_row(fen)))

    board = "r3k2r/8/8/8/8/8/8/R3K2R"
    keys = [key(f"{board} {rest}") for rest in ("w KQkq - 0 1", "b KQkq - 0 1", "w KQk - 0 1", "w - - 0 1")]
    assert len(set(keys)) == 4
    assert key(f"{board} w KQkq - 0 1") == key(f"{board} w KQkq - 30 50")
    assert key("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1") != key("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1")


def test_a_chess_position_has_the_same_key_and_moves_in_chessplus(rules: Named) -> None:
    chess, plus = rules("gardner"), rules("gardner-chessplus")
    for state, rows in random_game(chess, seed=2, plies=40):
        other = plus.state_row(chess.fen_of(state))
        assert chess.plain["key"](state) == plus.plain["key"](other)
        assert {int(row[0]) for row in rows} <= {int(row[0]) for row in plus.moves_of(other)}


def test_keys_of_a_game_differ_where_positions_differ(rules: Named) -> None:
    game = rules("chessplus")
    seen: dict[int, str] = {}
    for seed in range(3):
        for state, _ in random_game(game, seed, plies=60):
            text = " ".join(game.fen_of(state).split()[:4])
            assert seen.setdefault(int(game.plain["key"](state)), text) == text


@pytest.mark.parametrize("name", ["chess", "chessplus", "gardner", "gardner-chessplus"])
def test_no_position_has_more_moves_than_there_is_room_for(name: str, rules: Named) -> None:
    game = rules(name)
    assert game.max_moves == game.plain["MAX_MOVES"]
    if game.variant.size == (8, 8):
        assert 218 <= len(game.moves_of(game.state_row(FULL_OF_QUEENS))) <= game.max_moves


def test_divide_adds_up(rules: Named) -> None:
    game = rules("chessplus")
    perft = Perft(game, jit=False)
    state = game.state_row("4k3/8/8/8/3(BN)4/8/8/4K3 w - - 0 1")
    below = perft.divide(state, 2)
    assert sum(below.values()) == perft.count(state, 2)
    assert below["N:d4f5"] == len(game.moves_of(played(game, state, "N:d4f5")))
    assert list(below) == sorted(below)


def test_the_clock_does_not_end_counting(rules: Named) -> None:
    game = rules("chess")
    perft = Perft(game, jit=False)
    fens = ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/4k3/8/8/3K4/8/8 w - - 99 80"]
    assert {perft.count(game.state_row(fen), 3) for fen in fens} == {440}
    assert perft.count(game.state_row(fens[0]), 0) == 1


def test_the_text_of_the_kernels_is_the_fingerprint() -> None:
    one, same, other = chess_rules(), chess_rules("8x8"), chess_rules(ply_cap=50)
    assert one.fingerprint == same.fingerprint != other.fingerprint


def test_nobody_takes_a_king(rules: Named) -> None:
    """Positions in which the player who is not to move stands in check can be given; they are counted as well."""
    game = rules("gardner")
    state = game.state_row("q3k/5/5/5/K3Q w - - 0 1")
    assert set(game.coordinate_texts(state, game.moves_of(state))) == {"a1b1", "a1b2", "e1a5"}
    both = rules("chess").state_row("8/8/8/3kK3/8/8/8/8 w - - 0 1")
    assert "e5d5" not in rules("chess").coordinate_texts(both, rules("chess").moves_of(both))
