"""Small games whose domains lie to each other in all ways of Figure 13, and trees of them made without search."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import ludoport as lp
from ludoport.chess import chess_rules
from ludoport.game import Game, State
from ludoport.search.graph import SearchGraph, about_game, arranged

_ROW = """
(game "{name}" (players 2)
    (equipment {{(board (rectangle 1 {width})) (piece "{piece}" Each)}})
    (rules {start}
        (play (move Add (to {sites})))
        (end (if (is Full) (result Mover {verdict})))))
"""


def row_game(
    name: str,
    width: int = 4,
    sites: str = "(sites Empty)",
    *,
    start: str = "",
    piece: str = "Disc",
    verdict: str = "Win",
) -> Game:
    """Stones are added to a row of squares; whoever fills it wins."""
    return _game(_ROW.format(name=name, width=width, sites=sites, start=start, piece=piece, verdict=verdict))


@cache
def _game(text: str) -> Game:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.lud"
        path.write_text(text)
        return lp.load(path, jit=False)


def only(*sites: int) -> str:
    """Empty sites out of a few."""
    return f"(intersection (sites Empty) (sites {{{' '.join(map(str, sites))}}}))"


@cache
def gardner(chessplus: bool, literal: bool = False) -> Game:
    """Gardner chess or Chessplus as plain Python, games of few moves."""
    return Game(chess_rules("gardner", chessplus=chessplus, literal=literal, ply_cap=12), jit=False)


def random_tree(game: Game, walks: int, depth: int, seed: int = 1, moves: tuple[str, ...] = ()) -> SearchGraph:
    """A tree of random lines from a root, with random results."""
    rng = np.random.default_rng(seed)
    about = about_game(game, moves=moves, draw=0.25, simulations=walks, seeds=(seed,))
    root = about.root(game)
    known: dict[int, State] = {}
    lines = []
    for _ in range(walks):
        state = root
        for _ in range(depth):
            if state.over:
                break
            state = known.setdefault(state.key, state)
            legal = state.moves()
            move = legal[int(rng.integers(len(legal)))]
            after = state.play(move)
            lines.append((state.key, after.key, move.row, state.seat, float(rng.integers(0, 5)) / 4))
            state = after
    parents, children, rows, persons, worths = zip(*lines, strict=True)
    return arranged(
        about, root.key, np.array(parents), np.array(children), np.array(rows).astype(game.rules.dtype),
        np.array(persons, dtype=np.int8), np.ones(len(lines), dtype=np.int64), np.array(worths),
    )  # fmt: skip


def whole_tree(game: Game, seed: int = 1) -> SearchGraph:
    """All positions of a small game, with random numbers."""
    rng = np.random.default_rng(seed)
    start = game.start()
    lines, waiting, seen = [], [start], {start.key}
    while waiting:
        state = waiting.pop()
        for move in [] if state.over else state.moves():
            after = state.play(move)
            visits = int(rng.integers(1, 20))
            lines.append((state.key, after.key, move.row, state.seat, visits, float(rng.random()) * visits))
            if after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    parents, children, rows, persons, visits_of, worths = zip(*lines, strict=True)
    return arranged(
        about_game(game), start.key, np.array(parents), np.array(children), np.array(rows).astype(game.rules.dtype),
        np.array(persons, dtype=np.int8), np.array(visits_of), np.array(worths),
    )  # fmt: skip


Edges = dict[tuple[int, int, bytes, int], tuple[int, float]]


def brute_force(graph: SearchGraph, roots: tuple[State, State], names: dict[str, str]) -> Edges:
    """The edges that exist in the target, by walking through both games with states.

    Args:
        graph: the tree.
        roots: its root in both games.
        names: moves of the source by their texts, and the text of each in the target.
    """
    found: dict[tuple[int, int, bytes, int], list[float]] = defaultdict(lambda: [0, 0.0])
    waiting, seen = [roots], {roots[0].key}
    while waiting:
        one, two = waiting.pop(0)
        theirs = {} if two.over else {move.text: move for move in two.moves()}
        moves, visits, values = graph.moves_at(one)
        for move, times, value in zip(moves, visits, values, strict=True):
            text = names.get(move.text, move.text)
            if text not in theirs:
                continue
            after, there = one.play(move), two.play(theirs[text])
            row = theirs[text].row.astype(np.int64).tobytes()
            sums = found[two.key, there.key, row, two.seat]
            sums[0] += int(times)
            sums[1] += float(value) * int(times)
            if after.key not in seen:
                seen.add(after.key)
                waiting.append((after, there))
    return {edge: (int(visits), worth) for edge, (visits, worth) in found.items()}
