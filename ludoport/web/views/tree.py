"""Saved search trees, one position at a time; what of a tree another game keeps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.drawing.scenes import board_scene, move_scene, position_scene
from ludoport.game import Game, load
from ludoport.search.graph import SearchGraph
from ludoport.search.graph_files import about_of, read_graph, read_header
from ludoport.search.graph_lines import line_from
from ludoport.transfer.api import game_of_tree
from ludoport.transfer.search_trees import TreeTransfer, transfer_tree

LONGEST = 12
"""Moves of an expected line that are shown."""


def about_tree(file: Path) -> dict[str, Any]:
    """The size of a tree, its game, and where it comes from.

    Returns:
        ``game``, ``options``, ``simulations``, ``states``, ``edges``, ``visits``, ``depth``, ``branching``, ``moves``
        (that lead to its root), ``carried_from``: the game and the discount of a transferred tree, or None.
    """
    graph = _graph(file)
    about = graph.about
    before = about.settings.get("transferred_from")
    return {
        "game": about.game,
        "options": list(about.options),
        "simulations": about.simulations,
        "states": graph.states,
        "edges": graph.edges,
        "visits": int(graph.visits.sum()),
        "depth": graph.depth,
        "branching": round(graph.branching, 2),
        "moves": list(about.moves),
        "carried_from": {"game": before["game"], "discount": before["discount"]} if before else None,
        "board": board_scene(_game(file)),
    }


def walk(file: Path, moves: Sequence[str] = (), target: str = "", options: Sequence[str] = ()) -> dict[str, Any]:
    """A position of a tree.

    Args:
        file: the saved tree.
        moves: from its root, as texts.
        target: a game to which the tree would be carried; empty for none.
        options: of that game.

    Returns:
        ``position``; ``line``: labels of the moves from the root; ``visits`` of the position; ``children``: moves in
        the tree with ``visits``, ``share``, ``value`` for the player to move (from 0 to 1), ``below`` (moves known
        after it), ``expected`` (labels of the line that follows) and ``kept`` (whether the target keeps it; None
        without a target), the most visited first; ``unvisited``: legal moves that the tree does not know.
    """
    graph, game = _graph(file), _game(file)
    state = graph.root_state(game)
    labels = []
    for text in moves:
        move = state.find(text)
        labels.append(move.label)
        state = state.play(move)
    kept = None if not target else _kept(file, target, tuple(options))
    known, visits, values = graph.moves_at(state)
    edges = graph.edges_from(state.key)
    numbers = {graph.moves[e].astype(game.dtype).tobytes(): e for e in range(edges.start, edges.stop)}
    piles = game.rules.figures(state.row)
    children = []
    total = max(1, int(visits.sum()))
    for at in np.argsort(-visits, kind="stable").tolist():
        move, edge = known[at], numbers[known[at].row.tobytes()]
        child = int(graph.child[edge])
        children.append(
            {
                **move_scene(state, move, piles),
                "visits": int(visits[at]),
                "share": round(int(visits[at]) / total, 6),
                "value": round(float(values[at]), 4),
                "below": int(graph.first[child + 1] - graph.first[child]),
                "expected": [step.label for step in line_from(graph, state, move, LONGEST)],
                "kept": None if kept is None else bool(kept[edge]),
            }
        )
    tried = {child["text"] for child in children}
    return {
        "position": position_scene(state),
        "line": labels,
        "visits": int(visits.sum()),
        "children": children,
        "unvisited": [] if state.over else [move.label for move in state.moves() if move.text not in tried],
    }


def carried(file: Path, target: str, options: Sequence[str] = ()) -> dict[str, Any]:
    """The part of a tree that another game keeps: the numbers of ``ludoport tree transfer``, and a sentence."""
    found = _transfer(file, target, tuple(options))
    return {**found.as_json(), "text": str(found)}


def carry(file: Path, target: str, out: Path, options: Sequence[str] = ()) -> Path:
    """Write the carried tree; returns its file."""
    from ludoport.search.graph_files import write_graph

    write_graph(_transfer(file, target, tuple(options)).graph, out)
    return out


def _kept(file: Path, target: str, options: tuple[str, ...]) -> NDArray[np.bool_]:
    graph = _graph(file)
    kept = np.zeros(graph.edges, dtype=np.bool_)
    kept[_transfer(file, target, options).kept] = True
    return kept


@lru_cache(maxsize=2)
def _transfer(file: Path, target: str, options: tuple[str, ...]) -> TreeTransfer:
    return transfer_tree(_graph(file), _game(file, jit=True), load(target, options), loaded=(target, options, None))


def _graph(file: Path) -> SearchGraph:
    return _read(file, file.stat().st_mtime_ns if file.exists() else 0)


@lru_cache(maxsize=2)
def _read(file: Path, changed: int) -> SearchGraph:
    del changed  # a file that was written again is another tree
    return read_graph(file)


@lru_cache(maxsize=4)
def _game(file: Path, jit: bool = False) -> Game:
    """Saved search trees, one position at a time; the part of a tree that another game keeps."""
    return Game(game_of_tree(about_of(read_header(file))).rules, jit=jit)
