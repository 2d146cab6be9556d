"""The player with a saved tree: its moves are drawn by visits, and it searches where the tree knows nothing."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.kinds.tree import TreePlayer, knows, tree_player
from ludoport.arena.match import match
from ludoport.arena.players import player
from ludoport.search.graph import SearchGraph, about_game
from ludoport.search.graph_files import write_graph
from ludoport.search.graph_trees import graph_of
from ludoport.search.tree import Tree, UctSettings
from ludoport.search.uct import search


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture(scope="module")
def graph(game: lp.Game) -> SearchGraph:
    tree = Tree(game.start(), 5000, UctSettings(draw=0.2), seed=3)
    tree.run(200)
    return graph_of(tree, about=about_game(game, draw=0.2, simulations=200))


@pytest.fixture(scope="module")
def file(graph: SearchGraph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "a.tree"
    write_graph(graph, path)
    return path


def begun(chosen: object, game: lp.Game) -> TreePlayer:
    assert isinstance(chosen, TreePlayer)
    chosen.begin(game, 1, 0)
    return chosen


def test_texts(file: Path) -> None:
    assert player(f"tree:{file}").spec == f"tree:{file}"
    assert player(f"tree:{file},simulations=20,least=5").spec == f"tree:{file},simulations=20,least=5"
    assert player(f"tree:{file},exploration=1,draw=0.5").spec == f"tree:{file},exploration=1,draw=0.5"
    assert player(f"tree:{file},iterations=20").spec == f"tree:{file},simulations=20", "as earlier versions wrote it"
    for text, problem in {
        "tree": "the file of the tree is missing",
        f"tree:{file},simulations=0": "simulations must be at least 1",
        f"tree:{file},itertions=5": "did you mean `simulations`",
        f"tree:{file},draw=2": "the worth of a draw must be between 0 and 1",
    }.items():
        with pytest.raises(lp.LudoportError, match=problem):
            player(text)


def test_a_player_is_known_by_the_content_of_its_file(file: Path, graph: SearchGraph, tmp_path: Path) -> None:
    copy = tmp_path / "copy.tree"
    copy.write_bytes(file.read_bytes())
    assert tree_player(file).identity == tree_player(copy).identity
    assert tree_player(file, simulations=7).identity != tree_player(copy).identity
    assert tree_player(file, simulations=7).identity.endswith(",iterations=7"), "as stored matches have it"
    write_graph(graph.chosen(graph.visits > 1), copy)
    assert tree_player(file).identity != tree_player(copy).identity
    with pytest.raises(lp.LudoportError, match="there is no file"):
        _ = tree_player(tmp_path / "nothing.tree").identity


def test_moves_are_drawn_by_visits(game: lp.Game, graph: SearchGraph, file: Path) -> None:
    chosen, state = begun(tree_player(file), game), game.start()
    moves, visits, _ = graph.moves_at(state)
    drawn = [chosen.choose(state, seed).text for seed in range(3000)]
    shares = np.array([drawn.count(move.text) for move in moves]) / len(drawn)
    np.testing.assert_allclose(shares, visits / visits.sum(), atol=0.03)
    assert [chosen.choose(state, seed).text for seed in range(50)] == drawn[:50]


def test_unknown_positions_are_searched(game: lp.Game, graph: SearchGraph, file: Path) -> None:
    state = game.start()
    while knows(graph, state.key):
        state = state.play(state.moves()[0])
    chosen = begun(tree_player(file, simulations=30), game)
    assert [chosen.choose(state, seed).text for seed in range(10)] == [
        search(state, simulations=30, seed=seed, draw=0.2).best.text for seed in range(10)
    ]
    other = begun(tree_player(file, simulations=30, exploration=0.5), game)
    assert other.chosen == UctSettings(exploration=0.5, draw=0.2), "draws are worth what they are in the tree"


def test_positions_with_few_visits_count_as_unknown(game: lp.Game, graph: SearchGraph, file: Path) -> None:
    state = game.start()
    edges = graph.edges_from(state.key)
    total = int(graph.visits[edges].sum())
    assert total == 200
    assert knows(graph, state.key, total)
    assert not knows(graph, state.key, total + 1)
    chosen = begun(tree_player(file, simulations=40, least=total + 1), game)
    assert chosen.choose(state, 5).text == search(state, simulations=40, seed=5, draw=0.2).best.text


def test_a_tree_of_another_game_is_refused(file: Path) -> None:
    other = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    with pytest.raises(lp.LudoportError, match="it was built for Tic-Tac-Toe; this one is Hex"):
        match(tree_player(file), "random", other, games=2, workers=1)


@pytest.mark.slow
def test_games_are_the_same_in_other_processes(game: lp.Game, file: Path) -> None:
    used = begun(tree_player(file, simulations=10), game)
    copy = pickle.loads(pickle.dumps(used))
    assert copy.spec == used.spec
    results = [match(copy, "random", game, games=6, seed=4, workers=workers) for workers in (1, 2)]
    assert results[0].record == results[1].record
    assert results[0].moves == results[1].moves
