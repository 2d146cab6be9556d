"""A tree distilled into a network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import ludoport as lp
from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.nets.guide import network_mask
from ludoport.nets.infer import Evaluator
from ludoport.nets.opening import open_network
from ludoport.search.graph import SearchGraph, about_game
from ludoport.search.graph_files import write_graph
from ludoport.search.graph_trees import graph_of
from ludoport.search.tree import Tree, UctSettings
from ludoport.selfplay.config import preset
from ludoport.selfplay.distilling import TreePositions, distill
from ludoport.tensors.encoder import TensorEncoder

LEAST = 8


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture(scope="module")
def graph(game: lp.Game) -> SearchGraph:
    tree = Tree(game.start(), 20_000, UctSettings(), 1)
    tree.run(400)
    return graph_of(tree, about=about_game(game, source="Tic-Tac-Toe"))


@pytest.fixture(scope="module")
def positions(game: lp.Game, graph: SearchGraph) -> TreePositions:
    return TreePositions(graph, game, TensorEncoder(game), LEAST)


def test_targets_are_what_the_tree_says(game: lp.Game, graph: SearchGraph, positions: TreePositions) -> None:
    visits = [int(graph.visits[graph.edges_from(int(key))].sum()) for key in graph.keys]
    assert sorted(positions.numbers) == [number for number, count in enumerate(visits) if count >= LEAST]
    for place, (row, number) in enumerate(zip(positions.rows, positions.numbers, strict=True)):
        state = lp.State(game, row)
        assert state.key == graph.keys[number]
        moves, tried, values = graph.moves_at(state)
        _, shares, judged, results, replies, owners = positions.taken(np.array([place]))
        slots = positions.encoder.move_slots(state)
        wanted = np.full(shares.shape[1], -1.0)
        wanted[list(slots.values())] = 0
        wanted[[slots[move.text] for move in moves]] = tried / tried.sum()
        assert shares[0] == pytest.approx(wanted)
        assert results[0] == judged[0] == pytest.approx(2 * float(tried @ values) / tried.sum() - 1, abs=1e-6)
        assert (replies == -1).all()
        assert (owners == -1).all()


def test_histories_are_those_of_a_way_to_the_position(game: lp.Game, positions: TreePositions) -> None:
    for row, history in zip(positions.rows, positions.histories, strict=True):
        empty = {move.text for move in lp.State(game, row).moves()}
        last = [str(site) for site in history[1::2] if site >= 0]
        assert len(last) == min(9 - len(empty), 2)
        assert not empty & set(last)


def test_a_network_learns_the_tree(game: lp.Game, graph: SearchGraph, positions: TreePositions, tmp_path: Path) -> None:
    file, told = tmp_path / "network.safetensors", list[int]()
    quick = {"batch": 32, "rate": 0.01, "warm_batches": 0, "ema": 0.5, "symmetries": False}
    config = preset("tiny", game="Tic-Tac-Toe", **quick)
    made = distill(
        graph, game, file, config, least=LEAST, batches=60, tell=lambda done, total, losses: told.append(done)
    )
    assert (made.file, made.positions, made.batches, told[-1]) == (file, len(positions), 60, 60)
    net, layout = open_network(file, game)
    seen, shares, _, results, _, _ = positions.taken(np.arange(len(positions)))
    planes = np.ascontiguousarray(seen.reshape(-1, *layout.shape))
    logits, values = Evaluator(net).evaluate(torch.from_numpy(planes), network_mask(layout, "cpu"))
    legal = np.where(shares >= 0, logits.reshape(len(shares), -1).numpy(), -np.inf)
    policy = np.exp(legal - legal.max(axis=1, keepdims=True))
    policy /= policy.sum(axis=1, keepdims=True)
    flat = (shares >= 0) / (shares >= 0).sum(axis=1, keepdims=True)
    wanted = shares.clip(min=0)
    assert np.abs(policy - wanted).sum() < 0.8 * np.abs(flat - wanted).sum()
    assert np.corrcoef(values.numpy().reshape(-1), results)[0, 1] > 0.5
    assert lp.match(f"net:{file},simulations=2", "random", game, games=2, workers=1).record.games == 2


def test_what_cannot_be_distilled(game: lp.Game, graph: SearchGraph, tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="no position of this tree of Tic-Tac-Toe has 1,000 visits"):
        distill(graph, game, tmp_path / "network.safetensors", least=1_000)
    with pytest.raises(LudoportError, match="at least 1"):
        distill(graph, game, tmp_path / "network.safetensors", least=LEAST, batches=0)


def test_the_command(
    graph: SearchGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    monkeypatch.chdir(tmp_path)
    write_graph(graph, Path("noughts.tree"))
    with pytest.raises(SystemExit) as ended:
        main(["tree", "distill", "noughts.tree", "--least", "8", "--batches", "4", "--set", "batch=16", "--out", "net"])
    assert not ended.value.code
    assert "learned" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["transfer", "net", "Tic-Tac-Toe", "--out", "again"])
    assert Path("again/network.safetensors").is_file()
