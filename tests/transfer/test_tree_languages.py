"""Trees between games of two languages: chess and chess as a game text are one game, others are refused."""

from __future__ import annotations

import pytest

import ludoport as lp
from ludoport.game import Game
from ludoport.transfer.search_trees import TreeTransfer, transfer_tree

from .tree_games import gardner, random_tree, row_game, whole_tree


@pytest.fixture(scope="module")
def chess() -> Game:
    return lp.load("Chess 8x8", jit=False)


@pytest.fixture(scope="module")
def text() -> Game:
    return lp.load("Chess", jit=False)


@pytest.fixture(scope="module")
def there(chess: Game, text: Game) -> TreeTransfer:
    return transfer_tree(random_tree(chess, walks=3, depth=5), chess, text)


@pytest.mark.slow
def test_a_tree_of_chess_is_carried_to_its_game_text(there: TreeTransfer, text: Game) -> None:
    assert there.case == "same domain"
    assert (there.states, there.edges, there.visits) == (there.source_states, there.source_edges, 15)
    assert there.graph.root_state(text).key == text.start().key


@pytest.mark.slow
def test_and_back(there: TreeTransfer, chess: Game, text: Game) -> None:
    back = transfer_tree(there.graph, text, chess)
    again = random_tree(chess, walks=3, depth=5)
    assert back.graph.keys.tolist() == again.keys.tolist()
    assert back.graph.visits.tolist() == again.visits.tolist()


def test_castling_and_en_passant_are_the_same_moves(chess: Game, text: Game) -> None:
    moves = ("e4", "Nf6", "e5", "d5", "exd6", "g6", "Nf3", "Bg7", "Be2")
    moved = transfer_tree(random_tree(chess, walks=2, depth=1, moves=moves), chess, text)
    assert moved.case == "same domain"
    assert len(moved.graph.about.moves) == len(moves)
    state = moved.graph.root_state(text).play("60-62")
    assert state.pieces()[61] == chess.start().pieces()[63]


def test_other_positions_differ(text: Game) -> None:
    small = gardner(chessplus=False)
    with pytest.raises(lp.LudoportError, match="their start positions differ"):
        transfer_tree(random_tree(small, walks=1, depth=1), small, text)


def test_languages_that_name_positions_differently_are_refused() -> None:
    row, sheet = row_game("Row", 3), lp.load("tic-tac-toe.kif", jit=False)
    with pytest.raises(lp.LudoportError, match="are games of two languages, which name positions"):
        transfer_tree(whole_tree(row), row, sheet)
