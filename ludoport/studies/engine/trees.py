"""Jobs about search trees: growing, transferring and distilling them, and players that use them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ludoport.errors import LudoportError
from ludoport.nets import load_torch
from ludoport.studies.engine.learning import training
from ludoport.studies.engine.task import Result, Task, game_of

if TYPE_CHECKING:
    from ludoport.arena.player import Player
    from ludoport.search.graph import SearchGraph

FILE = "search.tree"
"""The name of a tree in the folder of its job."""


def grow(task: Task) -> Result:
    """Build a tree of a game with a number of simulations.

    Positions with fewer visits than ``least`` are left out: no player of a study answers from them.
    """
    from ludoport.search.build import Cluster, build_tree
    from ludoport.search.graph import about_game
    from ludoport.search.graph_files import write_graph
    from ludoport.search.shares import BuildPlan

    params, game = task.job.params, game_of(task.job.params)
    about = about_game(game, source=params["game"], options=tuple(params["options"]))
    plan = BuildPlan(about, params["simulations"], nodes=params["nodes"], seed=task.job.seed)
    task.place.mkdir(parents=True, exist_ok=True)
    task.note(f"{params['simulations']:,} simulations")
    begin = time.process_time()
    whole = build_tree(game, plan, 1, task.place / FILE, on=Cluster(threads=1)).graph()
    spent = time.process_time() - begin
    graph = visited(whole, params["least"])
    write_graph(graph, task.place / FILE)
    return {
        **_tree(task, task.place / FILE), "simulations": graph.about.simulations, "states": whole.states,
        "positions": int((np.diff(graph.first) > 0).sum()), "cpu_seconds": round(spent, 2),
    }  # fmt: skip


def visited(graph: SearchGraph, least: int) -> SearchGraph:
    """A tree without the moves of positions that have fewer visits, and without what only these lead to."""
    left = graph.chosen(np.bincount(graph.parent, graph.visits, graph.states)[graph.parent] >= least)
    return left.chosen(left.spanning[0][left.parent] >= 0)


def carry(task: Task) -> Result:
    """Transfer a tree to another game, without further search."""
    from ludoport.search.graph_files import read_graph, write_graph
    from ludoport.transfer.api import game_of_tree
    from ludoport.transfer.search_trees import transfer_tree

    params, graph = task.job.params, read_graph(task.tree(0))
    loaded = (params["game"], tuple(params["options"]), None)
    moved = transfer_tree(graph, game_of_tree(graph.about), game_of(params), loaded=loaded)
    task.place.mkdir(parents=True, exist_ok=True)
    write_graph(moved.graph, task.place / FILE)
    kept = {"case": moved.case, "states": moved.states, "source_states": moved.source_states}
    return {**_tree(task, task.place / FILE), **kept}


def _tree(task: Task, file: Path) -> Result:
    return {"tree": str(file.relative_to(task.folder))}


def distill(task: Task) -> Result:
    """Train a network on the positions of a tree."""
    load_torch()
    from ludoport.search.graph_files import read_graph
    from ludoport.selfplay.distilling import distill as learn

    params, game = task.job.params, game_of(task.job.params)
    graph = read_graph(task.tree(0))
    task.place.mkdir(parents=True, exist_ok=True)
    file, begin = task.place / "network.safetensors", time.process_time()
    made = learn(
        graph, game, file, training(task), least=params["least"], batches=params["batches"], device=task.device,
        tell=lambda done, total, losses: task.note(f"{done} of {total} batches, policy {losses.policy:.2f}"),
    )  # fmt: skip
    return {
        "network": str(file.relative_to(task.folder)), "positions": made.positions, "batches": made.batches,
        "policy_loss": round(made.policy, 4), "value_loss": round(made.value, 4), "device": task.device,
        "source_epochs": 0, "cpu_seconds": round(time.process_time() - begin, 2),
    }  # fmt: skip


def tree_player_of(task: Task) -> Player:
    """A tree that plays; where it knows too little, a search does, with as many simulations as a network has."""
    from ludoport.arena.kinds.tree import tree_player

    simulations = task.job.params["simulations"]
    return tree_player(task.tree(0), simulations=simulations, least=simulations)


def answered(task: Task, store: Path) -> dict[str, int]:
    """Number of moves in a match that the tree answered, and of all moves of its player."""
    from ludoport.arena.kinds.tree import knows
    from ludoport.search.graph_files import read_graph

    graph, game, least = read_graph(task.tree(0)), game_of(task.job.params), task.job.params["simulations"]
    known = played = 0
    for first, moves in _games(store, task.job.params["games"]):
        state = game.start()
        seat = state.seat
        for text in moves:
            if (state.seat == seat) == first:
                played += 1
                known += knows(graph, state.key, least)
            state = state.play(text)
    return {"tree_moves": known, "own_moves": played}


def _games(store: Path, wanted: int) -> list[tuple[bool, tuple[str, ...]]]:
    """The games of the only match of a store: whether the tree moved first, and the moves."""
    from ludoport.arena.storage import MatchStore

    with MatchStore(store) as file:
        numbers = [int(match["id"]) for match in file.matches()]
        if len(numbers) != 1:
            raise LudoportError(f"{store} holds {len(numbers)} matches; one was expected")
        return [
            (game.pairing.first == "a", game.moves) for game in file.games(numbers[0]) if game.pairing.number < wanted
        ]
