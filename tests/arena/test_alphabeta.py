"""Alpha-beta finds the values that full search finds, and solves small games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.arena.alphabeta import AlphaBeta, SearchBudget

TWO_STONES = """
(game "Two Stones" (players 2)
    (equipment {(board (rectangle 1 8)) (piece "Disc" Each)})
    (rules
        (play (if (is Prev Mover)
            (move Add (to (sites Empty)))
            (move Add (to (sites Empty)) (then (moveAgain)))))
        (end (if (is Line 3) (result Mover Win)))))
"""

PAWNS = """
(game "Pawns" (players {(player N) (player S)})
    (equipment {
        (board (rectangle 4 3)) (regions P1 (sites Top)) (regions P2 (sites Bottom))
        (piece "Pawn" Each (or
            (move Step Forward (to if:(is Empty (to))))
            (move Step (directions {FR FL}) (to if:(is Enemy (who at:(to))) (apply (remove (to)))))))
    })
    (rules
        (start {(place "Pawn1" (sites Bottom)) (place "Pawn2" (sites Top))})
        (play (forEach Piece))
        (end {(if (is In (last To) (sites Mover)) (result Mover Win)) (if (no Moves Next) (result Mover Win))})))
"""

THREE_PLAYERS = """
(game "Three" (players 3)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""


def load_text(text: str, folder: Path) -> lp.Game:
    path = folder / "game.lud"
    path.write_text(text)
    return lp.load(path, jit=False)


def full_value(state: lp.State, depth: int = 99, known: dict[tuple[bytes, int], float] | None = None) -> float:
    """Value of a position for person 1, by exhaustive search; 0 where the depth ends."""
    known = {} if known is None else known
    if state.over:
        return state.seat_utilities[0]
    if depth == 0:
        return 0.0
    key = (state.row.tobytes(), depth)
    if key not in known:
        values = [full_value(state.play(move), depth - 1, known) for move in state.moves()]
        known[key] = max(values) if state.seat == 1 else min(values)
    return known[key]


def positions(game: lp.Game, plies: int, count: int) -> list[lp.State]:
    """Positions after so many random moves."""
    found: list[lp.State] = []
    rng = random.Random(plies)
    while len(found) < count:
        state = game.start()
        for _ in range(plies):
            if not state.over:
                state = state.play(rng.choice(state.moves()))
        if not state.over:
            found.append(state)
    return found


def check_exact(game: lp.Game, states: list[lp.State]) -> set[float]:
    """Every value is that of full search, and so is the value of the chosen move."""
    search, seen, known = AlphaBeta(game), set(), dict[tuple[bytes, int], float]()
    for state in states:
        verdict = search.search(state)
        value = full_value(state, known=known)
        assert verdict.exact
        assert verdict.value == (value if state.seat == 1 else -value)
        assert full_value(state.play(verdict.move), 98, known) == value
        assert AlphaBeta(game, table=0).search(state).value == verdict.value
        seen.add(verdict.value)
    return seen


@pytest.mark.slow
def test_exact_in_tic_tac_toe() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    assert check_exact(game, positions(game, 3, 3) + positions(game, 4, 15)) == {-1.0, 0.0, 1.0}


def test_exact_where_colours_are_swapped() -> None:
    game = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    swapped = [state for state in positions(game, 5, 60) if state.swapped]
    assert len(swapped) >= 3
    assert check_exact(game, swapped[:3] + positions(game, 4, 3)) == {-1.0, 1.0}
    centre = game.start().play("4")
    assert AlphaBeta(game).search(centre).move.text == "swap"


@pytest.mark.slow
def test_exact_where_pieces_move(tmp_path: Path) -> None:
    game = load_text(PAWNS, tmp_path)
    assert check_exact(game, [game.start(), *positions(game, 2, 6)]) == {-1.0, 1.0}


def test_exact_where_a_turn_has_two_moves(tmp_path: Path) -> None:
    game = load_text(TWO_STONES, tmp_path)
    assert len(check_exact(game, positions(game, 2, 1) + positions(game, 3, 5) + positions(game, 4, 5))) >= 2


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_depth_is_a_depth(depth: int) -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    for state in positions(game, 4, 12):
        verdict = AlphaBeta(game).search(state, SearchBudget(depth=depth))
        value = full_value(state, depth)
        assert verdict.value == (value if state.seat == 1 else -value)
        assert verdict.depth <= depth


@pytest.mark.slow
def test_known_values() -> None:
    tic_tac_toe = lp.load("Tic-Tac-Toe")
    verdict = AlphaBeta(tic_tac_toe).search(tic_tac_toe.start())
    assert (verdict.value, verdict.exact) == (0.0, True)
    off = lp.load("Hex", options=["Board Size/3x3", "Swap Rules/Off"], jit=False)
    assert AlphaBeta(off).search(off.start()).value == 1.0
    on = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    assert AlphaBeta(on).search(on.start()).value == -1.0


def test_exact_in_endgames_of_connect_four() -> None:
    game = lp.load("Connect Four", jit=False)
    assert len(check_exact(game, positions(game, 35, 6))) >= 2


def test_wins_are_quick_and_losses_slow() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    state = game.start()
    for move in "0314":
        state = state.play(move)
    verdict = AlphaBeta(game).search(state)
    assert (verdict.move.text, verdict.depth) == ("2", 1)
    lost = game.start()
    for move in ("0", "1", "4"):  # next 8 wins, or 3 and 6 together: only 8 holds it off
        lost = lost.play(move)
    for seed in range(5):
        verdict = AlphaBeta(game).search(lost, seed=seed)
        assert (verdict.move.text, verdict.value) == ("8", -1.0)


@pytest.mark.slow
def test_plain_python_searches_the_same() -> None:
    plain, fast = (lp.load("Tic-Tac-Toe", jit=jit) for jit in (False, True))
    for seed in range(3):
        verdicts = [
            AlphaBeta(game, playouts=2).search(game.start(), SearchBudget(depth=3), seed) for game in (plain, fast)
        ]
        assert len({(v.move.text, v.value, v.nodes) for v in verdicts}) == 1


def test_playouts_see_further() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    blind = AlphaBeta(game).search(game.start(), SearchBudget(depth=1))
    assert (blind.value, blind.exact) == (0.0, False)
    guess = AlphaBeta(game, playouts=60).search(game.start(), SearchBudget(depth=1))
    assert guess.move.text == "4"
    assert 0 < guess.value < 0.99


def test_budgets() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    for nodes in (1, 2, 30, 500):
        verdict = AlphaBeta(game).search(game.start(), SearchBudget(nodes=nodes))
        assert verdict.nodes == nodes
        assert not verdict.exact
    assert AlphaBeta(game).search(game.start(), SearchBudget(seconds=0.02)).nodes > 0
    for wrong in ({"depth": 0}, {"nodes": 0}, {"seconds": 0.0}, {"seconds": float("nan")}):
        with pytest.raises(lp.LudoportError):
            SearchBudget(**wrong)


def test_a_tiny_table_is_only_slower() -> None:
    game = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    small, large = (AlphaBeta(game, table=size).search(game.start().play("0")) for size in (8, 1 << 16))
    assert small.value == large.value
    assert small.nodes > large.nodes


def test_what_it_refuses(tmp_path: Path) -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    over = game.start()
    for move in "03142":
        over = over.play(move)
    with pytest.raises(lp.LudoportError, match="over"):
        AlphaBeta(game).search(over)
    with pytest.raises(lp.LudoportError, match="one or two players"):
        AlphaBeta(load_text(THREE_PLAYERS, tmp_path))
